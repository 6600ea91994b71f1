-- work that is done later or again and again: one row for each thing that waits, written in the
-- transaction of what it is about. whoever works on a row holds a lease on it.

create table tasks (
  kind text not null,                   -- what is to be done
  subject text not null,                -- the id of what it is done to
  due_ms bigint not null,               -- when; while somebody is at it, when they must be done
  lease_until_ms bigint not null,       -- somebody is at it until then; 0: nobody
  leased_by text not null,              -- which process is at it; empty: none
  attempts bigint not null,             -- tries in a row that came to nothing
  last_error text not null,             -- what kind of error the last one met; nothing personal
  quarantined_ms bigint not null,       -- when it was left to an operator; 0: it was not
  created_ms bigint not null,
  constraint one_task_of_a_kind primary key (kind, subject)
);

create index tasks_due on tasks (kind, due_ms) where quarantined_ms = 0;

create index tasks_leased on tasks (leased_by) where leased_by <> '';

-- processes that work on tasks. one that says nothing any more is dead, and what it was at is free.

create table nodes (
  node text not null primary key,       -- drawn when the process starts
  alive_until_ms bigint not null        -- it will have said something again by then
);

-- payments that the gateway is asked about.

insert into tasks
  select 'payment', merchant_order_id, next_check_ms, 0, '', 0, '', 0, created_ms
  from payment_orders where next_check_ms is not null;

drop index payment_orders_due;

alter table payment_orders drop column next_check_ms;

-- orders without an end, and bookings that their courier is to let go of.

insert into tasks
  select 'courier_order', booking_id, due_ms, 0, '', 0, '', 0, created_ms
  from courier_orders where state in ('held', 'calling', 'unknown');

insert into tasks
  select 'cancellation', b.booking_id, coalesce(o.due_ms, 0), 0, '', 0, '', 0, b.created_ms
  from bookings b left join courier_orders o on o.booking_id = b.booking_id
  where b.status = 'cancelling';

drop index courier_orders_due;

alter table courier_orders drop column due_ms;

drop index bookings_being_cancelled;

-- shipments whose partner is asked where they are.

insert into tasks
  select 'tracking', booking_id, track_ms, 0, '', 0, '', 0, created_ms
  from courier_orders where track_ms > 0;

drop index courier_orders_tracked;

alter table courier_orders drop column track_ms;

create index courier_orders_open on courier_orders (created_ms)
  where state in ('held', 'calling', 'unknown');

-- letters about bookings.

insert into tasks
  select 'notices', booking_id, min(due_ms), 0, '', 0, '', 0, min(created_ms)
  from notices where due_ms > 0 group by booking_id;

alter table notices add column is_open bigint not null default 1;  -- it is still to be sent

update notices set is_open = case when due_ms > 0 then 1 else 0 end;

drop index notices_due;

alter table notices drop column due_ms;

alter table notices drop column tries;
