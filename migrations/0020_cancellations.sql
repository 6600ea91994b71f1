-- bookings whose courier has not said yet whether it lets go of them are few, and asked for often.

create index bookings_being_cancelled on bookings (booking_id) where status = 'cancelling';
