//! How many lines of a kind a wallet's statement has, by month: kept as the books are written.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::error::Result;
use crate::fault;
use crate::model::calendar::{date_in_india, month};
use crate::model::money::hash_chain::SealedTransaction;
use crate::model::money::ledger_transaction::LedgerAccount;
use crate::model::wallet::line_counts::LineCount;
use crate::store::Conn;

/// Counts what a transaction writes on its user's statement.
pub(in crate::store) async fn add(conn: &mut Conn, record: &SealedTransaction) -> Result<()> {
    let account = LedgerAccount::Available(record.user_id.clone()).id();
    for entry in record.entries.iter().filter(|it| it.account_id == account) {
        if fault::on("line-uncounted") {
            continue;
        }
        sqlx::query(
            "insert into statement_counts
               (user_id, month, kind, sign, lines, amount_paise, first_seq, last_seq)
             values ($1, $2, $3, $4, 1, $5, $6, $6)
             on conflict (user_id, month, kind, sign) do update set
               lines = statement_counts.lines + 1,
               amount_paise = statement_counts.amount_paise + excluded.amount_paise,
               last_seq = excluded.last_seq",
        )
        .bind(&record.user_id)
        .bind(month(date_in_india(record.created_ms)))
        .bind(&record.kind)
        .bind(if entry.amount_paise < 0 { -1i64 } else { 1 })
        .bind(entry.amount_paise)
        .bind(record.seq)
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

/// All counts of the user.
pub async fn all(conn: &mut Conn, user_id: &str) -> Result<Vec<LineCount>> {
    let rows = sqlx::query(
        "select month, kind, sign, lines, amount_paise, first_seq, last_seq
         from statement_counts where user_id = $1",
    )
    .bind(user_id)
    .fetch_all(conn)
    .await?;
    let count = |row: &AnyRow| {
        Ok(LineCount {
            month: row.try_get("month")?,
            kind: row.try_get("kind")?,
            sign: row.try_get("sign")?,
            lines: row.try_get("lines")?,
            amount_paise: row.try_get("amount_paise")?,
            first_seq: row.try_get("first_seq")?,
            last_seq: row.try_get("last_seq")?,
        })
    };
    rows.iter().map(count).collect()
}
