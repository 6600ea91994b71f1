-- Customers' accounts: who they are, what they agreed to, and which e-mails they declined.
-- One text for SQLite and Postgres: text ids, bigint money (paise) and time (UTC milliseconds).

create table users (
  user_id text not null primary key,
  username text not null,            -- as typed, shown to the user
  username_key text not null,        -- lower case; '@' and the id if it is the confirmed address
  email text not null,               -- empty when an address that was not confirmed was given up
  email_key text not null,           -- lower case
  phone text not null,               -- digits with country code
  password_hash text not null,       -- argon2id in PHC form
  first_name text not null,
  last_name text not null,
  company_name text not null,
  gstin text not null,               -- empty when not registered
  created_ms bigint not null,
  frozen_ms bigint,                  -- frozen by an operator: can read, not book or pay in
  email_confirmed_ms bigint,         -- when a link sent to the address was opened; null: not yet
  new_email text,                    -- replaces the address when its link is opened
  closed_ms bigint,                  -- closed by the customer; the row then names nobody
  closing_email text,                -- where the last e-mail goes; null once it was sent
  two_step_ms bigint,                -- since when two-step login is on; null: off
  phone_confirmed_ms bigint,         -- when a code sent to the number was entered; null: not yet
  language text not null default 'en',
  low_balance_paise bigint not null default 20000,  -- warn below this balance; 0: never
  sez_gstin text not null default '',  -- the GSTIN that an operator confirmed as an SEZ unit's
  constraint users_username_is_taken unique (username_key)
);

-- Any number of accounts may claim an address, and one of them can confirm it.
create unique index users_by_confirmed_email on users (email_key)
  where email_confirmed_ms is not null;
create index users_by_claimed_email on users (email_key) where email_confirmed_ms is null;

-- Rows are added when an account is opened, and stay as long as the account's bookings.
create table agreements (
  user_id text not null references users (user_id),
  document text not null,
  version text not null,             -- the day from which its text is in force: 2026-11-23
  agreed_ms bigint not null,
  address text not null,             -- the client's IP address, of IPv6 its network
  device text not null,              -- browser and system, in words
  primary key (user_id, document, version),
  constraint agreements_document check (document in ('terms', 'privacy'))
);

-- E-mails about security and money cannot be declined.
create table declined_letters (
  user_id text not null references users (user_id),
  topic text not null,               -- booked, progress, trouble, low_balance
  declined_ms bigint not null,
  through text not null,             -- page: the account page; link: a link in such an e-mail
  constraint a_topic_is_declined_once primary key (user_id, topic)
);

-- Names and addresses in saved senders, receivers and packages are sealed like drafts.
create table presets (
  preset_id text not null primary key,
  user_id text not null references users (user_id),
  kind text not null,
  print text not null,               -- keyed hash that recognises an equal entry
  name text not null,                -- sealed; the customer's name for it
  fields text not null,              -- sealed JSON
  created_ms bigint not null,
  default_ms bigint not null default 0,  -- when it was made the default sender; the latest counts
  constraint preset_kind check (kind in ('consignor', 'consignee', 'package')),
  constraint presets_differ unique (user_id, kind, print)
);
