-- Courier products, their prices and zones, and the quotes that were booked.

create table products (
  product_id bigint not null primary key,
  product_name text not null,
  parent_vendor text not null,          -- the courier brand behind the product
  scope text not null,
  takes_parcels bigint not null,
  takes_documents bigint not null,
  volumetric_divisor bigint not null,   -- cubic centimetres that count as one kilogram
  minimum_grams bigint not null,        -- chargeable weight is never below this
  maximum_grams bigint not null,        -- per consignment
  needs_kyc bigint not null,
  needs_otp bigint not null,
  active bigint not null,
  zoning text not null default 'india',  -- the owner of the zones that it uses
  courier text not null default 'house',
  service text not null default '',     -- the courier's name of the service; the id of our own
  constraint product_names_differ unique (product_name),
  constraint product_scope check (scope in ('domestic', 'international')),
  constraint product_divisor check (volumetric_divisor > 0)
);

create unique index products_by_service on products (courier, service);

-- The fuel surcharge in force from a month on.
create table fuel_surcharges (
  product_id bigint not null references products (product_id),
  from_month text not null,             -- 2026-11
  basis_points bigint not null,         -- of freight
  primary key (product_id, from_month),
  constraint fuel_is_a_percentage check (basis_points between 0 and 20000)
);

-- A product's conditions from a day on.
create table rate_cards (
  product_id bigint not null references products (product_id),
  from_day text not null,               -- 2026-04-01 in India
  until_day text not null,              -- the last day, or empty: until the next card
  round_grams bigint not null,          -- a piece's weight is rounded up to a multiple of this
  minimum_paise bigint not null,        -- freight is never below this
  margin_bp bigint not null,            -- the operator's, on freight, in basis points
  round_paise bigint not null,          -- freight is rounded up to a multiple of this
  fuel_on_extras bigint not null,       -- 1: fuel surcharge on extras too; 0: on freight only
  remote_paise bigint not null,         -- least charge for an end in a remote area
  remote_kg_paise bigint not null,      -- charge for an end in a remote area, per started kilogram
  primary key (product_id, from_day),
  constraint roundings_have_a_size check (round_grams > 0 and round_paise > 0),
  constraint card_prices check (
    minimum_paise >= 0 and margin_bp >= 0 and remote_paise >= 0 and remote_kg_paise >= 0)
);

create table rate_slabs (
  product_id bigint not null,
  from_day text not null,
  zone text not null,                   -- a to e in India, the zoning's own names abroad
  tat_days bigint not null,
  first_grams bigint not null,
  first_paise bigint not null,
  step_grams bigint not null,
  step_paise bigint not null,
  above_grams bigint not null,          -- 0: steps have no end
  above_kg_paise bigint not null,       -- each started kilogram above that
  primary key (product_id, from_day, zone),
  foreign key (product_id, from_day) references rate_cards (product_id, from_day),
  constraint rate_slabs_have_a_size check (
    first_grams > 0 and step_grams > 0 and (above_grams = 0 or above_grams >= first_grams)),
  constraint rate_slabs_cost_something check (
    first_paise > 0 and step_paise >= 0 and above_kg_paise >= 0)
);

-- The effect of a piece that is too long or too heavy.
create table rate_oversize (
  product_id bigint not null,
  from_day text not null,
  seq bigint not null,
  over_mm bigint not null,              -- longest side; 0: any
  over_grams bigint not null,           -- weight of the piece; 0: any
  effect text not null,
  amount bigint not null,               -- charge: paise a piece; weight: percent of it; refuse: 0
  primary key (product_id, from_day, seq),
  foreign key (product_id, from_day) references rate_cards (product_id, from_day),
  constraint oversize_effect check (effect in ('charge', 'weight', 'refuse'))
);

-- The zones of places, for the products that name this zoning.
create table zone_rules (
  zoning text not null,
  what text not null,
  name text not null,      -- a city, a state code, the start of a pin code, a country, 'us 995'
  zone text not null,      -- of a country; the class of a pin code; else empty
  primary key (zoning, what, name),
  constraint zone_rule_what check (what in ('metro', 'special', 'pin', 'country', 'remote'))
);

-- Pin codes that are missing in the table compiled into the server.
create table pins (
  pincode text not null primary key,
  city_area text not null,
  state_code text not null
);

-- Pin codes of bookings that are in no list: an operator adds those that exist.
create table unlisted_pins (
  pincode text not null primary key,
  bookings bigint not null,
  last_ms bigint not null
);

-- Quotes that were booked. Before that, a quote is a token that its customer holds, and no row.
create table quotes (
  quote_id text not null primary key,
  user_id text not null references users (user_id),
  product_id bigint not null references products (product_id),
  shipment_hash text not null,       -- of route, kind, weight, dimensions and pieces
  shipment text not null,            -- route, kind, weight, dimensions and pieces, as JSON
  price text not null,               -- the itemised price as JSON
  total_paise bigint not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  courier_paise bigint not null default 0,  -- of the taxable value, what the courier will bill us
  gstin text not null default '',    -- the customer's when it was priced: it decides the taxes
  tat_days bigint,                   -- the courier's estimate until delivery; null: none given
  constraint quote_total_is_positive check (total_paise > 0)
);
