import type { PickupLine } from "../wire";
import type { Words } from "../words/words";
import { pickupTime } from "./pickup-time";

type Texts = Readonly<Record<PickupLine["state"], string>>;

const SHORT: Texts = {
  requested: "Pickup {when}, not confirmed yet",
  confirmed: "Pickup {when}",
  refused: "The courier did not agree to the pickup",
  missed: "The pickup was missed",
  calling_off: "The pickup is being cancelled",
};

/** A few words, for a line of a list. */
export function pickupShort(t: Words, time: PickupLine): string {
  return t(SHORT[time.state], { when: pickupTime(t, time) });
}
