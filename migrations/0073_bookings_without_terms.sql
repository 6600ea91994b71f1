-- the words of a booking are added a little later, with those of others; a search looks at its
-- customer's bookings that have none yet.
drop index bookings_without_terms;

create index bookings_without_terms on bookings (user_id, created_ms, booking_id)
  where has_terms = 0;
