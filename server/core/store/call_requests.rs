//! Call requests of consignees, one per booking.

use super::{Conn, RunStatement as _};
use crate::error::Result;

/// Records that the consignee wants to be called. Returns the sender; `None` if an earlier request
/// is still open.
pub(crate) async fn ask(conn: &mut Conn, booking_id: &str, now_ms: i64) -> Result<Option<String>> {
    let ask = "insert into call_requests (booking_id, user_id, asked_ms)
         select booking_id, user_id, $2 from bookings where booking_id = $1
         on conflict (booking_id) do update set asked_ms = excluded.asked_ms, called_ms = null
         where call_requests.called_ms is not null returning user_id";
    Ok(sqlx::query_scalar(ask).bind(booking_id).bind(now_ms).fetch_optional(conn).await?)
}

pub(crate) async fn is_open(conn: &mut Conn, booking_id: &str) -> Result<bool> {
    let count = "select count(*) from call_requests where booking_id = $1 and called_ms is null";
    sqlx::query(count).bind(booking_id).counts_any(conn).await
}

/// Returns the AWBs of open requests with their time, the longest waiting first.
pub(crate) async fn open(conn: &mut Conn, most: i64) -> Result<Vec<(String, i64)>> {
    let select = "select b.awb, c.asked_ms from call_requests c
                  join bookings b on b.booking_id = c.booking_id
                  where c.called_ms is null order by c.asked_ms, c.booking_id limit $1";
    Ok(sqlx::query_as(select).bind(most).fetch_all(conn).await?)
}

/// Records that the consignee was called. `false` if there was no open request.
pub(crate) async fn close(conn: &mut Conn, booking_id: &str, now_ms: i64) -> Result<bool> {
    let update = "update call_requests set called_ms = $2
                  where booking_id = $1 and called_ms is null";
    sqlx::query(update).bind(booking_id).bind(now_ms).changes_one(conn).await
}
