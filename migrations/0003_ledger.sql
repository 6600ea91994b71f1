-- The books: append-only, double entry, in paise.

create table counters (
  counter text not null primary key,
  value bigint not null
);

insert into counters (counter, value) values
  ('ledger', 0),                     -- the last ledger_seals.seq
  ('rates', 0),                      -- grows with each change of rates, so that servers notice
  ('partner_products', 1000000),     -- the last number of a partner's product
  ('operator_actions', 0),           -- the last operator_actions.action_number
  ('security_events_from', 0);       -- older security events may be deleted

-- A customer's balance is kept beside the entries that explain it, and no wallet can go below zero.
-- The balance of a house account is that of its sealed transactions: a posting changes no row that
-- another customer's posting changes.
create table ledger_accounts (
  account_id text not null primary key,  -- 'available:<user>', 'held:<user>', 'receivable:<user>',
                                         -- or a house account
  kind text not null,
  user_id text references users (user_id),
  balance_paise bigint not null,
  constraint ledger_account_kind check (kind in (
    'available', 'held', 'receivable', 'gateway_clearing', 'revenue', 'gst_payable',
    'courier_payable', 'adjustments', 'bank', 'gateway_fees')),
  constraint wallet_is_never_negative check (
    kind not in ('available', 'held') or balance_paise >= 0),
  constraint debt_is_never_positive check (kind <> 'receivable' or balance_paise <= 0),
  constraint wallets_have_an_owner check (
    (kind in ('available', 'held', 'receivable')) = (user_id is not null))
);

insert into ledger_accounts (account_id, kind, user_id, balance_paise) values
  ('gateway_clearing', 'gateway_clearing', null, 0),
  ('revenue', 'revenue', null, 0),
  ('gst_payable', 'gst_payable', null, 0),
  ('courier_payable', 'courier_payable', null, 0),
  ('adjustments', 'adjustments', null, 0),
  ('bank', 'bank', null, 0),
  ('gateway_fees', 'gateway_fees', null, 0);

-- The last transaction of each wallet. A posting locks the rows of its wallets, in their order.
create table ledger_heads (
  wallet text not null primary key,  -- the user's id; 'house': transactions without a wallet
  seq bigint not null,               -- the last ledger_transactions.wallet_seq
  hash text not null                 -- of that transaction; empty: there is none
);

insert into ledger_heads (wallet, seq, hash) values ('house', 0, '');

create table ledger_transactions (
  transaction_id text not null primary key,
  wallet_seq bigint not null,        -- the order of its wallet, without gaps
  kind text not null,                -- recharge, hold, …
  idempotency_key text not null,     -- the idempotency key of the movement
  user_id text references users (user_id),  -- null when nobody's wallet moves
  reference text not null,           -- the id of the payment or charge, or the courier
  description text not null,
  created_ms bigint not null,
  hash text not null,                -- of its content and of the hash before it in its wallet
  constraint ledger_moves_once unique (idempotency_key),
  constraint ledger_order_of_a_wallet unique (user_id, wallet_seq)
);

create unique index ledger_order_of_the_house on ledger_transactions (wallet_seq)
  where user_id is null;
create index ledger_transactions_by_reference on ledger_transactions (reference);

create table ledger_entries (
  transaction_id text not null references ledger_transactions (transaction_id),
  line bigint not null,
  account_id text not null,              -- of ledger_accounts; a key would lock rows of the house
  amount_paise bigint not null,          -- positive adds to the account; a transaction sums to zero
  balance_after_paise bigint,            -- of a customer's account, right after this entry
  primary key (transaction_id, line),
  constraint ledger_entries_move_something check (amount_paise <> 0),
  constraint balances_are_told_of_customers check (
    (balance_after_paise is not null) = (account_id like '%:%'))
) without rowid;

-- Transactions that are not sealed yet. Written last, in the transaction that posts them.
create table ledger_unsealed (
  wallet_seq bigint not null,            -- they are sealed in the order of their wallet
  transaction_id text not null references ledger_transactions (transaction_id),
  primary key (wallet_seq, transaction_id),
  constraint a_transaction_waits_once unique (transaction_id)
) without rowid;

