//! Sealing: transactions of all wallets are put into the one chain of the books, shortly after they
//! were posted.
//!
//! A posting writes down that its transaction waits (`ledger_unsealed`), so one that is committed
//! late is sealed late, and none is left out. The order of the seals is that of each wallet.

use sqlx::AssertSqlSafe;

use super::pipeline::Statement;
use super::{Conn, PerBackend, RunStatement as _, placeholders};
use crate::error::{Error, Result};
use crate::model::money::hash_chain::{ChainHead, genesis, seal};
use crate::{failpoints, limits};

/// Transactions that were sealed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealing {
    pub count: usize,
    /// The last of them.
    pub head: ChainHead,
}

/// True if a transaction waits to be sealed.
pub(crate) async fn is_due(conn: &mut Conn) -> Result<bool> {
    let count = "select count(*) from (select 1 as one from ledger_unsealed limit 1) as waiting";
    sqlx::query(count).counts_any(conn).await
}

/// Returns the number of transactions that wait to be sealed.
pub async fn count_waiting(conn: &mut Conn) -> Result<i64> {
    let count = sqlx::query_scalar("select count(*) from ledger_unsealed");
    Ok(count.fetch_one(conn).await?)
}

/// Returns for how long the oldest transaction waits to be sealed (milliseconds); 0 if none does.
pub async fn lag_ms(conn: &mut Conn, now_ms: i64) -> Result<i64> {
    // Ids begin with the time.
    let oldest = "select t.created_ms from ledger_unsealed u
                  join ledger_transactions t on t.transaction_id = u.transaction_id
                  order by u.transaction_id limit 1";
    let oldest: Option<i64> = sqlx::query_scalar(oldest).fetch_optional(conn).await?;
    Ok(oldest.map_or(0, |oldest| (now_ms - oldest).max(0)))
}

/// Seals the transactions that wait, some at most. `None` if none does, or if another server seals.
/// Belongs in a transaction of its own. `node` is this process.
pub(crate) async fn seal_next(conn: &mut Conn, node: &str) -> Result<Option<Sealing>> {
    let Some(last) = lock(conn).await? else { return Ok(None) };
    let waiting = waiting(conn).await?;
    failpoints::point("sealing_read", node).await;
    if waiting.is_empty() {
        return Ok(None);
    }
    let mut hash = last_seal(conn, last).await?;
    let mut seals = Vec::new();
    for (seq, (transaction_id, of_transaction)) in (last + 1..).zip(&waiting) {
        hash = seal(&hash, seq, of_transaction);
        seals.push((seq, &**transaction_id, hash.clone()));
    }
    let count = seals.len();
    let mut rest = &*seals;
    while !rest.is_empty() {
        // Few different numbers make few different statements.
        let (some, others) = rest.split_at(1 << rest.len().ilog2());
        add_seals_statement(some).run(conn).await?;
        rest = others;
    }
    failpoints::point("sealing_sealed", node).await;
    let head = ChainHead { seq: last + i64::try_from(count).map_err(Error::internal)?, hash };
    add_to_house(conn, last, head.seq).await?;
    failpoints::point("sealing_added", node).await;
    let delete = "delete from ledger_unsealed where transaction_id in (
                    select transaction_id from ledger_seals where seq > $1 and seq <= $2)";
    let emptied = sqlx::query(delete).bind(last).bind(head.seq).execute(&mut *conn).await?;
    if usize::try_from(emptied.rows_affected()) != Ok(count) {
        return Err(internal("a transaction was sealed by another server"));
    }
    let set = "update counters set value = $1 where counter = 'ledger'";
    sqlx::query(set).bind(head.seq).run(conn).await?;
    failpoints::point("sealing_counted", node).await;
    Ok(Some(Sealing { count, head }))
}

/// Returns the last number in use, and lets no other server seal before this database transaction
/// ends; `None` if another one does.
async fn lock(conn: &mut Conn) -> Result<Option<i64>> {
    const LOCK: PerBackend = PerBackend {
        sqlite: "select value from counters where counter = 'ledger'",
        postgres: "select value from counters where counter = 'ledger' for update skip locked",
    };
    Ok(sqlx::query_scalar(LOCK.of(conn)).fetch_optional(conn).await?)
}

/// Returns the transactions that wait, with their hashes, in the order of their wallets.
async fn waiting(conn: &mut Conn) -> Result<Vec<(String, String)>> {
    let waiting = failpoints::sql(
        "select u.transaction_id, t.hash from ledger_unsealed u
         join ledger_transactions t on t.transaction_id = u.transaction_id
         order by u.wallet_seq, u.transaction_id limit $1",
    );
    Ok(sqlx::query_as(waiting).bind(limits::SEALED_TOGETHER_MAX).fetch_all(conn).await?)
}

async fn last_seal(conn: &mut Conn, last: i64) -> Result<String> {
    if last == 0 {
        return Ok(genesis());
    }
    let hash = "select hash from ledger_seals where seq = $1";
    let hash = sqlx::query_scalar(hash).bind(last).fetch_optional(conn).await?;
    hash.ok_or_else(|| internal("the last seal is missing: see the audit"))
}

fn add_seals_statement<'q>(seals: &'q [(i64, &'q str, String)]) -> Statement<'q> {
    let rows = placeholders(seals.len(), &["bigint", "text", "text"]);
    // Built from constants, never from input.
    let mut add = sqlx::query(AssertSqlSafe(format!(
        "insert into ledger_seals (seq, transaction_id, hash) values {rows}"
    )));
    for (seq, transaction_id, hash) in seals {
        add = add.bind(*seq).bind(*transaction_id).bind(hash);
    }
    add
}

/// Adds what newly sealed transactions, those after a number up to another, moved in accounts of
/// the house.
async fn add_to_house(conn: &mut Conn, after: i64, until: i64) -> Result<()> {
    let add = "update ledger_accounts set balance_paise = balance_paise + it.paise
               from (select e.account_id as moved, cast(sum(e.amount_paise) as bigint) as paise
                     from ledger_seals s
                     join ledger_entries e on e.transaction_id = s.transaction_id
                     where s.seq > $1 and s.seq <= $2 and e.balance_after_paise is null
                     group by e.account_id) as it
               where account_id = it.moved";
    sqlx::query(add).bind(after).bind(until).run(conn).await
}

fn internal(what: &'static str) -> Error {
    Error::internal(anyhow::anyhow!(what))
}
