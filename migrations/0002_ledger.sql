-- the books: append-only, double entry, in paise. a balance is kept beside the entries that
-- explain it, and no wallet can go below zero whatever the program does.

create table counters (
  counter text not null primary key,
  value bigint not null
);

insert into counters (counter, value) values ('ledger', 0);

create table ledger_accounts (
  account_id text not null primary key,  -- 'available:<user>', 'held:<user>', or a house account
  kind text not null,
  user_id text references users (user_id),
  balance_paise bigint not null,
  constraint ledger_account_kind check (kind in (
    'available', 'held', 'gateway_clearing', 'revenue', 'gst_payable', 'courier_payable',
    'adjustments')),
  constraint wallet_is_never_negative check (
    kind not in ('available', 'held') or balance_paise >= 0),
  constraint wallets_have_an_owner check (
    (kind in ('available', 'held')) = (user_id is not null))
);

insert into ledger_accounts (account_id, kind, user_id, balance_paise) values
  ('gateway_clearing', 'gateway_clearing', null, 0),
  ('revenue', 'revenue', null, 0),
  ('gst_payable', 'gst_payable', null, 0),
  ('courier_payable', 'courier_payable', null, 0),
  ('adjustments', 'adjustments', null, 0);

create table ledger_transactions (
  transaction_id text not null primary key,
  seq bigint not null,               -- the order of the books, without gaps
  kind text not null,                -- recharge, booking, …
  once_key text not null,            -- what makes this movement happen once
  user_id text not null references users (user_id),
  reference text not null,           -- the payment's or booking's id
  description text not null,
  created_ms bigint not null,
  constraint ledger_order unique (seq),
  constraint ledger_moves_once unique (once_key)
);

create index ledger_transactions_by_user on ledger_transactions (user_id, seq);

create table ledger_entries (
  transaction_id text not null references ledger_transactions (transaction_id),
  line bigint not null,
  account_id text not null references ledger_accounts (account_id),
  amount_paise bigint not null,          -- positive adds to the account; a transaction sums to zero
  balance_after_paise bigint not null,   -- of the account, right after this entry
  primary key (transaction_id, line),
  constraint ledger_entries_move_something check (amount_paise <> 0)
);

create index ledger_entries_by_account on ledger_entries (account_id);

-- recharges: an order is stored before the gateway hears of it.
create table payment_orders (
  merchant_order_id text not null primary key,
  user_id text not null references users (user_id),
  provider text not null,
  amount_paise bigint not null,
  state text not null,               -- created, pending, completed, failed
  provider_order_id text,
  redirect_url text,
  transaction_id text,               -- the gateway's, once paid
  method text,                       -- upi, card, net banking, …
  error_code text,
  error_description text,
  created_ms bigint not null,
  expires_ms bigint not null,
  checked_ms bigint not null,        -- when the gateway was last asked; 0 never
  checks bigint not null,            -- how often it was asked
  next_check_ms bigint,              -- when the sweep asks next; null when settled
  completed_ms bigint,
  constraint payment_amount_is_positive check (amount_paise > 0),
  constraint payment_state check (state in ('created', 'pending', 'completed', 'failed'))
);

create index payment_orders_by_user on payment_orders (user_id, created_ms);
create index payment_orders_due on payment_orders (next_check_ms);
