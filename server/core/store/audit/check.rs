//! One check of some rows: a query that selects those that are wrong.

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, Row};

use super::finding::{AuditFinding, Findings};
use crate::error::Result;
use crate::store::Conn;

/// A query after the words `with … as (…)`, which name the rows that it checks.
pub(super) struct Check {
    pub query: &'static str,
    /// The words after the columns `what` and `id` of each row that the query selects.
    pub wrong: &'static str,
    /// The query also selects accounts, and by how many paise their entries are too low.
    pub has_amounts: bool,
}

/// Selects rows that are wrong.
pub(super) const fn rows(query: &'static str, wrong: &'static str) -> Check {
    Check { query, wrong, has_amounts: false }
}

/// Selects rows that are wrong, with the accounts whose entries they do not explain.
pub(super) const fn amounts(query: &'static str, wrong: &'static str) -> Check {
    Check { query, wrong, has_amounts: true }
}

/// The first row that a check looks at: its key, or the number of the transaction before it.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    Key(&'a str),
    After(i64),
}

impl Check {
    /// Runs the query on the rows that `scope` names, and adds what it finds.
    pub async fn run(
        &self,
        conn: &mut Conn,
        (scope, start): (&str, Start<'_>),
        findings: &mut Findings,
        unexplained: &mut BTreeMap<String, i64>,
    ) -> Result<()> {
        // Built from constants, never from input.
        let query = sqlx::query(AssertSqlSafe(format!("{scope} {}", self.query)));
        let query = match start {
            Start::Key(key) => query.bind(key),
            Start::After(seq) => query.bind(seq),
        };
        for row in query.fetch_all(conn).await? {
            let (what, id): (String, String) = (row.try_get("what")?, row.try_get("id")?);
            findings.add(AuditFinding::of_row(format!("{what} {id} {}", self.wrong)));
            if self.has_amounts {
                let account: String = row.try_get("account")?;
                let sum = unexplained.entry(account).or_default();
                *sum = sum.saturating_add(row.try_get("paise")?);
            }
        }
        Ok(())
    }
}
