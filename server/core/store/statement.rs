//! The statement of a wallet: the lines of the owner's available account.

pub mod counts;

use std::cmp::Reverse;

use serde::Deserialize;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, PerBackend, RunStatement as _};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::paise::Paise;
use crate::model::paging::Listed;
use crate::model::wallet::statement::{StatementFilter, StatementLine};

/// All entries of the transactions of the user `$1`, in their order, with their bookings. An
/// account occurs at most once in a transaction, so one account has one line each.
macro_rules! lines_of_user {
    () => {
        " from ledger_transactions t
             cross join ledger_entries e
             left join bookings b on b.booking_id = t.reference and b.user_id = t.user_id
             left join courier_orders o on o.booking_id = b.booking_id
             where t.user_id = $1 and e.transaction_id = t.transaction_id"
    };
}
pub(super) use lines_of_user;

/// Lines of a wallet between two of its places that match a filter.
macro_rules! select_lines {
    ($what:expr, $rest:literal) => {
        concat!(
            "select ",
            $what,
            lines_of_user!(),
            " and t.wallet_seq >= $2 and t.wallet_seq <= $3 and e.account_id = $4
               and t.created_ms >= $5 and t.created_ms < $6
               and ($7 = 0 or e.amount_paise * $7 > 0)
               and ($8 = '' or t.kind in ($8, $9)) ",
            $rest
        )
    };
}

/// The columns of a line, in the order of [`StatementRow`].
macro_rules! whole_line {
    () => {
        "t.transaction_id, t.kind, t.reference, t.description, t.created_ms,
         e.amount_paise, e.balance_after_paise, b.awb, b.booking_id,
         o.reference as held_as, t.wallet_seq"
    };
}
pub(super) use whole_line;

/// The first and the last place in the wallet.
pub type Places = (i64, i64);

/// Binds the arguments of [`select_lines`] to a query, in order.
macro_rules! bind_filter {
    ($query:expr, $user_id:expr, $places:expr, $filter:expr) => {{
        let (kind, (first, last)) = ($filter.kind, $places);
        let [one, other] = kind.map_or(["", ""], |kind| kind.ledger_kinds);
        $query
            .bind($user_id)
            .bind(first)
            .bind(last)
            .bind(LedgerAccount::Available($user_id.to_owned()).id())
            .bind($filter.period.from_ms())
            .bind($filter.period.until_ms())
            .bind(kind.map_or(0, |kind| kind.sign))
            .bind(one)
            .bind(other)
    }};
}

/// Returns the number and the sum of the lines between two places.
pub(crate) async fn sum(
    conn: &mut Conn,
    user_id: &str,
    places: Places,
    filter: &StatementFilter,
) -> Result<(i64, Paise)> {
    let sum = sqlx::query(select_lines!(
        "count(*) as lines, cast(coalesce(sum(e.amount_paise), 0) as bigint) as amount",
        ""
    ));
    let row = bind_filter!(sum, user_id, places, filter).fetch_one(conn).await?;
    Ok((row.try_get("lines")?, Paise::new(row.try_get("amount")?)))
}

/// The columns `lines` and `line_count`: the newest `$2` lines of the user `$1`, and the number of
/// all. The two databases name the JSON functions differently. [`read`] sorts the lines: sorting in
/// SQLite takes as long as finding them.
macro_rules! newest_columns {
    ($array:literal, $list:literal) => {
        concat!(
            "cast((select coalesce(sum(lines), 0) from statement_counts
                 where user_id = $1) as bigint) as line_count,
               coalesce((select cast(",
            $list,
            "(",
            $array,
            "(transaction_id, kind, reference, description, created_ms, amount_paise,
                   balance_after_paise, awb, booking_id, held_as, wallet_seq)) as text)
                 from (select ",
            $crate::store::statement::whole_line!(),
            $crate::store::statement::lines_of_user!(),
            " and e.account_id = 'available:' || $1
                   order by t.wallet_seq desc limit $2) as page), '[]') as lines"
        )
    };
}
pub(super) use newest_columns;

const NEWEST: PerBackend = PerBackend {
    sqlite: concat!("select ", newest_columns!("json_array", "json_group_array")),
    postgres: concat!("select ", newest_columns!("json_build_array", "json_agg")),
};

