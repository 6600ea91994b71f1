//! Facts that must be the same for all servers of the database.

use std::collections::BTreeMap;

use super::{Conn, RunStatement as _};
use crate::error::Result;

/// Returns the values of all facts by their names.
pub(crate) async fn all(conn: &mut Conn) -> Result<BTreeMap<String, String>> {
    let select = "select fact, value from shared_facts";
    let facts: Vec<(String, String)> = sqlx::query_as(select).fetch_all(conn).await?;
    Ok(facts.into_iter().collect())
}

/// Returns the time since which a fact is known; `None` if it is not.
pub(crate) async fn since(conn: &mut Conn, fact: &str) -> Result<Option<i64>> {
    let select = "select created_ms from shared_facts where fact = $1";
    Ok(sqlx::query_scalar(select).bind(fact).fetch_optional(conn).await?)
}

/// Lets no other server add facts before the transaction ends.
pub(crate) async fn lock(conn: &mut Conn) -> Result<()> {
    let lock = "insert into counters (counter, value) values ('shared facts', 1)
                on conflict (counter) do update set value = counters.value + 1";
    sqlx::query(lock).run(conn).await
}

pub(crate) async fn add(conn: &mut Conn, fact: &str, value: &str, now_ms: i64) -> Result<()> {
    let insert = "insert into shared_facts (fact, value, created_ms) values ($1, $2, $3)";
    sqlx::query(insert).bind(fact).bind(value).bind(now_ms).run(conn).await
}
