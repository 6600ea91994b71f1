-- what a courier product costs, and the prices promised to customers.

create table products (
  product_id bigint not null primary key,
  product_name text not null,
  parent_vendor text not null,          -- the courier brand behind the product
  scope text not null,                  -- domestic or international
  takes_parcels bigint not null,
  takes_documents bigint not null,
  volumetric_divisor bigint not null,   -- cubic centimetres that count as one kilogram
  minimum_grams bigint not null,        -- chargeable weight is never below this
  maximum_grams bigint not null,        -- per consignment
  needs_kyc bigint not null,
  needs_otp bigint not null,
  active bigint not null,
  constraint product_names_differ unique (product_name),
  constraint product_scope check (scope in ('domestic', 'international')),
  constraint product_divisor check (volumetric_divisor > 0)
);

create table product_zones (
  product_id bigint not null references products (product_id),
  zone text not null,                -- a city, b state, c metro, d rest of india, e special
  tat_days bigint not null,
  first_grams bigint not null,
  first_paise bigint not null,
  step_grams bigint not null,
  step_paise bigint not null,
  primary key (product_id, zone),
  constraint slabs_have_a_size check (first_grams > 0 and step_grams > 0),
  constraint slabs_cost_something check (first_paise > 0 and step_paise >= 0)
);

-- the fuel surcharge in force from a month on, in basis points of freight.
create table fuel_surcharges (
  product_id bigint not null references products (product_id),
  from_month text not null,          -- 2026-11
  basis_points bigint not null,
  primary key (product_id, from_month),
  constraint fuel_is_a_percentage check (basis_points between 0 and 20000)
);

create table zone_metros (
  city text not null primary key     -- as the pin code table names it
);

create table zone_special_states (
  state_code text not null primary key
);

create table quotes (
  quote_id text not null primary key,
  user_id text not null references users (user_id),
  product_id bigint not null references products (product_id),
  shipment_hash text not null,       -- of route, kind, weight, dimensions and pieces
  shipment text not null,            -- the same as json
  price text not null,               -- the itemised price as json
  total_paise bigint not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  constraint quote_total_is_positive check (total_paise > 0)
);

create index quotes_by_expiry on quotes (expires_ms);