/// Returns the user's newest lines and the count of all, in one statement.
pub(crate) async fn newest(
    conn: &mut Conn,
    user_id: &str,
    rows: i64,
) -> Result<Listed<StatementLine>> {
    let newest = sqlx::query(NEWEST.of(conn)).bind(user_id).bind(rows);
    read(&newest.fetch_one(conn).await?)
}

/// Reads the lines and their count from a row that has these columns.
pub(super) fn read(row: &AnyRow) -> Result<Listed<StatementLine>> {
    let mut lines: Vec<StatementRow> =
        serde_json::from_str(row.try_get("lines")?).map_err(Error::internal)?;
    lines.sort_unstable_by_key(|line| Reverse(line.wallet_seq));
    Ok(Listed {
        results: lines.into_iter().map(StatementLine::from).collect(),
        count: row.try_get("line_count")?,
    })
}

/// Returns a page of the user's lines, newest first, after skipping some.
pub(crate) async fn page(
    conn: &mut Conn,
    user_id: &str,
    places: Places,
    filter: &StatementFilter,
    (rows, skipped): (i64, i64),
) -> Result<Vec<StatementLine>> {
    let page = sqlx::query(select_lines!(
        whole_line!(),
        "order by t.wallet_seq desc limit $10 offset $11"
    ));
    let page = bind_filter!(page, user_id, places, filter);
    page.bind(rows).bind(skipped).read_all(conn, line).await
}

/// Returns the user's lines, oldest first, up to the maximum of one statement.
pub(crate) async fn oldest(
    conn: &mut Conn,
    user_id: &str,
    places: Places,
    filter: &StatementFilter,
) -> Result<Vec<StatementLine>> {
    let lines = sqlx::query(select_lines!(whole_line!(), "order by t.wallet_seq limit $10"));
    let lines = bind_filter!(lines, user_id, places, filter);
    lines.bind(limits::STATEMENT_LINES_MAX).read_all(conn, line).await
}

/// Returns the user's lines about one booking, including its weight differences and the charge
/// after its cancellation, newest first.
pub(crate) async fn of_booking(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
) -> Result<Vec<StatementLine>> {
    let lines = sqlx::query(concat!(
        "select ",
        whole_line!(),
        lines_of_user!(),
        " and e.account_id = $3
          and t.transaction_id in (
            select transaction_id from ledger_transactions
              where reference in ($2, 'carried:' || $2)
            union all
            select about.transaction_id from weight_claims w
              join ledger_transactions about on about.reference = w.claim_id
              where w.user_id = $1 and w.booking_id = $2)
          order by t.wallet_seq desc"
    ));
    let account_id = LedgerAccount::Available(user_id.to_owned()).id();
    lines.bind(user_id).bind(booking_id).bind(account_id).read_all(conn, line).await
}

/// A line as the database stores it.
#[derive(Deserialize)]
struct StatementRow {
    transaction_id: String,
    kind: String,
    reference: String,
    description: String,
    created_ms: i64,
    amount_paise: i64,
    balance_after_paise: i64,
    awb: Option<String>,
    booking_id: Option<String>,
    held_as: Option<String>,
    wallet_seq: i64,
}

impl From<StatementRow> for StatementLine {
    fn from(line: StatementRow) -> StatementLine {
        // The books were written under our reference, before the courier gave its AWB.
        let description = match (&line.awb, &line.held_as) {
            (Some(awb), Some(held_as)) => line.description.replacen(held_as, awb, 1),
            _ => line.description,
        };
        StatementLine {
            transaction_id: line.transaction_id,
            kind: line.kind,
            reference: line.reference,
            description,
            created_ms: line.created_ms,
            amount: Paise::new(line.amount_paise),
            balance_after: Paise::new(line.balance_after_paise),
            booking_id: line.booking_id,
        }
    }
}

fn line(row: &AnyRow) -> Result<StatementLine> {
    Ok(StatementLine::from(StatementRow {
        transaction_id: row.try_get("transaction_id")?,
        kind: row.try_get("kind")?,
        reference: row.try_get("reference")?,
        description: row.try_get("description")?,
        created_ms: row.try_get("created_ms")?,
        amount_paise: row.try_get("amount_paise")?,
        balance_after_paise: row.try_get("balance_after_paise")?,
        awb: row.try_get("awb")?,
        booking_id: row.try_get("booking_id")?,
        held_as: row.try_get("held_as")?,
        wallet_seq: row.try_get("wallet_seq")?,
    }))
}
