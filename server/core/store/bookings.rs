//! Bookings of couriers.

pub mod counts;
pub mod list;
mod row;
pub mod search;
pub mod search_words;

use std::collections::HashMap;

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use self::row::{booking, columns, select_bookings, status};
use super::pipeline::{Statement, run_pipeline};
use super::{
    Conn, RunStatement as _, courier_orders, notices, placeholders, quotes, tasks, tracking_events,
    users,
};
use crate::error::{Error, Result};
use crate::model::account::user::User;
use crate::model::booking::Booking;
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::order::tracking::first_event;
use crate::model::money::paise::Paise;
use crate::model::notice::BookingEvent;
use crate::model::rates::quote::StoredQuote;
use crate::model::task::TaskKind;
use crate::{failpoints, trace_context};

/// The facts that decide about a booking, read when it is made: cached copies may be outdated.
#[derive(Clone, Debug)]
pub struct Readiness {
    pub customer: User,
    /// The time at which an operator froze the account, if it is frozen.
    pub frozen_ms: Option<i64>,
    pub is_on_sale: bool,
    /// The customer is notified when the wallet falls below this.
    pub low_balance_limit: Paise,
}

/// Reads for each user and product if they may book, in the given order.
pub(crate) async fn readiness(conn: &mut Conn, pairs: &[(&str, i64)]) -> Result<Vec<Readiness>> {
    let ready = failpoints::sql(users::select_users!(
        "",
        "u.frozen_ms, u.low_balance_paise, (select count(*) from products
           where product_id = it.column2 and active <> 0) as on_sale"
    ));
    let rows = placeholders(pairs.len(), &["text", "bigint"]);
    let from_clause = format!("(values {rows}) as it join users u on u.user_id = it.column1");
    // Built from constants, never from input.
    let mut ready = sqlx::query(AssertSqlSafe(format!("{ready}{from_clause}")));
    for (user_id, product_id) in pairs {
        ready = ready.bind(*user_id).bind(product_id);
    }
    let mut by_user = HashMap::new();
    for row in ready.fetch_all(conn).await? {
        let customer = users::user(&row)?;
        let ready = Readiness {
            frozen_ms: row.try_get("frozen_ms")?,
            is_on_sale: row.try_get::<i64, _>("on_sale")? > 0,
            low_balance_limit: Paise::new(row.try_get("low_balance_paise")?),
            customer,
        };
        by_user.insert(ready.customer.user_id.clone(), ready);
    }
    let lost = || Error::internal(anyhow::anyhow!("a customer is gone"));
    let in_order = pairs.iter().map(|(user_id, _)| by_user.remove(*user_id));
    in_order.map(|ready| ready.ok_or_else(lost)).collect()
}

#[derive(Clone, Copy, Debug)]
pub struct NewBooking<'b> {
    pub user_id: &'b str,
    pub quote: &'b StoredQuote,
    pub booking: &'b Booking,
    /// Sealed numbers of identity documents, which were removed from its form.
    pub sealed_numbers: &'b str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    Done,
    /// A quote was booked before: the whole transaction must be rolled back.
    QuoteUsed,
    AwbTaken,
}

/// Adds quotes and the bookings under them. Waits while a transaction of another booking under one
/// of these quotes is open.
pub(crate) async fn add_quoted(conn: &mut Conn, all: &[NewBooking<'_>]) -> Result<Added> {
    let quotes = all.iter().map(|it| quotes::add_statement(it.user_id, it.quote));
    let both = quotes.chain(all.iter().map(add_statement)).collect();
    let counts = run_pipeline(conn, both).await?;
    let are_all = |count: &u64| usize::try_from(*count) == Ok(all.len());
    Ok(match counts[..] {
        [quotes, _] if !are_all(&quotes) => Added::QuoteUsed,
        [_, bookings] if !are_all(&bookings) => Added::AwbTaken,
        _ => Added::Done,
    })
}

/// Adds a booking under a stored quote. `false` if its AWB is already in use.
pub(crate) async fn add(conn: &mut Conn, fresh: &NewBooking<'_>) -> Result<bool> {
    add_statement(fresh).changes_one(conn).await
}

fn add_statement<'q>(fresh: &NewBooking<'q>) -> Statement<'q> {
    let NewBooking { user_id, booking, .. } = *fresh;
    sqlx::query(
        "insert into bookings (booking_id, user_id, awb, status, quote_id, product_id,
           product_name, courier_code, consignee_name, origin_pincode, origin_city,
           destination_pincode, destination_city, weight_grams, amount_paise, details, created_ms,
           sealed_numbers)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
         on conflict do nothing",
    )
    .bind(&booking.booking_id)
    .bind(user_id)
    .bind(&booking.awb)
    .bind(booking.status.word())
    .bind(&booking.quote_id)
    .bind(booking.product_id)
    .bind(&booking.product_name)
    .bind(&booking.courier_code)
    .bind(&booking.consignee_name)
    .bind(&booking.origin_pincode)
    .bind(&booking.origin_city)
    .bind(&booking.destination_pincode)
    .bind(&booking.destination_city)
    .bind(booking.weight.0)
    .bind(booking.amount.get())
    .bind(booking.form.as_json())
    .bind(booking.created_ms)
    .bind(fresh.sealed_numbers)
}

