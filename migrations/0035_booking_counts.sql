-- How many bookings of a month stand where, kept in the transactions that change them, so that no
-- page counts a customer's whole history.

create table booking_counts (
  user_id text not null references users (user_id),
  month text not null,               -- in india: 2026-11
  status text not null,
  bookings bigint not null,
  amount_paise bigint not null,      -- of all of them
  primary key (user_id, month, status)
);

-- The month of a day since 1970, after Howard Hinnant's civil_from_days.
insert into booking_counts (user_id, month, status, bookings, amount_paise)
  select user_id,
    cast(year_of_march + case when month_number <= 2 then 1 else 0 end as text)
      || case when month_number < 10 then '-0' else '-' end || cast(month_number as text),
    status, count(*), cast(sum(amount_paise) as bigint)
  from (
    select user_id, status, amount_paise, year_of_era + era * 400 as year_of_march,
      case when months_from_march < 10 then months_from_march + 3 else months_from_march - 9 end
        as month_number
    from (
      select user_id, status, amount_paise, era, year_of_era,
        (5 * (day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100)) + 2) / 153
          as months_from_march
      from (
        select user_id, status, amount_paise, era, day_of_era,
          (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365
            as year_of_era
        from (
          select user_id, status, amount_paise, days / 146097 as era, days % 146097 as day_of_era
          from (
            select user_id, status, amount_paise,
              (created_ms + 19800000) / 86400000 + 719468 as days
            from bookings) as by_day) as by_era) as by_year) as by_march) as by_month
  group by 1, 2, 3;
