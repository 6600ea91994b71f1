import { date, rupees } from "../lib/format";
import type { Booking, BookingView } from "../wire";
import type { UiText } from "../words/words";

/** The sentence about a cancellation once our own driver may have fetched the parcel. */
export const BY_REQUEST =
  "Our driver may have fetched it already, so this is a request: we look, " +
  "and cancel it if it is still with you.";

/** The sentence about a cancelled booking and its money. */
export function cancelledText(booking: Booking, debt_paid: BookingView["debt_paid"]): UiText {
  const amount = rupees(booking.amount);
  if (debt_paid === undefined || debt_paid === null) {
    return { text: "Cancelled. {amount} is back in your wallet.", values: { amount } };
  }
  return {
    text: "Cancelled. {debt} of the {amount} given back was paid towards what you owed us.",
    values: { amount, debt: rupees(debt_paid) },
  };
}

/** A booking's next event, or its end, in a sentence. */
export function nextEvent(view: BookingView): UiText {
  const { booking, tracked, handover, charged_again } = view;
  const amount = rupees(booking.amount);
  const expectedAt = tracked?.shipment.expected_at ?? null;
  switch (booking.status) {
    case "pending":
      return "We are confirming this with the courier. Your money is set aside and not spent.";
    case "failed":
      return "The courier did not take this booking. Nothing was charged.";
    case "booked":
      return handover ?? "Booked.";
    case "shipped":
    case "in_transit":
      return expectedAt === null
        ? "On its way."
        : { text: "On its way. Expected about {date}.", values: { date: date(expectedAt) } };
    case "out_for_delivery":
      return "The courier is bringing it to the receiver.";
    case "on_hold":
      return "On hold. See the latest update below.";
    case "exception":
      return (
        "The courier says that it is lost, damaged or destroyed. " +
        "Write to us to make a claim: Help says how."
      );
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
          "You asked to cancel it. We find out if the courier has it. " +
          "If not, {amount} goes back to your wallet.",
        values: { amount },
      };
    case "cancelled":
      if (charged_again === true) {
        return "Cancelled, but carried all the same: its price was charged again.";
      }
      return cancelledText(booking, view.debt_paid);
    case "unknown":
      return "We cannot show its state just now.";
    default:
      return "";
  }
}
