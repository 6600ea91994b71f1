//! The audit: recomputes the books and compares everything derived from them, piece by piece.
//!
//! Each piece is one short transaction that sees one instant. What it compares stands in rows that
//! are written together, or follows from the transactions walked so far, so bookings between two
//! pieces make no difference.

mod accounts;
mod chain;
mod check;
mod explained;
mod finding;
mod related;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sqlx::AssertSqlSafe;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::{Conn, Store};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::money::hash_chain::ChainHead;
use chain::Seals;
use check::{Check, Start};
use finding::Findings;
use related::{SWEEPS, Sweep, TOUCHED, TouchedRows};

pub use accounts::TrialLine;
pub(crate) use accounts::trial_balance;
pub use chain::Chain;
pub use finding::AuditFinding;

/// The result of an audit.
#[derive(Debug)]
pub struct Audit {
    /// The last transaction; `None` for empty books.
    pub head: Option<ChainHead>,
    /// Empty if the books are in order. The first wrong transaction comes first; the chain after it
    /// was not checked.
    pub faults: Vec<AuditFinding>,
    /// Every account, in the order of the books' documentation. The balances add up to zero.
    pub trial_balance: Vec<TrialLine>,
}

/// Recomputes everything on one connection. `head` is a head that was stored outside of the
/// database. For tests that change the books in a transaction that they roll back.
pub async fn audit(conn: &mut Conn, head: Option<&ChainHead>) -> Result<Audit> {
    let mut walk = Walk::whole(head.cloned());
    while !walk.is_done() {
        walk.check_piece(conn).await?;
    }
    Ok(walk.finish(trial_balance(conn).await?))
}

impl Store {
    /// Recomputes the books from their first transaction, piece by piece. `head` is a head that was
    /// stored outside of the database.
    pub async fn audit(&self, head: Option<&ChainHead>) -> Result<Audit> {
        let mut walk = Walk::whole(head.cloned());
        while !walk.is_done() {
            walk = self.audit_piece(walk).await?;
        }
        Ok(walk.finish(trial_balance(&mut *self.read().await?).await?))
    }

    /// Checks the next piece of an audit, in a short transaction of its own.
    pub async fn audit_piece(&self, mut walk: Walk) -> Result<Walk> {
        let store = self.clone();
        let piece = async move {
            let mut reading = store.read_for("audit").await?;
            reading.begin_snapshot().await?;
            walk.check_piece(&mut reading).await?;
            reading.end_snapshot().await?;
            Ok(walk)
        };
        // SQLite reads a piece without a pause, so this needs a thread that may wait for the disk.
        let runtime = Handle::current();
        let walked = spawn_blocking(move || runtime.block_on(piece)).await;
        walked.map_err(Error::internal)?
    }
}

/// An audit between two pieces. It can be stored, and continued by another process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Walk {
    /// From the first transaction, with all rows. Otherwise it begins after those checked before,
    /// and looks at the rows that the new ones are about.
    is_whole: bool,
    /// Rows of a piece (count).
    rows: usize,
    /// An earlier head: the history up to it must be unchanged.
    known: Option<ChainHead>,
    chain: Chain,
    stage: Stage,
    /// The amounts that rows add to accounts and that the accounts' entries do not have (paise).
    unexplained: BTreeMap<String, i64>,
    findings: Findings,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Stage {
    /// Transactions with a seal.
    Transactions,
    /// Transactions that are not sealed yet, from this key on.
    Unsealed(String),
    /// The sweep of this name continues with this key.
    Rows(String, String),
    Done,
}

impl Walk {
    /// Begins with the first transaction.
    pub fn whole(known: Option<ChainHead>) -> Walk {
        Walk {
            is_whole: true,
            rows: limits::AUDIT_ROWS,
            known,
            chain: Chain::begin(),
            stage: Stage::Transactions,
            unexplained: BTreeMap::new(),
            findings: Findings::default(),
        }
    }

    /// Begins after the transactions that an earlier walk found in order.
    pub fn since(chain: Chain) -> Walk {
        Walk { is_whole: false, chain, ..Walk::whole(None) }
    }

