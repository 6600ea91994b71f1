//! The daily three-way reconciliation: the gateway's report, our orders, and the books. Each
//! function belongs in the operator's transaction, with its entry in the record.

use time::{Date, Duration};

use crate::error::Result;
use crate::failpoints;
use crate::model::calendar::midnight_in_india;
use crate::model::money::paise::Paise;
use crate::model::payment::report::ReportRow;
use crate::store::Conn;
use crate::store::reconciliation::{self, Difference, OpenException};

#[derive(Clone, Debug)]
pub struct Reconciled {
    pub rows: usize,
    /// Customers' payments at the gateway on that day.
    pub paid: Paise,
    /// Credits in the books on that day.
    pub credited: Paise,
    /// All open exceptions, including other days.
    pub open: Vec<OpenException>,
}

/// Compares the gateway's report of a day in India with orders and books. A difference is stored
/// until an operator closes it, or a later report of the same day no longer shows it. A repeated
/// report replaces the earlier one of that day.
pub(crate) async fn reconcile_day(
    conn: &mut Conn,
    day: Date,
    rows: &[ReportRow],
    now_ms: i64,
) -> Result<Reconciled> {
    let (from_ms, until_ms) = (midnight_in_india(day), midnight_in_india(day + Duration::DAY));
    let day = day.to_string();
    reconciliation::keep_report(conn, &day, rows).await?;
    let totals = reconciliation::totals(conn, &day, from_ms, until_ms).await?;
    let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    reconciliation::read(conn, &day, count, totals, now_ms).await?;
    let differences = reconciliation::differences(conn, &day, from_ms, until_ms).await?;
    for difference in &differences {
        reconciliation::add(conn, &day, difference, now_ms).await?;
    }
    for exception in reconciliation::open(conn).await? {
        let same = |other: &Difference| {
            let (a, b) = (other, &exception.difference);
            a.kind == b.kind && a.merchant_order_id == b.merchant_order_id
        };
        let is_still_so = differences.iter().any(same) && !failpoints::on("still-so-closed");
        if exception.day == day && !is_still_so {
            reconciliation::end(conn, &exception.exception_id, now_ms).await?;
        }
    }
    let (paid, credited) = totals;
    Ok(Reconciled { rows: rows.len(), paid, credited, open: reconciliation::open(conn).await? })
}
