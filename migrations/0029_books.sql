-- the books know every account that money passes, movements that are in nobody's wallet, and what
-- couriers do not bill after all. conditions of tables that others point at cannot be changed in
-- place: the books are copied, line by line, and their seals still fit.

create table accounts_before as select * from ledger_accounts;
create table transactions_before as select * from ledger_transactions;
create table entries_before as select * from ledger_entries;
create table seals_before as select * from ledger_seals;
drop table ledger_seals;
drop table ledger_entries;
drop table ledger_transactions;
drop table ledger_accounts;

create table ledger_accounts (
  account_id text not null primary key,  -- 'available:<user>', 'held:<user>', or a house account
  kind text not null,
  user_id text references users (user_id),
  balance_paise bigint not null,
  constraint ledger_account_kind check (kind in (
    'available', 'held', 'gateway_clearing', 'revenue', 'gst_payable', 'courier_payable',
    'adjustments', 'bank', 'gateway_fees')),
  constraint wallet_is_never_negative check (
    kind not in ('available', 'held') or balance_paise >= 0),
  constraint wallets_have_an_owner check (
    (kind in ('available', 'held')) = (user_id is not null))
);

create table ledger_transactions (
  transaction_id text not null primary key,
  seq bigint not null,               -- the order of the books, without gaps
  kind text not null,                -- recharge, hold, …
  once_key text not null,            -- what makes this movement happen once
  user_id text references users (user_id),  -- whom it is about; null when nobody's wallet moves
  reference text not null,           -- the payment's, the charge's or the courier's
  description text not null,
  created_ms bigint not null,
  constraint ledger_order unique (seq),
  constraint ledger_moves_once unique (once_key)
);

create table ledger_entries (
  transaction_id text not null references ledger_transactions (transaction_id),
  line bigint not null,
  account_id text not null references ledger_accounts (account_id),
  amount_paise bigint not null,          -- positive adds to the account; a transaction sums to zero
  balance_after_paise bigint not null,   -- of the account, right after this entry
  primary key (transaction_id, line),
  constraint ledger_entries_move_something check (amount_paise <> 0)
);

create table ledger_seals (
  seq bigint not null primary key,
  transaction_id text not null references ledger_transactions (transaction_id),
  hash text not null,                    -- sha-256 in hexadecimal
  constraint a_transaction_is_sealed_once unique (transaction_id)
);

insert into ledger_accounts (account_id, kind, user_id, balance_paise)
  select account_id, kind, user_id, balance_paise from accounts_before;
insert into ledger_accounts (account_id, kind, user_id, balance_paise) values
  ('bank', 'bank', null, 0),
  ('gateway_fees', 'gateway_fees', null, 0);
insert into ledger_transactions (transaction_id, seq, kind, once_key, user_id, reference,
    description, created_ms)
  select transaction_id, seq, kind, once_key, user_id, reference, description, created_ms
  from transactions_before;
insert into ledger_entries (transaction_id, line, account_id, amount_paise, balance_after_paise)
  select transaction_id, line, account_id, amount_paise, balance_after_paise from entries_before;
insert into ledger_seals (seq, transaction_id, hash)
  select seq, transaction_id, hash from seals_before;

create index ledger_transactions_by_user on ledger_transactions (user_id, seq);
create index ledger_transactions_by_reference on ledger_transactions (reference);
create index ledger_entries_by_account on ledger_entries (account_id);

drop table accounts_before;
drop table transactions_before;
drop table entries_before;
drop table seals_before;

-- of a charge's courier_paise, what the courier does not bill because the booking was called off.
alter table charges add column courier_returned_paise bigint not null default 0
  constraint couriers_return_no_more_than_they_bill check (
    courier_returned_paise >= 0 and courier_returned_paise <= courier_paise);