/// Adds the other rows of bookings with our own courier, which takes them at once: their counts,
/// the note that they have no search words yet, their orders, first events and notices. The text
/// is the `traceparent` of a booking's request.
pub(crate) async fn add_booked(
    conn: &mut Conn,
    booked: &[(&Booking, &CourierOrder, Vec<BookingEvent>, String)],
) -> Result<()> {
    let events: Vec<_> = booked.iter().map(|(it, ..)| first_event(it)).collect();
    let mut all = Vec::new();
    for ((booking, order, news, traceparent), event) in booked.iter().zip(&events) {
        let (id, now_ms) = (&booking.booking_id, booking.created_ms);
        all.extend([
            counts::add_statement(&order.user_id, booking),
            search_words::mark_unindexed_statement(&order.user_id, booking),
            courier_orders::add_statement(order),
            tracking_events::add_statement(id, event),
            tasks::add_statement(TaskKind::Notices, id, now_ms, now_ms, traceparent.clone()),
        ]);
        all.extend(news.iter().map(|news| notices::add_statement(id, *news, now_ms)));
    }
    conn.note_due(TaskKind::Notices);
    run_pipeline(conn, all).await?;
    Ok(())
}

/// Adds the other rows of a booking whose courier must be called: its count, the note that it has
/// no search words yet, the order for the courier, and a task that this node leases.
pub(crate) async fn add_asked(
    conn: &mut Conn,
    booking: &Booking,
    order: &CourierOrder,
    node: &str,
) -> Result<()> {
    let (id, now_ms) = (&booking.booking_id, booking.created_ms);
    let all = vec![
        counts::add_statement(&order.user_id, booking),
        search_words::mark_unindexed_statement(&order.user_id, booking),
        courier_orders::add_statement(order),
        tasks::add_leased_statement(TaskKind::CourierOrder, id, node, now_ms),
    ];
    run_pipeline(conn, all).await?;
    Ok(())
}

/// Returns the booking that used this quote of the user.
pub(crate) async fn of_quote(
    conn: &mut Conn,
    user_id: &str,
    quote_id: &str,
) -> Result<Option<Booking>> {
    let select = select_bookings!("where user_id = $1 and quote_id = $2");
    sqlx::query(select).bind(user_id).bind(quote_id).read_first(conn, booking).await
}

/// Returns the booking that used this draft of the user, unless its courier refused it.
pub(crate) async fn of_draft(
    conn: &mut Conn,
    user_id: &str,
    draft_id: &str,
) -> Result<Option<Booking>> {
    let select = select_bookings!(
        "where user_id = $1 and status <> 'failed' and booking_id =
           (select booking_id from booked_drafts where user_id = $1 and draft_id = $2)"
    );
    sqlx::query(select).bind(user_id).bind(draft_id).read_first(conn, booking).await
}

/// True if the quote was booked and the courier refused it.
pub(crate) async fn was_turned_down(
    conn: &mut Conn,
    user_id: &str,
    quote_id: &str,
) -> Result<bool> {
    let count = "select count(*) from bookings
                 where user_id = $1 and quote_id = $2 and status = 'failed'";
    sqlx::query(count).bind(user_id).bind(quote_id).counts_any(conn).await
}

pub async fn owner(conn: &mut Conn, booking_id: &str) -> Result<Option<String>> {
    let owner = sqlx::query_scalar("select user_id from bookings where booking_id = $1");
    Ok(owner.bind(booking_id).fetch_optional(conn).await?)
}

