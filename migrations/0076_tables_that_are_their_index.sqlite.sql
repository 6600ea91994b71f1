-- sqlite keeps a table in the order of hidden row numbers, and its primary key in an index beside
-- it. these small rows stand in the index itself: one place to write to where there were two.

create table ledger_entries_new (
  transaction_id text not null references ledger_transactions (transaction_id),
  line bigint not null,
  account_id text not null references ledger_accounts (account_id),
  amount_paise bigint not null,          -- positive adds to the account; a transaction sums to zero
  balance_after_paise bigint not null,   -- of the account, right after this entry
  primary key (transaction_id, line),
  constraint ledger_entries_move_something check (amount_paise <> 0)
) without rowid;

create table ledger_seals_new (
  seq bigint not null primary key,
  transaction_id text not null references ledger_transactions (transaction_id),
  hash text not null,                    -- sha-256 in hexadecimal
  constraint a_transaction_is_sealed_once unique (transaction_id)
) without rowid;

create table charges_new (
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
  courier_returned_paise bigint not null default 0,
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

create table notices_new (
  booking_id text not null references bookings (booking_id),
  status text not null,                  -- what the booking came to
  created_ms bigint not null,
  is_open bigint not null default 1,
  primary key (booking_id, status)
) without rowid;

create table tasks_new (
  kind text not null,                    -- what is to be done
  subject text not null,                 -- the id of what it is done to
  due_ms bigint not null,                -- when; while somebody is at it, when they must be done
  lease_until_ms bigint not null,        -- somebody is at it until then; 0: nobody
  leased_by text not null,               -- which process is at it; empty: none
  attempts bigint not null,              -- tries in a row that came to nothing
  last_error text not null,              -- what kind of error the last one met; nothing personal
  quarantined_ms bigint not null,        -- when it was left to an operator; 0: it was not
  created_ms bigint not null,
  constraint one_task_of_a_kind primary key (kind, subject)
) without rowid;

create table booking_terms_new (
  user_id text not null,                 -- whose booking it is
  term text not null,                    -- in small letters; 'courier:' begins a courier
  created_ms bigint not null,            -- of the booking
  booking_id text not null references bookings (booking_id),
  primary key (user_id, term, created_ms, booking_id)
) without rowid;

create table tracking_events_new (
  booking_id text not null references bookings (booking_id),
  seq bigint not null,                   -- 1, 2, 3 … within the shipment
  status text not null,
  courier_code text not null,
  location text not null,
  remarks text not null,
  comments text not null,
  happened_ms bigint not null,
  primary key (booking_id, seq)
) without rowid;

insert into ledger_entries_new (transaction_id, line, account_id, amount_paise, balance_after_paise)
  select transaction_id, line, account_id, amount_paise, balance_after_paise
  from ledger_entries order by transaction_id, line;
insert into ledger_seals_new (seq, transaction_id, hash)
  select seq, transaction_id, hash from ledger_seals order by seq;
insert into charges_new (charge_id, user_id, description, taxable_paise, gst_paise, courier_paise,
    state, refunded_paise, created_ms, ended_ms, courier_returned_paise)
  select charge_id, user_id, description, taxable_paise, gst_paise, courier_paise, state,
    refunded_paise, created_ms, ended_ms, courier_returned_paise
  from charges order by charge_id;
insert into notices_new (booking_id, status, created_ms, is_open)
  select booking_id, status, created_ms, is_open from notices order by booking_id, status;
insert into tasks_new (kind, subject, due_ms, lease_until_ms, leased_by, attempts, last_error,
    quarantined_ms, created_ms)
  select kind, subject, due_ms, lease_until_ms, leased_by, attempts, last_error, quarantined_ms,
    created_ms
  from tasks order by kind, subject;
insert into booking_terms_new (user_id, term, created_ms, booking_id)
  select user_id, term, created_ms, booking_id
  from booking_terms order by user_id, term, created_ms, booking_id;
insert into tracking_events_new (booking_id, seq, status, courier_code, location, remarks, comments,
    happened_ms)
  select booking_id, seq, status, courier_code, location, remarks, comments, happened_ms
  from tracking_events order by booking_id, seq;

-- all go before the first new one takes its name: triggers of one may name another.
drop table ledger_entries;
drop table ledger_seals;
drop table charges;
drop table notices;
drop table tasks;
drop table booking_terms;
drop table tracking_events;
alter table ledger_entries_new rename to ledger_entries;
alter table ledger_seals_new rename to ledger_seals;
alter table charges_new rename to charges;
alter table notices_new rename to notices;
alter table tasks_new rename to tasks;
alter table booking_terms_new rename to booking_terms;
alter table tracking_events_new rename to tracking_events;

create index tasks_due on tasks (kind, due_ms) where quarantined_ms = 0;
create index tasks_leased on tasks (leased_by) where leased_by <> '';
