-- keys that customers' devices keep and log in with: each counts as both steps.

create table passkeys (
  passkey_id text not null primary key,  -- our name for it, for its owner to point at
  user_id text not null references users (user_id),
  credential_id text not null,           -- the authenticator's name for it, in base64url
  name text not null,                    -- as its owner calls it
  credential text not null,              -- public key, counter and flags, as json; nothing secret
  created_ms bigint not null,
  used_ms bigint,                        -- when it was last used; null for never
  constraint passkeys_are_told_apart unique (credential_id)
);

create index passkeys_by_user on passkeys (user_id, created_ms);

-- what an authenticator was asked to sign, until it did. each is good for one answer.
create table passkey_challenges (
  token_hash text not null primary key,  -- sha-256 of a random 256-bit token
  purpose text not null,                 -- 'login', 'confirm' or 'add'
  session_hash text not null,            -- of the session that asked; empty for a login
  name text not null,                    -- of the passkey that is being added, else empty
  state text not null,                   -- what the answer is checked against, as json
  created_ms bigint not null,
  expires_ms bigint not null,
  constraint passkey_challenges_purpose check (purpose in ('login', 'confirm', 'add'))
);

create index passkey_challenges_by_purpose on passkey_challenges (purpose, created_ms);
create index passkey_challenges_by_session on passkey_challenges (session_hash, created_ms);
create index passkey_challenges_by_expiry on passkey_challenges (expires_ms);
