import type { PickupLine } from "../wire";
import type { Words } from "../words/words";
import { pickupTime } from "./pickup-time";

type Texts = Readonly<Record<PickupLine["state"], string>>;

const SENTENCES: Texts = {
  requested: "We are asking the courier to come {when}.",
  confirmed: "The courier comes {when}.",
  refused: "The courier did not agree to come {when}. Please choose another time.",
  missed: "It was to be picked up {when}, and was not. Please choose another time.",
  calling_off: "We are telling the courier not to come.",
};

const SHORT: Texts = {
  requested: "Pickup {when}, not confirmed yet",
  confirmed: "Pickup {when}",
  refused: "The courier did not agree to the pickup",
  missed: "The pickup was missed",
  calling_off: "The pickup is being called off",
};

/** How a pickup stands, in a sentence. */
export function pickupSentence(t: Words, time: PickupLine): string {
  return t(SENTENCES[time.state], { when: pickupTime(t, time) });
}

/** A few words, for a line of a list. */
export function pickupShort(t: Words, time: PickupLine): string {
  return t(SHORT[time.state], { when: pickupTime(t, time) });
}
