-- The schema of a fresh SQLite database, made by the files in `migrations`: each table with its
-- indexes, then the triggers. Postgres has the same tables. A test holds this file: it writes the
-- right one to `artefacts/schema.sql`.

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

create unique index users_by_confirmed_email on users (email_key)
  where email_confirmed_ms is not null;

create index users_by_claimed_email on users (email_key) where email_confirmed_ms is null;

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

create table declined_letters (
  user_id text not null references users (user_id),
  topic text not null,               -- booked, progress, trouble, low_balance
  declined_ms bigint not null,
  through text not null,             -- page: the account page; link: a link in such an e-mail
  constraint a_topic_is_declined_once primary key (user_id, topic)
);

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

create table known_devices (
  user_id text not null references users (user_id),
  device_hash text not null,         -- SHA-256 of the random 256-bit token in the cookie
  created_ms bigint not null,        -- the first login
  used_ms bigint not null,           -- the last login
  primary key (user_id, device_hash)
);

create index known_devices_by_use on known_devices (used_ms);

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

create table guesses (
  guesser text not null primary key,  -- keyed hash of an account and of who guesses
  wrong bigint not null,              -- wrong ones in a row
  undecided bigint not null,          -- begun ones whose result is not known yet
  last_ms bigint not null,            -- when the newest one began
  paid_ms bigint not null,            -- when the whole budget is available again; 0: no budget
  constraint guesses_are_not_negative check (wrong >= 0 and undecided >= 0)
) without rowid;

create index guesses_by_time on guesses (last_ms);

create table authenticators (
  user_id text not null primary key references users (user_id),
  sealed_secret text not null,       -- 160 random bits, sealed under the owner's id
  last_step bigint not null,         -- the latest 30 seconds whose code was used: none works twice
  begun_ms bigint not null,
  begun_by text not null             -- token hash of the session that began; only it can continue
);

create table recovery_codes (
  user_id text not null references users (user_id),
  place text not null,               -- the first character of the code, which finds its hash
  code_hash text not null,           -- argon2id
  created_ms bigint not null,
  used_ms bigint,                    -- null while it is valid
  primary key (user_id, place)
);

create table login_challenges (
  token_hash text not null primary key,  -- SHA-256 of a random 256-bit token
  user_id text not null references users (user_id),
  created_ms bigint not null,
  expires_ms bigint not null
);

create index login_challenges_by_user on login_challenges (user_id, created_ms);

create index login_challenges_by_expiry on login_challenges (expires_ms);

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

create index security_events_of_nobody on security_events (address, created_ms)
  where user_id is null;

create table counters (
  counter text not null primary key,
  value bigint not null
);

create table ledger_accounts (
  account_id text not null primary key,  -- 'available:<user>', 'held:<user>', 'receivable:<user>',
                                         -- or a house account
  kind text not null,
  user_id text references users (user_id),
  balance_paise bigint not null,
  constraint ledger_account_kind check (kind in (
    'available', 'held', 'receivable', 'gateway_clearing', 'revenue', 'gst_payable',
    'courier_payable', 'adjustments', 'bank', 'gateway_fees')),
  constraint wallet_is_never_negative check (
    kind not in ('available', 'held') or balance_paise >= 0),
  constraint debt_is_never_positive check (kind <> 'receivable' or balance_paise <= 0),
  constraint wallets_have_an_owner check (
    (kind in ('available', 'held', 'receivable')) = (user_id is not null))
);

create table ledger_heads (
  wallet text not null primary key,  -- the user's id; 'house': transactions without a wallet
  seq bigint not null,               -- the last ledger_transactions.wallet_seq
  hash text not null                 -- of that transaction; empty: there is none
);

create table ledger_transactions (
  transaction_id text not null primary key,
  wallet_seq bigint not null,        -- the order of its wallet, without gaps
  kind text not null,                -- recharge, hold, …
  idempotency_key text not null,     -- the idempotency key of the movement
  user_id text references users (user_id),  -- null when nobody's wallet moves
  reference text not null,           -- the id of the payment or charge, or the courier
  description text not null,
  created_ms bigint not null,
  hash text not null,                -- of its content and of the hash before it in its wallet
  constraint ledger_moves_once unique (idempotency_key),
  constraint ledger_order_of_a_wallet unique (user_id, wallet_seq)
);

create unique index ledger_order_of_the_house on ledger_transactions (wallet_seq)
  where user_id is null;

create index ledger_transactions_by_reference on ledger_transactions (reference);

