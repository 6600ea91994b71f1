-- what was asked of a courier for a booking, and what became of it. a row is written before the
-- courier hears of the booking, and the courier is asked at most once.

create table courier_orders (
  booking_id text not null primary key references bookings (booking_id),
  user_id text not null references users (user_id),
  courier text not null,
  service text not null,                -- the courier's own word for it
  reference text not null,              -- ours, told to the courier
  idempotency_key text not null,        -- whose answer is given at the end
  request_hash text not null,
  state text not null,
  reason text not null,                 -- why it is not known, or why it was rejected
  looked_up bigint not null,            -- how often its fate was asked for
  due_ms bigint not null,               -- when it is looked at again
  called_ms bigint not null,            -- when the courier was asked; 0: not yet
  created_ms bigint not null,
  awb text not null,                    -- the courier's number, once it has booked
  track_ms bigint not null,             -- when the courier is asked where it is; 0: never
  constraint courier_references_differ unique (reference),
  constraint courier_order_state check (
    state in ('held', 'calling', 'unknown', 'booked', 'rejected'))
);

create index courier_orders_due on courier_orders (state, due_ms);

create index courier_orders_tracked on courier_orders (track_ms);

create index courier_orders_by_awb on courier_orders (awb);
