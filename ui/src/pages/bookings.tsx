import { BookingPage } from "../booking/booking-page";
import { BookingsList } from "../booking/bookings-list";
import { ChosenBookings } from "../booking/chosen-bookings";
import { ChosenPickups } from "../booking/chosen-pickups";
import type { BookingsData } from "../wire";

/** The customer's bookings, one of them, or those that were ticked. */
export default function Bookings({ data }: { data: BookingsData }) {
  if (data.chosen !== null) return <ChosenBookings chosen={data.chosen} />;
  if (data.pickups !== null) return <ChosenPickups chosen={data.pickups} />;
  if (data.booking !== null) return <BookingPage view={data.booking} />;
  return data.list === null ? null : <BookingsList list={data.list} />;
}
