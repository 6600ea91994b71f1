//! The browser's files of all versions that served lately, by their hashed names.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _};
use crate::error::{Error, Result};
use crate::limits;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAsset {
    pub content_type: String,
    /// The hash of the content, for its ETag.
    pub hash: String,
    /// True if the bytes are compressed with brotli.
    pub is_packed: bool,
    pub bytes: Vec<u8>,
}

/// Returns the names of the files that a server had since then.
pub(crate) async fn names(conn: &mut Conn, since_ms: i64) -> Result<HashSet<String>> {
    let select = "select name from kept_assets where seen_ms >= $1 order by seen_ms desc limit $2";
    let names = sqlx::query_scalar(select).bind(since_ms).bind(limits::KEPT_ASSETS_MAX);
    let names: Vec<String> = names.fetch_all(conn).await?;
    Ok(names.into_iter().collect())
}

pub(crate) async fn find(conn: &mut Conn, name: &str) -> Result<Option<KeptAsset>> {
    let select = "select content_type, hash, coding, content from kept_assets where name = $1";
    sqlx::query(select).bind(name).read_first(conn, asset).await
}

fn asset(row: &AnyRow) -> Result<KeptAsset> {
    let content: String = row.try_get("content")?;
    Ok(KeptAsset {
        content_type: row.try_get("content_type")?,
        hash: row.try_get("hash")?,
        is_packed: row.try_get::<String, _>("coding")? == "br",
        bytes: STANDARD.decode(content).map_err(Error::internal)?,
    })
}

/// Adds a file that this server has. One of this name has the same content.
pub(crate) async fn add(conn: &mut Conn, name: &str, asset: &KeptAsset, now_ms: i64) -> Result<()> {
    let insert = "insert into kept_assets (name, content_type, hash, coding, content, seen_ms)
                  values ($1, $2, $3, $4, $5, $6)
                  on conflict (name) do update set seen_ms = excluded.seen_ms";
    sqlx::query(insert)
        .bind(name)
        .bind(&asset.content_type)
        .bind(&asset.hash)
        .bind(if asset.is_packed { "br" } else { "" })
        .bind(STANDARD.encode(&asset.bytes))
        .bind(now_ms)
        .run(conn)
        .await
}

/// Deletes files that no server had since then.
pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<()> {
    sqlx::query("delete from kept_assets where seen_ms < $1").bind(before_ms).run(conn).await
}
