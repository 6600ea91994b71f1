import type { PickupLine } from "../wire";
import type { Words } from "../words/words";
import { pickupTime } from "./pickup-time";

/** How a pickup stands, in a sentence. */
export function pickupSentence(t: Words, time: PickupLine): string {
  const when = pickupTime(t, time);
  switch (time.state) {
    case "requested":
      return t("We are asking the courier to come {when}.", { when });
    case "confirmed":
      return t("The courier comes {when}.", { when });
    case "refused":
      return t("The courier did not agree to come {when}. Please choose another time.", { when });
    case "missed":
      return t("It was to be picked up {when}, and was not. Please choose another time.", { when });
    case "calling_off":
      return t("We are telling the courier not to come.");
  }
}

/** A few words, for a line of a list. */
export function pickupShort(t: Words, time: PickupLine): string {
  switch (time.state) {
    case "requested":
      return t("Pickup {when}, not confirmed yet", { when: pickupTime(t, time) });
    case "confirmed":
      return t("Pickup {when}", { when: pickupTime(t, time) });
    case "refused":
      return t("The courier did not agree to the pickup");
    case "missed":
      return t("The pickup was missed");
    case "calling_off":
      return t("The pickup is being called off");
  }
}
