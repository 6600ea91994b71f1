//! Identity documents. Every function names the owner.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::error::Result;
use crate::model::kyc::IdentityDocument;

/// Adds a document whose file is kept already.
pub async fn add(conn: &mut Conn, user_id: &str, document: &IdentityDocument) -> Result<()> {
    sqlx::query(
        "insert into kyc_documents (document_id, upload_id, user_id, organization_id, kind, slot,
           media_type, size_bytes, created_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
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
    .execute(conn)
    .await?;
    Ok(())
}

/// The user's own document.
pub async fn find(conn: &mut Conn, user_id: &str, id: &str) -> Result<Option<IdentityDocument>> {
    let found = sqlx::query("select * from kyc_documents where user_id = $1 and document_id = $2")
        .bind(user_id)
        .bind(id)
        .fetch_optional(conn)
        .await?;
    found.as_ref().map(document).transpose()
}

/// The user's documents, the newest upload first, the two of an upload together.
pub async fn list(conn: &mut Conn, user_id: &str, limit: i64) -> Result<Vec<IdentityDocument>> {
    let rows = sqlx::query(
        "select * from kyc_documents where user_id = $1
         order by created_ms desc, upload_id, slot limit $2",
    )
    .bind(user_id)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.iter().map(document).collect()
}

/// How much more often the user uploaded than booked since then.
pub async fn unused_since(conn: &mut Conn, user_id: &str, since_ms: i64) -> Result<i64> {
    // Bookings that failed have an index of their own: lists do not show them.
    let count = "select
                   (select count(*) from kyc_documents
                    where user_id = $1 and slot = 1 and created_ms > $2)
                 - (select count(*) from bookings
                    where user_id = $1 and created_ms > $2 and status <> 'failed')
                 - (select count(*) from bookings
                    where user_id = $1 and created_ms > $2 and status = 'failed')";
    Ok(sqlx::query_scalar(count)
        .bind(user_id)
        .bind(since_ms)
        .fetch_one(conn)
        .await?)
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
