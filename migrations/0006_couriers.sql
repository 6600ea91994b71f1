-- Orders at couriers, their pickups, and their claims that a parcel was heavier.

-- A row is written before the courier is asked, and the courier is asked at most once.
create table courier_orders (
  booking_id text not null primary key references bookings (booking_id),
  user_id text not null references users (user_id),
  courier text not null,
  service text not null,             -- the courier's name of the service
  reference text not null,           -- our reference, sent to the courier
  idempotency_key text not null,     -- of the request that gets the final answer
  request_hash text not null,
  state text not null,
  reason text not null,              -- why the result is unknown, or why it was rejected
  refused text not null default '',  -- the part that it refused: address; empty: all of it
  looked_up bigint not null,         -- number of requests to the courier for the result
  called_ms bigint not null,         -- when the courier was asked; 0: not yet
  created_ms bigint not null,
  awb text not null,                 -- the courier's number, once it has booked
  cancel_wanted bigint not null default 0,  -- 1: cancel it as soon as it is booked
  courier_id text not null default '',  -- the courier's id, stored before the order is bought there
  abandoned_ms bigint not null default 0,  -- ended without a shipment at that time: one that
                                     -- appears at the courier later is cancelled; 0: not ended so
  constraint courier_references_differ unique (reference),
  constraint courier_order_state check (
    state in ('held', 'calling', 'unknown', 'booked', 'rejected')),
  constraint courier_order_refused check (refused in ('', 'address'))
);

create index courier_orders_open on courier_orders (created_ms)
  where state in ('held', 'calling', 'unknown');
create index courier_orders_by_awb on courier_orders (awb) where courier <> 'house';

-- Parcels that a courier is to fetch, on a day and in hours that the customer chose.
create table pickups (
  pickup_id text not null primary key,  -- sent to partners as our reference
  user_id text not null references users (user_id),
  courier text not null,             -- house, karrio, shiprocket
  carrier text not null,             -- the partner's carrier, where it has several; else empty
  state text not null,
  day text not null,                 -- in India: 2026-11-26
  from_minute bigint not null,       -- minutes since midnight in India
  until_minute bigint not null,      -- minutes since midnight in India
  late_ms bigint not null,           -- a parcel not fetched by then was missed
  agreed_time text not null,         -- the time that the courier agreed to; empty: none yet
  revision bigint not null,          -- grows with each request: an answer belongs to one revision
  asked_ms bigint not null,          -- when the courier was last asked to come; 0: never
  courier_id text not null,          -- the courier's id of it; empty until it is known
  confirmation text not null,        -- the courier's number for people; empty when it gives none
  reason text not null,              -- in the courier's words, why it did not agree
  created_ms bigint not null,
  constraint pickup_state check (
    state in ('requested', 'confirmed', 'refused', 'calling_off', 'called_off'))
);

create index pickups_by_user on pickups (user_id, created_ms);
create index pickups_by_day on pickups (courier, day);

-- The parcels of a pickup. A booking is in one at a time.
create table pickup_parcels (
  booking_id text not null primary key references bookings (booking_id),
  pickup_id text not null references pickups (pickup_id),
  user_id text not null references users (user_id),
  state text not null,               -- left: cancelled, or its pickup was cancelled
  changed_ms bigint not null,        -- since when
  begun_ms bigint not null default 0,  -- when it was seen that agreed hours had begun; 0: never
  constraint pickup_parcel_state check (state in ('waiting', 'fetched', 'left'))
);

create index pickup_parcels_by_pickup on pickup_parcels (pickup_id, state);
create index pickup_parcels_by_user on pickup_parcels (user_id, state);

-- A courier's claim that a parcel was heavier than booked. Nothing is charged before the customer
-- has accepted it or an operator has decided it.
create table weight_claims (
  claim_id text not null primary key,  -- also the id of its charge
  booking_id text not null references bookings (booking_id),
  user_id text not null references users (user_id),
  courier text not null,
  courier_reference text not null,   -- the courier's own number of it
  booked_grams bigint not null,
  claimed_grams bigint not null,
  taxable_paise bigint not null,     -- owed by the customer if it is right, without GST
  gst_paise bigint not null,         -- on top of the taxable value
  courier_paise bigint not null,     -- of the taxable value, what the courier bills us
  proof text not null,               -- where the courier's photograph or report is kept
  state text not null,
  dispute text not null,             -- the customer's words, empty without any
  decided_by text not null,          -- 'customer' or the operator; empty while undecided
  created_ms bigint not null,
  decided_ms bigint,
  constraint claimed_once unique (courier, courier_reference),
  constraint weight_claim_state check (state in ('open', 'disputed', 'charged', 'dropped')),
  constraint weight_claim_decided check (
    (state in ('charged', 'dropped')) = (decided_ms is not null)),
  constraint weight_claim_is_more check (claimed_grams > booked_grams),
  constraint weight_claim_costs check (
    taxable_paise > 0 and gst_paise >= 0 and courier_paise >= 0)
);

create index weight_claims_by_user on weight_claims (user_id, created_ms);
create index weight_claims_by_booking on weight_claims (booking_id);