create table ledger_entries (
  transaction_id text not null references ledger_transactions (transaction_id),
  line bigint not null,
  account_id text not null,              -- of ledger_accounts; a key would lock rows of the house
  amount_paise bigint not null,          -- positive adds to the account; a transaction sums to zero
  balance_after_paise bigint,            -- of a customer's account, right after this entry
  primary key (transaction_id, line),
  constraint ledger_entries_move_something check (amount_paise <> 0),
  constraint balances_are_told_of_customers check (
    (balance_after_paise is not null) = (account_id like '%:%'))
) without rowid;

create table ledger_unsealed (
  wallet_seq bigint not null,            -- they are sealed in the order of their wallet
  transaction_id text not null references ledger_transactions (transaction_id),
  primary key (wallet_seq, transaction_id),
  constraint a_transaction_waits_once unique (transaction_id)
) without rowid;

create table ledger_seals (
  seq bigint not null primary key,       -- the order of the books, without gaps
  transaction_id text not null references ledger_transactions (transaction_id),
  hash text not null,                    -- SHA-256 in hexadecimal
  constraint a_transaction_is_sealed_once unique (transaction_id)
) without rowid;

create table charges (
  charge_id text not null primary key,   -- the booking's id, or a weight claim's
  user_id text not null references users (user_id),
  description text not null,             -- on the user's statement
  taxable_paise bigint not null,
  gst_paise bigint not null,             -- on top of the taxable value
  courier_paise bigint not null,         -- of the taxable value, what the courier will bill us
  state text not null,
  refunded_paise bigint not null,
  created_ms bigint not null,
  ended_ms bigint,                       -- when it was captured or released
  courier_returned_paise bigint not null default 0,  -- not billed after all: it was cancelled
  constraint couriers_return_no_more_than_they_bill check (
    courier_returned_paise >= 0 and courier_returned_paise <= courier_paise),
  constraint charge_costs_something check (
    taxable_paise >= 0 and gst_paise >= 0 and courier_paise >= 0
    and taxable_paise + gst_paise > 0),
  constraint charge_state check (state in ('held', 'captured', 'released')),
  constraint refunds_stay_below_the_charge check (
    refunded_paise >= 0 and refunded_paise <= taxable_paise + gst_paise
    and (refunded_paise = 0 or state = 'captured'))
) without rowid;

create table statement_counts (
  user_id text not null references users (user_id),
  month text not null,               -- in India: 2026-11
  kind text not null,                -- of ledger_transactions
  sign bigint not null,              -- 1 came in, -1 went out
  lines bigint not null,
  amount_paise bigint not null,      -- the sum of the lines
  first_seq bigint not null,         -- ledger_transactions.wallet_seq
  last_seq bigint not null,
  primary key (user_id, month, kind, sign)
);

create table movements (
  movement_id text not null primary key,  -- the idempotency key
  kind text not null,
  user_id text references users (user_id),  -- owner of the wallet; null: no wallet
  reference text not null,           -- the AWB, the payment, the courier or the bank's reference
  amount_paise bigint not null,      -- negative only for the kinds in the constraint below
  part_paise bigint not null,        -- of the amount: the gateway's fee, or the wallet's part
  actor text not null,               -- the operator
  note text not null,                -- why, for operators
  created_ms bigint not null,
  constraint movement_kind check (kind in (
    'goodwill', 'adjustment', 'courier_settlement', 'courier_difference', 'gateway_settlement',
    'chargeback', 'chargeback_reversal', 'gateway_refund', 'gateway_refund_failed', 'debt',
    'debt_repaid')),
  constraint movement_moves_something check (
    amount_paise > 0 or (amount_paise < 0 and kind in ('adjustment', 'courier_difference'))),
  constraint movement_part_is_within check (
    part_paise = 0 or (part_paise > 0 and part_paise <= amount_paise)),
  constraint movement_of_a_wallet check (
    (kind in ('goodwill', 'adjustment', 'chargeback', 'chargeback_reversal', 'gateway_refund',
        'gateway_refund_failed', 'debt', 'debt_repaid'))
      = (user_id is not null))
);

create index movements_by_reference on movements (reference);

create table audit_rounds (
  name text not null primary key,
  faults bigint not null,            -- found by the last audit
  passed_ms bigint not null,         -- when an audit last found none; 0: never
  passed_whole_ms bigint not null,   -- when one from the first transaction last found none
  checkpoint text not null,          -- JSON: the last transaction found in order; empty: none
  progress text not null,            -- JSON: where the audit under way stands; empty: none is
  pieces bigint not null             -- grows with each piece: of two servers one notices the other
);

