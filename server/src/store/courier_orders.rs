//! What was asked of couriers: one row a booking, moved on only from the state it is in.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::error::{Error, Result};
use crate::fault;
use crate::model::booking::courier_order::{CourierOrder, CourierOrderState};

/// Whole orders, with what chooses them.
macro_rules! select {
    ($which:literal) => {
        concat!(
            "select booking_id, user_id, courier, service, reference, idempotency_key,
               request_hash, state, looked_up, due_ms, called_ms, created_ms, courier_id, awb,
               cancel_wanted, call_off_tries
             from courier_orders ",
            $which
        )
    };
}

/// Writes down what will be asked, before it is.
pub async fn add(conn: &mut Conn, order: &CourierOrder) -> Result<()> {
    sqlx::query(
        "insert into courier_orders (booking_id, user_id, courier, service, reference,
           idempotency_key, request_hash, state, reason, looked_up, due_ms, called_ms, created_ms,
           awb, track_ms)
         values ($1, $2, $3, $4, $5, $6, $7, 'held', '', 0, $8, 0, $9, '', 0)",
    )
    .bind(&order.booking_id)
    .bind(&order.user_id)
    .bind(&order.courier)
    .bind(&order.service)
    .bind(&order.reference)
    .bind(&order.idempotency_key)
    .bind(&order.request_hash)
    .bind(order.due_ms)
    .bind(order.created_ms)
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn find(conn: &mut Conn, booking_id: &str) -> Result<Option<CourierOrder>> {
    let found = sqlx::query(select!("where booking_id = $1"))
        .bind(booking_id)
        .fetch_optional(conn)
        .await?;
    found.as_ref().map(order).transpose()
}

/// The number that its courier gave to the order of this reference.
pub async fn awb_of(conn: &mut Conn, reference: &str) -> Result<Option<String>> {
    let given = "select awb from courier_orders where reference = $1 and awb <> ''";
    let given = sqlx::query_scalar(given).bind(reference);
    Ok(given.fetch_optional(conn).await?)
}

/// Orders without an end that are due, the longest waiting first.
pub async fn due(conn: &mut Conn, now_ms: i64, limit: i64) -> Result<Vec<CourierOrder>> {
    let rows = sqlx::query(select!(
        "where state in ('held', 'calling', 'unknown') and due_ms <= $1
         order by due_ms limit $2"
    ))
    .bind(now_ms)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.iter().map(order).collect()
}

/// The one permission to ask the courier; `false` when it was given before.
pub async fn begin_call(conn: &mut Conn, id: &str, now_ms: i64, due_ms: i64) -> Result<bool> {
    let begin = fault::sql(
        "update courier_orders set state = 'calling', called_ms = $2, due_ms = $3
         where booking_id = $1 and state = 'held'",
    );
    let begun = sqlx::query(begin)
        .bind(id)
        .bind(now_ms)
        .bind(due_ms)
        .execute(conn)
        .await?;
    Ok(begun.rows_affected() == 1)
}

/// Keeps the courier's id of an order that was begun there; `false` when the order has ended
/// meanwhile, so that it must not be bought.
pub async fn keep_courier_id(conn: &mut Conn, id: &str, courier_id: &str) -> Result<bool> {
    let kept = sqlx::query(
        "update courier_orders set courier_id = $2
         where booking_id = $1 and state in ('calling', 'unknown')",
    )
    .bind(id)
    .bind(courier_id)
    .execute(conn)
    .await?;
    Ok(kept.rows_affected() == 1)
}

