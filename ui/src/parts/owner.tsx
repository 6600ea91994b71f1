import { useSession } from "../lib/session";

/**
 * Whose form it is. Should the session end before it is sent, the server takes it along through the
 * login, and nobody else's login sends it.
 */
export function Owner() {
  const { user } = useSession();
  return <input type="hidden" name="owner" value={user?.username ?? ""} />;
}