create table products (
  product_id bigint not null primary key,
  product_name text not null,
  parent_vendor text not null,          -- the courier brand behind the product
  scope text not null,
  takes_parcels bigint not null,
  takes_documents bigint not null,
  volumetric_divisor bigint not null,   -- cubic centimetres that count as one kilogram
  minimum_grams bigint not null,        -- chargeable weight is never below this
  maximum_grams bigint not null,        -- per consignment
  needs_kyc bigint not null,
  needs_otp bigint not null,
  active bigint not null,
  zoning text not null default 'india',  -- the owner of the zones that it uses
  courier text not null default 'house',
  service text not null default '',     -- the courier's name of the service; the id of our own
  constraint product_names_differ unique (product_name),
  constraint product_scope check (scope in ('domestic', 'international')),
  constraint product_divisor check (volumetric_divisor > 0)
);

create unique index products_by_service on products (courier, service);

create table fuel_surcharges (
  product_id bigint not null references products (product_id),
  from_month text not null,             -- 2026-11
  basis_points bigint not null,         -- of freight
  primary key (product_id, from_month),
  constraint fuel_is_a_percentage check (basis_points between 0 and 20000)
);

create table rate_cards (
  product_id bigint not null references products (product_id),
  from_day text not null,               -- 2026-04-01 in India
  until_day text not null,              -- the last day, or empty: until the next card
  round_grams bigint not null,          -- a piece's weight is rounded up to a multiple of this
  minimum_paise bigint not null,        -- freight is never below this
  margin_bp bigint not null,            -- the operator's, on freight, in basis points
  round_paise bigint not null,          -- freight is rounded up to a multiple of this
  fuel_on_extras bigint not null,       -- 1: fuel surcharge on extras too; 0: on freight only
  remote_paise bigint not null,         -- least charge for an end in a remote area
  remote_kg_paise bigint not null,      -- charge for an end in a remote area, per started kilogram
  primary key (product_id, from_day),
  constraint roundings_have_a_size check (round_grams > 0 and round_paise > 0),
  constraint card_prices check (
    minimum_paise >= 0 and margin_bp >= 0 and remote_paise >= 0 and remote_kg_paise >= 0)
);

create table rate_slabs (
  product_id bigint not null,
  from_day text not null,
  zone text not null,                   -- a to e in India, the zoning's own names abroad
  tat_days bigint not null,
  first_grams bigint not null,
  first_paise bigint not null,
  step_grams bigint not null,
  step_paise bigint not null,
  above_grams bigint not null,          -- 0: steps have no end
  above_kg_paise bigint not null,       -- each started kilogram above that
  primary key (product_id, from_day, zone),
  foreign key (product_id, from_day) references rate_cards (product_id, from_day),
  constraint rate_slabs_have_a_size check (
    first_grams > 0 and step_grams > 0 and (above_grams = 0 or above_grams >= first_grams)),
  constraint rate_slabs_cost_something check (
    first_paise > 0 and step_paise >= 0 and above_kg_paise >= 0)
);

create table rate_oversize (
  product_id bigint not null,
  from_day text not null,
  seq bigint not null,
  over_mm bigint not null,              -- longest side; 0: any
  over_grams bigint not null,           -- weight of the piece; 0: any
  effect text not null,
  amount bigint not null,               -- charge: paise a piece; weight: percent of it; refuse: 0
  primary key (product_id, from_day, seq),
  foreign key (product_id, from_day) references rate_cards (product_id, from_day),
  constraint oversize_effect check (effect in ('charge', 'weight', 'refuse'))
);

create table zone_rules (
  zoning text not null,
  what text not null,
  name text not null,      -- a city, a state code, the start of a pin code, a country, 'us 995'
  zone text not null,      -- of a country; the class of a pin code; else empty
  primary key (zoning, what, name),
  constraint zone_rule_what check (what in ('metro', 'special', 'pin', 'country', 'remote'))
);

create table pins (
  pincode text not null primary key,
  city_area text not null,
  state_code text not null
);

create table unlisted_pins (
  pincode text not null primary key,
  bookings bigint not null,
  last_ms bigint not null
);

