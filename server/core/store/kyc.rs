//! Identity documents. Functions take the owner's id, except for background tasks and operators.

use std::collections::{BTreeSet, HashSet};

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::{Conn, RunStatement as _, placeholders};
use crate::error::Result;
use crate::model::kyc::IdentityDocument;

/// Selects documents and their owners.
macro_rules! select_documents {
    ($which:literal) => {
        concat!(
            "select user_id, document_id, upload_id, organization_id, kind, slot, media_type,
               size_bytes, created_ms from kyc_documents ",
            $which
        )
    };
}

/// Adds a document whose file is already stored.
pub(crate) async fn add(conn: &mut Conn, user_id: &str, document: &IdentityDocument) -> Result<()> {
    sqlx::query(
        "insert into kyc_documents (document_id, upload_id, user_id, organization_id, kind, slot,
           media_type, size_bytes, created_ms, used_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)",
    )
    .bind(&document.document_id)
    .bind(&document.upload_id)
    .bind(user_id)
    .bind(document.organization_id)
    .bind(document.kind)
    .bind(document.slot)
    .bind(&document.media_type)
    .bind(document.size_bytes)
    .bind(document.created_ms)
    .run(conn)
    .await
}

pub(crate) async fn find(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
) -> Result<Option<IdentityDocument>> {
    let find = select_documents!("where user_id = $1 and document_id = $2 and deleted_ms is null");
    sqlx::query(find).bind(user_id).bind(id).read_first(conn, document).await
}

/// Returns the user's documents, the newest upload first, the two of an upload together.
pub(crate) async fn list(
    conn: &mut Conn,
    user_id: &str,
    limit: i64,
) -> Result<Vec<IdentityDocument>> {
    let select = select_documents!(
        "where user_id = $1 and deleted_ms is null
         order by created_ms desc, upload_id, slot limit $2"
    );
    sqlx::query(select).bind(user_id).bind(limit).read_all(conn, document).await
}

/// Counts the user's uploads since then, minus the bookings.
pub(crate) async fn unused_since(conn: &mut Conn, user_id: &str, since_ms: i64) -> Result<i64> {
    // Failed bookings have an index of their own, because lists do not show them.
    let count = "select
                   (select count(*) from kyc_documents
                    where user_id = $1 and slot = 1 and created_ms > $2)
                 - (select count(*) from bookings
                    where user_id = $1 and created_ms > $2 and status <> 'failed')
                 - (select count(*) from bookings
                    where user_id = $1 and created_ms > $2 and status = 'failed')";
    Ok(sqlx::query_scalar(count).bind(user_id).bind(since_ms).fetch_one(conn).await?)
}

/// Records that a booking uses the upload of this document of the user.
pub(crate) async fn record_use(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    now_ms: i64,
) -> Result<()> {
    let update = "update kyc_documents set used_ms = $3 where user_id = $1 and used_ms < $3
                    and upload_id = (select upload_id from kyc_documents
                                     where user_id = $1 and document_id = $2)";
    sqlx::query(update).bind(user_id).bind(id).bind(now_ms).run(conn).await
}

/// Returns a document of any owner, with its owner's id: for operators only.
pub(crate) async fn find_any(
    conn: &mut Conn,
    id: &str,
) -> Result<Option<(String, IdentityDocument)>> {
    let find = select_documents!("where document_id = $1 and deleted_ms is null");
    let owned = |row: &AnyRow| Ok((row.try_get("user_id")?, document(row)?));
    sqlx::query(find).bind(id).read_first(conn, owned).await
}

/// Deletes the user's documents: they cannot be read any more; their files are removed later.
pub(crate) async fn delete_all(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<()> {
    let delete = "update kyc_documents set deleted_ms = $2
                  where user_id = $1 and deleted_ms is null";
    sqlx::query(delete).bind(user_id).bind(now_ms).run(conn).await
}

/// Marks documents not used since a time as deleted. Returns the owners and their uploads.
pub(crate) async fn delete_unused(
    conn: &mut Conn,
    before_ms: i64,
    now_ms: i64,
    limit: i64,
) -> Result<BTreeSet<(String, String)>> {
    let uploads: Vec<(String, String)> = sqlx::query_as(
        "update kyc_documents set deleted_ms = $2 where deleted_ms is null and upload_id in (
           select upload_id from kyc_documents
           where deleted_ms is null and used_ms < $1 order by used_ms limit $3)
         returning user_id, upload_id",
    )
    .bind(before_ms)
    .bind(now_ms)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    Ok(uploads.into_iter().collect())
}

/// Returns deleted documents whose files may still exist.
pub(crate) async fn files_to_remove(conn: &mut Conn, limit: i64) -> Result<Vec<String>> {
    let leaving = "select document_id from kyc_documents
                   where deleted_ms is not null and file_deleted_ms is null
                   order by document_id limit $1";
    Ok(sqlx::query_scalar(leaving).bind(limit).fetch_all(conn).await?)
}

/// Returns those of these documents whose files must be there.
pub(crate) async fn with_files(conn: &mut Conn, ids: &[&str]) -> Result<HashSet<String>> {
    let rows = placeholders(ids.len(), &["text"]);
    // Built from constants, never from input.
    let select = format!(
        "select document_id from (values {rows}) as it
           join kyc_documents on document_id = it.column1
         where file_deleted_ms is null"
    );
    let mut select = sqlx::query_scalar(AssertSqlSafe(select));
    for id in ids {
        select = select.bind(*id);
    }
    let found: Vec<String> = select.fetch_all(conn).await?;
    Ok(found.into_iter().collect())
}

/// Records that the file of a deleted document was removed.
pub(crate) async fn set_file_removed(conn: &mut Conn, id: &str, now_ms: i64) -> Result<()> {
    let update = "update kyc_documents set file_deleted_ms = $2
                  where document_id = $1 and deleted_ms is not null";
    sqlx::query(update).bind(id).bind(now_ms).run(conn).await
}

fn document(row: &AnyRow) -> Result<IdentityDocument> {
    Ok(IdentityDocument {
        document_id: row.try_get("document_id")?,
        upload_id: row.try_get("upload_id")?,
        organization_id: row.try_get("organization_id")?,
        kind: row.try_get("kind")?,
        slot: row.try_get("slot")?,
        media_type: row.try_get("media_type")?,
        size_bytes: row.try_get("size_bytes")?,
        created_ms: row.try_get("created_ms")?,
    })
}
