//! What the database itself refuses: changing or removing a line of the books or a document that
//! was issued, sealing a transaction whose entries do not sum to zero, and adding to a sealed one.
//! What happened to accounts stays until it is old.
//!
//! Triggers are the one thing the two databases spell differently, so they are not migrations.

use super::{Backend, Conn};
use crate::error::Result;

const TABLES: [&str; 5] = [
    "ledger_transactions",
    "ledger_entries",
    "ledger_seals",
    "invoices",
    "operator_actions",
];

/// Never changed, and removed only when they are old: see the refusal below.
const AGEING: &str = "security_events";

/// A condition on a new row, or on one that is to be removed, and what is said when it holds.
struct Refusal {
    table: &'static str,
    name: &'static str,
    before: Change,
    when: &'static str,
    words: &'static str,
}

#[derive(Clone, Copy)]
enum Change {
    Insert,
    Delete,
}

impl Change {
    /// The event, and the row that goes on when it is not refused.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Change::Insert => ("insert", "new"),
            Change::Delete => ("delete", "old"),
        }
    }
}

const REFUSALS: [Refusal; 3] = [
    Refusal {
        table: AGEING,
        name: "security_events_only_old",
        before: Change::Delete,
        when: "old.created_ms >= (select value from counters
               where counter = 'security_events_from')",
        words: "this security event is not old",
    },
    Refusal {
        table: "ledger_seals",
        name: "ledger_seals_only_balanced",
        before: Change::Insert,
        when: "(select count(*) < 2 or sum(amount_paise) <> 0 from ledger_entries
                where transaction_id = new.transaction_id)",
        words: "the entries of a transaction must sum to zero",
    },
    Refusal {
        table: "ledger_entries",
        name: "ledger_entries_only_unsealed",
        before: Change::Insert,
        when: "exists (select 1 from ledger_seals where transaction_id = new.transaction_id)",
        words: "this transaction is sealed",
    },
];

/// Installs the triggers. Safe to repeat.
pub(super) async fn enforce(conn: &mut Conn, backend: Backend) -> Result<()> {
    if backend == Backend::Postgres {
        let refuse = "create or replace function ledger_is_append_only() returns trigger \
            language plpgsql as $$ begin raise exception 'the ledger is append-only'; end $$";
        execute(conn, refuse.to_owned()).await?;
    }
    for table in TABLES {
        for change in ["update", "delete"] {
            execute(conn, unchangeable(backend, table, change)).await?;
        }
        if backend == Backend::Postgres {
            execute(conn, untruncatable(table)).await?;
        }
    }
    execute(conn, unchangeable(backend, AGEING, "update")).await?;
    if backend == Backend::Postgres {
        execute(conn, untruncatable(AGEING)).await?;
    }
    for refusal in &REFUSALS {
        for statement in refusal.statements(backend) {
            execute(conn, statement).await?;
        }
    }
    Ok(())
}

fn unchangeable(backend: Backend, table: &str, change: &str) -> String {
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

/// SQLite has no truncate.
fn untruncatable(table: &str) -> String {
    format!(
        "create or replace trigger {table}_no_truncate before truncate on {table} \
         for each statement execute function ledger_is_append_only()"
    )
}

impl Refusal {
    fn statements(&self, backend: Backend) -> Vec<String> {
        let Refusal {
            table,
            name,
            before,
            when,
            words,
        } = self;
        let (change, row) = before.words();
        match backend {
            Backend::Sqlite => vec![format!(
                "create trigger if not exists {name} before {change} on {table} when {when} \
                 begin select raise(abort, '{words}'); end"
            )],
            Backend::Postgres => vec![
                format!(
                    "create or replace function {name}() returns trigger language plpgsql as \
                     $$ begin if {when} then raise exception '{words}'; end if; \
                     return {row}; end $$"
                ),
                format!(
                    "create or replace trigger {name} before {change} on {table} \
                     for each row execute function {name}()"
                ),
            ],
        }
    }
}

async fn execute(conn: &mut Conn, statement: String) -> Result<()> {
    // Built from the constants above, never from input.
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement))
        .execute(conn)
        .await?;
    Ok(())
}