    /// Walks in pieces of so many rows.
    #[must_use]
    pub fn in_pieces_of(self, rows: usize) -> Walk {
        Walk { rows: rows.max(1), ..self }
    }

    pub fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    pub fn findings(&self) -> &[AuditFinding] {
        self.findings.list()
    }

    /// Where it stands in the books.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Compares a head that was kept outside of the database with the seal of its number.
    pub async fn compare_head(&mut self, conn: &mut Conn, kept: &ChainHead) -> Result<()> {
        if let Some(fault) = chain::differing_head(conn, kept).await? {
            self.findings.add(fault);
        }
        Ok(())
    }

    /// Checks the next rows. Called in a transaction that sees one instant.
    pub async fn check_piece(&mut self, conn: &mut Conn) -> Result<()> {
        // Small tables are checked together.
        let mut checked = 0;
        while checked < self.rows && !self.is_done() {
            checked += self.check_next(conn).await?;
            if self.findings.are_enough() {
                self.stage = Stage::Done;
            }
        }
        Ok(())
    }

    /// Checks the next rows of one kind and returns their number.
    async fn check_next(&mut self, conn: &mut Conn) -> Result<usize> {
        match self.stage.clone() {
            Stage::Transactions => self.check_transactions(conn).await,
            Stage::Unsealed(from) => self.check_unsealed(conn, &from).await,
            Stage::Rows(name, from) => match SWEEPS.iter().position(|it| it.name == name) {
                Some(at) => self.check_rows(conn, at, &from).await,
                None => {
                    // Another version stored it.
                    *self = Walk::whole(self.known.take()).in_pieces_of(self.rows);
                    Ok(0)
                }
            },
            Stage::Done => Ok(0),
        }
    }

    async fn check_transactions(&mut self, conn: &mut Conn) -> Result<usize> {
        let after = self.chain.last;
        let page = Seals::read(conn, &self.chain, self.rows).await?;
        let count = page.len();
        let is_last = count < self.rows;
        if let Err(fault) = self.chain.check(page, self.known.as_ref()) {
            self.findings.add(fault);
            self.stage = Stage::Done;
            return Ok(count);
        }
        if is_last {
            let counted = "select value from counters where counter = 'ledger'";
            let counted: i64 = sqlx::query_scalar(counted).fetch_one(&mut *conn).await?;
            if let Some(fault) = self.chain.end(counted, self.known.as_ref()) {
                self.findings.add(fault);
            }
            for fault in accounts::house(conn, &self.chain.house).await? {
                self.findings.add(fault);
            }
            if let Some(fault) = chain::lost_notes(conn).await? {
                self.findings.add(fault);
            }
        }
        let transactions = scope_of_transactions(&format!(
            "select seq, transaction_id from ledger_seals where seq > $1 order by seq limit {}",
            self.rows
        ));
        self.run(conn, &explained::OF_NOTHING, &transactions, Start::After(after)).await?;
        self.run(conn, &[related::UNPAID], &transactions, Start::After(after)).await?;
        // A whole walk comes to all rows later.
        let touched: &[TouchedRows] = if self.is_whole { &[] } else { &TOUCHED };
        for touched in touched {
            let scope = format!("{transactions}, scope as ({})", touched.keys);
            self.run(conn, touched.checks, &scope, Start::After(after)).await?;
        }
        match (is_last, self.is_whole) {
            (false, _) => {}
            (true, true) => self.stage = Stage::Unsealed(String::new()),
            (true, false) => self.stage = Stage::Done,
        }
        Ok(count)
    }

