//! Orders at couriers: one row per booking. Each change names the state that it changes.

use std::collections::HashSet;

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::pipeline::Statement;
use super::run::read_word;
use super::{Conn, RunStatement as _, placeholders};
use crate::error::Result;
use crate::failpoints;
use crate::model::booking::order::courier_order::{CourierOrder, CourierOrderState, StuckOrder};
use crate::model::courier::order::RefusedPart;

/// Selects whole orders, with the given conditions.
macro_rules! select {
    ($which:literal) => {
        concat!(
            "select booking_id, user_id, courier, service, reference, idempotency_key,
               request_hash, state, looked_up, called_ms, created_ms, courier_id, awb,
               cancel_wanted, abandoned_ms
             from courier_orders ",
            $which
        )
    };
}

/// Stores an order before the courier is called.
pub(super) fn add_statement(order: &CourierOrder) -> Statement<'_> {
    sqlx::query(
        "insert into courier_orders (booking_id, user_id, courier, service, reference,
           idempotency_key, request_hash, state, reason, looked_up, called_ms, created_ms, awb)
         values ($1, $2, $3, $4, $5, $6, $7, $9, '', 0, 0, $8, $10)",
    )
    .bind(&order.booking_id)
    .bind(&order.user_id)
    .bind(&order.courier)
    .bind(&order.service)
    .bind(&order.reference)
    .bind(&order.idempotency_key)
    .bind(&order.request_hash)
    .bind(order.created_ms)
    .bind(order.state.word())
    .bind(&order.awb)
}

pub(crate) async fn find(conn: &mut Conn, booking_id: &str) -> Result<Option<CourierOrder>> {
    sqlx::query(select!("where booking_id = $1")).bind(booking_id).read_first(conn, order).await
}

/// Returns the user's booking under this key that its courier rejected, and the refused part.
pub(crate) async fn rejection(
    conn: &mut Conn,
    user_id: &str,
    idempotency_key: &str,
) -> Result<Option<(String, RefusedPart)>> {
    let find = "select o.booking_id, o.refused
                from bookings b join courier_orders o on o.booking_id = b.booking_id
                where b.user_id = $1 and b.status = 'failed' and o.idempotency_key = $2
                order by b.created_ms desc limit 1";
    sqlx::query(find).bind(user_id).bind(idempotency_key).read_first(conn, refused_part).await
}

fn refused_part(row: &AnyRow) -> Result<(String, RefusedPart)> {
    let part = RefusedPart::parse(&row.try_get::<String, _>("refused")?);
    Ok((row.try_get("booking_id")?, part.unwrap_or(RefusedPart::All)))
}

/// Returns those of these references that orders here have.
pub(crate) async fn known(conn: &mut Conn, references: &[&str]) -> Result<HashSet<String>> {
    let rows = placeholders(references.len(), &["text"]);
    // Built from constants, never from input.
    let select = format!(
        "select reference from (values {rows}) as it
           join courier_orders on reference = it.column1"
    );
    let mut select = sqlx::query_scalar(AssertSqlSafe(select));
    for reference in references {
        select = select.bind(*reference);
    }
    let found: Vec<String> = select.fetch_all(conn).await?;
    Ok(found.into_iter().collect())
}

/// Returns the courier's AWB of the order with this reference.
pub(crate) async fn awb_of(conn: &mut Conn, reference: &str) -> Result<Option<String>> {
    let find = "select awb from courier_orders where reference = $1 and awb <> ''";
    let find = sqlx::query_scalar(find).bind(reference);
    Ok(find.fetch_optional(conn).await?)
}

/// Takes the single permission to call the courier. `false` if it was taken before.
pub(crate) async fn begin_call(conn: &mut Conn, id: &str, now_ms: i64) -> Result<bool> {
    let begin = failpoints::sql(
        "update courier_orders set state = 'calling', called_ms = $2
         where booking_id = $1 and state = 'held'",
    );
    sqlx::query(begin).bind(id).bind(now_ms).changes_one(conn).await
}

