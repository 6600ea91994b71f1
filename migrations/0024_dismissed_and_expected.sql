-- what a customer put away, and when a shipment is expected.

-- a pending payment its customer no longer wants to see. it is hidden and nothing else: one that is
-- paid after all is credited as any other.
alter table payment_orders add column dismissed_ms bigint;

-- the courier's estimate from pickup to delivery; null where none was given.
alter table quotes add column tat_days bigint;
