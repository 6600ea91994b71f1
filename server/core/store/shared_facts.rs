//! Facts that must be the same for all servers of the database.

use std::collections::BTreeMap;

use super::{Conn, PerBackend, RunStatement as _};
use crate::error::Result;

const NAME: PerBackend = PerBackend {
    sqlite: "select cast(file as text) from pragma_database_list where name = 'main'",
    postgres: "select cast(current_database() as text)",
};

/// Returns the values of all facts by their names.
pub async fn all(conn: &mut Conn) -> Result<BTreeMap<String, String>> {
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

/// Returns the name of a database that knows no documents; `None` of one that knows some.
pub async fn name_without_documents(conn: &mut Conn) -> Result<Option<String>> {
    let known = "select count(*) from (select 1 from kyc_documents limit 1) it";
    if sqlx::query(known).counts_any(conn).await? {
        return Ok(None);
    }
    Ok(Some(sqlx::query_scalar(NAME.of(conn)).fetch_one(conn).await?))
}
