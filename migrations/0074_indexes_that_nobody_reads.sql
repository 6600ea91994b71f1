-- every index of a booking's rows is written with the booking.

-- a charge is found by its id.
drop index charges_by_user;

-- our own courier's numbers are the bookings', and nobody asks it by them.
drop index courier_orders_by_awb;

create index courier_orders_by_awb on courier_orders (awb) where courier <> 'house';