/// Takes all permissions that were not taken, after a loss of data: their couriers may have been
/// called, so the orders are looked up and never sent.
pub(crate) async fn suppose_called(conn: &mut Conn, now_ms: i64) -> Result<()> {
    let called = "update courier_orders set state = 'calling', called_ms = $1
                  where state = 'held'";
    sqlx::query(called).bind(now_ms).run(conn).await
}

/// Stores the courier's id of a begun order. `false` if the order has ended meanwhile, so that it
/// must not be bought.
pub(crate) async fn keep_courier_id(conn: &mut Conn, id: &str, courier_id: &str) -> Result<bool> {
    let update = "update courier_orders set courier_id = $2
                  where booking_id = $1 and state in ('calling', 'unknown')";
    sqlx::query(update).bind(id).bind(courier_id).changes_one(conn).await
}

/// Marks the outcome as unknown, after the order or a look-up. `false` if the order has ended.
pub(crate) async fn put_off(
    conn: &mut Conn,
    id: &str,
    reason: &str,
    looked_up: bool,
) -> Result<bool> {
    let update =
        "update courier_orders set state = 'unknown', reason = $2, looked_up = looked_up + $3
         where booking_id = $1 and state in ('calling', 'unknown')";
    sqlx::query(update).bind(id).bind(reason).bind(i64::from(looked_up)).changes_one(conn).await
}

/// The facts about an order that has just ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndedOrder {
    /// Its customer wants it cancelled.
    pub cancel_wanted: bool,
    /// Another booking has its AWB.
    pub is_awb_taken: bool,
}

/// Ends the order with its courier's AWB, if it has one. `None` if it ended before, or was begun at
/// its courier since it was read.
pub(crate) async fn end(
    conn: &mut Conn,
    order: &CourierOrder,
    state: CourierOrderState,
    awb: &str,
    (refused, reason): (RefusedPart, &str),
) -> Result<Option<EndedOrder>> {
    sqlx::query(
        "update courier_orders set state = $2, reason = $3, awb = $5, refused = $6
         where booking_id = $1 and state in ('calling', 'unknown') and courier_id = $4
         returning cancel_wanted,
           (select count(*) from bookings where awb = $5 and booking_id <> $1) as others",
    )
    .bind(&order.booking_id)
    .bind(state.word())
    .bind(reason)
    .bind(&order.courier_id)
    .bind(awb)
    .bind(refused.word())
    .read_first(conn, ended_order)
    .await
}

fn ended_order(row: &AnyRow) -> Result<EndedOrder> {
    let is_awb_taken = row.try_get::<i64, _>("others")? > 0;
    Ok(EndedOrder { cancel_wanted: cancel_wanted(row)?, is_awb_taken })
}

/// Ends an order for which its courier was never called. `false` for any other.
pub(crate) async fn give_up(conn: &mut Conn, id: &str, reason: &str) -> Result<bool> {
    let end = "update courier_orders set state = 'rejected', reason = $2
               where booking_id = $1 and state = 'held'";
    sqlx::query(end).bind(id).bind(reason).changes_one(conn).await
}

/// Sets the time from which the courier must have nothing left of an order.
pub(crate) async fn set_abandoned(conn: &mut Conn, id: &str, abandoned_ms: i64) -> Result<()> {
    let update = "update courier_orders set abandoned_ms = $2 where booking_id = $1";
    sqlx::query(update).bind(id).bind(abandoned_ms).run(conn).await
}

/// Returns the booking to which a courier gave this AWB. Never used for our own courier.
pub(crate) async fn booking_of(
    conn: &mut Conn,
    courier: &str,
    awb: &str,
) -> Result<Option<String>> {
    let booked = "select booking_id from courier_orders
                  where courier = $1 and awb = $2 and courier <> 'house'";
    let booked = sqlx::query_scalar(booked).bind(courier).bind(awb);
    Ok(booked.fetch_optional(conn).await?)
}

/// Marks an open order to be cancelled as soon as it is booked. `false` for any other.
pub(crate) async fn want_cancel(conn: &mut Conn, id: &str) -> Result<bool> {
    let want = "update courier_orders set cancel_wanted = 1
                where booking_id = $1 and state in ('held', 'calling', 'unknown')";
    sqlx::query(want).bind(id).changes_one(conn).await
}

