//! Keys that outlive those of the configuration, sealed under them.

use super::{Conn, RunStatement as _};
use crate::error::Result;

/// Returns a sealed key by its name.
pub(crate) async fn find(conn: &mut Conn, name: &str) -> Result<Option<String>> {
    let select = sqlx::query_scalar("select sealed_key from kept_keys where name = $1");
    Ok(select.bind(name).fetch_optional(conn).await?)
}

/// Adds a key, unless there is one of this name.
pub(crate) async fn add(
    conn: &mut Conn,
    name: &str,
    sealed_key: &str,
    created_ms: i64,
) -> Result<()> {
    let insert = "insert into kept_keys (name, sealed_key, created_ms) values ($1, $2, $3)
                  on conflict do nothing";
    sqlx::query(insert).bind(name).bind(sealed_key).bind(created_ms).run(conn).await
}
