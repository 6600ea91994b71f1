-- browsers in which somebody logged in before, known by a cookie that outlives the session. a login
-- elsewhere is told of by e-mail. rows go a year after their last use.

create table known_devices (
  user_id text not null references users (user_id),
  device_hash text not null,        -- sha-256 of a random 256-bit token; that is in the cookie
  used_ms bigint not null,          -- the last login
  primary key (user_id, device_hash)
);

create index known_devices_by_use on known_devices (used_ms);
