-- what customers agreed to: which version of the terms and of the privacy policy, when, and from
-- where. rows are added when an account is opened, and stay as long as the account's bookings.

create table agreements (
  user_id text not null references users (user_id),
  document text not null,            -- 'terms' or 'privacy'
  version text not null,             -- the day from which its text is in force: 2026-11-23
  agreed_ms bigint not null,
  address text not null,             -- the client's, of ipv6 its network
  device text not null,              -- browser and system, in words
  primary key (user_id, document, version),
  constraint agreements_document check (document in ('terms', 'privacy'))
);

-- a customer's own documents, for whoever takes all of their data along.
create index invoices_by_user on invoices (user_id, issued_ms, number);
