//! The audit: recomputes the books from their first transaction and compares everything derived
//! from them.

mod accounts;
mod related;

use std::collections::HashMap;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::error::Result;
use crate::limits;
use crate::model::money::hash_chain::{ChainHead, SealedEntry, SealedTransaction, genesis, seal};

pub use accounts::{AuditFinding, TrialLine};

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

/// Recomputes everything. `head` is a head that was stored outside of the database. Called in a
/// transaction that sees one instant (`Store::audit`).
pub async fn audit(conn: &mut Conn, head: Option<&ChainHead>) -> Result<Audit> {
    let mut walk = Walk::begin();
    loop {
        let batch = records(conn, walk.last).await?;
        if batch.is_empty() {
            break;
        }
        for sealed in &batch {
            if let Err(fault) = walk.step(sealed, head) {
                let trial_balance = accounts::trial_balance(conn).await?;
                return Ok(walk.finish(vec![fault], trial_balance));
            }
        }
    }
    let count = "select value from counters where counter = 'ledger'";
    let mut faults = walk.end(sqlx::query_scalar(count).fetch_one(&mut *conn).await?, head);
    faults.extend(balances(conn, &walk.balances).await?);
    faults.extend(related::unowned_entries(conn).await?);
    faults.extend(accounts::unexplained_balances(conn, &walk.balances).await?);
    faults.extend(related::debts(conn).await?);
    faults.extend(related::charges(conn).await?);
    faults.extend(related::movements(conn).await?);
    faults.extend(related::gateway_refunds(conn).await?);
    faults.extend(related::weight_claims(conn).await?);
    faults.extend(related::charges_again(conn).await?);
    faults.extend(related::invoices(conn).await?);
    faults.extend(related::booking_counts(conn).await?);
    faults.extend(related::statement_counts(conn).await?);
    faults.extend(related::recharges(conn).await?);
    let trial_balance = accounts::trial_balance(conn).await?;
    Ok(walk.finish(faults, trial_balance))
}

/// A transaction as the database stores it, with its seal.
struct Sealed {
    record: SealedTransaction,
    /// The number in the seal, and its hash.
    seal: Option<(i64, String)>,
}

struct Walk {
    last: i64,
    seal: String,
    balances: HashMap<String, i64>,
}

impl Walk {
    fn begin() -> Walk {
        Walk { last: 0, seal: genesis(1), balances: HashMap::new() }
    }

    /// Checks the next transaction. The error describes the fault.
    fn step(
        &mut self,
        sealed: &Sealed,
        head: Option<&ChainHead>,
    ) -> std::result::Result<(), AuditFinding> {
        let record = &sealed.record;
        let expected = self.last + 1;
        let wrong = |text: String| AuditFinding {
            seq: Some(expected),
            text: format!("transaction {expected}: {text}"),
        };
        if record.seq != expected {
            return Err(wrong("is missing".into()));
        }
        self.seal = match &sealed.seal {
            None => return Err(wrong("has no seal".into())),
            Some((number, hash)) => {
                if *number != expected || *hash != seal(&self.seal, record) {
                    return Err(wrong("does not match its seal".into()));
                }
                hash.clone()
            }
        };
        self.entries(record).map_err(wrong)?;
        if let Some(head) = head.filter(|head| head.seq == expected)
            && head.hash != self.seal
        {
            return Err(wrong(
                "is not the one that was the head; it or one before was rewritten".into(),
            ));
        }
        self.last = expected;
        Ok(())
    }

    /// Checks the rules for the entries of a transaction.
    fn entries(&mut self, record: &SealedTransaction) -> std::result::Result<(), String> {
        let sum: i128 = record.entries.iter().map(|e| i128::from(e.amount_paise)).sum();
        if sum != 0 || record.entries.len() < 2 {
            return Err(format!("its entries sum to {sum} paise"));
        }
        for (line, entry) in (1i64..).zip(&record.entries) {
            let SealedEntry { account_id, amount_paise, balance_after_paise, .. } = entry;
            let balance = self.balances.entry(account_id.clone()).or_default();
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

    /// Reports transactions that are missing after the last one.
    fn end(&self, count: i64, head: Option<&ChainHead>) -> Vec<AuditFinding> {
        let expected = head.map_or(count, |head| head.seq.max(count));
        let missing = (expected > self.last).then(|| AuditFinding {
            seq: Some(self.last + 1),
            text: format!(
                "transaction {} and all after it are missing: there were {expected}",
                self.last + 1
            ),
        });
        let uncounted = (count < self.last).then(|| AuditFinding {
            seq: None,
            text: format!("there are {} transactions, but {count} were counted", self.last),
        });
        missing.into_iter().chain(uncounted).collect()
    }

    fn finish(&self, faults: Vec<AuditFinding>, trial_balance: Vec<TrialLine>) -> Audit {
        let head = (self.last > 0).then(|| ChainHead { seq: self.last, hash: self.seal.clone() });
        Audit { head, faults, trial_balance }
    }
}

/// Reads the next transactions after a number, in order.
async fn records(conn: &mut Conn, after: i64) -> Result<Vec<Sealed>> {
    let select =
        "select t.seq, t.transaction_id, t.kind, t.idempotency_key, t.user_id, t.reference,
           t.description, t.created_ms, s.seq as seal_seq, s.hash,
           e.line, e.account_id, e.amount_paise, e.balance_after_paise
         from (select * from ledger_transactions where seq > $1 order by seq limit $2) t
         left join ledger_seals s on s.transaction_id = t.transaction_id
         left join ledger_entries e on e.transaction_id = t.transaction_id
         order by t.seq, e.line";
    let rows = sqlx::query(select).bind(after).bind(limits::AUDIT_BATCH).fetch_all(conn).await?;
    let mut records: Vec<Sealed> = Vec::new();
    for row in &rows {
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

/// Reports accounts whose balance is not the sum of their entries.
async fn balances(conn: &mut Conn, explained: &HashMap<String, i64>) -> Result<Vec<AuditFinding>> {
    let select = "select account_id, balance_paise from ledger_accounts order by 1";
    let rows: Vec<(String, i64)> = sqlx::query_as(select).fetch_all(conn).await?;
    let mut faults = Vec::new();
    for (account, balance) in rows {
        let total = explained.get(&account).copied().unwrap_or_default();
        if balance != total {
            let text = format!("account {account}: balance {balance} paise, entries {total} paise");
            faults.push(AuditFinding { seq: None, text });
        }
    }
    Ok(faults)
}
