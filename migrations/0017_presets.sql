-- what customers saved to fill the booking form with: people to send from and to, and packages.
-- names and addresses are in it, so it is sealed like the drafts.

create table presets (
  preset_id text not null primary key,
  user_id text not null references users (user_id),
  kind text not null,
  print text not null,         -- keyed hash over what makes it the same one, however it is written
  name text not null,          -- sealed; what its customer calls it
  fields text not null,        -- sealed json
  created_ms bigint not null,
  constraint preset_kind check (kind in ('consignor', 'consignee', 'package')),
  constraint presets_differ unique (user_id, kind, print)
);
