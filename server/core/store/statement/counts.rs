//! Numbers of a wallet's statement lines by kind and month, updated with the books.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::error::Result;
use crate::failpoints;
use crate::model::calendar::{date_in_india, month};
use crate::model::money::hash_chain::ChainedTransaction;
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::wallet::line_counts::LineCount;
use crate::store::pipeline::Statement;
use crate::store::{Conn, RunStatement as _};

/// Returns the statements that count the lines of transactions on their users' statements.
pub(in crate::store) fn add_line_statements<'q>(
    records: impl Iterator<Item = &'q ChainedTransaction>,
) -> impl Iterator<Item = Statement<'q>> {
    records.filter_map(|record| {
        let account = LedgerAccount::Available(record.user_id.clone()).id();
        let mut entries = record.entries.iter();
        // An account occurs at most once in a transaction.
        let entry = entries.find(|entry| entry.account_id == account)?;
        (!failpoints::on("line-uncounted")).then(|| add_line_statement(record, entry.amount_paise))
    })
}

fn add_line_statement(record: &ChainedTransaction, amount_paise: i64) -> Statement<'_> {
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
    .bind(if amount_paise < 0 { -1i64 } else { 1 })
    .bind(amount_paise)
    .bind(record.wallet_seq)
}

pub(crate) async fn all(conn: &mut Conn, user_id: &str) -> Result<Vec<LineCount>> {
    let select = "select month, kind, sign, lines, amount_paise, first_seq, last_seq
                  from statement_counts where user_id = $1";
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
    sqlx::query(select).bind(user_id).read_all(conn, count).await
}
