//! The chain of transactions: numbers, seals, entries, and the balance after each entry.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::finding::AuditFinding;
use crate::error::Result;
use crate::model::money::hash_chain::{ChainHead, SealedEntry, SealedTransaction, genesis, seal};
use crate::store::Conn;

/// Where a walk through the books stands: all transactions up to `last` were found in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    pub(super) last: i64,
    /// The seal of the last transaction.
    seal: String,
    /// The balances of the house's accounts after it (paise).
    pub(super) house: BTreeMap<String, i64>,
}

/// A transaction as the database stores it, with its seal.
struct Sealed {
    record: SealedTransaction,
    /// The number in the seal, and its hash.
    seal: Option<(i64, String)>,
}

/// The transactions that follow those of a chain, read in one transaction of the database.
pub(super) struct Transactions {
    records: Vec<Sealed>,
    /// The seal that the database has for the last transaction of the chain.
    seal_before: Option<String>,
    /// The balances of customers' accounts in the records, before them (paise).
    balances: HashMap<String, i64>,
}

impl Transactions {
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Reads at most `rows` transactions.
    pub async fn read(conn: &mut Conn, chain: &Chain, rows: usize) -> Result<Transactions> {
        let before = "select hash from ledger_seals where seq = $1";
        let before = sqlx::query_scalar(before).bind(chain.last).fetch_optional(&mut *conn);
        Ok(Transactions {
            seal_before: before.await?,
            records: records(conn, chain.last, rows).await?,
            balances: balances(conn, chain.last, rows).await?,
        })
    }
}

impl Chain {
    pub fn begin() -> Chain {
        Chain { last: 0, seal: genesis(1), house: BTreeMap::new() }
    }

    /// The last transaction; `None` for empty books.
    pub fn head(&self) -> Option<ChainHead> {
        (self.last > 0).then(|| ChainHead { seq: self.last, hash: self.seal.clone() })
    }

