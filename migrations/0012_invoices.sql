-- tax invoices, and credit notes for what was given back: numbered without gaps, never changed.

create table invoices (
  number text not null primary key,  -- as printed: DK/26-27/000001, at most 16 characters
  kind text not null,                -- invoice, credit_note
  financial_year text not null,      -- 26-27: from april to march, in india
  series bigint not null,            -- 1, 2, 3 … of this kind in this year
  booking_id text not null references bookings (booking_id),
  user_id text not null references users (user_id),
  refund_id text not null,           -- which refund a credit note is for; empty for an invoice
  taxable_paise bigint not null,
  gst_paise bigint not null,         -- on top of the taxable value
  document text not null,            -- all that is printed, as json, as it was on that day
  issued_ms bigint not null,
  constraint invoice_kind check (kind in ('invoice', 'credit_note')),
  constraint invoice_numbers_do_not_repeat unique (kind, financial_year, series),
  constraint invoiced_once unique (booking_id, kind, refund_id),
  constraint only_refunds_are_credited check ((kind = 'credit_note') = (refund_id <> '')),
  constraint invoice_amounts check (taxable_paise >= 0 and gst_paise >= 0)
);

-- charges captured before there were invoices have none.
insert into counters (counter, value)
  select 'invoiced_from', value + 1 from counters where counter = 'ledger';
