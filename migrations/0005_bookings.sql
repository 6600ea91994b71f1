-- Bookings with their search words and tracking, drafts of the booking form, and invoices.

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

-- The number of bookings by month and status, kept in the transactions that change them, so that
-- no page counts a customer's whole history.
create table booking_counts (
  user_id text not null references users (user_id),
  month text not null,               -- in India: 2026-11
  status text not null,
  bookings bigint not null,
  amount_paise bigint not null,      -- the sum of the bookings
  primary key (user_id, month, status)
);

-- One row for each beginning of each word of a booking: of its receiver's name and city, of phone
-- number, AWB and references, and its courier. Rows of one term are in the order in which a list
-- shows their bookings, so a page of a search reads no more than it shows.
create table booking_search_words (
  user_id text not null,             -- the customer of the booking
  term text not null,                -- lower case; 'courier:' begins a courier
  created_ms bigint not null,        -- of the booking
  booking_id text not null,          -- without a key: checks of 35 rows a booking cost too much
  primary key (user_id, term, created_ms, booking_id)
) without rowid;

-- Bookings whose search words are still to be added, many at a time. A search looks at these one
-- by one.
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

-- What couriers report and an operator must see: lost and damaged parcels, deliveries that were
-- taken back, cancellations without a refund, parcels that never arrived, and unknown words.
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

-- E-mails about bookings, at most one for each status of a booking. A row is written with the
-- change, and stays after the e-mail was sent, so that nothing is sent twice.
create table notices (
  booking_id text not null references bookings (booking_id),
  status text not null,              -- the new status of the booking
  created_ms bigint not null,
  is_open bigint not null default 1, -- 1: it is still to be sent
  primary key (booking_id, status)
) without rowid;

-- Receivers who asked on the tracking page to be called.
create table call_requests (
  booking_id text not null primary key references bookings (booking_id),
  user_id text not null references users (user_id),  -- the sender
  asked_ms bigint not null,
  called_ms bigint                   -- when an operator had called
);

create index call_requests_open on call_requests (called_ms, asked_ms);

-- The first answer to each idempotency key, repeated word for word.
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

-- The booking form as a customer has typed it so far, one draft each.
create table drafts (
  user_id text not null primary key references users (user_id),
  revision bigint not null,          -- grows with each change; a change names the one it builds on
  content text not null,             -- sealed JSON in base64; empty when there is no draft any more
  saved_ms bigint not null,
  constraint draft_revisions_grow check (revision > 0)
);

create index drafts_by_age on drafts (saved_ms);

-- The drafts that were booked: each one once, in however many windows it is open. A draft whose
-- booking failed may be booked again.
create table booked_drafts (
  user_id text not null references users (user_id),
  draft_id text not null,
  booking_id text not null,          -- added in the same transaction
  primary key (user_id, draft_id)
) without rowid;

-- Invoices, credit notes for refunds, and debit notes for later charges: numbered without gaps,
-- never changed.
-- Consecutive numbers of documents. Transactions that number documents at the same time use
-- different series, and so no one waits for another: the first that is free.
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

-- Numbers that customers may have got before a loss of data: they are not given again.
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

-- The registrations of documents at the portal for e-invoices, never changed.
create table e_invoices (
  number text not null primary key references invoices (number),
  irn text not null,                 -- 64 hexadecimal characters
  ack_number text not null,
  ack_date text not null,            -- as the portal wrote it: 2026-11-21 15:31:05
  signed_qr text not null,           -- a JWS, for the QR code on the document
  stored_ms bigint not null,
  constraint an_irn_is_of_one_document unique (irn)
);
