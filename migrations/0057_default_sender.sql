-- the saved sender that a new booking begins with.

-- when its customer chose it for that; 0 when it never was. the last choice counts.
alter table presets add column default_ms bigint not null default 0;