    /// Checks the next transactions. The error describes the first fault.
    pub(super) fn check(
        &mut self,
        page: Transactions,
        known: Option<&ChainHead>,
    ) -> std::result::Result<(), AuditFinding> {
        let Transactions { records, seal_before, mut balances } = page;
        if self.last > 0 && seal_before.as_ref() != Some(&self.seal) {
            return Err(wrong(self.last, "is not the one that was checked; it was rewritten"));
        }
        for sealed in &records {
            self.step(sealed, known, &mut balances)?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        sealed: &Sealed,
        known: Option<&ChainHead>,
        balances: &mut HashMap<String, i64>,
    ) -> std::result::Result<(), AuditFinding> {
        let record = &sealed.record;
        let expected = self.last + 1;
        if record.seq != expected {
            return Err(wrong(expected, "is missing"));
        }
        self.seal = match &sealed.seal {
            None => return Err(wrong(expected, "has no seal")),
            Some((number, hash)) => {
                if *number != expected || *hash != seal(&self.seal, record) {
                    return Err(wrong(expected, "does not match its seal"));
                }
                hash.clone()
            }
        };
        self.entries(record, balances).map_err(|text| wrong(expected, &text))?;
        if let Some(head) = known.filter(|head| head.seq == expected)
            && head.hash != self.seal
        {
            let text = "is not the one that was the head; it or one before was rewritten";
            return Err(wrong(expected, text));
        }
        self.last = expected;
        Ok(())
    }

    /// Checks the rules for the entries of a transaction.
    fn entries(
        &mut self,
        record: &SealedTransaction,
        balances: &mut HashMap<String, i64>,
    ) -> std::result::Result<(), String> {
        let sum: i128 = record.entries.iter().map(|e| i128::from(e.amount_paise)).sum();
        if sum != 0 || record.entries.len() < 2 {
            return Err(format!("its entries sum to {sum} paise"));
        }
        for (line, entry) in (1i64..).zip(&record.entries) {
            let SealedEntry { account_id, amount_paise, balance_after_paise, .. } = entry;
            let balance = match account_id.contains(':') {
                true => balances.entry(account_id.clone()).or_default(),
                false => self.house.entry(account_id.clone()).or_default(),
            };
            let after = balance.checked_add(*amount_paise);
            if entry.line != line || after != Some(*balance_after_paise) {
                return Err(format!("the balance after its entry {line} is wrong"));
            }
            *balance = *balance_after_paise;
            if let Some((kind, owner)) = account_id.split_once(':') {
                if owner != record.user_id {
                    return Err(format!("its entry {line} moves another user's money"));
                }
                match kind {
                    "receivable" if *balance > 0 => {
                        return Err(format!("its entry {line} pays more than is owed"));
                    }
                    "available" | "held" if *balance < 0 => {
                        return Err(format!("its entry {line} overdraws a wallet"));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Reports transactions that are missing after the last one. `count` is their counted number.
    pub(super) fn end(&self, count: i64, known: Option<&ChainHead>) -> Option<AuditFinding> {
        let expected = known.map_or(count, |head| head.seq.max(count));
        if expected > self.last {
            let seq = self.last + 1;
            let text =
                format!("transaction {seq} and all after it are missing: there were {expected}");
            return Some(AuditFinding { seq: Some(seq), text });
        }
        (count < self.last).then(|| {
            let text = format!("there are {} transactions, but {count} were counted", self.last);
            AuditFinding::of_row(text)
        })
    }
}

fn wrong(seq: i64, text: &str) -> AuditFinding {
    AuditFinding { seq: Some(seq), text: format!("transaction {seq}: {text}") }
}

/// Reads the next transactions after a number, in order.
async fn records(conn: &mut Conn, after: i64, rows: usize) -> Result<Vec<Sealed>> {
    // Built from constants, never from input.
    let select = AssertSqlSafe(format!(
        "select t.seq, t.transaction_id, t.kind, t.idempotency_key, t.user_id, t.reference,
           t.description, t.created_ms, s.seq as seal_seq, s.hash,
           e.line, e.account_id, e.amount_paise, e.balance_after_paise
         from (select * from ledger_transactions where seq > $1 order by seq limit {rows}) t
         left join ledger_seals s on s.transaction_id = t.transaction_id
         left join ledger_entries e on e.transaction_id = t.transaction_id
         order by t.seq, e.line"
    ));
    let lines = sqlx::query(select).bind(after).fetch_all(conn).await?;
    let mut records: Vec<Sealed> = Vec::new();
    for row in &lines {
        let id: String = row.try_get("transaction_id")?;
        if records.last().is_none_or(|last| last.record.transaction_id != id) {
            records.push(sealed(row, id)?);
        }
        let line: Option<i64> = row.try_get("line")?;
        if let (Some(line), Some(last)) = (line, records.last_mut()) {
            last.record.entries.push(SealedEntry {
                line,
                account_id: row.try_get("account_id")?,
                amount_paise: row.try_get("amount_paise")?,
                balance_after_paise: row.try_get("balance_after_paise")?,
            });
        }
    }
    Ok(records)
}

fn sealed(row: &AnyRow, transaction_id: String) -> Result<Sealed> {
    let number: Option<i64> = row.try_get("seal_seq")?;
    let hash: Option<String> = row.try_get("hash")?;
    Ok(Sealed {
        record: SealedTransaction {
            seq: row.try_get("seq")?,
            transaction_id,
            kind: row.try_get("kind")?,
            idempotency_key: row.try_get("idempotency_key")?,
            user_id: row.try_get::<Option<String>, _>("user_id")?.unwrap_or_default(),
            reference: row.try_get("reference")?,
            description: row.try_get("description")?,
            created_ms: row.try_get("created_ms")?,
            entries: Vec::new(),
        },
        seal: number.zip(hash),
    })
}

/// Reads the balances of customers' accounts that the next transactions change, as the entries of
/// the transactions up to `after` leave them.
async fn balances(conn: &mut Conn, after: i64, rows: usize) -> Result<HashMap<String, i64>> {
    // Built from constants, never from input.
    let select = AssertSqlSafe(format!(
        "select a.account_id, coalesce((
           select e.balance_after_paise from ledger_transactions t
           join ledger_entries e
             on e.transaction_id = t.transaction_id and e.account_id = a.account_id
           where t.user_id = a.user_id and t.seq <= $1
           order by t.seq desc limit 1), 0) as paise
         from ledger_accounts a
         where a.user_id is not null and a.account_id in (
           select e.account_id
           from (select transaction_id from ledger_transactions
                 where seq > $1 order by seq limit {rows}) t
           join ledger_entries e on e.transaction_id = t.transaction_id)"
    ));
    let rows: Vec<(String, i64)> = sqlx::query_as(select).bind(after).fetch_all(conn).await?;
    Ok(rows.into_iter().collect())
}
