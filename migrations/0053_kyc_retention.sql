-- identity documents go when nothing has needed them for long, or with their account. a row stays
-- as the record of that.

-- the last booking that used them, or the upload.
alter table kyc_documents add column used_ms bigint not null default 0;

update kyc_documents set used_ms = coalesce((
    select max(b.created_ms) from bookings b
    where b.user_id = kyc_documents.user_id and b.created_ms > kyc_documents.created_ms),
  created_ms);

-- since when nobody can read it any more; null while its owner can.
alter table kyc_documents add column deleted_ms bigint;

-- when its file was gone from the disk.
alter table kyc_documents add column gone_ms bigint;

create index kyc_documents_kept on kyc_documents (used_ms) where deleted_ms is null;
create index kyc_documents_leaving on kyc_documents (document_id)
  where deleted_ms is not null and gone_ms is null;
