-- a booking's status is one of those that the program knows. sqlite cannot add a condition to a
-- column that is there, so a new column takes its place and its name; postgres does the same.

drop index bookings_being_cancelled;

alter table bookings rename column status to status_before;

alter table bookings add column status text not null default 'pending'
  constraint booking_status check (
    status in ('pending', 'failed', 'cancelling', 'booked', 'shipped', 'in_transit',
      'out_for_delivery', 'on_hold', 'delivered', 'returning', 'returned', 'cancelled'));

update bookings set status = status_before;

alter table bookings drop column status_before;

create index bookings_being_cancelled on bookings (booking_id) where status = 'cancelling';
