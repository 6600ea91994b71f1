//! The books: append-only, double entry.

use std::cell::RefCell;
use std::collections::HashMap;

use sqlx::{AssertSqlSafe, Row};

use super::{Conn, next, placeholders, statement};
use crate::error::{Error, Result};
use crate::fault;
use crate::model::money::hash_chain::{self, SealedEntry, SealedTransaction};
use crate::model::money::ledger_transaction::{LedgerAccount, LedgerTransaction};
use crate::model::money::paise::Paise;
use crate::random::row_id;

/// How a transaction ended. Whatever it is, the caller may commit: only `Done` wrote something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "money may not have moved"]
pub enum Posted {
    /// Written now.
    Done,
    /// The same transaction was written before; nothing changed.
    Already,
    /// Not possible: too little money, or nothing of that kind left to move. Nothing changed.
    Refused,
}

impl Posted {
    /// For a transaction of this charge that what came before it made possible.
    ///
    /// # Errors
    /// `Internal` when it was refused all the same: nothing of the transaction may stay.
    pub fn surely(self, charge_id: &str) -> Result<()> {
        match self {
            Posted::Done | Posted::Already => Ok(()),
            Posted::Refused => Err(Error::internal(anyhow::anyhow!(
                "the books refuse a transaction of charge {charge_id}"
            ))),
        }
    }
}

tokio::task_local! {
    /// What the transaction under way posted, where somebody wants to know.
    static WATCHED: RefCell<Vec<SealedTransaction>>;
}

/// Does `work`, and says what it posted. Reading the books could not tell: others write to them.
pub async fn watched<T>(work: impl Future<Output = T>) -> (T, Vec<SealedTransaction>) {
    let watch = async { (work.await, WATCHED.with(RefCell::take)) };
    WATCHED.scope(RefCell::default(), watch).await
}