/// Returns the booking with this id, AWB or courier reference, of any user.
pub(crate) async fn find_id(conn: &mut Conn, name: &str) -> Result<Option<String>> {
    let find = "select booking_id from bookings where booking_id = $1 or awb = $1
                union select booking_id from courier_orders where reference = $1";
    Ok(sqlx::query_scalar(find).bind(name).fetch_optional(conn).await?)
}

/// Searches all bookings for operators, newest first, with owner ids. Empty fields match all.
pub(crate) async fn search(
    conn: &mut Conn,
    user_id: &str,
    status: &str,
    limit: i64,
) -> Result<Vec<(String, Booking)>> {
    let search = concat!(
        "select user_id, ",
        columns!(),
        " from bookings where ($1 = '' or user_id = $1) and ($2 = '' or status = $2)
         order by created_ms desc, booking_id limit $3"
    );
    let owned = |row: &AnyRow| Ok((row.try_get("user_id")?, booking(row)?));
    sqlx::query(search).bind(user_id).bind(status).bind(limit).read_all(conn, owned).await
}

/// Sets the courier's own AWB and the status "booked" of a pending booking. Adds its first event
/// and these notices, and replaces the task of its order by this one.
///
/// # Errors
/// `Internal` if the booking was not pending.
pub(crate) async fn set_booked(
    conn: &mut Conn,
    booking: &Booking,
    news: &[BookingEvent],
    next_task: Option<(TaskKind, i64)>,
    now_ms: i64,
) -> Result<()> {
    let Booking { booking_id: id, awb, .. } = booking;
    let booked = "update bookings set awb = $2, status = $3
                  where booking_id = $1 and status = 'pending'
                  returning user_id, amount_paise, created_ms";
    let row = sqlx::query(booked)
        .bind(id)
        .bind(awb)
        .bind(BookingStatus::BOOKED.word())
        .fetch_optional(&mut *conn)
        .await?;
    let row = row.ok_or_else(|| Error::internal(anyhow::anyhow!("a booking is not pending")))?;
    let (event, trace) = (first_event(booking), trace_context::current());
    let add_task = |kind, due_ms| tasks::add_statement(kind, id, due_ms, now_ms, trace.clone());
    let mut all = vec![
        search_words::add_number_statement(conn, &row, id, awb)?,
        tracking_events::add_statement(id, &event),
        tasks::remove_statement(TaskKind::CourierOrder, id),
        add_task(TaskKind::Notices, now_ms),
    ];
    all.extend(next_task.map(|(kind, due_ms)| add_task(kind, due_ms)));
    all.extend(counts::change_statement(&row, BookingStatus::Pending, BookingStatus::BOOKED)?);
    all.extend(news.iter().map(|news| notices::add_statement(id, *news, now_ms)));
    conn.note_due(TaskKind::Notices);
    run_pipeline(conn, all).await?;
    Ok(())
}

/// Begins to cancel a booking with the status "booked". `false` for any other.
pub(crate) async fn begin_cancel(conn: &mut Conn, user_id: &str, booking_id: &str) -> Result<bool> {
    let from = Some(&[BookingStatus::BOOKED][..]);
    change(conn, user_id, booking_id, from, BookingStatus::Cancelling).await
}

/// Returns and locks the user's booking that is being cancelled.
pub(crate) async fn being_cancelled(
    conn: &mut Conn,
    user: &str,
    id: &str,
) -> Result<Option<Booking>> {
    let claim = concat!(
        "update bookings set status = status
         where user_id = $1 and booking_id = $2 and status = 'cancelling' returning ",
        columns!()
    );
    sqlx::query(claim).bind(user).bind(id).read_first(conn, booking).await
}

/// Sets a booking that was being cancelled back to "booked", because its courier does not cancel
/// it. `false` for any other.
pub(crate) async fn stop_cancel(conn: &mut Conn, booking_id: &str) -> Result<bool> {
    let from = Some(&[BookingStatus::Cancelling][..]);
    change(conn, "", booking_id, from, BookingStatus::BOOKED).await
}