/// The courier was asked and its answer is not known; it is looked up when due.
pub async fn put_off(conn: &mut Conn, id: &str, reason: &str, due_ms: i64) -> Result<()> {
    sqlx::query(
        "update courier_orders set state = 'unknown', reason = $2, due_ms = $3,
           looked_up = looked_up + case when state = 'unknown' then 1 else 0 end
         where booking_id = $1 and state in ('calling', 'unknown')",
    )
    .bind(id)
    .bind(reason)
    .bind(due_ms)
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the order, and tells whether its customer wants it cancelled; `None` when it has ended
/// before, or was begun at its courier since it was read.
pub async fn end(
    conn: &mut Conn,
    order: &CourierOrder,
    state: CourierOrderState,
    reason: &str,
) -> Result<Option<bool>> {
    let ended = sqlx::query(
        "update courier_orders set state = $2, reason = $3
         where booking_id = $1 and state in ('calling', 'unknown') and courier_id = $4
         returning cancel_wanted",
    )
    .bind(&order.booking_id)
    .bind(state.word())
    .bind(reason)
    .bind(&order.courier_id)
    .fetch_optional(conn)
    .await?;
    ended.map(|row| cancel_wanted(&row)).transpose()
}

/// The number under which the courier is asked where it is, and from when on.
pub async fn set_awb(conn: &mut Conn, id: &str, awb: &str, track_ms: i64) -> Result<()> {
    sqlx::query("update courier_orders set awb = $2, track_ms = $3 where booking_id = $1")
        .bind(id)
        .bind(awb)
        .bind(track_ms)
        .execute(conn)
        .await?;
    Ok(())
}

/// Shipments whose courier is to be asked where they are, the longest waiting first.
pub async fn to_track(conn: &mut Conn, now_ms: i64, limit: i64) -> Result<Vec<CourierOrder>> {
    let rows = sqlx::query(select!(
        "where track_ms > 0 and track_ms <= $1 order by track_ms limit $2"
    ))
    .bind(now_ms)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.iter().map(order).collect()
}

/// The one permission to ask about a shipment that is due, and when it is asked about next;
/// `false` when somebody else asks, or it has come to its end.
pub async fn claim_track(conn: &mut Conn, awb: &str, now_ms: i64, next_ms: i64) -> Result<bool> {
    let claimed = sqlx::query(
        "update courier_orders set track_ms = $3
         where awb = $1 and track_ms > 0 and track_ms <= $2",
    )
    .bind(awb)
    .bind(now_ms)
    .bind(next_ms)
    .execute(conn)
    .await?;
    Ok(claimed.rows_affected() == 1)
}

/// Nobody asks about it any more.
pub async fn end_track(conn: &mut Conn, awb: &str) -> Result<()> {
    let end = "update courier_orders set track_ms = 0 where awb = $1";
    sqlx::query(end).bind(awb).execute(conn).await?;
    Ok(())
}

/// Orders that ended without a shipment and are to be looked up, the longest waiting first.
pub async fn to_call_off(conn: &mut Conn, now_ms: i64, limit: i64) -> Result<Vec<CourierOrder>> {
    let rows = sqlx::query(select!(
        "where call_off_ms > 0 and call_off_ms <= $1 order by call_off_ms limit $2"
    ))
    .bind(now_ms)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.iter().map(order).collect()
}

/// When such an order is looked up next, after so many times; 0: not any more.
pub async fn call_off_at(conn: &mut Conn, id: &str, tries: i64, at_ms: i64) -> Result<()> {
    sqlx::query(
        "update courier_orders set call_off_ms = $3, call_off_tries = $2 where booking_id = $1",
    )
    .bind(id)
    .bind(tries)
    .bind(at_ms)
    .execute(conn)
    .await?;
    Ok(())
}

/// Asks about a shipment at once, or when it was due before; `false` when it is none of this
/// courier's that is asked about.
pub async fn track_now(conn: &mut Conn, courier: &str, awb: &str, now_ms: i64) -> Result<bool> {
    let due = sqlx::query(
        "update courier_orders set track_ms = case when track_ms < $3 then track_ms else $3 end
         where courier = $1 and awb = $2 and track_ms > 0",
    )
    .bind(courier)
    .bind(awb)
    .bind(now_ms)
    .execute(conn)
    .await?;
    Ok(due.rows_affected() > 0)
}

/// Has an order that has no end yet cancelled as soon as it is booked; `false` for any other.
pub async fn want_cancel(conn: &mut Conn, id: &str) -> Result<bool> {
    let want = "update courier_orders set cancel_wanted = 1
                where booking_id = $1 and state in ('held', 'calling', 'unknown')";
    let wanted = sqlx::query(want).bind(id).execute(conn).await?;
    Ok(wanted.rows_affected() == 1)
}

/// Orders whose courier is to be told once more that they are cancelled, the longest waiting first.
pub async fn to_cancel(conn: &mut Conn, now_ms: i64, limit: i64) -> Result<Vec<CourierOrder>> {
    let rows = sqlx::query(select!(
        "where booking_id in (select booking_id from bookings where status = 'cancelling')
           and due_ms <= $1 order by due_ms limit $2"
    ))
    .bind(now_ms)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.iter().map(order).collect()
}

/// When an order that was booked is looked at again.
pub async fn due_at(conn: &mut Conn, id: &str, due_ms: i64) -> Result<()> {
    sqlx::query("update courier_orders set due_ms = $2 where booking_id = $1 and state = 'booked'")
        .bind(id)
        .bind(due_ms)
        .execute(conn)
        .await?;
    Ok(())
}

/// How many orders made before a time have no end yet.
pub async fn overdue(conn: &mut Conn, created_before_ms: i64) -> Result<i64> {
    let count = "select count(*) from courier_orders
                 where state in ('held', 'calling', 'unknown') and created_ms < $1";
    Ok(sqlx::query_scalar(count)
        .bind(created_before_ms)
        .fetch_one(conn)
        .await?)
}

fn order(row: &AnyRow) -> Result<CourierOrder> {
    let state: String = row.try_get("state")?;
    let unheard = || Error::internal(anyhow::anyhow!("a courier order is {state}"));
    Ok(CourierOrder {
        booking_id: row.try_get("booking_id")?,
        user_id: row.try_get("user_id")?,
        courier: row.try_get("courier")?,
        service: row.try_get("service")?,
        reference: row.try_get("reference")?,
        idempotency_key: row.try_get("idempotency_key")?,
        request_hash: row.try_get("request_hash")?,
        state: CourierOrderState::parse(&state).ok_or_else(unheard)?,
        looked_up: row.try_get("looked_up")?,
        due_ms: row.try_get("due_ms")?,
        called_ms: row.try_get("called_ms")?,
        created_ms: row.try_get("created_ms")?,
        courier_id: row.try_get("courier_id")?,
        awb: row.try_get("awb")?,
        call_off_tries: row.try_get("call_off_tries")?,
        cancel_wanted: cancel_wanted(row)?,
    })
}

fn cancel_wanted(row: &AnyRow) -> Result<bool> {
    Ok(row.try_get::<i64, _>("cancel_wanted")? != 0)
}
