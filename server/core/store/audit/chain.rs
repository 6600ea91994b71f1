//! The chains of transactions: seals and their numbers, the hashes of each wallet, entries, and the
//! balance after each entry of a customer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::finding::AuditFinding;
use crate::error::Result;
use crate::model::money::hash_chain::{
    ChainHead, ChainedEntry, ChainedTransaction, beginning_of, genesis, seal,
};
use crate::store::Conn;

/// The fault of a transaction whose seal differs from a head that was kept.
const REWRITTEN: &str = "is not the one that was the head; it or one before was rewritten";

/// Where a walk through the books stands: all transactions up to `last` were found in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    pub(super) last: i64,
    /// The seal of the last transaction.
    seal: String,
    /// The balances of the house's accounts after it (paise).
    pub(super) house: BTreeMap<String, i64>,
}

/// A transaction as the database stores it.
struct Stored {
    record: ChainedTransaction,
    hash: String,
    /// The hash of the transaction before it in its wallet, if that is there.
    before: Option<String>,
    /// The balance before each entry of a customer (paise).
    balances: Vec<i64>,
}

/// A seal with its transaction, if that is there.
struct Sealed {
    seq: i64,
    hash: String,
    transaction: Option<Stored>,
}

/// The seals that follow those of a chain, read in one transaction of the database.
pub(super) struct Seals {
    seals: Vec<Sealed>,
    /// The seal that the database has for the last transaction of the chain.
    seal_before: Option<String>,
}

impl Seals {
    pub fn len(&self) -> usize {
        self.seals.len()
    }

    /// Reads at most `rows` seals.
    pub async fn read(conn: &mut Conn, chain: &Chain, rows: usize) -> Result<Seals> {
        let before = "select hash from ledger_seals where seq = $1";
        let before = sqlx::query_scalar(before).bind(chain.last).fetch_optional(&mut *conn);
        let seal_before = before.await?;
        let seals = format!(
            "select seq, hash as seal, transaction_id from ledger_seals
             where seq > $1 order by seq limit {rows}"
        );
        // Built from constants, never from input.
        let lines = sqlx::query(AssertSqlSafe(stored_lines(&seals))).bind(chain.last);
        let mut seals: Vec<Sealed> = Vec::new();
        for row in &lines.fetch_all(conn).await? {
            let seq: i64 = row.try_get("seq")?;
            if seals.last().is_none_or(|last| last.seq != seq) {
                let (hash, transaction) = (row.try_get("seal")?, stored(row)?);
                seals.push(Sealed { seq, hash, transaction });
            }
            if let Some(stored) = seals.last_mut().and_then(|last| last.transaction.as_mut()) {
                stored.add_entry(row)?;
            }
        }
        Ok(Seals { seals, seal_before })
    }
}

/// Checks transactions that are not sealed yet, from a key on: some at most. Returns the first
/// fault of each, and the key of the next ones.
pub(super) async fn check_unsealed(
    conn: &mut Conn,
    from: &str,
    rows: usize,
) -> Result<(Vec<AuditFinding>, Option<String>)> {
    let waiting = format!(
        "select 0 as seq, '' as seal, transaction_id from ledger_unsealed
         where transaction_id >= $1 order by transaction_id limit {rows} + 1"
    );
    // Built from constants, never from input.
    let lines = sqlx::query(AssertSqlSafe(stored_lines(&waiting))).bind(from);
    let mut all: Vec<Stored> = Vec::new();
    for row in &lines.fetch_all(conn).await? {
        let Some(next) = stored(row)? else { continue };
        let id = &next.record.transaction_id;
        if all.last().is_none_or(|last| last.record.transaction_id != *id) {
            all.push(next);
        }
        if let Some(last) = all.last_mut() {
            last.add_entry(row)?;
        }
    }
    let next = (all.len() > rows).then(|| all.pop()).flatten();
    let faults = all.iter().filter_map(|stored| {
        let text = stored.check().err()?;
        let id = &stored.record.transaction_id;
        Some(AuditFinding::of_row(format!("the unsealed transaction {id}: {text}")))
    });
    Ok((faults.collect(), next.map(|stored| stored.record.transaction_id)))
}

