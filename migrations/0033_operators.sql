-- what operators did: a row is written with the change it tells of, and never changed or removed.

create table operator_actions (
  action_number bigint not null primary key,  -- 1, 2, 3 … without gaps
  actor text not null,                 -- the operator's name, as given
  command text not null,               -- as typed, such as 'users freeze'
  arguments text not null,             -- as json, without anything personal
  reference text not null,             -- the id of what was changed
  outcome text not null,               -- what became of it, in a sentence
  done_ms bigint not null
);

create index operator_actions_by_reference on operator_actions (reference, action_number);

insert into counters (counter, value) values ('operator_actions', 0);

-- when an operator froze an account: it reads, and neither books nor pays in.
alter table users add column frozen_ms bigint;
