-- The record of operators' actions: a row is written with the change, and never changed or removed.

create table operator_actions (
  action_number bigint not null primary key,  -- 1, 2, 3 … without gaps
  actor text not null,               -- the operator's name, as given
  command text not null,             -- as typed, such as 'users freeze'
  arguments text not null,           -- as JSON, without anything personal
  reference text not null,           -- the id of what was changed
  outcome text not null,             -- the result, in a sentence
  done_ms bigint not null
);

create index operator_actions_by_reference on operator_actions (reference, action_number);

-- Keys that outlive the configured ones: signatures made with them are checked years later.
create table kept_keys (
  name text not null primary key,
  sealed_key text not null,          -- sealed under a configured key
  created_ms bigint not null
);

-- Facts that must be the same for all servers of the database: others do not start.
create table shared_facts (
  fact text not null primary key,    -- `key ID`: a print of that key; `files`: the place's mark
  value text not null,
  created_ms bigint not null
);