/// Opens the two wallet accounts of a new user.
pub async fn open_wallet(conn: &mut Conn, user_id: &str) -> Result<()> {
    for account in [
        LedgerAccount::Available(user_id.to_owned()),
        LedgerAccount::Held(user_id.to_owned()),
    ] {
        sqlx::query(
            "insert into ledger_accounts (account_id, kind, user_id, balance_paise)
             values ($1, $2, $3, 0)",
        )
        .bind(account.id())
        .bind(account.kind())
        .bind(user_id)
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

/// Keeps everybody else from writing to the books until this transaction ends, so that a balance
/// that is read now still stands when it is taken from.
pub async fn lock(conn: &mut Conn) -> Result<()> {
    sqlx::query("update counters set value = value where counter = 'ledger'")
        .execute(conn)
        .await?;
    Ok(())
}

/// Writes a transaction: its transaction, its entries, the new balances and the seal. `user_id` is
/// whom it is about; empty where it moves nobody's wallet.
pub async fn post(
    conn: &mut Conn,
    user_id: &str,
    transaction: &LedgerTransaction,
) -> Result<Posted> {
    // The counter's row is locked from here on, so transactions are written one after another.
    let seq = next(conn, "ledger").await?;
    let (is_posted, before) = look(conn, transaction.idempotency_key(), seq).await?;
    if !fault::on("once-forgotten") && is_posted {
        return give_back(conn, Posted::Already).await;
    }
    let Some(balances) = change_balances(conn, transaction.entries()).await? else {
        return give_back(conn, Posted::Refused).await;
    };
    let entries = (1i64..).zip(transaction.entries()).zip(balances);
    let entries = entries.map(|((line, (account, by)), balance_after)| SealedEntry {
        line,
        account_id: account.id(),
        amount_paise: by.get(),
        balance_after_paise: balance_after,
    });
    let record = SealedTransaction {
        seq,
        transaction_id: row_id(transaction.created_ms()),
        kind: transaction.kind().to_owned(),
        idempotency_key: transaction.idempotency_key().to_owned(),
        user_id: user_id.to_owned(),
        reference: transaction.reference().to_owned(),
        description: transaction.description().to_owned(),
        created_ms: transaction.created_ms(),
        entries: entries.collect(),
    };
    write(conn, &record).await?;
    statement::counts::add(conn, &record).await?;
    sqlx::query("insert into ledger_seals (seq, transaction_id, hash) values ($1, $2, $3)")
        .bind(seq)
        .bind(&record.transaction_id)
        .bind(hash_chain::seal(&before, &record))
        .execute(conn)
        .await?;
    let _ = WATCHED.try_with(|posted| posted.borrow_mut().push(record));
    Ok(Posted::Done)
}

/// The number was not used after all: the books have no gaps.
async fn give_back(conn: &mut Conn, outcome: Posted) -> Result<Posted> {
    sqlx::query("update counters set value = value - 1 where counter = 'ledger'")
        .execute(conn)
        .await?;
    Ok(outcome)
}

async fn write(conn: &mut Conn, record: &SealedTransaction) -> Result<()> {
    sqlx::query(
        "insert into ledger_transactions (transaction_id, seq, kind, once_key, user_id, reference,
           description, created_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&record.transaction_id)
    .bind(record.seq)
    .bind(&record.kind)
    .bind(&record.idempotency_key)
    .bind((!record.user_id.is_empty()).then_some(&record.user_id))
    .bind(&record.reference)
    .bind(&record.description)
    .bind(record.created_ms)
    .execute(&mut *conn)
    .await?;
    let add = format!(
        "insert into ledger_entries (transaction_id, line, account_id, amount_paise,
           balance_after_paise)
         values {}",
        placeholders(
            record.entries.len(),
            &["text", "bigint", "text", "bigint", "bigint"]
        )
    );
    // Built from the constants above, never from input.
    let mut add = sqlx::query(AssertSqlSafe(add));
    for entry in &record.entries {
        add = add
            .bind(&record.transaction_id)
            .bind(entry.line)
            .bind(&entry.account_id)
            .bind(entry.amount_paise)
            .bind(entry.balance_after_paise);
    }
    add.execute(conn).await?;
    Ok(())
}

/// Whether a transaction under this idempotency key was written, and the seal that the one of this
/// number follows. The first sealed one follows the genesis.
async fn look(conn: &mut Conn, idempotency_key: &str, seq: i64) -> Result<(bool, String)> {
    let look = "select (select count(*) from ledger_transactions where once_key = $1) as posted,
                  (select hash from ledger_seals where seq = cast($2 as bigint) - 1) as hash";
    let row = sqlx::query(look)
        .bind(idempotency_key)
        .bind(seq)
        .fetch_one(conn)
        .await?;
    let posted: i64 = row.try_get("posted")?;
    let before: Option<String> = row.try_get("hash")?;
    let before = before.unwrap_or_else(|| hash_chain::genesis(seq));
    Ok((posted > 0, before))
}

/// Whether a transaction under this idempotency key was written.
pub(super) async fn is_posted(conn: &mut Conn, idempotency_key: &str) -> Result<bool> {
    let count = "select count(*) from ledger_transactions where once_key = $1";
    let found: i64 = sqlx::query_scalar(count)
        .bind(idempotency_key)
        .fetch_one(conn)
        .await?;
    Ok(found > 0)
}

/// The balances after these entries, or `None`, and nothing is changed, when a wallet would go
/// below zero: only the first entry takes from one.
async fn change_balances(
    conn: &mut Conn,
    entries: &[(LedgerAccount, Paise)],
) -> Result<Option<Vec<i64>>> {
    let Some(((account, by), others)) = entries.split_first() else {
        return Ok(Some(Vec::new()));
    };
    let take = fault::sql(
        "update ledger_accounts set balance_paise = balance_paise + $2
         where account_id = $1
           and (kind not in ('available', 'held') or balance_paise + $2 >= 0)
         returning balance_paise",
    );
    let taken = sqlx::query_scalar(take)
        .bind(account.id())
        .bind(by.get())
        .fetch_optional(&mut *conn)
        .await?;
    let Some(first) = taken else { return Ok(None) };
    let give = format!(
        "update ledger_accounts set balance_paise = balance_paise + it.column2
         from (values {}) as it where account_id = it.column1
         returning account_id, balance_paise",
        placeholders(others.len(), &["text", "bigint"])
    );
    // Built from the constants above, never from input.
    let mut give = sqlx::query(AssertSqlSafe(give));
    for (account, by) in others {
        give = give.bind(account.id()).bind(by.get());
    }
    let mut given: HashMap<String, i64> = HashMap::new();
    for row in give.fetch_all(conn).await? {
        given.insert(row.try_get("account_id")?, row.try_get("balance_paise")?);
    }
    let missing = || Error::internal(anyhow::anyhow!("an account is missing"));
    let balance = |account: &LedgerAccount| given.get(&account.id()).copied().ok_or_else(missing);
    let others = others.iter().map(|(account, _)| balance(account));
    std::iter::once(Ok(first))
        .chain(others)
        .collect::<Result<_>>()
        .map(Some)
}

/// What the user can spend.
pub async fn available(conn: &mut Conn, user_id: &str) -> Result<Paise> {
    balance(conn, &LedgerAccount::Available(user_id.to_owned())).await
}

/// What is set aside for bookings whose courier has not answered.
pub async fn held(conn: &mut Conn, user_id: &str) -> Result<Paise> {
    balance(conn, &LedgerAccount::Held(user_id.to_owned())).await
}

/// What an account holds.
pub async fn balance(conn: &mut Conn, account: &LedgerAccount) -> Result<Paise> {
    let balance = "select balance_paise from ledger_accounts where account_id = $1";
    let paise: Option<i64> = sqlx::query_scalar(balance)
        .bind(account.id())
        .fetch_optional(conn)
        .await?;
    paise
        .map(Paise::new)
        .ok_or_else(|| Error::internal(anyhow::anyhow!("an account is missing")))
}
