import { Owner } from "../lib/session";

/** What a form of the wizard says of itself where no script sends it: its step, and whose it is. */
export function PlainStep({ step }: { step: string }) {
  return (
    <>
      <input type="hidden" name="step" value={step} />
      <Owner />
    </>
  );
}
