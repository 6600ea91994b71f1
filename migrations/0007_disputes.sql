-- what the gateway confirmed and we could not match: nothing was credited, an operator must look.

alter table payment_orders add column dispute text;