pub(crate) async fn count_overdue(conn: &mut Conn, created_before_ms: i64) -> Result<i64> {
    let count = "select count(*) from courier_orders
                 where state in ('held', 'calling', 'unknown') and created_ms < $1";
    Ok(sqlx::query_scalar(count).bind(created_before_ms).fetch_one(conn).await?)
}

/// Selects orders for operators, with the given conditions.
macro_rules! select_shown {
    ($which:literal) => {
        concat!(
            "select o.booking_id, o.courier, o.service, o.reference, o.state, b.status, o.reason,
               o.looked_up, o.called_ms, o.created_ms, o.awb, o.cancel_wanted,
               coalesce(t.kind, '') as task, coalesce(t.last_error, '') as last_error,
               coalesce(t.quarantined_ms, 0) as quarantined_ms
             from courier_orders o
             join bookings b on b.booking_id = o.booking_id
             left join tasks t on t.subject = o.booking_id
               and t.kind in ('courier_order', 'cancellation', 'call_off') ",
            $which
        )
    };
}

/// Returns open orders made before a time, and orders left to an operator; the longest waiting
/// first.
pub(crate) async fn list_stuck(
    conn: &mut Conn,
    before_ms: i64,
    limit: i64,
) -> Result<Vec<StuckOrder>> {
    let select = select_shown!(
        "where t.quarantined_ms > 0
           or (o.state in ('held', 'calling', 'unknown') and o.created_ms < $1)
         order by o.created_ms limit $2"
    );
    sqlx::query(select).bind(before_ms).bind(limit).read_all(conn, stuck_order).await
}

/// Returns one order, by its booking, its reference or its AWB.
pub(crate) async fn find_by_any_id(conn: &mut Conn, id: &str) -> Result<Option<StuckOrder>> {
    let select = select_shown!("where o.booking_id = $1 or o.reference = $1 or b.awb = $1");
    sqlx::query(select).bind(id).read_first(conn, stuck_order).await
}

/// Counts for each courier the bookings whose state must still be requested.
pub(crate) async fn unfinished(conn: &mut Conn) -> Result<Vec<(String, i64)>> {
    let count = "select o.courier, count(*) from courier_orders o
                 join tasks t on t.subject = o.booking_id
                   and t.kind in ('courier_order', 'cancellation', 'call_off', 'tracking')
                 group by o.courier order by o.courier";
    Ok(sqlx::query_as(count).fetch_all(conn).await?)
}

fn stuck_order(row: &AnyRow) -> Result<StuckOrder> {
    Ok(StuckOrder {
        booking_id: row.try_get("booking_id")?,
        courier: row.try_get("courier")?,
        service: row.try_get("service")?,
        reference: row.try_get("reference")?,
        state: row.try_get("state")?,
        status: row.try_get("status")?,
        reason: row.try_get("reason")?,
        looked_up: row.try_get("looked_up")?,
        called_ms: row.try_get("called_ms")?,
        created_ms: row.try_get("created_ms")?,
        awb: row.try_get("awb")?,
        cancel_wanted: cancel_wanted(row)?,
        task: row.try_get("task")?,
        last_error: row.try_get("last_error")?,
        quarantined_ms: row.try_get("quarantined_ms")?,
    })
}

fn order(row: &AnyRow) -> Result<CourierOrder> {
    Ok(CourierOrder {
        booking_id: row.try_get("booking_id")?,
        user_id: row.try_get("user_id")?,
        courier: row.try_get("courier")?,
        service: row.try_get("service")?,
        reference: row.try_get("reference")?,
        idempotency_key: row.try_get("idempotency_key")?,
        request_hash: row.try_get("request_hash")?,
        state: read_word(row, "state", CourierOrderState::parse, "a courier order is")?,
        looked_up: row.try_get("looked_up")?,
        called_ms: row.try_get("called_ms")?,
        created_ms: row.try_get("created_ms")?,
        courier_id: row.try_get("courier_id")?,
        awb: row.try_get("awb")?,
        abandoned_ms: row.try_get("abandoned_ms")?,
        cancel_wanted: cancel_wanted(row)?,
    })
}

fn cancel_wanted(row: &AnyRow) -> Result<bool> {
    Ok(row.try_get::<i64, _>("cancel_wanted")? != 0)
}