-- what operators move, each once, with who did it and why.
create table movements (
  movement_id text not null primary key,  -- what makes it happen once
  kind text not null,
  user_id text references users (user_id),  -- whose wallet it is about; null: nobody's
  about text not null,          -- the awb, the payment, the courier or the bank's reference
  amount_paise bigint not null, -- below zero only where the words of its kind say so
  part_paise bigint not null,   -- of the amount: the gateway's fee, or the wallet's part
  actor text not null,          -- the operator
  note text not null,           -- why, for operators
  created_ms bigint not null,
  constraint movement_kind check (kind in (
    'goodwill', 'adjustment', 'courier_settlement', 'courier_difference', 'gateway_settlement',
    'chargeback', 'chargeback_reversal')),
  constraint movement_moves_something check (
    amount_paise > 0 or (amount_paise < 0 and kind in ('adjustment', 'courier_difference'))),
  constraint movement_part_is_within check (
    part_paise = 0 or (part_paise > 0 and part_paise <= amount_paise)),
  constraint movement_of_a_wallet check (
    (kind in ('goodwill', 'adjustment', 'chargeback', 'chargeback_reversal'))
      = (user_id is not null))
);

create index movements_by_about on movements (about);

-- a courier says that a parcel was heavier than booked. nothing is taken before the customer has
-- accepted it or an operator has decided it.
create table weight_claims (
  claim_id text not null primary key,  -- also the id of its charge
  booking_id text not null references bookings (booking_id),
  user_id text not null references users (user_id),
  courier text not null,
  courier_reference text not null,     -- the courier's own number of it
  booked_grams bigint not null,
  claimed_grams bigint not null,
  taxable_paise bigint not null,       -- what the customer owes if it is right, without gst
  gst_paise bigint not null,           -- on top of it
  courier_paise bigint not null,       -- of the taxable value, what the courier bills us
  proof text not null,                 -- where the courier's photograph or report is kept
  state text not null,                 -- open, disputed, charged, dropped
  dispute text not null,               -- the customer's words, empty without any
  decided_by text not null,            -- 'customer' or the operator; empty while nobody has
  created_ms bigint not null,
  decided_ms bigint,
  constraint claimed_once unique (courier, courier_reference),
  constraint weight_claim_state check (state in ('open', 'disputed', 'charged', 'dropped')),
  constraint weight_claim_decided check (
    (state in ('charged', 'dropped')) = (decided_ms is not null)),
  constraint weight_claim_is_more check (claimed_grams > booked_grams),
  constraint weight_claim_costs check (
    taxable_paise > 0 and gst_paise >= 0 and courier_paise >= 0)
);

create index weight_claims_by_user on weight_claims (user_id, created_ms);
create index weight_claims_by_booking on weight_claims (booking_id);

-- debit notes for what is owed after an invoice. a document belongs to a charge: the booking's own
-- or one that came later.
create table invoices_before as select * from invoices;
drop table invoices;

create table invoices (
  number text not null primary key,  -- as printed: DK/26-27/000001, at most 16 characters
  kind text not null,                -- invoice, credit_note, debit_note
  financial_year text not null,      -- 26-27: from april to march, in india
  series bigint not null,            -- 1, 2, 3 … of this kind in this year
  booking_id text not null references bookings (booking_id),
  charge_id text not null,           -- the charge: the booking's id, or a weight claim's
  user_id text not null references users (user_id),
  refund_id text not null,           -- which refund a credit note is for; empty for the others
  taxable_paise bigint not null,
  gst_paise bigint not null,         -- on top of the taxable value
  document text not null,            -- all that is printed, as json, as it was on that day
  issued_ms bigint not null,
  constraint invoice_kind check (kind in ('invoice', 'credit_note', 'debit_note')),
  constraint invoice_numbers_do_not_repeat unique (kind, financial_year, series),
  constraint invoiced_once unique (charge_id, kind, refund_id),
  constraint only_refunds_are_credited check ((kind = 'credit_note') = (refund_id <> '')),
  constraint invoice_amounts check (taxable_paise >= 0 and gst_paise >= 0)
);

insert into invoices (number, kind, financial_year, series, booking_id, charge_id, user_id,
    refund_id, taxable_paise, gst_paise, document, issued_ms)
  select number, kind, financial_year, series, booking_id, booking_id, user_id,
    refund_id, taxable_paise, gst_paise, document, issued_ms from invoices_before;

drop table invoices_before;

create index invoices_by_booking on invoices (booking_id);
