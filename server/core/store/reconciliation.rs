//! Comparison of the gateway's daily report with orders and books.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::model::money::paise::Paise;
use crate::model::operator::ITSELF;
use crate::model::payment::report::ReportRow;
use crate::random::random_id;

/// A difference between gateway, orders and books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `paid_not_credited`, `credited_not_paid`, `amount_differs`, `unknown_here`, `unknown_there`
    /// or `chargeback_unbooked`.
    pub kind: String,
    pub merchant_order_id: String,
    /// The amount paid at the gateway, if it was paid.
    pub gateway: Option<Paise>,
    /// The amount of the order, if there is one.
    pub order: Option<Paise>,
    /// The amount credited, if it was credited.
    pub ledger: Option<Paise>,
}

/// A difference that waits for an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenException {
    pub exception_id: String,
    pub day: String,
    pub difference: Difference,
    pub found_ms: i64,
}

const REPORTS_MISSING: &str = "gateway reports missing";

/// Keeps the number of days without a report. One server counts them, and all servers show it.
pub async fn keep_reports_missing(conn: &mut Conn, days: i64) -> Result<()> {
    let keep = "insert into counters (counter, value) values ($1, $2)
                on conflict (counter) do update set value = excluded.value";
    sqlx::query(keep).bind(REPORTS_MISSING).bind(days).run(conn).await
}

/// Returns the number of days without a report, as it was counted last.
pub async fn reports_missing(conn: &mut Conn) -> Result<i64> {
    let select = "select value from counters where counter = $1";
    let days = sqlx::query_scalar(select).bind(REPORTS_MISSING).fetch_optional(conn).await?;
    Ok(days.unwrap_or(0))
}

/// Replaces the stored report of a day.
pub(crate) async fn keep_report(conn: &mut Conn, day: &str, rows: &[ReportRow]) -> Result<()> {
    sqlx::query("delete from gateway_report_rows where day = $1").bind(day).run(conn).await?;
    for row in rows {
        sqlx::query(
            "insert into gateway_report_rows (transaction_id, kind, day, merchant_order_id,
               amount_paise, paid)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (transaction_id, kind) do update set day = excluded.day,
               merchant_order_id = excluded.merchant_order_id,
               amount_paise = excluded.amount_paise, paid = excluded.paid",
        )
        .bind(&row.transaction_id)
        .bind(row.kind.word())
        .bind(day)
        .bind(&row.merchant_order_id)
        .bind(row.amount.get())
        .bind(i64::from(row.paid))
        .run(conn)
        .await?;
    }
    Ok(())
}

/// Returns the differences of a day between report, orders and books. A payment is searched in the
/// reports of all days: one at midnight is credited the day after.
pub(crate) async fn differences(
    conn: &mut Conn,
    day: &str,
    from_ms: i64,
    until_ms: i64,
) -> Result<Vec<Difference>> {
    let payments = "
        select case when order_paise is null then 'unknown_here'
            when sent_back = 1 then ''
            when gateway_paise <> order_paise
                or gateway_paise <> coalesce(ledger_paise, order_paise)
              then 'amount_differs'
            when ledger_paise is null then 'paid_not_credited' else '' end as kind,
          merchant_order_id, gateway_paise, order_paise, ledger_paise
        from (select r.merchant_order_id, cast(sum(r.amount_paise) as bigint) as gateway_paise,
            (select o.amount_paise from payment_orders o
              where o.merchant_order_id = r.merchant_order_id) as order_paise,
            (select o.sent_back from payment_orders o
              where o.merchant_order_id = r.merchant_order_id) as sent_back,
            (select e.amount_paise from ledger_transactions t
              join ledger_entries e on e.transaction_id = t.transaction_id and e.amount_paise > 0
              where t.idempotency_key = 'recharge:' || r.merchant_order_id) as ledger_paise
          from gateway_report_rows r
          where r.kind = 'payment' and r.paid = 1
          group by r.merchant_order_id
          having max(case when r.day = $1 then 1 else 0 end) = 1) as seen
        order by merchant_order_id";
    let mut differences = sqlx::query(payments).bind(day).read_all(conn, difference).await?;
    differences.retain(|difference| !difference.kind.is_empty());
    let credited = "
        select case when exists (select 1 from gateway_report_rows r
              where r.merchant_order_id = t.reference and r.kind = 'payment')
            then 'credited_not_paid' else 'unknown_there' end as kind,
          t.reference as merchant_order_id, cast(null as bigint) as gateway_paise,
          (select o.amount_paise from payment_orders o
            where o.merchant_order_id = t.reference) as order_paise,
          e.amount_paise as ledger_paise
        from ledger_transactions t
        join ledger_entries e on e.transaction_id = t.transaction_id and e.amount_paise > 0
        where t.kind = 'recharge' and t.created_ms >= $1 and t.created_ms < $2
          and not exists (select 1 from gateway_report_rows r
            where r.merchant_order_id = t.reference and r.kind = 'payment' and r.paid = 1)
        order by t.reference";
    let credited = sqlx::query(credited).bind(from_ms).bind(until_ms);
    differences.extend(credited.read_all(conn, difference).await?);
    let taken_back = "
        select 'chargeback_unbooked' as kind, r.merchant_order_id, r.amount_paise as gateway_paise,
          (select o.amount_paise from payment_orders o
            where o.merchant_order_id = r.merchant_order_id) as order_paise,
          cast(null as bigint) as ledger_paise
        from gateway_report_rows r
        where r.day = $1 and r.kind = 'chargeback' and not exists (select 1 from movements m
          where m.kind = 'chargeback' and m.reference = r.merchant_order_id)
        order by r.merchant_order_id";
    let taken_back = sqlx::query(taken_back).bind(day);
    differences.extend(taken_back.read_all(conn, difference).await?);
    Ok(differences)
}