/// Cancels a booking that is not in transit. `false` for any other.
pub(crate) async fn cancel(conn: &mut Conn, user_id: &str, booking_id: &str) -> Result<bool> {
    let still = [BookingStatus::BOOKED, BookingStatus::Cancelling];
    let from = Some(&still[..]).filter(|_| !failpoints::on("cancelled-twice"));
    change(conn, user_id, booking_id, from, BookingStatus::CANCELLED).await
}

pub async fn set_status(conn: &mut Conn, booking_id: &str, status: BookingStatus) -> Result<()> {
    change(conn, "", booking_id, None, status).await?;
    Ok(())
}

/// Changes the status of a booking, of this user if one is named, from one of these statuses if
/// they are named. `false` if there is no such booking or it has another status.
async fn change(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
    from: Option<&[BookingStatus]>,
    to: BookingStatus,
) -> Result<bool> {
    // Locked first, because its old status is counted down.
    let claim = "update bookings set status = status
                 where booking_id = $1 and ($2 = '' or user_id = $2)
                 returning user_id, status, amount_paise, created_ms";
    let claimed = sqlx::query(claim).bind(booking_id).bind(user_id);
    let Some(row) = claimed.fetch_optional(&mut *conn).await? else {
        return Ok(false);
    };
    let was = status(&row)?;
    match from {
        Some(from) if !from.contains(&was) => return Ok(false),
        // No money is moved for it either: the transaction ends here.
        None if was == BookingStatus::Unknown => return Err(Error::newer()),
        _ => {}
    }
    let update = "update bookings set status = $2 where booking_id = $1";
    sqlx::query(update).bind(booking_id).bind(to.word()).run(conn).await?;
    if let Some(count) = counts::change_statement(&row, was, to)? {
        count.run(conn).await?;
    }
    Ok(true)
}

/// Returns the user's own booking, by id or AWB.
pub async fn find(conn: &mut Conn, user_id: &str, id_or_awb: &str) -> Result<Option<Booking>> {
    let select = select_bookings!("where user_id = $1 and (booking_id = $2 or awb = $2)");
    sqlx::query(select).bind(user_id).bind(id_or_awb).read_first(conn, booking).await
}

/// Returns the sealed numbers of identity documents of the user's own booking, empty if its form
/// has none; `None` without such a booking.
pub(crate) async fn sealed_numbers(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
) -> Result<Option<String>> {
    let sealed = "select sealed_numbers from bookings where user_id = $1 and booking_id = $2";
    Ok(sqlx::query_scalar(sealed).bind(user_id).bind(booking_id).fetch_optional(conn).await?)
}

pub(crate) async fn last(conn: &mut Conn, user_id: &str) -> Result<Option<Booking>> {
    let last = select_bookings!(
        "where user_id = $1 and status <> 'failed'
         order by created_ms desc, booking_id limit 1"
    );
    sqlx::query(last).bind(user_id).read_first(conn, booking).await
}

/// Returns the status of the shipment with this AWB, of any user; `None` while no courier has it.
pub(crate) async fn status_of(conn: &mut Conn, awb: &str) -> Result<Option<BookingStatus>> {
    let find = "select status from bookings
                where awb = $1 and status not in ('pending', 'failed')";
    sqlx::query(find).bind(awb).read_first(conn, status).await
}

/// Returns the shipment with this AWB and its owner's id. Locks the row until the transaction ends.
pub(crate) async fn claim(conn: &mut Conn, awb: &str) -> Result<Option<(String, Booking)>> {
    let claim = concat!(
        "update bookings set status = status
         where awb = $1 and status not in ('pending', 'failed') returning user_id, ",
        columns!()
    );
    let owned = |row: &AnyRow| Ok((row.try_get("user_id")?, booking(row)?));
    sqlx::query(claim).bind(awb).read_first(conn, owned).await
}

/// Returns the shipment with this AWB, of any user, and its courier's estimate from pickup to
/// delivery in days.
pub(crate) async fn shipment(conn: &mut Conn, awb: &str) -> Result<Option<(Booking, Option<i64>)>> {
    let find = concat!(
        "select (select tat_days from quotes q where q.quote_id = bookings.quote_id) as tat_days, ",
        columns!(),
        " from bookings where awb = $1 and status not in ('pending', 'failed')"
    );
    let shipment = |row: &AnyRow| Ok((booking(row)?, row.try_get("tat_days")?));
    sqlx::query(find).bind(awb).read_first(conn, shipment).await
}
