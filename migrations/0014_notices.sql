-- e-mails to customers about their bookings, at most one for each status of a booking. a row is
-- written with the change it tells of and sent after it. it stays, so that nothing is told twice.

create table notices (
  booking_id text not null references bookings (booking_id),
  status text not null,                 -- what the booking came to
  tries bigint not null,
  due_ms bigint not null,               -- when it is tried; 0: not any more
  created_ms bigint not null,
  primary key (booking_id, status)
);

create index notices_due on notices (due_ms);
