-- two-step sign-in: besides the password a code from the customer's phone, or a recovery code.

-- since when an account asks for it; null while it does not.
alter table users add column two_step_ms bigint;

-- what the customer's app and we both know. a row without users.two_step_ms is being set up.
create table authenticators (
  user_id text not null primary key references users (user_id),
  sealed_secret text not null,  -- 160 random bits, encrypted under the owner's id
  last_step bigint not null,    -- the latest 30 seconds whose code was used: none is used twice
  begun_ms bigint not null,
  begun_by text not null        -- hash of the token of the session that began; only it goes on
);

-- codes on paper for whoever lost the phone, each good for one time.
create table recovery_codes (
  user_id text not null references users (user_id),
  place text not null,          -- the first character of the code, which finds its hash
  code_hash text not null,      -- argon2id
  used_ms bigint,               -- null while it is good
  primary key (user_id, place)
);

-- logins whose password was right and whose code is still to come. no session: nothing but the
-- second step takes it.
create table login_challenges (
  token_hash text not null primary key,  -- sha-256 of a random 256-bit token
  user_id text not null references users (user_id),
  created_ms bigint not null,
  expires_ms bigint not null
);

create index login_challenges_by_user on login_challenges (user_id, created_ms);
create index login_challenges_by_expiry on login_challenges (expires_ms);
