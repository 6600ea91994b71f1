//! The books: append-only, double entry.

use sqlx::Row;

use super::{Conn, next};
use crate::domain::money::Paise;
use crate::domain::movement::{Account, Movement};
use crate::error::{Error, Result};

/// How a movement ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    /// Written now.
    Done,
    /// The same movement (by its once-key) was written before; nothing changed.
    Already,
    /// A wallet would have gone below zero. The caller must not commit.
    Short,
}

/// Opens the two wallet accounts of a new user.
pub async fn open_wallet(conn: &mut Conn, user_id: &str) -> Result<()> {
    for account in [
        Account::Available(user_id.to_owned()),
        Account::Held(user_id.to_owned()),
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

/// Writes a movement: its transaction, its entries and the new balances.
pub async fn post(conn: &mut Conn, user_id: &str, movement: &Movement) -> Result<Posted> {
    // The counter's row is locked from here on, so movements are written one after another.
    let seq = next(conn, "ledger").await?;
    if is_posted(conn, movement.once_key()).await? {
        sqlx::query("update counters set value = value - 1 where counter = 'ledger'")
            .execute(conn)
            .await?;
        return Ok(Posted::Already);
    }
    let transaction_id = crate::domain::ids::random_id();
    sqlx::query(
        "insert into ledger_transactions (transaction_id, seq, kind, once_key, user_id, reference,
           description, created_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&transaction_id)
    .bind(seq)
    .bind(movement.kind())
    .bind(movement.once_key())
    .bind(user_id)
    .bind(movement.reference())
    .bind(movement.description())
    .bind(movement.created_ms())
    .execute(&mut *conn)
    .await?;
    for (line, (account, amount)) in (1i64..).zip(movement.entries()) {
        let Some(balance_after) = change_balance(conn, account, *amount).await? else {
            return Ok(Posted::Short);
        };
        sqlx::query(
            "insert into ledger_entries (transaction_id, line, account_id, amount_paise,
               balance_after_paise)
             values ($1, $2, $3, $4, $5)",
        )
        .bind(&transaction_id)
        .bind(line)
        .bind(account.id())
        .bind(amount.get())
        .bind(balance_after)
        .execute(&mut *conn)
        .await?;
    }
    Ok(Posted::Done)
}

async fn is_posted(conn: &mut Conn, once_key: &str) -> Result<bool> {
    let count = "select count(*) from ledger_transactions where once_key = $1";
    let found: i64 = sqlx::query_scalar(count)
        .bind(once_key)
        .fetch_one(conn)
        .await?;
    Ok(found > 0)
}

/// The balance after the change, or `None` when a wallet would go below zero.
async fn change_balance(conn: &mut Conn, account: &Account, by: Paise) -> Result<Option<i64>> {
    let changed = sqlx::query_scalar(
        "update ledger_accounts set balance_paise = balance_paise + $2
         where account_id = $1
           and (kind not in ('available', 'held') or balance_paise + $2 >= 0)
         returning balance_paise",
    )
    .bind(account.id())
    .bind(by.get())
    .fetch_optional(conn)
    .await?;
    Ok(changed)
}

/// What the user can spend.
pub async fn available(conn: &mut Conn, user_id: &str) -> Result<Paise> {
    let balance = "select balance_paise from ledger_accounts where account_id = $1";
    let account = Account::Available(user_id.to_owned());
    let paise: Option<i64> = sqlx::query_scalar(balance)
        .bind(account.id())
        .fetch_optional(conn)
        .await?;
    paise
        .map(Paise::new)
        .ok_or_else(|| Error::internal(anyhow::anyhow!("user without a wallet")))
}

/// What an audit of the books found wrong, in the order of the books.
pub async fn faults(conn: &mut Conn) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let unbalanced = sqlx::query(
        "select t.seq, cast(coalesce(sum(e.amount_paise), 0) as bigint) as total
         from ledger_transactions t
         left join ledger_entries e on e.transaction_id = t.transaction_id
         group by t.transaction_id, t.seq
         having coalesce(sum(e.amount_paise), 0) <> 0 or count(e.line) < 2
         order by t.seq",
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in &unbalanced {
        let (seq, total): (i64, i64) = (row.try_get("seq")?, row.try_get("total")?);
        faults.push(format!("transaction {seq}: entries sum to {total} paise"));
    }
    let unexplained = sqlx::query(
        "select a.account_id, a.balance_paise,
           cast(coalesce(sum(e.amount_paise), 0) as bigint) as total
         from ledger_accounts a left join ledger_entries e on e.account_id = a.account_id
         group by a.account_id, a.balance_paise
         having a.balance_paise <> coalesce(sum(e.amount_paise), 0)
         order by a.account_id",
    )
    .fetch_all(conn)
    .await?;
    for row in &unexplained {
        let account: String = row.try_get("account_id")?;
        let (kept, total): (i64, i64) = (row.try_get("balance_paise")?, row.try_get("total")?);
        faults.push(format!(
            "account {account}: balance {kept} paise, entries {total} paise"
        ));
    }
    Ok(faults)
}
