-- a quote is good only while its customer's registration is the one it was priced with: that
-- decides which taxes are in it, and stands on the invoice.

alter table quotes add column gstin text not null default '';

-- by which browser and system somebody is logged in, in words.
alter table sessions add column device text not null default '';
