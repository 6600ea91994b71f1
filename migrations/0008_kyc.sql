-- Identity documents that customers uploaded. The files are kept encrypted outside of the database,
-- under the document's id. A row stays after its file was deleted.

create table kyc_documents (
  document_id text not null primary key,  -- random; also the name of the file
  upload_id text not null,           -- shared by the two documents of one upload
  user_id text not null references users (user_id),
  organization_id bigint not null,   -- 1 individual, 2 company, 3 partnership, 4 trust
  kind bigint not null,              -- number in the list of the organization's documents
  slot bigint not null,
  media_type text not null,          -- by the file's content
  size_bytes bigint not null,        -- before encryption
  created_ms bigint not null,
  used_ms bigint not null default 0, -- the last booking that used it, or the upload
  deleted_ms bigint,                 -- since when nobody can read it; null while its owner can
  file_deleted_ms bigint,            -- when its file was gone from the disk
  constraint kyc_slots_are_two check (slot in (1, 2)),
  constraint kyc_slots_are_filled_once unique (upload_id, slot),
  constraint kyc_documents_differ unique (upload_id, kind)
);

create index kyc_documents_by_user on kyc_documents (user_id, created_ms);
create index kyc_documents_kept on kyc_documents (used_ms) where deleted_ms is null;
create index kyc_documents_leaving on kyc_documents (document_id)
  where deleted_ms is not null and file_deleted_ms is null;