    /// Checks transactions that are not sealed yet. One that is sealed meanwhile is checked by the
    /// next audit of the newest ones.
    async fn check_unsealed(&mut self, conn: &mut Conn, from: &str) -> Result<usize> {
        let (faults, next) = chain::check_unsealed(conn, from, self.rows).await?;
        for fault in faults {
            self.findings.add(fault);
        }
        let transactions = scope_of_transactions(&format!(
            "select 0 as seq, transaction_id from ledger_unsealed
             where transaction_id >= $1 order by transaction_id limit {}",
            self.rows
        ));
        self.run(conn, &explained::OF_NOTHING, &transactions, Start::Key(from)).await?;
        self.run(conn, &[related::UNPAID], &transactions, Start::Key(from)).await?;
        match next {
            Some(next) => self.stage = Stage::Unsealed(next),
            None => self.begin_sweep(0),
        }
        Ok(self.rows)
    }

    async fn check_rows(&mut self, conn: &mut Conn, at: usize, from: &str) -> Result<usize> {
        let Sweep { name, keys, checks, lines } = &SWEEPS[at];
        let rows = match lines {
            Some(lines) => self.fitting_rows(conn, keys, lines, from).await?,
            None => self.rows,
        };
        let scope = format!("with scope as ({keys} limit {rows})");
        self.run(conn, checks, &scope, Start::Key(from)).await?;
        // Built from constants, never from input.
        let next = format!("select id from ({keys} limit {rows} + 1) as page order by id");
        let next: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(next)).bind(from).fetch_all(conn).await?;
        let count = match lines {
            // They may have had lines for a whole piece.
            Some(_) => self.rows,
            None => next.len().min(rows),
        };
        match next.into_iter().nth(rows) {
            Some(next) => self.stage = Stage::Rows((*name).to_owned(), next),
            None => self.begin_sweep(at + 1),
        }
        Ok(count)
    }

    /// Returns the number of rows that a piece can check with all their lines. One that has more
    /// lines alone gets the time that it takes.
    async fn fitting_rows(
        &self,
        conn: &mut Conn,
        keys: &str,
        lines: &str,
        from: &str,
    ) -> Result<usize> {
        // Built from constants, never from input.
        let counted = format!("with scope as ({keys} limit {}) {lines}", self.rows);
        let counted = sqlx::query_as(AssertSqlSafe(counted)).bind(from).fetch_all(&mut *conn);
        let counted: Vec<(String, i64)> = counted.await?;
        let mut total = 0;
        let fit = counted.iter().take_while(|(_, lines)| {
            total += lines;
            total <= limits::AUDIT_LINES
        });
        let fit = fit.count();
        if fit == 0 {
            conn.allow_long_statements().await?;
        }
        // Few different numbers make few different statements.
        Ok(1_usize << fit.max(1).ilog2())
    }

    /// Begins with the rows of a sweep. After the last one, reports the accounts that the rows do
    /// not explain.
    fn begin_sweep(&mut self, at: usize) {
        if let Some(sweep) = SWEEPS.get(at) {
            self.stage = Stage::Rows(sweep.name.to_owned(), String::new());
            return;
        }
        for (account, paise) in self.unexplained.iter().filter(|(_, paise)| **paise != 0) {
            self.findings.add(AuditFinding::of_row(format!(
                "account {account}: its charges, payments and movements make {paise} paise more \
                 than its entries"
            )));
        }
        self.stage = Stage::Done;
    }

    async fn run(
        &mut self,
        conn: &mut Conn,
        checks: &[Check],
        scope: &str,
        start: Start<'_>,
    ) -> Result<()> {
        for check in checks {
            let (findings, unexplained) = (&mut self.findings, &mut self.unexplained);
            check.run(conn, (scope, start), findings, unexplained).await?;
        }
        Ok(())
    }

    /// Returns the result of a walk that is done.
    pub(crate) fn finish(&self, trial_balance: Vec<TrialLine>) -> Audit {
        Audit { head: self.chain.head(), faults: self.findings().to_vec(), trial_balance }
    }
}

/// Names the transactions that `wanted` selects (`seq`, `transaction_id`), for checks.
fn scope_of_transactions(wanted: &str) -> String {
    format!(
        "with transactions as (
           select w.seq, t.transaction_id, t.kind, t.idempotency_key, t.user_id, t.reference
           from ({wanted}) w join ledger_transactions t on t.transaction_id = w.transaction_id)"
    )
}
