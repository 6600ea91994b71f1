-- charges end once and refunds stay below them; the books are sealed, transaction by transaction.

create table charges (
  charge_id text not null primary key,   -- what is paid for: the booking's id
  user_id text not null references users (user_id),
  description text not null,             -- on the user's statement
  taxable_paise bigint not null,
  gst_paise bigint not null,             -- on top of the taxable value
  courier_paise bigint not null,         -- of the taxable value, what the courier will bill us
  state text not null,                   -- held, captured, released
  refunded_paise bigint not null,
  created_ms bigint not null,
  ended_ms bigint,                       -- when it was captured or released
  constraint charge_costs_something check (
    taxable_paise >= 0 and gst_paise >= 0 and courier_paise >= 0
    and taxable_paise + gst_paise > 0),
  constraint charge_state check (state in ('held', 'captured', 'released')),
  constraint refunds_stay_below_the_charge check (
    refunded_paise >= 0 and refunded_paise <= taxable_paise + gst_paise
    and (refunded_paise = 0 or state = 'captured'))
);

create index charges_by_user on charges (user_id, created_ms);
create index ledger_transactions_by_reference on ledger_transactions (reference);

-- one seal for each transaction, written last: a hash over its content and the seal before it.
create table ledger_seals (
  seq bigint not null primary key,
  transaction_id text not null references ledger_transactions (transaction_id),
  hash text not null,                    -- sha-256 in hexadecimal
  constraint a_transaction_is_sealed_once unique (transaction_id)
);

-- transactions written before there were seals have none.
insert into counters (counter, value)
  select 'ledger_sealed_from', value + 1 from counters where counter = 'ledger';