/// Compares the ends of all wallets with the number of transactions that are sealed or wait for it:
/// one that lost its note is never sealed, and its amounts are missing in accounts of the house.
pub(super) async fn lost_notes(conn: &mut Conn) -> Result<Option<AuditFinding>> {
    let count = "select cast(coalesce(sum(h.seq), 0) as bigint) as of_wallets,
                   (select value from counters where counter = 'ledger')
                     + (select count(*) from ledger_unsealed) as noted
                 from ledger_heads h";
    let (of_wallets, noted): (i64, i64) = sqlx::query_as(count).fetch_one(conn).await?;
    let text = format!(
        "the wallets have {of_wallets} transactions, the seals and those that wait for one {noted}"
    );
    Ok((of_wallets != noted).then(|| AuditFinding::of_row(text)))
}

/// Describes how the seal of a kept head's number differs from that head, if it does.
pub(super) async fn differing_head(
    conn: &mut Conn,
    kept: &ChainHead,
) -> Result<Option<AuditFinding>> {
    let hash = "select hash from ledger_seals where seq = $1";
    let hash: Option<String> = sqlx::query_scalar(hash).bind(kept.seq).fetch_optional(conn).await?;
    let text = match hash {
        Some(hash) if hash == kept.hash => return Ok(None),
        Some(_) => REWRITTEN,
        None => "is missing, and was the head when heads were kept last",
    };
    Ok(Some(wrong(kept.seq, text)))
}

impl Chain {
    pub fn begin() -> Chain {
        Chain { last: 0, seal: genesis(), house: BTreeMap::new() }
    }

    /// The last sealed transaction; `None` for empty books.
    pub fn head(&self) -> Option<ChainHead> {
        (self.last > 0).then(|| ChainHead { seq: self.last, hash: self.seal.clone() })
    }