create table quotes (
  quote_id text not null primary key,
  user_id text not null references users (user_id),
  product_id bigint not null references products (product_id),
  shipment_hash text not null,       -- of route, kind, weight, dimensions and pieces
  shipment text not null,            -- route, kind, weight, dimensions and pieces, as JSON
  price text not null,               -- the itemised price as JSON
  total_paise bigint not null,
  created_ms bigint not null,
  expires_ms bigint not null,
  courier_paise bigint not null default 0,  -- of the taxable value, what the courier will bill us
  gstin text not null default '',    -- the customer's when it was priced: it decides the taxes
  tat_days bigint,                   -- the courier's estimate until delivery; null: none given
  constraint quote_total_is_positive check (total_paise > 0)
);

create table bookings (
  booking_id text not null primary key,
  user_id text not null references users (user_id),
  awb text not null,
  quote_id text not null references quotes (quote_id),
  product_id bigint not null references products (product_id),
  product_name text not null,
  courier_code text not null,
  consignee_name text not null,
  origin_pincode text not null,
  origin_city text not null,
  destination_pincode text not null,
  destination_city text not null,
  weight_grams bigint not null,      -- actual, all pieces
  amount_paise bigint not null,      -- charged, with GST
  details text not null,             -- the whole booking form as JSON
  created_ms bigint not null,
  status text not null default 'pending',
  sealed_numbers text not null,      -- numbers of identity documents, sealed; empty: none
  constraint awb_is_unique unique (awb),
  constraint a_quote_books_once unique (quote_id),
  constraint booking_amount_is_positive check (amount_paise > 0),
  constraint booking_status check (
    status in ('pending', 'failed', 'cancelling', 'booked', 'shipped', 'in_transit',
      'out_for_delivery', 'on_hold', 'exception', 'delivered', 'returning', 'returned',
      'cancelled'))
);

create index bookings_by_user on bookings (user_id, created_ms desc, booking_id)
  where status <> 'failed';

create index bookings_failed on bookings (user_id, created_ms) where status = 'failed';

create index bookings_by_status on bookings (user_id, status, created_ms, booking_id);

create table booking_counts (
  user_id text not null references users (user_id),
  month text not null,               -- in India: 2026-11
  status text not null,
  bookings bigint not null,
  amount_paise bigint not null,      -- the sum of the bookings
  primary key (user_id, month, status)
);

create table booking_search_words (
  user_id text not null,             -- the customer of the booking
  term text not null,                -- lower case; 'courier:' begins a courier
  created_ms bigint not null,        -- of the booking
  booking_id text not null,          -- without a key: checks of 35 rows a booking cost too much
  primary key (user_id, term, created_ms, booking_id)
) without rowid;

create table unindexed_bookings (
  user_id text not null,             -- the customer of the booking
  created_ms bigint not null,        -- of the booking
  booking_id text not null references bookings (booking_id),
  primary key (user_id, created_ms, booking_id)
) without rowid;

create table tracking_events (
  booking_id text not null references bookings (booking_id),
  seq bigint not null,               -- 1, 2, 3 … within the shipment
  status text not null,
  courier_code text not null,
  location text not null,
  remarks text not null,
  comments text not null,
  happened_ms bigint not null,
  told text not null default 'moment',  -- moment, day, or nothing: what the courier said of it
  sort_ms bigint not null,           -- its place: its time, or that of the event before it
  primary key (booking_id, seq)
) without rowid;

create table tracking_findings (
  finding_id text not null primary key,
  kind text not null,
  subject text not null,             -- the booking's id; else the courier and its word or reference
  awb text not null,                 -- the parcel; of a word one of its parcels
  courier text not null,
  detail text not null,              -- the kind of loss; the word
  reports bigint not null,           -- number of reports
  first_ms bigint not null,
  last_ms bigint not null,
  settled_ms bigint,                 -- when an operator had settled it
  constraint found_once unique (kind, subject),
  constraint tracking_finding_kind check (
    kind in ('exception', 'delivery_withdrawn', 'cancelled_late', 'moved_cancelled',
      'not_arrived', 'no_booking', 'unknown_word'))
);

create index tracking_findings_open on tracking_findings (settled_ms, first_ms);

create table notices (
  booking_id text not null references bookings (booking_id),
  status text not null,              -- the new status of the booking
  created_ms bigint not null,
  is_open bigint not null default 1, -- 1: it is still to be sent
  primary key (booking_id, status)
) without rowid;

create table call_requests (
  booking_id text not null primary key references bookings (booking_id),
  user_id text not null references users (user_id),  -- the sender
  asked_ms bigint not null,
  called_ms bigint                   -- when an operator had called
);

create index call_requests_open on call_requests (called_ms, asked_ms);

