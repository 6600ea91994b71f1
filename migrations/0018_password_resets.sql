-- links by which somebody who forgot the password chooses another, a row for each that was sent. a
-- newer one ends the older ones. rows go an hour after they came, when they no longer limit further
-- ones.

create table password_resets (
  token_hash text not null primary key,  -- sha-256 of a random 256-bit token; that is in the mail
  user_id text not null references users (user_id),
  created_ms bigint not null,
  expires_ms bigint not null,
  ended_ms bigint                        -- when it was used, or another took its place
);

create index password_resets_by_user on password_resets (user_id, created_ms);
create index password_resets_by_time on password_resets (created_ms);
