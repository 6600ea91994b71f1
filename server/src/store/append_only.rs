//! Changes that the database itself refuses: changing or deleting a line of the books or an issued
//! document, sealing a transaction whose entries do not sum to zero, and adding to a sealed one.
//! Security events can only be deleted when they are old.
//!
//! Triggers are the only SQL that the two databases spell differently, so they are not migrations.

use std::collections::HashSet;

use sqlx::{AssertSqlSafe, Row};

use super::{Backend, Conn};
use crate::error::Result;

const TABLES: [&str; 5] = [
    "ledger_transactions",
    "ledger_entries",
    "ledger_seals",
    "invoices",
    "operator_actions",
];

/// Never changed, and deleted only when old: see the refusal below.
const AGEING: &str = "security_events";

/// A refused change, and its error message.
#[derive(Clone, Copy)]
struct Refusal {
    table: &'static str,
    before: TriggerEvent,
    /// The name of the condition and the condition. Without one the change is always refused.
    when: Option<(&'static str, &'static str)>,
    words: &'static str,
}

#[derive(Clone, Copy)]
enum TriggerEvent {
    Insert,
    Update,
    Delete,
    /// Removes all rows at once. SQLite has no such statement.
    Truncate,
}

impl TriggerEvent {
    fn word(self) -> &'static str {
        match self {
            TriggerEvent::Insert => "insert",
            TriggerEvent::Update => "update",
            TriggerEvent::Delete => "delete",
            TriggerEvent::Truncate => "truncate",
        }
    }
}

const SOMETIMES: [Refusal; 3] = [
    Refusal {
        table: AGEING,
        before: TriggerEvent::Delete,
        when: Some((
            "security_events_only_old",
            "old.created_ms >= (select value from counters
               where counter = 'security_events_from')",
        )),
        words: "this security event is not old",
    },
    Refusal {
        table: "ledger_seals",
        before: TriggerEvent::Insert,
        when: Some((
            "ledger_seals_only_balanced",
            "(select count(*) < 2 or sum(amount_paise) <> 0 from ledger_entries
                where transaction_id = new.transaction_id)",
        )),
        words: "the entries of a transaction must sum to zero",
    },
    Refusal {
        table: "ledger_entries",
        before: TriggerEvent::Insert,
        when: Some((
            "ledger_entries_only_unsealed",
            "exists (select 1 from ledger_seals where transaction_id = new.transaction_id)",
        )),
        words: "this transaction is sealed",
    },
];

fn refusals() -> impl Iterator<Item = Refusal> {
    let always = |(table, before)| Refusal {
        table,
        before,
        when: None,
        words: "the ledger is append-only",
    };
    let changes = [
        TriggerEvent::Update,
        TriggerEvent::Delete,
        TriggerEvent::Truncate,
    ];
    let of_table = move |table| changes.into_iter().map(move |before| (table, before));
    let of_ageing = [
        (AGEING, TriggerEvent::Update),
        (AGEING, TriggerEvent::Truncate),
    ];
    let all = TABLES.into_iter().flat_map(of_table).chain(of_ageing);
    all.map(always).chain(SOMETIMES)
}

/// Installs the triggers that are missing or outdated. Installing one blocks writers of its table
/// meanwhile: a server that starts beside others has nothing to install.
pub(super) async fn enforce(conn: &mut Conn, backend: Backend) -> Result<()> {
    let kept = match backend {
        Backend::Sqlite => HashSet::new(),
        Backend::Postgres => kept(conn).await?,
    };
    for refusal in refusals() {
        let statement = match backend {
            Backend::Sqlite => refusal.in_sqlite(),
            Backend::Postgres if kept.contains(&(refusal.definition(), refusal.body())) => None,
            Backend::Postgres => Some(refusal.in_postgres()),
        };
        if let Some(statement) = statement {
            execute(conn, statement).await?;
        }
    }
    Ok(())
}

/// Returns the enabled triggers of a Postgres database: the definition of each, and the body of its
/// function.
async fn kept(conn: &mut Conn) -> Result<HashSet<(String, String)>> {
    let kept = "select lower(pg_get_triggerdef(t.oid, true)) as definition, p.prosrc
                from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                join pg_language l on l.oid = p.prolang
                where not t.tgisinternal and t.tgenabled = 'O'
                  and l.lanname = 'plpgsql' and p.proconfig is null";
    let rows = sqlx::query(kept).fetch_all(conn).await?;
    let kept = rows
        .iter()
        .map(|row| Ok((row.try_get("definition")?, row.try_get("prosrc")?)));
    kept.collect()
}

impl Refusal {
    fn name(&self) -> String {
        let always = || format!("{}_no_{}", self.table, self.before.word());
        self.when.map_or_else(always, |(name, _)| name.to_owned())
    }

    /// `None` if SQLite has no such change.
    fn in_sqlite(&self) -> Option<String> {
        let (table, name, words) = (self.table, self.name(), self.words);
        let change = match self.before {
            TriggerEvent::Truncate => return None,
            change => change.word(),
        };
        let when = self.when.map(|(_, when)| format!("when {when} "));
        let when = when.unwrap_or_default();
        Some(format!(
            "create trigger if not exists {name} before {change} on {table} {when}\
             begin select raise(abort, '{words}'); end"
        ))
    }

    fn function(&self) -> &'static str {
        self.when.map_or("ledger_is_append_only", |(name, _)| name)
    }

    fn in_postgres(&self) -> String {
        let (function, body) = (self.function(), self.body());
        let trigger = self.definition().replacen("create", "create or replace", 1);
        format!(
            "create or replace function {function}() returns trigger language plpgsql as \
             $${body}$$; {trigger}"
        )
    }

    /// The definition as Postgres writes it, in lower case.
    fn definition(&self) -> String {
        let (table, name, change) = (self.table, self.name(), self.before.word());
        let function = self.function();
        let each = match self.before {
            TriggerEvent::Truncate => "statement",
            _ => "row",
        };
        format!(
            "create trigger {name} before {change} on {table} \
             for each {each} execute function {function}()"
        )
    }

    /// The body of the trigger's function in Postgres.
    fn body(&self) -> String {
        let words = self.words;
        let row = match self.before {
            TriggerEvent::Delete => "old",
            _ => "new",
        };
        match self.when {
            None => format!(" begin raise exception '{words}'; end "),
            Some((_, when)) => format!(
                " begin if {when} then raise exception '{words}'; end if; return {row}; end "
            ),
        }
    }
}

async fn execute(conn: &mut Conn, statement: String) -> Result<()> {
    // Built from the constants above, never from input.
    sqlx::raw_sql(AssertSqlSafe(statement))
        .execute(conn)
        .await?;
    Ok(())
}
