-- what happened to accounts, for their owners and for whoever looks into a theft. rows are added
-- with what they tell of, and stay as they are until they are old.

create table security_events (
  event_id text not null primary key,
  user_id text references users (user_id), -- nobody for an unknown user name, which is not kept
  act text not null,                       -- as in model/account/security_event.rs
  result text not null,                    -- 'done' or 'refused'
  about text not null,                     -- the id of a booking or document; empty for the account
  address text not null,                   -- the client's, of ipv6 its network
  device text not null,                    -- browser and system, in words
  created_ms bigint not null,
  constraint security_events_result check (result in ('done', 'refused'))
);

create index security_events_by_user on security_events (user_id, created_ms);
create index security_events_by_time on security_events (created_ms);
-- logins with names that nobody has are kept so many for each client.
create index security_events_of_nobody on security_events (address, created_ms)
  where user_id is null;

-- rows older than this may go: the database refuses to remove others.
insert into counters (counter, value) values ('security_events_from', 0);
