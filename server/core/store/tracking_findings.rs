//! Reports of couriers that an operator must look at.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::limits;
use crate::model::courier::finding::{FindingKind, NewFinding, TrackingFinding};
use crate::random::row_id;

/// Adds a finding about a shipment. One that an operator had settled is open again.
pub(crate) async fn add(conn: &mut Conn, found: &NewFinding<'_>, now_ms: i64) -> Result<()> {
    let insert = "insert into tracking_findings (finding_id, kind, subject, awb, courier, detail,
                    reports, first_ms, last_ms)
                  values ($1, $2, $3, $4, $5, $6, 1, $7, $7)
                  on conflict (kind, subject) do update
                    set reports = tracking_findings.reports + 1, awb = excluded.awb,
                      detail = excluded.detail, last_ms = excluded.last_ms, settled_ms = null";
    let id = row_id(now_ms);
    sqlx::query(insert)
        .bind(&id)
        .bind(found.kind.word())
        .bind(found.subject)
        .bind(found.awb)
        .bind(found.courier)
        .bind(found.detail)
        .bind(now_ms)
        .run(conn)
        .await
}

/// Counts a report of a courier's unknown word. One that an operator has settled stays settled, and
/// above the limit of a courier no new word is added.
pub(crate) async fn count_word(conn: &mut Conn, found: &NewFinding<'_>, now_ms: i64) -> Result<()> {
    let update = "update tracking_findings set reports = reports + 1, last_ms = $3
                  where kind = $1 and subject = $2";
    let kind = FindingKind::UnknownWord.word();
    let counted = sqlx::query(update).bind(kind).bind(found.subject).bind(now_ms);
    if counted.changes_one(conn).await? {
        return Ok(());
    }
    let count = "select count(*) from tracking_findings where kind = $1 and courier = $2";
    let known: i64 =
        sqlx::query_scalar(count).bind(kind).bind(found.courier).fetch_one(&mut *conn).await?;
    match known < limits::UNKNOWN_WORDS_MAX {
        true => add(conn, found, now_ms).await,
        false => Ok(()),
    }
}

/// Returns the open findings, the oldest first.
pub(crate) async fn open(conn: &mut Conn, most: i64) -> Result<Vec<TrackingFinding>> {
    let select = "select finding_id, kind, awb, courier, detail, reports, first_ms, last_ms
                  from tracking_findings where settled_ms is null
                  order by first_ms, finding_id limit $1";
    sqlx::query(select).bind(most).read_all(conn, finding).await
}

/// True if there is such a finding about a booking, settled or not.
pub(crate) async fn is_found(conn: &mut Conn, kind: FindingKind, booking_id: &str) -> Result<bool> {
    let count = "select count(*) from tracking_findings where kind = $1 and subject = $2";
    sqlx::query(count).bind(kind.word()).bind(booking_id).counts_any(conn).await
}

/// Counts the open findings of each kind that has some.
pub async fn count_open(conn: &mut Conn) -> Result<Vec<(String, i64)>> {
    let count = "select kind, count(*) as findings from tracking_findings
                 where settled_ms is null group by kind";
    Ok(sqlx::query_as(count).fetch_all(conn).await?)
}

/// Settles an open finding and returns it; `None` without such a finding.
pub(crate) async fn settle(
    conn: &mut Conn,
    finding_id: &str,
    now_ms: i64,
) -> Result<Option<TrackingFinding>> {
    let update = "update tracking_findings set settled_ms = $2
                  where finding_id = $1 and settled_ms is null
                  returning finding_id, kind, awb, courier, detail, reports, first_ms, last_ms";
    sqlx::query(update).bind(finding_id).bind(now_ms).read_first(conn, finding).await
}

fn finding(row: &AnyRow) -> Result<TrackingFinding> {
    Ok(TrackingFinding {
        finding: row.try_get("finding_id")?,
        kind: row.try_get("kind")?,
        awb: row.try_get("awb")?,
        courier: row.try_get("courier")?,
        detail: row.try_get("detail")?,
        reports: row.try_get("reports")?,
        first_at: row.try_get("first_ms")?,
        last_at: row.try_get("last_ms")?,
    })
}
