-- How many lines of a kind a wallet's statement has in a month, what they come to, and where in the
-- books they stand: kept in the transactions that write them, so that no page reads a customer's
-- whole history.

create table statement_counts (
  user_id text not null references users (user_id),
  month text not null,               -- in india: 2026-11
  kind text not null,                -- of ledger_transactions
  sign bigint not null,              -- 1 came in, -1 went out
  lines bigint not null,
  amount_paise bigint not null,      -- of all of them
  first_seq bigint not null,         -- of ledger_transactions
  last_seq bigint not null,
  primary key (user_id, month, kind, sign)
);

-- The month of a day since 1970, after Howard Hinnant's civil_from_days.
insert into statement_counts
    (user_id, month, kind, sign, lines, amount_paise, first_seq, last_seq)
  select user_id,
    cast(year_of_march + case when month_number <= 2 then 1 else 0 end as text)
      || case when month_number < 10 then '-0' else '-' end || cast(month_number as text),
    kind, sign, count(*), cast(sum(amount_paise) as bigint), min(seq), max(seq)
  from (
    select user_id, kind, sign, amount_paise, seq, year_of_era + era * 400 as year_of_march,
      case when months_from_march < 10 then months_from_march + 3 else months_from_march - 9 end
        as month_number
    from (
      select user_id, kind, sign, amount_paise, seq, era, year_of_era,
        (5 * (day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100)) + 2) / 153
          as months_from_march
      from (
        select user_id, kind, sign, amount_paise, seq, era, day_of_era,
          (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365
            as year_of_era
        from (
          select user_id, kind, sign, amount_paise, seq, days / 146097 as era,
            days % 146097 as day_of_era
          from (
            select t.user_id, t.kind, case when e.amount_paise < 0 then -1 else 1 end as sign,
              e.amount_paise, t.seq, (t.created_ms + 19800000) / 86400000 + 719468 as days
            from ledger_transactions t
            join ledger_entries e on e.transaction_id = t.transaction_id
              and e.account_id = 'available:' || t.user_id) as by_day) as by_era) as by_year)
      as by_march) as by_month
  group by 1, 2, 3, 4;

-- Nobody asks for the entries of an account any more, and every posting wrote two or three into it.
drop index ledger_entries_by_account;

-- The bookings of a user as lists show them, for lists of any length.
drop index bookings_by_user;
create index bookings_by_user on bookings (user_id, created_ms desc, booking_id)
  where status <> 'failed';
create index bookings_failed on bookings (user_id, created_ms) where status = 'failed';
