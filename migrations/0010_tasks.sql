-- Background work: a task is written in the transaction that it follows from. The process that
-- works on a task holds a lease on it.

create table tasks (
  kind text not null,
  subject text not null,             -- the id of the row that it is about
  due_ms bigint not null,            -- while it is leased, when it must be done
  lease_until_ms bigint not null,    -- 0: not leased
  leased_by text not null,           -- the node; empty: none
  attempts bigint not null,          -- failures in a row
  last_error text not null,          -- the kind of the last error; nothing personal
  quarantined_ms bigint not null,    -- when it was left to an operator; 0: it was not
  created_ms bigint not null,
  constraint one_task_of_a_kind primary key (kind, subject)
) without rowid;

create index tasks_due on tasks (kind, due_ms) where quarantined_ms = 0;
create index tasks_leased on tasks (leased_by) where leased_by <> '';
create index tasks_quarantined on tasks (kind, quarantined_ms) where quarantined_ms > 0;

-- Processes that work on tasks. The leases of one that stopped renewing its row are free.
create table nodes (
  node text not null primary key,    -- a random name for each start of the program
  alive_until_ms bigint not null     -- it will have renewed this by then
);
