//! The books are append-only: the data base itself refuses to change or remove a line.
//!
//! Triggers are the one thing the two data bases spell differently, so they are not migrations.

use super::{Backend, Conn};
use crate::error::Result;

const TABLES: [&str; 2] = ["ledger_transactions", "ledger_entries"];

/// Installs the triggers. Safe to repeat.
pub(super) async fn enforce(conn: &mut Conn, backend: Backend) -> Result<()> {
    if backend == Backend::Postgres {
        let refuse = "create or replace function ledger_is_append_only() returns trigger \
            language plpgsql as $$ begin raise exception 'the ledger is append-only'; end $$";
        execute(conn, refuse.to_owned()).await?;
    }
    for table in TABLES {
        for change in ["update", "delete"] {
            execute(conn, trigger(backend, table, change)).await?;
        }
    }
    Ok(())
}

fn trigger(backend: Backend, table: &str, change: &str) -> String {
    match backend {
        Backend::Sqlite => format!(
            "create trigger if not exists {table}_no_{change} before {change} on {table} \
             begin select raise(abort, 'the ledger is append-only'); end"
        ),
        Backend::Postgres => format!(
            "create or replace trigger {table}_no_{change} before {change} on {table} \
             for each row execute function ledger_is_append_only()"
        ),
    }
}

async fn execute(conn: &mut Conn, statement: String) -> Result<()> {
    // Built from the constants above, never from input.
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement))
        .execute(conn)
        .await?;
    Ok(())
}
