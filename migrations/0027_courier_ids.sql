-- the courier's own id of an order, kept before the order is bought there: by it an order is found
-- that the courier's search does not list yet. empty: nothing was bought, or it was before this.

alter table courier_orders add column courier_id text not null default '';

-- since when nothing of an order must be left at its courier, as it ended without a shipment; 0: it
-- may be. for some days after that it is called off should it turn up all the same.

alter table courier_orders add column gone_ms bigint not null default 0;
