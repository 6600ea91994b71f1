//! What a wallet's owner reads of the books: the lines of their available account.

use serde::Deserialize;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, PerBackend};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::money::ledger_transaction::LedgerAccount;
use crate::model::money::paise::Paise;
use crate::model::paging::{Listed, Paging};
use crate::model::wallet::statement::{StatementFilter, StatementLine, TransactionKind};

/// Lines of one account up to a place in the books, as a filter wants them.
macro_rules! select_lines {
    ($what:expr, $rest:literal) => {
        concat!(
            "select ",
            $what,
            " from ledger_entries e
             join ledger_transactions t on t.transaction_id = e.transaction_id
             left join bookings b on b.booking_id = t.reference and b.user_id = t.user_id
             left join courier_orders o on o.booking_id = b.booking_id
             where e.account_id = $1 and t.seq <= $2
               and t.created_ms >= $3 and t.created_ms < $4
               and ($5 = 0 or e.amount_paise * $5 > 0)
               and ($6 = '' or t.kind in ($6, $7)) ",
            $rest
        )
    };
}

/// What a line is made of, in the order of [`Line`].
macro_rules! whole_line {
    () => {
        "t.transaction_id, t.kind, t.reference, t.description, t.created_ms,
         e.amount_paise, e.balance_after_paise, b.awb, o.reference as held_as, t.seq, e.line"
    };
}

/// A query with what [`select_lines`] needs, in its order.
macro_rules! bind_filter {
    ($query:expr, $user_id:expr, $filter:expr, $top:expr) => {{
        let kind = $filter.kind;
        let [one, other] = kind.map_or(["", ""], TransactionKind::ledger_kinds);
        $query
            .bind(LedgerAccount::Available($user_id.to_owned()).id())
            .bind($top)
            .bind($filter.from_ms())
            .bind($filter.until_ms())
            .bind(kind.map_or(0, TransactionKind::sign))
            .bind(one)
            .bind(other)
    }};
}

/// How many lines the user has.
pub async fn count(
    conn: &mut Conn,
    user_id: &str,
    filter: &StatementFilter,
    top: i64,
) -> Result<i64> {
    let count = sqlx::query_scalar(select_lines!("count(*)", ""));
    Ok(bind_filter!(count, user_id, filter, top)
        .fetch_one(conn)
        .await?)
}

/// A page of lines and how many there are. Each database has its own names for what makes JSON.
macro_rules! newest {
    ($array:literal, $list:literal) => {
        concat!(
            "select (",
            select_lines!("count(*)", ""),
            ") as count,
               coalesce((select cast(",
            $list,
            "(",
            $array,
            "(transaction_id, kind, reference, description, created_ms, amount_paise,
                   balance_after_paise, awb, held_as) order by seq desc, line desc) as text)
                 from (",
            select_lines!(
                whole_line!(),
                "order by t.seq desc, e.line desc limit $8 offset $9"
            ),
            ") as page), '[]') as lines"
        )
    };
}

const NEWEST: PerBackend = PerBackend {
    sqlite: newest!("json_array", "json_group_array"),
    postgres: newest!("json_build_array", "json_agg"),
};

/// A page of the user's lines, newest first: all that one statement sees.
pub async fn newest(
    conn: &mut Conn,
    user_id: &str,
    filter: &StatementFilter,
    paging: Paging,
) -> Result<Listed<StatementLine>> {
    let newest = sqlx::query(NEWEST.of(conn));
    let row = bind_filter!(newest, user_id, filter, i64::MAX)
        .bind(paging.limit())
        .bind(paging.offset())
        .fetch_one(conn)
        .await?;
    let lines: String = row.try_get("lines")?;
    let lines: Vec<Line> = serde_json::from_str(&lines).map_err(Error::internal)?;
    Ok(Listed {
        results: lines.into_iter().map(StatementLine::from).collect(),
        count: row.try_get("count")?,
    })
}

/// All of the user's lines, oldest first: as many as one statement holds.
pub async fn oldest(
    conn: &mut Conn,
    user_id: &str,
    filter: &StatementFilter,
    top: i64,
) -> Result<Vec<StatementLine>> {
    let lines = sqlx::query(select_lines!(
        whole_line!(),
        "order by t.seq, e.line limit $8"
    ));
    let rows = bind_filter!(lines, user_id, filter, top)
        .bind(limits::STATEMENT_LINES_MAX)
        .fetch_all(conn)
        .await?;
    rows.iter().map(line).collect()
}

/// What the user could spend before the period and after it.
pub async fn balances(
    conn: &mut Conn,
    user_id: &str,
    filter: &StatementFilter,
    top: i64,
) -> Result<(Paise, Paise)> {
    let row = sqlx::query(
        "select
           cast(coalesce(sum(case when t.created_ms < $3 then e.amount_paise end), 0) as bigint)
             as opening,
           cast(coalesce(sum(case when t.created_ms < $4 then e.amount_paise end), 0) as bigint)
             as closing
         from ledger_entries e join ledger_transactions t on t.transaction_id = e.transaction_id
         where e.account_id = $1 and t.seq <= $2",
    )
    .bind(LedgerAccount::Available(user_id.to_owned()).id())
    .bind(top)
    .bind(filter.from_ms())
    .bind(filter.until_ms())
    .fetch_one(conn)
    .await?;
    let opening = Paise::new(row.try_get("opening")?);
    Ok((opening, Paise::new(row.try_get("closing")?)))
}

/// A line as the database has it.
#[derive(Deserialize)]
struct Line {
    transaction_id: String,
    kind: String,
    reference: String,
    description: String,
    created_ms: i64,
    amount_paise: i64,
    balance_after_paise: i64,
    awb: Option<String>,
    held_as: Option<String>,
}

impl From<Line> for StatementLine {
    fn from(line: Line) -> StatementLine {
        // The books were told of it before its courier gave it the number that everybody knows.
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
            awb: line.awb,
        }
    }
}

fn line(row: &AnyRow) -> Result<StatementLine> {
    Ok(StatementLine::from(Line {
        transaction_id: row.try_get("transaction_id")?,
        kind: row.try_get("kind")?,
        reference: row.try_get("reference")?,
        description: row.try_get("description")?,
        created_ms: row.try_get("created_ms")?,
        amount_paise: row.try_get("amount_paise")?,
        balance_after_paise: row.try_get("balance_after_paise")?,
        awb: row.try_get("awb")?,
        held_as: row.try_get("held_as")?,
    }))
}
