-- what happened to a shipment belongs to its booking. awbs are random, so that each event stood at
-- a place of its own in an index of them.

create table tracking_events_before as
  select b.booking_id, e.seq, e.status, e.courier_code, e.location, e.remarks, e.comments,
    e.happened_ms
  from tracking_events e join bookings b on b.awb = e.awb;

drop table tracking_events;

create table tracking_events (
  booking_id text not null references bookings (booking_id),
  seq bigint not null,               -- 1, 2, 3 … within the shipment
  status text not null,
  courier_code text not null,
  location text not null,
  remarks text not null,
  comments text not null,
  happened_ms bigint not null,
  primary key (booking_id, seq)
);

insert into tracking_events (booking_id, seq, status, courier_code, location, remarks, comments,
    happened_ms)
  select booking_id, seq, status, courier_code, location, remarks, comments, happened_ms
  from tracking_events_before order by booking_id, seq;

drop table tracking_events_before;
