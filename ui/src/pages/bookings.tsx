import { BookingPage } from "../booking/booking-page";
import { BookingsList } from "../booking/bookings-list";
import { ChosenBookings } from "../booking/chosen-bookings";
import { ChosenPickups } from "../booking/chosen-pickups";
import { usePlace } from "../lib/place";
import { bookingOf } from "../screens";
import type { BookingsData } from "../wire";

/** The customer's bookings, one of them, or those that were ticked. */
export default function Bookings({ data }: { data: BookingsData | null }) {
  const id = bookingOf(usePlace().pathname);
  if (data !== null && data.chosen !== null) return <ChosenBookings chosen={data.chosen} />;
  if (data !== null && data.pickups !== null) return <ChosenPickups chosen={data.pickups} />;
  if (id !== "") return <BookingPage key={id} id={id} sent={data?.booking ?? null} />;
  return <BookingsList sent={data?.list ?? null} />;
}
