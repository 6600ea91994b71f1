-- Recharges and refunds through the payment gateway, and the gateway's reports.

-- An order is stored before the gateway is called.
create table payment_orders (
  merchant_order_id text not null primary key,
  user_id text not null references users (user_id),
  provider text not null,
  amount_paise bigint not null,
  state text not null,
  provider_order_id text,
  redirect_url text,
  transaction_id text,               -- the gateway's, once paid
  method text,                       -- UPI, card, net banking, …
  error_code text,
  error_description text,
  created_ms bigint not null,
  expires_ms bigint not null,
  checked_ms bigint not null,        -- when the gateway was last asked; 0: never
  checks bigint not null,            -- number of requests to the gateway for its state
  completed_ms bigint,
  page_url text,                     -- the gateway's page, once it is open
  next_path text,                    -- the customer's next page here, checked when stored
  dispute text,                      -- a payment that does not fit: not credited before an operator
                                     -- has decided
  dismissed_ms bigint,               -- hidden by its customer; credited all the same if paid
  disputed_paise bigint,             -- kept with the dispute, so that it can be credited
  disputed_transaction_id text,
  disputed_method text,
  sent_back bigint not null default 0,  -- 1: an operator sent it back, and it is never credited
  ordered_paise bigint,              -- the amount ordered, where another amount was credited
  constraint payment_amount_is_positive check (amount_paise > 0),
  constraint payment_state check (state in ('created', 'pending', 'completed', 'failed'))
);

create index payment_orders_by_user on payment_orders (user_id, created_ms);

-- A row is written before the gateway is called. Its id makes the gateway refund once, however
-- often it is asked.
create table gateway_refunds (
  merchant_refund_id text not null primary key,
  merchant_order_id text not null references payment_orders (merchant_order_id),
  user_id text not null references users (user_id),
  amount_paise bigint not null,
  from_wallet bigint not null,       -- 1: it was credited and is taken back; 0: it never was
  state text not null,
  sent_ms bigint not null,           -- when the gateway was first asked; 0: never
  provider_refund_id text not null,  -- the gateway's number, empty until it is known
  error_code text not null,          -- the gateway's code of the failure
  created_ms bigint not null,
  ended_ms bigint,
  constraint gateway_refund_amount check (amount_paise >= 100),
  constraint gateway_refund_state check (state in ('wanted', 'sent', 'completed', 'failed')),
  constraint gateway_refund_ended check (
    (state in ('completed', 'failed')) = (ended_ms is not null))
);

create index gateway_refunds_by_order on gateway_refunds (merchant_order_id);

-- The gateway's daily reports, for comparison with our orders and books.
create table gateway_report_rows (
  transaction_id text not null,      -- the gateway's
  kind text not null,
  day text not null,                 -- of the report, in India: 2026-11-21
  merchant_order_id text not null,
  amount_paise bigint not null,
  paid bigint not null,              -- 1: the gateway calls it completed
  primary key (transaction_id, kind),
  constraint gateway_report_row_kind check (kind in ('payment', 'refund', 'chargeback'))
);

create index gateway_report_rows_by_day on gateway_report_rows (day);
create index gateway_report_rows_by_order on gateway_report_rows (merchant_order_id);

-- The days whose report was read, with the latest result.
create table reconciliations (
  day text not null primary key,
  report_rows bigint not null,
  paid_paise bigint not null,        -- paid by customers at the gateway on that day
  credited_paise bigint not null,    -- credited in the books on that day
  read_ms bigint not null
);

-- Differences between gateway, orders and books. An operator closes each with a note.
create table reconciliation_exceptions (
  exception_id text not null primary key,
  day text not null references reconciliations (day),
  kind text not null,
  merchant_order_id text not null,
  gateway_paise bigint,              -- null: not paid there
  order_paise bigint,                -- null: no order of ours
  ledger_paise bigint,               -- null: not credited
  found_ms bigint not null,
  closed_ms bigint,
  closed_by text not null,           -- the operator; empty while it is open
  note text not null,
  constraint an_exception_is_found_once unique (kind, merchant_order_id),
  constraint reconciliation_exception_kind check (kind in (
    'paid_not_credited', 'credited_not_paid', 'amount_differs', 'unknown_here', 'unknown_there',
    'chargeback_unbooked')),
  constraint reconciliation_exception_closed check ((closed_ms is null) = (closed_by = ''))
);
