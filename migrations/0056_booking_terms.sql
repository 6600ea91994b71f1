-- words by which customers find their bookings, and where bookings of one status stand in time.

-- one row for each beginning of each word of a booking: of its receiver's name, of phone number,
-- awb and references, and its courier. Rows of one term are in the order in which a list shows
-- their bookings, so a page of a search reads no more than it shows.
create table booking_terms (
  user_id text not null,             -- whose booking it is
  term text not null,                -- in small letters; 'courier:' begins a courier
  created_ms bigint not null,        -- of the booking
  booking_id text not null references bookings (booking_id),
  primary key (user_id, term, created_ms, booking_id)
);

-- 0 when the booking was made before there were terms; the upkeep adds those.
alter table bookings add column has_terms bigint not null default 0;

create index bookings_without_terms on bookings (booking_id) where has_terms = 0;

create index bookings_by_status on bookings (user_id, status, created_ms, booking_id);
