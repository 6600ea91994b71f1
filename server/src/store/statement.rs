//! What a wallet's owner reads of the books: the lines of their available account.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::domain::money::Paise;
use crate::domain::movement::Account;
use crate::domain::page::{Listed, Paging};
use crate::domain::wallet::StatementLine;
use crate::error::Result;

/// The user's statement, newest first.
pub async fn statement(
    conn: &mut Conn,
    user_id: &str,
    paging: Paging,
) -> Result<Listed<StatementLine>> {
    let account = Account::Available(user_id.to_owned());
    let count: i64 =
        sqlx::query_scalar("select count(*) from ledger_entries where account_id = $1")
            .bind(account.id())
            .fetch_one(&mut *conn)
            .await?;
    let rows = sqlx::query(
        "select t.transaction_id, t.kind, t.reference, t.description, t.created_ms,
           e.amount_paise, e.balance_after_paise
         from ledger_entries e join ledger_transactions t on t.transaction_id = e.transaction_id
         where e.account_id = $1
         order by t.seq desc, e.line desc limit $2 offset $3",
    )
    .bind(account.id())
    .bind(paging.limit())
    .bind(paging.offset())
    .fetch_all(conn)
    .await?;
    let lines = rows
        .iter()
        .map(statement_line)
        .collect::<Result<Vec<_>>>()?;
    Ok(Listed {
        results: lines,
        count,
    })
}

fn statement_line(row: &AnyRow) -> Result<StatementLine> {
    Ok(StatementLine {
        transaction_id: row.try_get("transaction_id")?,
        kind: row.try_get("kind")?,
        reference: row.try_get("reference")?,
        description: row.try_get("description")?,
        created_ms: row.try_get("created_ms")?,
        amount: Paise::new(row.try_get("amount_paise")?),
        balance_after: Paise::new(row.try_get("balance_after_paise")?),
    })
}
