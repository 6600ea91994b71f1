-- made here for the next migration, because only sqlite needs to be told that a table of keys alone
-- is its own index.
create table unworded_bookings (
  user_id text not null,
  created_ms bigint not null,
  booking_id text not null references bookings (booking_id),
  primary key (user_id, created_ms, booking_id)
) without rowid;
