-- a customer who does not want a booking any more of which its courier has not told yet whether it
-- took it: it is cancelled as soon as it did.

alter table courier_orders add column cancel_wanted bigint not null default 0;

-- bookings whose courier has not said yet whether it lets go of them are few, and asked for often.

create index bookings_being_cancelled on bookings (booking_id) where status = 'cancelling';
