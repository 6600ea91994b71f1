import { date, rupees } from "../lib/format";
import type { BookingView } from "../wire";
import type { UiText } from "../words/words";

/** A booking's next event, or its end, in a sentence. */
export function nextEvent({
  booking,
  tracked,
  pickup,
  planned_pickup: planned,
}: BookingView): UiText {
  const amount = rupees(booking.amount);
  const expectedAt = tracked?.shipment.expected_at ?? null;
  switch (booking.status) {
    case "pending":
      return "We are confirming this with the courier. Your money is set aside and not spent.";
    case "failed":
      return "The courier did not take this booking. Nothing was charged.";
    case "booked":
      return nextAfterBooking(pickup.is_wanted || planned !== null);
    case "shipped":
    case "in_transit":
      return expectedAt === null
        ? "On its way."
        : { text: "On its way. Expected about {date}.", values: { date: date(expectedAt) } };
    case "out_for_delivery":
      return "The courier is bringing it to the receiver.";
    case "on_hold":
      return "It is held up. The newest entry below says why, as far as the courier told us.";
    case "delivered":
      return {
        text: "Delivered on {date}.",
        values: { date: date(tracked?.data[0]?.date ?? booking.booking_date) },
      };
    case "returning":
      return "It could not be delivered and is on its way back to the sender.";
    case "returned":
      return "It could not be delivered and came back to the sender.";
    case "cancelling":
      return {
        text:
          "You asked to cancel it. We ask the courier until it answers; " +
          "then {amount} goes back to your wallet.",
        values: { amount },
      };
    case "cancelled":
      return { text: "Cancelled. {amount} is back in your wallet.", values: { amount } };
    default:
      return "";
  }
}

export function nextAfterBooking(isPickedUp: boolean): UiText {
  return isPickedUp
    ? "Booked. The courier picks it up next."
    : "Booked. Hand it in at the courier next.";
}
