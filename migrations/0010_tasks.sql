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
  traceparent text not null default '',  -- of the request or task that queued it; empty: none
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

-- The browser's files of every version that served lately: pages of one version ask servers of
-- another one for them.
create table kept_assets (
  name text not null primary key,    -- with a hash of the content: client-Ab12Cd34.js
  seen_ms bigint not null,           -- when a server had it last, to the day
  content_type text not null,
  hash text not null,                -- of the content, for its ETag
  coding text not null,              -- 'br': the content is compressed; empty: it is not
  content text not null,             -- in base64
  signature text not null            -- of the name and all other columns but the time, in base64
);

-- The oldest program that works on this schema. A migration that takes something away from older
-- programs raises it; they then refuse to start, and are not ready.
create table oldest_served_program (
  migration bigint not null primary key  -- the newest migration that it knows
);

insert into oldest_served_program (migration) values (0);