create table idempotency_keys (
  user_id text not null references users (user_id),
  idempotency_key text not null,
  request_hash text not null,
  status bigint not null,
  answer text not null,
  created_ms bigint not null,
  primary key (user_id, idempotency_key)
);

create index idempotency_keys_by_age on idempotency_keys (created_ms);

create table drafts (
  user_id text not null primary key references users (user_id),
  revision bigint not null,          -- grows with each change; a change names the one it builds on
  content text not null,             -- sealed JSON in base64; empty when there is no draft any more
  saved_ms bigint not null,
  constraint draft_revisions_grow check (revision > 0)
);

create index drafts_by_age on drafts (saved_ms);

create table booked_drafts (
  user_id text not null references users (user_id),
  draft_id text not null,
  booking_id text not null,          -- added in the same transaction
  primary key (user_id, draft_id)
) without rowid;

create table document_series (
  kind text not null,
  financial_year text not null,      -- 26-27: from April to March, in India
  code text not null,                -- A, B, C …
  last bigint not null,              -- the last number, issued or left out
  issued_ms bigint not null,         -- of its document: no later one is dated before it
  primary key (kind, financial_year, code),
  constraint series_kind check (kind in ('invoice', 'credit_note', 'debit_note'))
) without rowid;

create table invoices (
  number text not null primary key,  -- as printed: DK/27A/000001, at most 16 characters
  kind text not null,
  financial_year text not null,      -- 26-27: from April to March, in India
  code text not null,                -- of the series
  series bigint not null,            -- its number in the series: 1, 2, 3 …
  booking_id text not null references bookings (booking_id),
  charge_id text not null,           -- the booking's id, or a weight claim's
  user_id text not null references users (user_id),
  refund_id text not null,           -- refund of a credit note; empty for other documents
  taxable_paise bigint not null,
  gst_paise bigint not null,         -- on top of the taxable value
  document text not null,            -- all that is printed, as JSON, as it was on that day
  issued_ms bigint not null,
  constraint invoice_kind check (kind in ('invoice', 'credit_note', 'debit_note')),
  constraint invoice_numbers_do_not_repeat unique (kind, financial_year, code, series),
  constraint invoiced_once unique (charge_id, kind, refund_id),
  constraint only_refunds_are_credited check ((kind = 'credit_note') = (refund_id <> '')),
  constraint invoice_amounts check (taxable_paise >= 0 and gst_paise >= 0)
);

create index invoices_by_booking on invoices (booking_id);

create index invoices_by_user on invoices (user_id, issued_ms, number);

create table document_gaps (
  kind text not null,
  financial_year text not null,
  code text not null,                -- of the series
  after_series bigint not null,      -- the last number before the gap
  numbers bigint not null,           -- how many are left out
  made_ms bigint not null,
  constraint one_gap_after_a_number primary key (kind, financial_year, code, after_series),
  constraint gap_kind check (kind in ('invoice', 'credit_note', 'debit_note')),
  constraint a_gap_leaves_numbers_out check (after_series >= 0 and numbers > 0)
) without rowid;

create table e_invoices (
  number text not null primary key references invoices (number),
  irn text not null,                 -- 64 hexadecimal characters
  ack_number text not null,
  ack_date text not null,            -- as the portal wrote it: 2026-11-21 15:31:05
  signed_qr text not null,           -- a JWS, for the QR code on the document
  stored_ms bigint not null,
  constraint an_irn_is_of_one_document unique (irn)
);

create table courier_orders (
  booking_id text not null primary key references bookings (booking_id),
  user_id text not null references users (user_id),
  courier text not null,
  service text not null,             -- the courier's name of the service
  reference text not null,           -- our reference, sent to the courier
  idempotency_key text not null,     -- of the request that gets the final answer
  request_hash text not null,
  state text not null,
  reason text not null,              -- why the result is unknown, or why it was rejected
  refused text not null default '',  -- the part that it refused: address; empty: all of it
  looked_up bigint not null,         -- number of requests to the courier for the result
  called_ms bigint not null,         -- when the courier was asked; 0: not yet
  created_ms bigint not null,
  awb text not null,                 -- the courier's number, once it has booked
  cancel_wanted bigint not null default 0,  -- 1: cancel it as soon as it is booked
  courier_id text not null default '',  -- the courier's id, stored before the order is bought there
  abandoned_ms bigint not null default 0,  -- ended without a shipment at that time: one that
                                     -- appears at the courier later is cancelled; 0: not ended so
  constraint courier_references_differ unique (reference),
  constraint courier_order_state check (
    state in ('held', 'calling', 'unknown', 'booked', 'rejected')),
  constraint courier_order_refused check (refused in ('', 'address'))
);

