-- numbers of identity documents in booking forms: sealed like the drafts. the form keeps how they
-- end, which is all that anybody is shown.

-- sealed json in base64; empty when the form had no such number; null when the booking was made
-- before this, and its form has them as they were typed. the upkeep seals those.
alter table bookings add column sealed_numbers text;

create index bookings_unsealed on bookings (booking_id) where sealed_numbers is null;
