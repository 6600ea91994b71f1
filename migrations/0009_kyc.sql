-- identity documents that customers uploaded. the files themselves are kept encrypted beside the
-- data base, under the document's id.

create table kyc_documents (
  document_id text not null primary key,  -- random; also the name of the file
  upload_id text not null,                -- the two documents of one upload share it
  user_id text not null references users (user_id),
  organization_id bigint not null,        -- 1 individual, 2 company, 3 partnership, 4 trust
  kind bigint not null,                   -- which of the organization's documents
  slot bigint not null,                   -- 1 or 2
  media_type text not null,               -- what the file is, by its content
  size_bytes bigint not null,             -- as kept, before encryption
  created_ms bigint not null,
  constraint kyc_slots_are_two check (slot in (1, 2)),
  constraint kyc_slots_are_filled_once unique (upload_id, slot),
  constraint kyc_documents_differ unique (upload_id, kind)
);

create index kyc_documents_by_user on kyc_documents (user_id, created_ms);
