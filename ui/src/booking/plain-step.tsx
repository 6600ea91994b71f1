import { useSession } from "../lib/session";

/**
 * What a form of the wizard says of itself where no script sends it: its step, and whose it is,
 * should the session end before it is sent.
 */
export function PlainStep({ step }: { step: string }) {
  const { user } = useSession();
  return (
    <>
      <input type="hidden" name="step" value={step} />
      <input type="hidden" name="owner" value={user?.username ?? ""} />
    </>
  );
}
