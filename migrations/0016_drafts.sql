-- bookings on their way: what a customer has typed in the wizard so far, one draft each. names and
-- addresses are in it, so it is sealed with the key of the uploaded documents.

create table drafts (
  user_id text not null primary key references users (user_id),
  revision bigint not null,    -- one more with every change; a change names the one it builds on
  content text not null,       -- sealed json in base64; empty when there is no draft any more
  saved_ms bigint not null,
  constraint draft_revisions_grow check (revision > 0)
);

create index drafts_by_age on drafts (saved_ms);