create index courier_orders_open on courier_orders (created_ms)
  where state in ('held', 'calling', 'unknown');

create index courier_orders_by_awb on courier_orders (awb) where courier <> 'house';

create table pickups (
  pickup_id text not null primary key,  -- sent to partners as our reference
  user_id text not null references users (user_id),
  courier text not null,             -- house, karrio, shiprocket
  carrier text not null,             -- the partner's carrier, where it has several; else empty
  state text not null,
  day text not null,                 -- in India: 2026-11-26
  from_minute bigint not null,       -- minutes since midnight in India
  until_minute bigint not null,      -- minutes since midnight in India
  late_ms bigint not null,           -- a parcel not fetched by then was missed
  agreed_time text not null,         -- the time that the courier agreed to; empty: none yet
  revision bigint not null,          -- grows with each request: an answer belongs to one revision
  asked_ms bigint not null,          -- when the courier was last asked to come; 0: never
  courier_id text not null,          -- the courier's id of it; empty until it is known
  confirmation text not null,        -- the courier's number for people; empty when it gives none
  reason text not null,              -- in the courier's words, why it did not agree
  created_ms bigint not null,
  constraint pickup_state check (
    state in ('requested', 'confirmed', 'refused', 'calling_off', 'called_off'))
);

create index pickups_by_user on pickups (user_id, created_ms);

create index pickups_by_day on pickups (courier, day);

create table pickup_parcels (
  booking_id text not null primary key references bookings (booking_id),
  pickup_id text not null references pickups (pickup_id),
  user_id text not null references users (user_id),
  state text not null,               -- left: cancelled, or its pickup was cancelled
  changed_ms bigint not null,        -- since when
  begun_ms bigint not null default 0,  -- when it was seen that agreed hours had begun; 0: never
  constraint pickup_parcel_state check (state in ('waiting', 'fetched', 'left'))
);

create index pickup_parcels_by_pickup on pickup_parcels (pickup_id, state);

create index pickup_parcels_by_user on pickup_parcels (user_id, state);

create table weight_claims (
  claim_id text not null primary key,  -- also the id of its charge
  booking_id text not null references bookings (booking_id),
  user_id text not null references users (user_id),
  courier text not null,
  courier_reference text not null,   -- the courier's own number of it
  booked_grams bigint not null,
  claimed_grams bigint not null,
  taxable_paise bigint not null,     -- owed by the customer if it is right, without GST
  gst_paise bigint not null,         -- on top of the taxable value
  courier_paise bigint not null,     -- of the taxable value, what the courier bills us
  proof text not null,               -- where the courier's photograph or report is kept
  state text not null,
  dispute text not null,             -- the customer's words, empty without any
  decided_by text not null,          -- 'customer' or the operator; empty while undecided
  created_ms bigint not null,
  decided_ms bigint,
  constraint claimed_once unique (courier, courier_reference),
  constraint weight_claim_state check (state in ('open', 'disputed', 'charged', 'dropped')),
  constraint weight_claim_decided check (
    (state in ('charged', 'dropped')) = (decided_ms is not null)),
  constraint weight_claim_is_more check (claimed_grams > booked_grams),
  constraint weight_claim_costs check (
    taxable_paise > 0 and gst_paise >= 0 and courier_paise >= 0)
);

create index weight_claims_by_user on weight_claims (user_id, created_ms);

create index weight_claims_by_booking on weight_claims (booking_id);

create table payment_orders (
  merchant_order_id text not null primary key,
  user_id text not null references users (user_id),
  provider text not null,
  amount_paise bigint not null,
  state text not null,
  provider_order_id text,
  redirect_url text,
  transaction_id text,               -- the gateway's, once paid
  method text,                       -- UPI, card, net banking, …
  error_code text,
  error_description text,
  created_ms bigint not null,
  expires_ms bigint not null,
  checked_ms bigint not null,        -- when the gateway was last asked; 0: never
  checks bigint not null,            -- number of requests to the gateway for its state
  completed_ms bigint,
  page_url text,                     -- the gateway's page, once it is open
  next_path text,                    -- the customer's next page here, checked when stored
  dispute text,                      -- a payment that does not fit: not credited before an operator
                                     -- has decided
  dismissed_ms bigint,               -- hidden by its customer; credited all the same if paid
  disputed_paise bigint,             -- kept with the dispute, so that it can be credited
  disputed_transaction_id text,
  disputed_method text,
  sent_back bigint not null default 0,  -- 1: an operator sent it back, and it is never credited
  ordered_paise bigint,              -- the amount ordered, where another amount was credited
  constraint payment_amount_is_positive check (amount_paise > 0),
  constraint payment_state check (state in ('created', 'pending', 'completed', 'failed'))
);

