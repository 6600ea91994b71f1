//! Tracking events of shipments, as reported.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::pipeline::Statement;
use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::model::booking::Booking;
use crate::model::booking::order::tracking::{
    Tracked, TrackingEvent, TrackingReader, tracked_view,
};
use crate::model::courier::time_told::TimeTold;

pub(crate) async fn add(conn: &mut Conn, booking_id: &str, event: &TrackingEvent) -> Result<()> {
    add_statement(booking_id, event).run(conn).await
}

pub(super) fn add_statement<'q>(booking_id: &'q str, event: &'q TrackingEvent) -> Statement<'q> {
    sqlx::query(
        "insert into tracking_events (booking_id, seq, status, courier_code, location, remarks,
           comments, happened_ms, told, sort_ms)
         values ($1,
           (select coalesce(max(seq), 0) + 1 from tracking_events where booking_id = $1),
           $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(booking_id)
    .bind(&event.status)
    .bind(&event.courier_code)
    .bind(&event.location)
    .bind(&event.remarks)
    .bind(&event.comments)
    .bind(event.happened_ms)
    .bind(event.told.word())
    .bind(event.sort_ms)
}

/// Removes an event that is over the limit.
pub(crate) async fn drop_one(
    conn: &mut Conn,
    booking_id: &str,
    event: &TrackingEvent,
) -> Result<()> {
    sqlx::query(
        "delete from tracking_events
         where booking_id = $1 and happened_ms = $2 and status = $3 and location = $4
           and remarks = $5",
    )
    .bind(booking_id)
    .bind(event.happened_ms)
    .bind(&event.status)
    .bind(&event.location)
    .bind(&event.remarks)
    .run(conn)
    .await
}

/// Returns the shipment of a booking as its sender sees it; `None` while there is none.
pub(crate) async fn find_view(
    conn: &mut Conn,
    booking: &Booking,
    tat_days: Option<i64>,
) -> Result<Option<Tracked>> {
    if booking.status.shipment().is_none() {
        return Ok(None);
    }
    let events = all(conn, &booking.booking_id).await?;
    Ok(Some(tracked_view(booking, tat_days, events, TrackingReader::Sender)))
}

/// Returns the tracking events of a booking's shipment, newest first.
pub(crate) async fn all(conn: &mut Conn, booking_id: &str) -> Result<Vec<TrackingEvent>> {
    let select = "select status, courier_code, location, remarks, comments, happened_ms, told,
                    sort_ms
                  from tracking_events where booking_id = $1
                  order by sort_ms desc, seq desc limit 200";
    let event = |row: &AnyRow| {
        Ok(TrackingEvent {
            status: row.try_get("status")?,
            courier_code: row.try_get("courier_code")?,
            location: row.try_get("location")?,
            remarks: row.try_get("remarks")?,
            comments: row.try_get("comments")?,
            happened_ms: row.try_get("happened_ms")?,
            told: TimeTold::parse(&row.try_get::<String, _>("told")?).unwrap_or(TimeTold::Day),
            sort_ms: row.try_get("sort_ms")?,
        })
    };
    sqlx::query(select).bind(booking_id).read_all(conn, event).await
}