/// Returns the amounts that customers paid at the gateway on a day and that the books credited.
pub(crate) async fn totals(
    conn: &mut Conn,
    day: &str,
    from_ms: i64,
    until_ms: i64,
) -> Result<(Paise, Paise)> {
    let paid = "select cast(coalesce(sum(amount_paise), 0) as bigint) from gateway_report_rows
                where day = $1 and kind = 'payment' and paid = 1";
    let paid: i64 = sqlx::query_scalar(paid).bind(day).fetch_one(&mut *conn).await?;
    let credited = "select cast(coalesce(sum(e.amount_paise), 0) as bigint)
                    from ledger_transactions t
                    join ledger_entries e on e.transaction_id = t.transaction_id
                      and e.amount_paise > 0
                    where t.kind = 'recharge' and t.created_ms >= $1 and t.created_ms < $2";
    let credited: i64 =
        sqlx::query_scalar(credited).bind(from_ms).bind(until_ms).fetch_one(conn).await?;
    Ok((Paise::new(paid), Paise::new(credited)))
}

/// Records that a day's report was read.
pub(crate) async fn read(
    conn: &mut Conn,
    day: &str,
    rows: i64,
    (paid, credited): (Paise, Paise),
    now_ms: i64,
) -> Result<()> {
    sqlx::query(
        "insert into reconciliations (day, report_rows, paid_paise, credited_paise, read_ms)
         values ($1, $2, $3, $4, $5)
         on conflict (day) do update set report_rows = excluded.report_rows,
           paid_paise = excluded.paid_paise, credited_paise = excluded.credited_paise,
           read_ms = excluded.read_ms",
    )
    .bind(day)
    .bind(rows)
    .bind(paid.get())
    .bind(credited.get())
    .bind(now_ms)
    .run(conn)
    .await
}

pub(crate) async fn was_read(conn: &mut Conn, day: &str) -> Result<bool> {
    let count = "select count(*) from reconciliations where day = $1";
    sqlx::query(count).bind(day).counts_any(conn).await
}

/// Stores a difference, as it is now, until an operator closes it. One that an operator closed
/// stays closed; one that had disappeared for a while is reopened.
pub(crate) async fn add(
    conn: &mut Conn,
    day: &str,
    difference: &Difference,
    now_ms: i64,
) -> Result<()> {
    sqlx::query(
        "insert into reconciliation_exceptions (exception_id, day, kind, merchant_order_id,
           gateway_paise, order_paise, ledger_paise, found_ms, closed_by, note)
         values ($1, $2, $3, $4, $5, $6, $7, $8, '', '')
         on conflict (kind, merchant_order_id) do update set day = excluded.day,
           gateway_paise = excluded.gateway_paise, order_paise = excluded.order_paise,
           ledger_paise = excluded.ledger_paise, closed_ms = null, closed_by = '', note = ''
           where reconciliation_exceptions.closed_by in ('', $9)",
    )
    .bind(random_id())
    .bind(day)
    .bind(&difference.kind)
    .bind(&difference.merchant_order_id)
    .bind(difference.gateway.map(Paise::get))
    .bind(difference.order.map(Paise::get))
    .bind(difference.ledger.map(Paise::get))
    .bind(now_ms)
    .bind(ITSELF)
    .run(conn)
    .await
}

/// Returns all open exceptions, the oldest first.
pub(crate) async fn open(conn: &mut Conn) -> Result<Vec<OpenException>> {
    let open = "select exception_id, day, kind, merchant_order_id, gateway_paise, order_paise,
                  ledger_paise, found_ms
                from reconciliation_exceptions where closed_ms is null
                order by day, merchant_order_id, kind";
    let exception = |row: &AnyRow| {
        Ok(OpenException {
            exception_id: row.try_get("exception_id")?,
            day: row.try_get("day")?,
            difference: difference(row)?,
            found_ms: row.try_get("found_ms")?,
        })
    };
    sqlx::query(open).read_all(conn, exception).await
}

pub async fn count_open(conn: &mut Conn) -> Result<i64> {
    let count = "select count(*) from reconciliation_exceptions where closed_ms is null";
    Ok(sqlx::query_scalar(count).fetch_one(conn).await?)
}

/// Closes an exception. `false` if it is not open.
pub(crate) async fn close(
    conn: &mut Conn,
    id: &str,
    by: &str,
    note: &str,
    now_ms: i64,
) -> Result<bool> {
    let update = "update reconciliation_exceptions set closed_ms = $2, closed_by = $3, note = $4
                  where exception_id = $1 and closed_ms is null";
    sqlx::query(update).bind(id).bind(now_ms).bind(by).bind(note).changes_one(conn).await
}

/// Closes an exception whose difference has disappeared.
pub(crate) async fn end(conn: &mut Conn, id: &str, now_ms: i64) -> Result<bool> {
    close(conn, id, ITSELF, "It is so no more.", now_ms).await
}

fn difference(row: &AnyRow) -> Result<Difference> {
    let paise = |column: &str| -> Result<Option<Paise>> {
        let paise: Option<i64> = row.try_get(column)?;
        Ok(paise.map(Paise::new))
    };
    Ok(Difference {
        kind: row.try_get("kind")?,
        merchant_order_id: row.try_get("merchant_order_id")?,
        gateway: paise("gateway_paise")?,
        order: paise("order_paise")?,
        ledger: paise("ledger_paise")?,
    })
}
