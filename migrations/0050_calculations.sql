-- The quotes of one shipment in one row. One that is booked gets its own row in `quotes`, so that
-- what nobody books needs none, and all of `quotes` is booked.
create table calculations (
  calculation_id text not null primary key,
  user_id text not null references users (user_id),
  shipment_hash text not null,       -- of route, kind, weight, dimensions and pieces
  shipment text not null,            -- the same as json
  gstin text not null,
  offers text not null,              -- json: each service with its itemised price
  created_ms bigint not null,
  expires_ms bigint not null
);

create index calculations_by_expiry on calculations (expires_ms);

drop index quotes_by_expiry;

delete from quotes where not exists (select 1 from bookings b where b.quote_id = quotes.quote_id);