    /// Checks the next transactions. The error describes the first fault.
    pub(super) fn check(
        &mut self,
        page: Seals,
        known: Option<&ChainHead>,
    ) -> std::result::Result<(), AuditFinding> {
        let Seals { seals, seal_before } = page;
        if self.last > 0 && seal_before.as_ref() != Some(&self.seal) {
            return Err(wrong(self.last, "is not the one that was checked; it was rewritten"));
        }
        for sealed in &seals {
            self.step(sealed, known)?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        sealed: &Sealed,
        known: Option<&ChainHead>,
    ) -> std::result::Result<(), AuditFinding> {
        let expected = self.last + 1;
        if sealed.seq != expected {
            return Err(wrong(expected, "has no seal"));
        }
        let Some(stored) = &sealed.transaction else {
            return Err(wrong(expected, "is missing"));
        };
        stored.check().map_err(|text| wrong(expected, &text))?;
        if sealed.hash != seal(&self.seal, expected, &stored.hash) {
            return Err(wrong(expected, "does not match its seal"));
        }
        self.seal.clone_from(&sealed.hash);
        if let Some(head) = known.filter(|head| head.seq == expected)
            && head.hash != self.seal
        {
            return Err(wrong(expected, REWRITTEN));
        }
        for entry in stored.record.entries.iter().filter(|it| is_of_house(it)) {
            let balance = self.house.entry(entry.account_id.clone()).or_default();
            *balance = balance
                .checked_add(entry.amount_paise)
                .ok_or_else(|| wrong(expected, "moves more than a balance can be"))?;
        }
        self.last = expected;
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

impl Stored {
    /// Checks its content, its place in its wallet, and its entries. The error describes the first
    /// fault.
    fn check(&self) -> std::result::Result<(), String> {
        let Stored { record, hash, before, .. } = self;
        let before = match record.wallet_seq {
            1 => beginning_of(record.wallet()),
            seq => before.clone().ok_or_else(|| {
                format!("the transaction {} of its wallet is missing", seq.saturating_sub(1))
            })?,
        };
        if *hash != record.hash(&before) {
            return Err("does not match its hash".to_owned());
        }
        self.check_entries()
    }

    fn check_entries(&self) -> std::result::Result<(), String> {
        let Stored { record, balances, .. } = self;
        let sum: i128 = record.entries.iter().map(|e| i128::from(e.amount_paise)).sum();
        if sum != 0 || record.entries.len() < 2 {
            return Err(format!("its entries sum to {sum} paise"));
        }
        for ((line, entry), before) in (1i64..).zip(&record.entries).zip(balances) {
            let ChainedEntry { account_id, amount_paise, balance_after_paise, .. } = entry;
            let after = match is_of_house(entry) {
                true => None,
                false => Some(before.checked_add(*amount_paise)),
            };
            if entry.line != line || after != balance_after_paise.map(Some) {
                return Err(format!("the balance after its entry {line} is wrong"));
            }
            if let (Some((kind, owner)), Some(balance)) =
                (account_id.split_once(':'), balance_after_paise)
            {
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

    /// Adds the entry of a line, if it has one.
    fn add_entry(&mut self, row: &AnyRow) -> Result<()> {
        if let Some(line) = row.try_get("line")? {
            self.record.entries.push(ChainedEntry {
                line,
                account_id: row.try_get("account_id")?,
                amount_paise: row.try_get("amount_paise")?,
                balance_after_paise: row.try_get("balance_after_paise")?,
            });
            self.balances.push(row.try_get("balance_before")?);
        }
        Ok(())
    }
}

fn is_of_house(entry: &ChainedEntry) -> bool {
    !entry.account_id.contains(':')
}

fn wrong(seq: i64, text: &str) -> AuditFinding {
    AuditFinding { seq: Some(seq), text: format!("transaction {seq}: {text}") }
}

/// Selects the transactions that `wanted` selects (`seq`, `seal`, `transaction_id`), one line for
/// each entry, with the hash before each of them in its wallet and the balance before each entry.
/// Each of these is found by its key: a join would read all entries each time in a Postgres that
/// has no statistics, as after it was restored.
fn stored_lines(wanted: &str) -> String {
    format!(
        "select w.seq, w.seal, t.transaction_id, t.wallet_seq, t.kind, t.idempotency_key,
           t.user_id, t.reference, t.description, t.created_ms, t.hash,
           case when t.user_id is null
             then (select p.hash from ledger_transactions p
                   where p.user_id is null and p.wallet_seq = t.wallet_seq - 1)
             else (select p.hash from ledger_transactions p
                   where p.user_id = t.user_id and p.wallet_seq = t.wallet_seq - 1)
             end as hash_before,
           e.line, e.account_id, e.amount_paise, e.balance_after_paise,
           case when e.balance_after_paise is null then 0 else coalesce((
             select earlier.balance_paise from (
               select p.wallet_seq, (select b.balance_after_paise from ledger_entries b
                   where b.transaction_id = p.transaction_id and b.account_id = e.account_id
                   order by b.line desc limit 1) as balance_paise
               from ledger_transactions p
               where p.user_id = t.user_id and p.wallet_seq < t.wallet_seq) as earlier
             where earlier.balance_paise is not null
             order by earlier.wallet_seq desc limit 1), 0) end as balance_before
         from ({wanted}) w
         left join ledger_transactions t on t.transaction_id = w.transaction_id
         left join ledger_entries e on e.transaction_id = t.transaction_id
         order by w.seq, t.transaction_id, e.line"
    )
}

/// Reads a transaction without its entries; `None` if it is not there.
fn stored(row: &AnyRow) -> Result<Option<Stored>> {
    let Some(transaction_id) = row.try_get("transaction_id")? else { return Ok(None) };
    let record = ChainedTransaction {
        wallet_seq: row.try_get("wallet_seq")?,
        transaction_id,
        kind: row.try_get("kind")?,
        idempotency_key: row.try_get("idempotency_key")?,
        user_id: row.try_get::<Option<String>, _>("user_id")?.unwrap_or_default(),
        reference: row.try_get("reference")?,
        description: row.try_get("description")?,
        created_ms: row.try_get("created_ms")?,
        entries: Vec::new(),
    };
    let (hash, before) = (row.try_get("hash")?, row.try_get("hash_before")?);
    Ok(Some(Stored { record, hash, before, balances: Vec::new() }))
}
