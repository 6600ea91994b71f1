-- an account that its customer closed. the row stays, because the books, bookings and invoices that
-- the law wants kept point at it; nothing in it tells any more who it was.

-- when it was closed; null while it is open.
alter table users add column closed_ms bigint;

-- where the last letter goes, which tells of the closing. null once it was sent.
alter table users add column parting_email text;
