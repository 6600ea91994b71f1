-- parcels that their couriers are to fetch, on a day and in hours that the customer chose.

create table pickups (
  pickup_id text not null primary key,  -- ours; partners are told it as our reference
  user_id text not null references users (user_id),
  courier text not null,                -- who comes: house, karrio, shiprocket
  carrier text not null,                -- whom a partner sends, where it has several; else empty
  state text not null,
  day text not null,                    -- in India, as in 2026-11-26
  from_minute bigint not null,          -- when they may come, since midnight in India (minutes)
  until_minute bigint not null,         -- until when (minutes)
  late_ms bigint not null,              -- whatever was not fetched by then was missed
  told text not null,                   -- the time that the courier agreed to; empty: to none yet
  revision bigint not null,             -- grows with each wish: an answer ends the one it is for
  asked_ms bigint not null,             -- when the courier was last asked to come; 0: never
  courier_id text not null,             -- the courier's id of it; empty until it is known
  confirmation text not null,           -- the courier's number for people; empty when it gives none
  reason text not null,                 -- in the courier's words, why it did not agree
  created_ms bigint not null,
  constraint pickup_state check (
    state in ('requested', 'confirmed', 'refused', 'calling_off', 'called_off'))
);

create index pickups_by_user on pickups (user_id, created_ms);

-- what our own courier fetches on a day.
create index pickups_by_day on pickups (courier, day);

-- the parcels of a pickup. a booking is in one at a time.
create table pickup_parcels (
  booking_id text not null primary key references bookings (booking_id),
  pickup_id text not null references pickups (pickup_id),
  user_id text not null references users (user_id),
  state text not null,                  -- left: cancelled, or its pickup was called off
  changed_ms bigint not null,           -- since when
  constraint pickup_parcel_state check (state in ('waiting', 'fetched', 'left'))
);

create index pickup_parcels_by_pickup on pickup_parcels (pickup_id, state);

create index pickup_parcels_by_user on pickup_parcels (user_id, state);
