-- the courier's own id of an order, kept before the order is bought there: by it an order is found
-- that the courier's search does not list yet. empty: nothing was bought, or it was before this.

alter table courier_orders add column courier_id text not null default '';

-- an order that has ended without a shipment is looked up now and then for some days, and called off
-- should it turn up at its courier all the same.

alter table courier_orders add column call_off_ms bigint not null default 0;    -- 0: not any more
alter table courier_orders add column call_off_tries bigint not null default 0; -- since it turned up

create index courier_orders_called_off on courier_orders (call_off_ms);
