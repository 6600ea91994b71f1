//! The room for our connections in a Postgres server.

use super::Conn;
use crate::error::Result;

/// Returns the number of connections that the server has for our role and database; `None` for
/// SQLite, which has no limit.
pub(super) async fn count(conn: &mut Conn) -> Result<Option<i64>> {
    if matches!(conn, Conn::Sqlite(_)) {
        return Ok(None);
    }
    // Postgres 15 has no `reserved_connections`. A limit of -1 is none.
    let allowed = "select min(allowed) from (
        select cast(current_setting('max_connections') as bigint)
          - cast(current_setting('superuser_reserved_connections') as bigint)
          - cast(coalesce(current_setting('reserved_connections', true), '0') as bigint)
          as allowed
        union all
        select rolconnlimit from pg_roles where rolname = current_user and rolconnlimit >= 0
        union all
        select datconnlimit from pg_database
        where datname = current_database() and datconnlimit >= 0) as limits";
    Ok(Some(sqlx::query_scalar(allowed).fetch_one(conn).await?))
}
