-- in which language a customer is written to: the one last chosen.
alter table users add column language text not null default 'en';

-- when the wallet is so low the customer is told (paise); 0: never.
alter table users add column low_balance_paise bigint not null default 20000;

-- letters that a customer does not want. those about security and about money cannot be declined.
create table declined_letters (
  user_id text not null references users (user_id),
  topic text not null,                  -- booked, progress, trouble, low_balance
  declined_ms bigint not null,          -- since when
  through text not null,                -- page: of the account; link: in one of these letters
  constraint a_topic_is_declined_once primary key (user_id, topic)
);
