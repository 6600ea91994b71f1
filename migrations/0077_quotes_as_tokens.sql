-- a quote that is not booked is a token that its customer holds, and no row.
drop table calculations;
