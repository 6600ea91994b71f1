-- Sessions, the ways to sign in and to recover an account, and the record of security events.

create table sessions (
  token_hash text not null primary key,  -- SHA-256 of a random 256-bit token, which is not stored
  user_id text not null references users (user_id),
  created_ms bigint not null,
  last_seen_ms bigint not null,          -- for the idle limit, written at most once a minute
  expires_ms bigint not null,            -- the absolute limit
  device text not null default ''        -- browser and system, in words
);

create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_ms);

-- Browsers that logged in before. A login from any other is reported by e-mail. Rows are deleted a
-- year after their last use.
create table known_devices (
  user_id text not null references users (user_id),
  device_hash text not null,         -- SHA-256 of the random 256-bit token in the cookie
  created_ms bigint not null,        -- the first login
  used_ms bigint not null,           -- the last login
  primary key (user_id, device_hash)
);

create index known_devices_by_use on known_devices (used_ms);

-- Links to choose another password. All of them end when one is used. Rows are deleted after an
-- hour, when they no longer limit further ones.
create table password_resets (
  token_hash text not null primary key,  -- SHA-256 of the random 256-bit token in the e-mail
  user_id text not null references users (user_id),
  created_ms bigint not null,
  expires_ms bigint not null,
  ended_ms bigint,                       -- when it or another one was used, or was revoked
  from_known bigint not null             -- 1: asked for by a browser that had logged in before
);

create index password_resets_by_user on password_resets (user_id, created_ms);
create index password_resets_by_time on password_resets (created_ms);

-- Links that confirm an e-mail address or undo its change.
create table email_links (
  token_hash text not null primary key,  -- SHA-256 of the random 256-bit token in the e-mail
  user_id text not null references users (user_id),
  purpose text not null,
  email text not null,                   -- the account's address once the link is opened
  since_ms bigint not null,              -- since when that address counts as the account's
  created_ms bigint not null,
  expires_ms bigint not null,
  ended_ms bigint,                       -- when it was used or revoked
  constraint email_links_purpose check (purpose in ('confirm', 'undo'))
);

create index email_links_by_user on email_links (user_id, created_ms);
create index email_links_by_expiry on email_links (expires_ms);

-- One-time codes that confirm a booking or a phone number. The newest one about a subject counts.
-- Rows are deleted after a day, when they no longer limit further ones.
create table otps (
  otp_id text not null primary key,
  user_id text not null references users (user_id),
  subject text not null,             -- the quote to be booked; 'phone' for the account's number
  seal text not null,                -- keyed hash of the code, its subject and its receivers
  tries bigint not null,             -- wrong entries
  created_ms bigint not null,
  expires_ms bigint not null,
  used_ms bigint,                    -- when it confirmed its subject
  receiver text,                     -- keyed hash of the account's number; null for a booking
  constraint otp_tries_are_few check (tries between 0 and 6)
);

create index otps_by_user on otps (user_id, created_ms);
create index otps_by_time on otps (created_ms);

-- Messages to people within a day, by kind: in total, for an account, about a parcel, to a
-- receiver. Rows are deleted after the day.
create table message_counts (
  kind text not null,
  scope text not null,
  print text not null,               -- keyed hash of account, parcel or receiver; '' for a total
  since_ms bigint not null,          -- the first message of the day that is counted
  sent bigint not null,
  last_ms bigint not null,           -- the newest message; 0: it was taken back
  constraint one_count_of_a_kind primary key (kind, scope, print),
  constraint message_counts_are_not_negative check (sent >= 0)
) without rowid;

create index message_counts_by_time on message_counts (since_ms);

-- Guesses of passwords and codes, for each guesser of an account. A row is deleted an hour after
-- the last guess, when it no longer limits further ones.
create table guesses (
  guesser text not null primary key,  -- keyed hash of an account and of who guesses
  wrong bigint not null,              -- wrong ones in a row
  undecided bigint not null,          -- begun ones whose result is not known yet
  last_ms bigint not null,            -- when the newest one began
  paid_ms bigint not null,            -- when the whole budget is available again; 0: no budget
  constraint guesses_are_not_negative check (wrong >= 0 and undecided >= 0)
) without rowid;

create index guesses_by_time on guesses (last_ms);

-- Secrets shared with authenticator apps. A row without `users.two_step_ms` is being set up.
create table authenticators (
  user_id text not null primary key references users (user_id),
  sealed_secret text not null,       -- 160 random bits, sealed under the owner's id
  last_step bigint not null,         -- the latest 30 seconds whose code was used: none works twice
  begun_ms bigint not null,
  begun_by text not null             -- token hash of the session that began; only it can continue
);

-- Each recovery code replaces the authenticator app once.
create table recovery_codes (
  user_id text not null references users (user_id),
  place text not null,               -- the first character of the code, which finds its hash
  code_hash text not null,           -- argon2id
  created_ms bigint not null,
  used_ms bigint,                    -- null while it is valid
  primary key (user_id, place)
);

-- Logins with a right password that wait for the second step.
create table login_challenges (
  token_hash text not null primary key,  -- SHA-256 of a random 256-bit token
  user_id text not null references users (user_id),
  created_ms bigint not null,
  expires_ms bigint not null
);

create index login_challenges_by_user on login_challenges (user_id, created_ms);
create index login_challenges_by_expiry on login_challenges (expires_ms);

-- A passkey counts as both steps of a login.
create table passkeys (
  passkey_id text not null primary key,
  user_id text not null references users (user_id),
  credential_id text not null,       -- the authenticator's name for it, in base64url
  name text not null,                -- the owner's name for it
  credential text not null,          -- public key, counter and flags, as JSON; nothing secret
  created_ms bigint not null,
  used_ms bigint,                    -- the last use; null: never
  constraint passkeys_are_told_apart unique (credential_id)
);

create index passkeys_by_user on passkeys (user_id, created_ms);

-- Challenges that an authenticator must sign. Each is valid for one answer.
create table passkey_challenges (
  token_hash text not null primary key,  -- SHA-256 of a random 256-bit token
  purpose text not null,
  session_hash text not null,            -- of the session that asked; empty for a login
  name text not null,                    -- of the passkey that is being added, else empty
  state text not null,                   -- the answer is checked against it; JSON
  created_ms bigint not null,
  expires_ms bigint not null,
  constraint passkey_challenges_purpose check (purpose in ('login', 'confirm', 'add'))
);

create index passkey_challenges_by_purpose on passkey_challenges (purpose, created_ms);
create index passkey_challenges_by_session on passkey_challenges (session_hash, created_ms);
create index passkey_challenges_by_expiry on passkey_challenges (expires_ms);

-- Security events are only added, and deleted only when they are older than the counter
-- 'security_events_from' says.
create table security_events (
  event_id text not null primary key,
  user_id text references users (user_id),  -- null for an unknown user name, which is not stored
  act text not null,                 -- as in model/account/security_event.rs
  result text not null,
  subject_id text not null,          -- the id of a booking or document; empty for the account
  address text not null,             -- the client's IP address, of IPv6 its network
  device text not null,              -- browser and system, in words
  created_ms bigint not null,
  constraint security_events_result check (result in ('done', 'refused'))
);

create index security_events_by_user on security_events (user_id, created_ms);
create index security_events_by_time on security_events (created_ms);
-- Logins with unknown user names are limited in number for each client.
create index security_events_of_nobody on security_events (address, created_ms)
  where user_id is null;
