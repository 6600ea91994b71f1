-- where a payment can be continued, and where its customer goes on afterwards.

alter table payment_orders add column page_url text;   -- the gateway's page, once it is open
alter table payment_orders add column next_path text;  -- an address of ours, checked when stored