-- One seal for each transaction, of all wallets, written shortly after it: a hash of the
-- transaction's hash and of the seal before it.
create table ledger_seals (
  seq bigint not null primary key,       -- the order of the books, without gaps
  transaction_id text not null references ledger_transactions (transaction_id),
  hash text not null,                    -- SHA-256 in hexadecimal
  constraint a_transaction_is_sealed_once unique (transaction_id)
) without rowid;

-- A charge is captured or released once, and its refunds stay below it.
create table charges (
  charge_id text not null primary key,   -- the booking's id, or a weight claim's
  user_id text not null references users (user_id),
  description text not null,             -- on the user's statement
  taxable_paise bigint not null,
  gst_paise bigint not null,             -- on top of the taxable value
  courier_paise bigint not null,         -- of the taxable value, what the courier will bill us
  state text not null,
  refunded_paise bigint not null,
  created_ms bigint not null,
  ended_ms bigint,                       -- when it was captured or released
  courier_returned_paise bigint not null default 0,  -- not billed after all: it was cancelled
  constraint couriers_return_no_more_than_they_bill check (
    courier_returned_paise >= 0 and courier_returned_paise <= courier_paise),
  constraint charge_costs_something check (
    taxable_paise >= 0 and gst_paise >= 0 and courier_paise >= 0
    and taxable_paise + gst_paise > 0),
  constraint charge_state check (state in ('held', 'captured', 'released')),
  constraint refunds_stay_below_the_charge check (
    refunded_paise >= 0 and refunded_paise <= taxable_paise + gst_paise
    and (refunded_paise = 0 or state = 'captured'))
) without rowid;

-- Totals of each wallet's statement by month, kept in the transactions that write its lines, so
-- that no page reads a customer's whole history.
create table statement_counts (
  user_id text not null references users (user_id),
  month text not null,               -- in India: 2026-11
  kind text not null,                -- of ledger_transactions
  sign bigint not null,              -- 1 came in, -1 went out
  lines bigint not null,
  amount_paise bigint not null,      -- the sum of the lines
  first_seq bigint not null,         -- ledger_transactions.wallet_seq
  last_seq bigint not null,
  primary key (user_id, month, kind, sign)
);

-- Money that operators moved, each movement once, with who did it and why.
create table movements (
  movement_id text not null primary key,  -- the idempotency key
  kind text not null,
  user_id text references users (user_id),  -- owner of the wallet; null: no wallet
  reference text not null,           -- the AWB, the payment, the courier or the bank's reference
  amount_paise bigint not null,      -- negative only for the kinds in the constraint below
  part_paise bigint not null,        -- of the amount: the gateway's fee, or the wallet's part
  actor text not null,               -- the operator
  note text not null,                -- why, for operators
  created_ms bigint not null,
  constraint movement_kind check (kind in (
    'goodwill', 'adjustment', 'courier_settlement', 'courier_difference', 'gateway_settlement',
    'chargeback', 'chargeback_reversal', 'gateway_refund', 'gateway_refund_failed', 'debt',
    'debt_repaid')),
  constraint movement_moves_something check (
    amount_paise > 0 or (amount_paise < 0 and kind in ('adjustment', 'courier_difference'))),
  constraint movement_part_is_within check (
    part_paise = 0 or (part_paise > 0 and part_paise <= amount_paise)),
  constraint movement_of_a_wallet check (
    (kind in ('goodwill', 'adjustment', 'chargeback', 'chargeback_reversal', 'gateway_refund',
        'gateway_refund_failed', 'debt', 'debt_repaid'))
      = (user_id is not null))
);

create index movements_by_reference on movements (reference);

-- The regular audits of the books, which walk in short transactions. There is one row.
create table audit_rounds (
  name text not null primary key,
  faults bigint not null,            -- found by the last audit
  passed_ms bigint not null,         -- when an audit last found none; 0: never
  passed_whole_ms bigint not null,   -- when one from the first transaction last found none
  checkpoint text not null,          -- JSON: the last transaction found in order; empty: none
  progress text not null,            -- JSON: where the audit under way stands; empty: none is
  pieces bigint not null             -- grows with each piece: of two servers one notices the other
);

insert into audit_rounds (name, faults, passed_ms, passed_whole_ms, checkpoint, progress, pieces)
  values ('books', 0, 0, 0, '', '', 0);
