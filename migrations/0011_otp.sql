-- codes that consignors confirm a booking with, a row for each that was sent. the newest of a quote
-- is the one that counts. rows go an hour after they came, when they no longer limit further ones.

create table otps (
  otp_id text not null primary key,
  user_id text not null references users (user_id),
  quote_id text not null,               -- of the booking to be confirmed
  seal text not null,                   -- keyed hash over the code, its booking and its receivers
  tries bigint not null,                -- wrong ones
  created_ms bigint not null,
  expires_ms bigint not null,
  used_ms bigint,                       -- when a booking was made with it
  constraint otp_tries_are_few check (tries between 0 and 6)
);

create index otps_by_user on otps (user_id, created_ms);
create index otps_by_time on otps (created_ms);
