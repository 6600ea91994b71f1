-- an address is used for links and letters once its owner has opened a link that was sent there.

-- when the address was confirmed; null while it was not. who is here already is taken to be right.
alter table users add column email_confirmed_ms bigint;
update users set email_confirmed_ms = created_ms;

-- the address that takes the place of the present one when its link is opened; null for none.
alter table users add column new_email text;

-- links that confirm an address, or take a change of it back. rows go when they are over.
create table email_links (
  token_hash text not null primary key,  -- sha-256 of a random 256-bit token; that is in the mail
  user_id text not null references users (user_id),
  purpose text not null,                 -- 'confirm' or 'undo'
  email text not null,                   -- the address that it makes the account's
  created_ms bigint not null,
  expires_ms bigint not null,
  ended_ms bigint,                       -- when it was used, or made worthless
  constraint email_links_purpose check (purpose in ('confirm', 'undo'))
);

create index email_links_by_user on email_links (user_id, created_ms);
create index email_links_by_expiry on email_links (expires_ms);
