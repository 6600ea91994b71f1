import { OwnerInput } from "../lib/session";

/** Tells the server the step and the owner of a form that no script sends. */
export function PlainStep({ step }: { step: string }) {
  return (
    <>
      <input type="hidden" name="step" value={step} />
      <OwnerInput />
    </>
  );
}
