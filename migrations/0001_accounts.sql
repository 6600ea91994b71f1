-- who may log in, and where they are logged in.
-- one text for sqlite and postgres: text ids, bigint money (paise) and time (utc milliseconds).

create table users (
  user_id text not null primary key,
  username text not null,            -- as typed, shown to the user
  username_key text not null,        -- lower case, what logging in compares
  email text not null,
  email_key text not null,           -- lower case
  phone text not null,               -- digits with country code
  password_hash text not null,       -- argon2id in phc form
  first_name text not null,
  last_name text not null,
  company_name text not null,
  gstin text not null,               -- empty when not registered
  created_ms bigint not null,
  constraint users_username_is_taken unique (username_key),
  constraint users_email_is_taken unique (email_key)
);

create table sessions (
  token_hash text not null primary key,  -- sha-256 of a random 256-bit token; the token is nowhere
  user_id text not null references users (user_id),
  created_ms bigint not null,
  last_seen_ms bigint not null,          -- for the idle limit, written at most once a minute
  expires_ms bigint not null             -- the absolute limit
);

create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_ms);
