-- payments that do not fit their order, and money that goes back through the gateway.

-- what the gateway says was paid, and by what: kept with the dispute, so that it can be credited.
alter table payment_orders add column disputed_paise bigint;
alter table payment_orders add column disputed_transaction_id text;
alter table payment_orders add column disputed_method text;

-- an operator sent the payment back: it is never credited any more.
alter table payment_orders add column sent_back bigint not null default 0;

-- the amount ordered, where an operator credited what was paid instead.
alter table payment_orders add column ordered_paise bigint;

-- a row is written before the gateway hears of the refund. its id is the gateway's proof that one
-- refund is one, however often it is asked for.
create table gateway_refunds (
  merchant_refund_id text not null primary key,
  merchant_order_id text not null references payment_orders (merchant_order_id),
  user_id text not null references users (user_id),
  amount_paise bigint not null,
  from_wallet bigint not null,       -- 1: it was credited and is taken back; 0: it never was
  state text not null,               -- wanted, sent, completed, failed
  sent_ms bigint not null,           -- when the gateway was first told; 0: never
  provider_refund_id text not null,  -- the gateway's number, empty until it is known
  error_code text not null,          -- why it failed, in the gateway's word
  created_ms bigint not null,
  ended_ms bigint,
  constraint gateway_refund_amount check (amount_paise >= 100),
  constraint gateway_refund_state check (state in ('wanted', 'sent', 'completed', 'failed')),
  constraint gateway_refund_ended check (
    (state in ('completed', 'failed')) = (ended_ms is not null))
);

create index gateway_refunds_by_order on gateway_refunds (merchant_order_id);