create index payment_orders_by_user on payment_orders (user_id, created_ms);

create table gateway_refunds (
  merchant_refund_id text not null primary key,
  merchant_order_id text not null references payment_orders (merchant_order_id),
  user_id text not null references users (user_id),
  amount_paise bigint not null,
  from_wallet bigint not null,       -- 1: it was credited and is taken back; 0: it never was
  state text not null,
  sent_ms bigint not null,           -- when the gateway was first asked; 0: never
  provider_refund_id text not null,  -- the gateway's number, empty until it is known
  error_code text not null,          -- the gateway's code of the failure
  created_ms bigint not null,
  ended_ms bigint,
  constraint gateway_refund_amount check (amount_paise >= 100),
  constraint gateway_refund_state check (state in ('wanted', 'sent', 'completed', 'failed')),
  constraint gateway_refund_ended check (
    (state in ('completed', 'failed')) = (ended_ms is not null))
);

create index gateway_refunds_by_order on gateway_refunds (merchant_order_id);

create table gateway_report_rows (
  transaction_id text not null,      -- the gateway's
  kind text not null,
  day text not null,                 -- of the report, in India: 2026-11-21
  merchant_order_id text not null,
  amount_paise bigint not null,
  paid bigint not null,              -- 1: the gateway calls it completed
  primary key (transaction_id, kind),
  constraint gateway_report_row_kind check (kind in ('payment', 'refund', 'chargeback'))
);

create index gateway_report_rows_by_day on gateway_report_rows (day);

create index gateway_report_rows_by_order on gateway_report_rows (merchant_order_id);

create table reconciliations (
  day text not null primary key,
  report_rows bigint not null,
  paid_paise bigint not null,        -- paid by customers at the gateway on that day
  credited_paise bigint not null,    -- credited in the books on that day
  read_ms bigint not null
);

create table reconciliation_exceptions (
  exception_id text not null primary key,
  day text not null references reconciliations (day),
  kind text not null,
  merchant_order_id text not null,
  gateway_paise bigint,              -- null: not paid there
  order_paise bigint,                -- null: no order of ours
  ledger_paise bigint,               -- null: not credited
  found_ms bigint not null,
  closed_ms bigint,
  closed_by text not null,           -- the operator; empty while it is open
  note text not null,
  constraint an_exception_is_found_once unique (kind, merchant_order_id),
  constraint reconciliation_exception_kind check (kind in (
    'paid_not_credited', 'credited_not_paid', 'amount_differs', 'unknown_here', 'unknown_there',
    'chargeback_unbooked')),
  constraint reconciliation_exception_closed check ((closed_ms is null) = (closed_by = ''))
);

create table kyc_documents (
  document_id text not null primary key,  -- random; also the name of the file
  upload_id text not null,           -- shared by the two documents of one upload
  user_id text not null references users (user_id),
  organization_id bigint not null,   -- 1 individual, 2 company, 3 partnership, 4 trust
  kind bigint not null,              -- number in the list of the organization's documents
  slot bigint not null,
  media_type text not null,          -- by the file's content
  size_bytes bigint not null,        -- before encryption
  created_ms bigint not null,
  used_ms bigint not null default 0, -- the last booking that used it, or the upload
  deleted_ms bigint,                 -- since when nobody can read it; null while its owner can
  file_deleted_ms bigint,            -- when its file was gone from the disk
  constraint kyc_slots_are_two check (slot in (1, 2)),
  constraint kyc_slots_are_filled_once unique (upload_id, slot),
  constraint kyc_documents_differ unique (upload_id, kind)
);

create index kyc_documents_by_user on kyc_documents (user_id, created_ms);

create index kyc_documents_kept on kyc_documents (used_ms) where deleted_ms is null;

create index kyc_documents_leaving on kyc_documents (document_id)
  where deleted_ms is not null and file_deleted_ms is null;

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

create table kept_keys (
  name text not null primary key,
  sealed_key text not null,          -- sealed under a configured key
  created_ms bigint not null
);

create table shared_facts (
  fact text not null primary key,    -- `key ID`: a print of that key; `files`: the place's mark
  value text not null,
  created_ms bigint not null
);

