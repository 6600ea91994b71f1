-- couriers booked, where they are, and the answers already given to confirmations.

create table bookings (
  booking_id text not null primary key,
  user_id text not null references users (user_id),
  awb text not null,
  status text not null,              -- booked, in_transit, delivered, cancelled, …
  quote_id text not null references quotes (quote_id),
  product_id bigint not null references products (product_id),
  product_name text not null,
  courier_code text not null,
  consignee_name text not null,
  origin_pincode text not null,
  origin_city text not null,
  destination_pincode text not null,
  destination_city text not null,
  weight_grams bigint not null,      -- actual, all pieces
  amount_paise bigint not null,      -- charged, with gst
  details text not null,             -- the whole booking form as json
  created_ms bigint not null,
  constraint awb_is_unique unique (awb),
  constraint a_quote_books_once unique (quote_id),
  constraint booking_amount_is_positive check (amount_paise > 0)
);

create index bookings_by_user on bookings (user_id, created_ms);

create table tracking_events (
  event_id text not null primary key,
  awb text not null references bookings (awb),
  seq bigint not null,               -- 1, 2, 3 … within the shipment
  status text not null,
  courier_code text not null,
  location text not null,
  remarks text not null,
  comments text not null,
  happened_ms bigint not null,
  constraint tracking_order unique (awb, seq)
);

-- the first answer to each idempotency key, given again word for word.
create table idempotency_keys (
  user_id text not null references users (user_id),
  idempotency_key text not null,
  request_hash text not null,
  status bigint not null,
  answer text not null,
  created_ms bigint not null,
  primary key (user_id, idempotency_key)
);

create index idempotency_keys_by_age on idempotency_keys (created_ms);
