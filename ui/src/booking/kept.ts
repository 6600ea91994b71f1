import { START, type Flow } from "./flow";

/** The wizard as it was left to recharge the wallet: for this tab and this user, until booked. */
const ENTRY = "booking_in_review";

type Kept = { username: string; flow: Flow };

/** The wizard's address for somebody who comes back to it. */
export const RESUME = "/courier?resume=1";

/** Keeps a review that may be left, and forgets one that is over. */
export function keepFlow(username: string, flow: Flow, storage?: Storage) {
  try {
    const kept = storage ?? sessionStorage;
    if (flow.step === "review") kept.setItem(ENTRY, JSON.stringify({ username, flow }));
    if (flow.step === "rate" || flow.step === "success") kept.removeItem(ENTRY);
  } catch {
    // Storage is switched off: the wizard then begins anew.
    return;
  }
}

/** The review this user left, else the wizard's beginning. */
export function keptFlow(username: string, storage?: Storage): Flow {
  try {
    const text = (storage ?? sessionStorage).getItem(ENTRY);
    const kept = JSON.parse(text ?? "null") as Kept | null;
    return kept?.username === username ? kept.flow : START;
  } catch {
    return START;
  }
}

/** Names and addresses do not stay behind for the next person at this computer. */
export function forgetFlow() {
  try {
    sessionStorage.removeItem(ENTRY);
  } catch {
    return;
  }
}
