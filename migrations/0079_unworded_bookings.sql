-- which bookings have no words yet stands beside them: a booking whose words are added is not
-- written again, and neither are all its indexes.
create table if not exists unworded_bookings (
  user_id text not null,             -- whose booking it is
  created_ms bigint not null,        -- of the booking
  booking_id text not null references bookings (booking_id),
  primary key (user_id, created_ms, booking_id)
);

insert into unworded_bookings (user_id, created_ms, booking_id)
  select user_id, created_ms, booking_id from bookings where has_terms = 0
  order by user_id, created_ms, booking_id;

drop index bookings_without_terms;

alter table bookings drop column has_terms;
