-- rate cards whole: dated cards, slabs by zone, zonings, extras, and pin codes that operators add.

alter table products add column zoning text not null default 'india';  -- whose zones it uses

-- a product's conditions from a day on.
create table rate_cards (
  product_id bigint not null references products (product_id),
  from_day text not null,               -- 2026-04-01 in india
  until_day text not null,              -- the last day, or empty: until the next card
  round_grams bigint not null,          -- a piece's weight is rounded up to a multiple of this
  minimum_paise bigint not null,        -- freight is never below this
  margin_bp bigint not null,            -- the operator's, on freight, in basis points
  round_paise bigint not null,          -- freight is rounded up to a multiple of this
  fuel_on_extras bigint not null,       -- fuel surcharge on freight only, or on extras too
  remote_paise bigint not null,         -- least charge for an end in a remote area
  remote_kg_paise bigint not null,      -- the same for each started kilogram
  primary key (product_id, from_day),
  constraint roundings_have_a_size check (round_grams > 0 and round_paise > 0),
  constraint card_prices check (
    minimum_paise >= 0 and margin_bp >= 0 and remote_paise >= 0 and remote_kg_paise >= 0)
);

create table rate_slabs (
  product_id bigint not null,
  from_day text not null,
  zone text not null,                   -- a to e in india, the zoning's own names abroad
  tat_days bigint not null,
  first_grams bigint not null,
  first_paise bigint not null,
  step_grams bigint not null,
  step_paise bigint not null,
  above_grams bigint not null,          -- 0: steps go on for ever
  above_kg_paise bigint not null,       -- each started kilogram above that
  primary key (product_id, from_day, zone),
  foreign key (product_id, from_day) references rate_cards (product_id, from_day),
  constraint rate_slabs_have_a_size check (
    first_grams > 0 and step_grams > 0 and (above_grams = 0 or above_grams >= first_grams)),
  constraint rate_slabs_cost_something check (
    first_paise > 0 and step_paise >= 0 and above_kg_paise >= 0)
);

-- what happens to a piece that is too long or too heavy.
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

-- which places belong to which zone, for the products that name this zoning.
create table zone_rules (
  zoning text not null,
  what text not null,
  name text not null,      -- a city, a state code, the start of a pin code, a country, 'us 995'
  zone text not null,      -- of a country; the class of a pin code; else empty
  primary key (zoning, what, name),
  constraint zone_rule_what check (what in ('metro', 'special', 'pin', 'country', 'remote'))
);

-- pin codes younger than the table compiled into the server.
create table pins (
  pincode text not null primary key,
  city_area text not null,
  state_code text not null
);

-- counted up with every change above, so that running servers notice.
insert into counters (counter, value) values ('rates', 0);

insert into rate_cards select product_id, '2026-01-01', '', 1, 0, 0, 1, 0, 0, 0 from products;

insert into rate_slabs
  select product_id, '2026-01-01', zone, tat_days, first_grams, first_paise, step_grams,
    step_paise, 0, 0
  from product_zones;

insert into zone_rules select 'india', 'metro', city, '' from zone_metros;

insert into zone_rules select 'india', 'special', state_code, '' from zone_special_states;

drop table product_zones;

drop table zone_metros;

drop table zone_special_states;
