-- a phone number has power over an account once a code that was sent there came back.

-- when the number was confirmed; null while it was not. nobody's was asked for before.
alter table users add column phone_confirmed_ms bigint;

-- codes confirm numbers too. rows go a day after they came, when they no longer limit further ones.
-- about: the quote of the booking to be confirmed, or 'phone' for the number of the account.
alter table otps rename column quote_id to about;

-- keyed hash of the number that a code for an account went to, to count them; null for a booking's.
alter table otps add column receiver text;

create index otps_by_receiver on otps (receiver, created_ms);
