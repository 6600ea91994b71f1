-- what the payment gateway reports of a day, held against our orders and our books.

create table gateway_report_rows (
  transaction_id text not null,        -- the gateway's
  kind text not null,                  -- payment, refund, chargeback
  day text not null,                   -- of the report, in india: 2026-11-21
  merchant_order_id text not null,
  amount_paise bigint not null,
  paid bigint not null,                -- 1: the gateway calls it completed
  primary key (transaction_id, kind),
  constraint gateway_report_row_kind check (kind in ('payment', 'refund', 'chargeback'))
);

create index gateway_report_rows_by_day on gateway_report_rows (day);
create index gateway_report_rows_by_order on gateway_report_rows (merchant_order_id);

-- a day whose report was read, the last time that it was.
create table reconciliations (
  day text not null primary key,
  report_rows bigint not null,
  paid_paise bigint not null,          -- what customers paid at the gateway on that day
  credited_paise bigint not null,      -- what the books credited on that day
  read_ms bigint not null
);

-- what gateway, orders and books do not agree about. an operator closes it with a note.
create table reconciliation_exceptions (
  exception_id text not null primary key,
  day text not null references reconciliations (day),
  kind text not null,
  merchant_order_id text not null,
  gateway_paise bigint,                -- null: not paid there
  order_paise bigint,                  -- null: no order of ours
  ledger_paise bigint,                 -- null: not credited
  found_ms bigint not null,
  closed_ms bigint,
  closed_by text not null,             -- the operator; empty while it is open
  note text not null,
  constraint an_exception_is_found_once unique (kind, merchant_order_id),
  constraint reconciliation_exception_kind check (kind in (
    'paid_not_credited', 'credited_not_paid', 'amount_differs', 'unknown_here', 'unknown_there',
    'chargeback_unbooked')),
  constraint reconciliation_exception_closed check ((closed_ms is null) = (closed_by = ''))
);