create table tasks (
  kind text not null,
  subject text not null,             -- the id of the row that it is about
  due_ms bigint not null,            -- while it is leased, when it must be done
  lease_until_ms bigint not null,    -- 0: not leased
  leased_by text not null,           -- the node; empty: none
  attempts bigint not null,          -- failures in a row
  last_error text not null,          -- the kind of the last error; nothing personal
  quarantined_ms bigint not null,    -- when it was left to an operator; 0: it was not
  created_ms bigint not null,
  traceparent text not null default '',  -- of the request or task that queued it; empty: none
  constraint one_task_of_a_kind primary key (kind, subject)
) without rowid;

create index tasks_due on tasks (kind, due_ms) where quarantined_ms = 0;

create index tasks_leased on tasks (leased_by) where leased_by <> '';

create index tasks_quarantined on tasks (kind, quarantined_ms) where quarantined_ms > 0;

create table nodes (
  node text not null primary key,    -- a random name for each start of the program
  alive_until_ms bigint not null     -- it will have renewed this by then
);

create table kept_assets (
  name text not null primary key,    -- with a hash of the content: client-Ab12Cd34.js
  seen_ms bigint not null,           -- when a server had it last, to the day
  content_type text not null,
  hash text not null,                -- of the content, for its ETag
  coding text not null,              -- 'br': the content is compressed; empty: it is not
  content text not null,             -- in base64
  signature text not null            -- of the name and all other columns but the time, in base64
);

create table oldest_served_program (
  migration bigint not null primary key  -- the newest migration that it knows
);

create trigger security_events_no_update before update on security_events
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger security_events_only_old before delete on security_events
  when old.created_ms >= (select value from counters where counter = 'security_events_from')
  begin select raise(abort, 'this security event is not old'); end;

create trigger ledger_heads_no_delete before delete on ledger_heads
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger ledger_heads_only_onwards before update on ledger_heads
  when new.wallet <> old.wallet or new.seq <= old.seq
  begin select raise(abort, 'the end of a wallet only moves on'); end;

create trigger ledger_transactions_no_update before update on ledger_transactions
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger ledger_transactions_no_delete before delete on ledger_transactions
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger ledger_entries_no_update before update on ledger_entries
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger ledger_entries_no_delete before delete on ledger_entries
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger ledger_entries_only_unposted before insert on ledger_entries
  when exists (select 1 from ledger_unsealed where transaction_id = new.transaction_id)
    or exists (select 1 from ledger_seals where transaction_id = new.transaction_id)
  begin select raise(abort, 'this transaction is posted'); end;

create trigger ledger_unsealed_only_balanced before insert on ledger_unsealed
  when (select count(*) < 2 or sum(amount_paise) <> 0 from ledger_entries
    where transaction_id = new.transaction_id)
  begin select raise(abort, 'the entries of a transaction must sum to zero'); end;

create trigger ledger_unsealed_no_update before update on ledger_unsealed
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger ledger_unsealed_only_sealed before delete on ledger_unsealed
  when not exists (select 1 from ledger_seals where transaction_id = old.transaction_id)
  begin select raise(abort, 'this transaction has no seal'); end;

create trigger ledger_seals_no_update before update on ledger_seals
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger ledger_seals_no_delete before delete on ledger_seals
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger ledger_seals_only_balanced before insert on ledger_seals
  when (select count(*) < 2 or sum(amount_paise) <> 0 from ledger_entries
    where transaction_id = new.transaction_id)
  begin select raise(abort, 'the entries of a transaction must sum to zero'); end;

create trigger document_series_no_delete before delete on document_series
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger document_series_only_onwards before update on document_series
  when (new.kind, new.financial_year, new.code) <> (old.kind, old.financial_year, old.code)
    or new.last <= old.last or new.issued_ms < old.issued_ms
  begin select raise(abort, 'a series of documents only moves on'); end;

create trigger invoices_no_update before update on invoices
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger invoices_no_delete before delete on invoices
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger document_gaps_no_update before update on document_gaps
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger document_gaps_no_delete before delete on document_gaps
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger e_invoices_no_update before update on e_invoices
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger e_invoices_no_delete before delete on e_invoices
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger operator_actions_no_update before update on operator_actions
  begin select raise(abort, 'the ledger is append-only'); end;

create trigger operator_actions_no_delete before delete on operator_actions
  begin select raise(abort, 'the ledger is append-only'); end;
