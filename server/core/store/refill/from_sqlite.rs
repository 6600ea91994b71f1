//! The rows of a SQLite copy for an empty Postgres. Both have the same tables and columns, which
//! hold texts and whole numbers.

use std::path::Path;

use futures_util::TryStreamExt as _;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};

use crate::error::{Error, Result};
use crate::limits;
use crate::store::conn::{Backend, Conn};
use crate::store::migrations::{self, SchemaState};
use crate::store::sqlite::Sqlite;

/// The table that also has the mark of the restoring.
const COUNTERS: &str = "counters";

/// Fails unless a copy has the tables of this version.
pub(super) async fn require_same_schema(copy: &Path) -> Result<()> {
    let mut conn = Conn::Sqlite(Sqlite::open(copy)?);
    match migrations::state(&mut conn, Backend::Sqlite).await? {
        SchemaState::Same => Ok(()),
        _ => Err(Error::Conflict {
            code: "other_schema",
            message: "The backup is of another version. Run `dakiya migrate` of this version on \
                      its SQLite database, and back that up: only this goes into Postgres."
                .into(),
        }),
    }
}

/// Copies all rows in one transaction, and replaces those that the migrations inserted.
pub(super) async fn copy_rows(copy: &Path, target: &mut AnyConnection) -> Result<()> {
    let mut source =
        AnyConnection::connect(&format!("sqlite://{}?mode=ro", copy.display())).await?;
    let mut target = target.begin().await?;
    // In the order in which they were made: rows of a later one name rows of an earlier one.
    let tables = "select cast(relname as text) from pg_class
                  where relkind = 'r' and relnamespace = cast(current_schema() as regnamespace)
                    and relname <> '_sqlx_migrations' order by oid";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut *target).await?;
    for table in tables.iter().rev().filter(|table| *table != COUNTERS) {
        let delete = AssertSqlSafe(format!("delete from {table}"));
        sqlx::query(delete).execute(&mut *target).await?;
    }
    for table in &tables {
        copy_table(table, &mut source, &mut target).await?;
    }
    target.commit().await?;
    Ok(())
}

/// Copies the rows of a table. Statements are built from the names of our own tables and columns,
/// never from the copy.
async fn copy_table(
    table: &str,
    source: &mut AnyConnection,
    target: &mut AnyConnection,
) -> Result<()> {
    let columns = "select cast(attname as text) from pg_attribute
                   where attrelid = cast($1 as regclass) and attnum > 0 and not attisdropped
                   order by attnum";
    let columns: Vec<String> =
        sqlx::query_scalar(columns).bind(table).fetch_all(&mut *target).await?;
    let names = columns.join(", ");
    let pairs: Vec<String> = columns.iter().map(|it| format!("'{it}', {it}")).collect();
    let read = format!("select json_object({}) from {table}", pairs.join(", "));
    // The mark of the restoring stays.
    let conflict = match table {
        COUNTERS => " on conflict (counter) do update set value = excluded.value",
        _ => "",
    };
    let write = format!(
        "insert into {table} ({names})
         select {names} from json_populate_recordset(cast(null as {table}), cast($1 as json))
         {conflict}"
    );
    let mut rows = sqlx::query_scalar::<_, String>(AssertSqlSafe(read)).fetch(source);
    let mut together = String::new();
    loop {
        let next = rows.try_next().await?;
        let is_last = next.is_none();
        if let Some(row) = next {
            together.push(if together.is_empty() { '[' } else { ',' });
            together.push_str(&row);
        }
        let is_full = together.len() >= limits::MOVED_TOGETHER_BYTES;
        if !together.is_empty() && (is_full || is_last) {
            together.push(']');
            let write = sqlx::query(AssertSqlSafe(write.clone())).bind(&together);
            write.execute(&mut *target).await?;
            together.clear();
        }
        if is_last {
            return Ok(());
        }
    }
}
