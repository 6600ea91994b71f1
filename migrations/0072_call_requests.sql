-- receivers who asked on the tracking page to be called.

create table call_requests (
  booking_id text not null primary key references bookings (booking_id),
  user_id text not null references users (user_id),  -- who sends it
  asked_ms bigint not null,
  called_ms bigint                                   -- when an operator had called
);

-- whom to call next.
create index call_requests_open on call_requests (called_ms, asked_ms);
