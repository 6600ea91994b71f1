//! The browser's files of all versions that served lately, by their hashed names.

use std::collections::HashSet;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::pipeline::run_pipeline;
use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::limits;

/// A file as it is stored.
#[derive(Clone, Debug)]
pub struct KeptRow {
    pub content_type: String,
    /// The hash of the content, for its ETag.
    pub hash: String,
    /// `br`, or empty.
    pub coding: String,
    /// In base64.
    pub content: String,
    /// Of the name and all of this, in base64.
    pub signature: String,
}

/// Returns the names of the files that a server had since then.
pub(crate) async fn names(conn: &mut Conn, since_ms: i64) -> Result<HashSet<String>> {
    let select = "select name from kept_assets where seen_ms >= $1 order by seen_ms desc limit $2";
    let names = sqlx::query_scalar(select).bind(since_ms).bind(limits::KEPT_ASSETS_MAX);
    let names: Vec<String> = names.fetch_all(conn).await?;
    Ok(names.into_iter().collect())
}

pub(crate) async fn find(conn: &mut Conn, name: &str) -> Result<Option<KeptRow>> {
    let select = "select content_type, hash, coding, content, signature from kept_assets
                  where name = $1";
    let kept = |row: &AnyRow| {
        Ok(KeptRow {
            content_type: row.try_get("content_type")?,
            hash: row.try_get("hash")?,
            coding: row.try_get("coding")?,
            content: row.try_get("content")?,
            signature: row.try_get("signature")?,
        })
    };
    sqlx::query(select).bind(name).read_first(conn, kept).await
}

/// Adds files that this server has, by their names, or replaces them. No name comes twice.
pub(crate) async fn add(conn: &mut Conn, files: &[(String, KeptRow)], now_ms: i64) -> Result<()> {
    const ADD: &str = "insert into kept_assets
        (name, seen_ms, content_type, hash, coding, content, signature)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (name) do update set seen_ms = excluded.seen_ms,
        content_type = excluded.content_type, hash = excluded.hash, coding = excluded.coding,
        content = excluded.content, signature = excluded.signature";
    let add = |(name, row): &(String, KeptRow)| {
        let add = sqlx::query(ADD).bind(name.clone()).bind(now_ms);
        let add = add.bind(row.content_type.clone()).bind(row.hash.clone());
        let add = add.bind(row.coding.clone()).bind(row.content.clone());
        add.bind(row.signature.clone())
    };
    run_pipeline(conn, files.iter().map(add).collect()).await?;
    Ok(())
}

/// Deletes files that no server had since then.
pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    old_rows::delete(conn, "kept_assets", "name", "seen_ms < $1", before_ms).await
}
