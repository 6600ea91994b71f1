//! Couriers booked, their tracking events, and answers already given.

pub mod counts;
pub mod found;
pub mod listed;
pub mod numbers;
pub mod terms;

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::together::{Statement, together};
use super::{Conn, invoices};
use crate::error::{Error, Result};
use crate::model::booking::Booking;
use crate::model::booking::confirmation::{BookedShipment, Confirmation, KnownConfirmation};
use crate::model::booking::invoice::{DocumentFiling, Invoice};
use crate::model::booking::status::BookingStatus;
use crate::model::money::paise::Paise;
use crate::model::rates::price::Grams;
use crate::{fault, limits};

macro_rules! columns {
    () => {
        "booking_id, awb, status, quote_id, product_id, product_name, courier_code,
         consignee_name, origin_pincode, origin_city, destination_pincode, destination_city,
         weight_grams, amount_paise, details, created_ms"
    };
}
use columns;

/// Whole bookings, with what chooses and orders them.
macro_rules! select_bookings {
    ($which:literal) => {
        concat!(
            "select ",
            $crate::store::bookings::columns!(),
            " from bookings ",
            $which
        )
    };
}
use select_bookings;

fn booking(row: &AnyRow) -> Result<Booking> {
    let mut booking = Booking {
        booking_id: row.try_get("booking_id")?,
        awb: row.try_get("awb")?,
        status: status(row)?,
        quote_id: row.try_get("quote_id")?,
        product_id: row.try_get("product_id")?,
        product_name: row.try_get("product_name")?,
        courier_code: row.try_get("courier_code")?,
        consignee_name: row.try_get("consignee_name")?,
        origin_pincode: row.try_get("origin_pincode")?,
        origin_city: row.try_get("origin_city")?,
        destination_pincode: row.try_get("destination_pincode")?,
        destination_city: row.try_get("destination_city")?,
        weight: Grams(row.try_get("weight_grams")?),
        amount: Paise::new(row.try_get("amount_paise")?),
        form: row.try_get::<String, _>("details")?.into(),
        created_ms: row.try_get("created_ms")?,
    };
    if booking.destination_city.is_empty() {
        // One that went abroad when only its form kept the city.
        booking.destination_city = booking.form.read().consignee.city.clone();
    }
    Ok(booking)
}

/// The booking's status in a row that has it.
pub fn status(row: &AnyRow) -> Result<BookingStatus> {
    let word: String = row.try_get("status")?;
    let unknown = || Error::internal(anyhow::anyhow!("a booking is {word}"));
    BookingStatus::parse(&word).ok_or_else(unknown)
}

/// Adds a booking, and beside its form the sealed numbers of documents that were taken out of it;
/// `false` when its AWB is used already.
pub async fn add(
    conn: &mut Conn,
    user_id: &str,
    booking: &Booking,
    sealed_numbers: &str,
) -> Result<bool> {
    let added = sqlx::query(
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
    .bind(sealed_numbers)
    .execute(&mut *conn)
    .await?;
    let is_added = added.rows_affected() == 1;
    if is_added {
        counts::add(conn, user_id, booking).await?;
    }
    Ok(is_added)
}

/// The booking that a quote of the user's was used for.
pub async fn of_quote(conn: &mut Conn, user_id: &str, quote_id: &str) -> Result<Option<Booking>> {
    let found = sqlx::query(select_bookings!("where user_id = $1 and quote_id = $2"))
        .bind(user_id)
        .bind(quote_id)
        .fetch_optional(conn)
        .await?;
    found.as_ref().map(booking).transpose()
}

/// Whether the quote was booked and its courier did not take it.
pub async fn was_turned_down(conn: &mut Conn, user_id: &str, quote_id: &str) -> Result<bool> {
    let count = "select count(*) from bookings
                 where user_id = $1 and quote_id = $2 and status = 'failed'";
    let failed: i64 = sqlx::query_scalar(count)
        .bind(user_id)
        .bind(quote_id)
        .fetch_one(conn)
        .await?;
    Ok(failed > 0)
}

/// Whether another booking has this AWB.
pub async fn is_awb_of_other(conn: &mut Conn, booking_id: &str, awb: &str) -> Result<bool> {
    let count = "select count(*) from bookings where awb = $2 and booking_id <> $1";
    let count = sqlx::query_scalar(count).bind(booking_id).bind(awb);
    let others: i64 = count.fetch_one(conn).await?;
    Ok(others > 0)
}

/// Whose booking it is.
pub async fn owner(conn: &mut Conn, booking_id: &str) -> Result<Option<String>> {
    let owner = sqlx::query_scalar("select user_id from bookings where booking_id = $1");
    Ok(owner.bind(booking_id).fetch_optional(conn).await?)
}

/// The booking of this id, AWB, or reference that its courier was told, whoever's it is.
pub async fn named(conn: &mut Conn, name: &str) -> Result<Option<String>> {
    let named = "select booking_id from bookings where booking_id = $1 or awb = $1
                 union select booking_id from courier_orders where reference = $1";
    Ok(sqlx::query_scalar(named)
        .bind(name)
        .fetch_optional(conn)
        .await?)
}

/// Bookings for operators, newest first, each with its owner's id; what is empty does not choose.
pub async fn search(
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
    let rows = sqlx::query(search)
        .bind(user_id)
        .bind(status)
        .bind(limit)
        .fetch_all(conn)
        .await?;
    let owned = |row: &AnyRow| Ok((row.try_get("user_id")?, booking(row)?));
    rows.iter().map(owned).collect()
}

/// The courier's own number, from now on the booking's: it is booked.
///
/// # Errors
/// `Internal` when it was not waiting for that.
pub async fn set_booked(conn: &mut Conn, booking_id: &str, awb: &str) -> Result<()> {
    let booked = "update bookings set awb = $2, status = $3
                  where booking_id = $1 and status = 'pending'
                  returning user_id, amount_paise, created_ms, has_terms";
    let row = sqlx::query(booked)
        .bind(booking_id)
        .bind(awb)
        .bind(BookingStatus::BOOKED.word())
        .fetch_optional(&mut *conn)
        .await?;
    let row = row.ok_or_else(|| Error::internal(anyhow::anyhow!("a booking is not pending")))?;
    terms::add_number(conn, &row, booking_id, awb).await?;
    counts::moved(conn, &row, BookingStatus::Pending, BookingStatus::BOOKED).await
}

/// Begins to cancel a booking that is booked; `false` for any other.
pub async fn begin_cancel(conn: &mut Conn, user_id: &str, booking_id: &str) -> Result<bool> {
    let from = Some(&[BookingStatus::BOOKED][..]);
    change(conn, user_id, booking_id, from, BookingStatus::Cancelling).await
}

/// The user's booking that is being cancelled, for this transaction alone.
pub async fn being_cancelled(conn: &mut Conn, user: &str, id: &str) -> Result<Option<Booking>> {
    let claim = concat!(
        "update bookings set status = status
         where user_id = $1 and booking_id = $2 and status = 'cancelling' returning ",
        columns!()
    );
    let claimed = sqlx::query(claim).bind(user).bind(id);
    let claimed = claimed.fetch_optional(conn).await?;
    claimed.as_ref().map(booking).transpose()
}

/// Its courier does not let go of it: a booking that was being cancelled is booked again; `false`
/// for any other.
pub async fn stop_cancel(conn: &mut Conn, booking_id: &str) -> Result<bool> {
    let from = Some(&[BookingStatus::Cancelling][..]);
    change(conn, "", booking_id, from, BookingStatus::BOOKED).await
}

/// Cancels a booking that is not under way; `false` for any other.
pub async fn cancel(conn: &mut Conn, user_id: &str, booking_id: &str) -> Result<bool> {
    let still = [BookingStatus::BOOKED, BookingStatus::Cancelling];
    let from = Some(&still[..]).filter(|_| !fault::on("cancelled-twice"));
    change(conn, user_id, booking_id, from, BookingStatus::CANCELLED).await
}

pub async fn set_status(conn: &mut Conn, booking_id: &str, status: BookingStatus) -> Result<()> {
    change(conn, "", booking_id, None, status).await?;
    Ok(())
}

/// Moves a booking on, of this user if one is named, from one of these statuses if they are named.
/// `false` when it is not there or stands elsewhere.
async fn change(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
    from: Option<&[BookingStatus]>,
    to: BookingStatus,
) -> Result<bool> {
    // Claimed first: where it stood is counted down.
    let claim = "update bookings set status = status
                 where booking_id = $1 and ($2 = '' or user_id = $2)
                 returning user_id, status, amount_paise, created_ms";
    let claimed = sqlx::query(claim).bind(booking_id).bind(user_id);
    let Some(row) = claimed.fetch_optional(&mut *conn).await? else {
        return Ok(false);
    };
    let was = status(&row)?;
    if from.is_some_and(|from| !from.contains(&was)) {
        return Ok(false);
    }
    sqlx::query("update bookings set status = $2 where booking_id = $1")
        .bind(booking_id)
        .bind(to.word())
        .execute(&mut *conn)
        .await?;
    counts::moved(conn, &row, was, to).await?;
    Ok(true)
}

/// The user's own booking, by its id or its AWB.
pub async fn find(conn: &mut Conn, user_id: &str, id_or_awb: &str) -> Result<Option<Booking>> {
    let found = sqlx::query(select_bookings!(
        "where user_id = $1 and (booking_id = $2 or awb = $2)"
    ))
    .bind(user_id)
    .bind(id_or_awb)
    .fetch_optional(conn)
    .await?;
    found.as_ref().map(booking).transpose()
}

/// The user's last booking.
pub async fn last(conn: &mut Conn, user_id: &str) -> Result<Option<Booking>> {
    let last = select_bookings!(
        "where user_id = $1 and status <> 'failed'
         order by created_ms desc, booking_id limit 1"
    );
    let found = sqlx::query(last).bind(user_id).fetch_optional(conn).await?;
    found.as_ref().map(booking).transpose()
}

/// The status of the shipment with this AWB, whoever's it is; `None` while no courier has it.
pub async fn status_of(conn: &mut Conn, awb: &str) -> Result<Option<BookingStatus>> {
    let found = "select status from bookings
                  where awb = $1 and status not in ('pending', 'failed')";
    let row = sqlx::query(found).bind(awb).fetch_optional(conn).await?;
    row.as_ref().map(status).transpose()
}

/// The shipment with this AWB and its owner's id, for this transaction alone: whoever else is
/// about to change it waits.
pub async fn claim(conn: &mut Conn, awb: &str) -> Result<Option<(String, Booking)>> {
    let claim = concat!(
        "update bookings set status = status
         where awb = $1 and status not in ('pending', 'failed') returning user_id, ",
        columns!()
    );
    let claimed = sqlx::query(claim).bind(awb).fetch_optional(conn).await?;
    let owned = |row: AnyRow| Ok((row.try_get("user_id")?, booking(&row)?));
    claimed.map(owned).transpose()
}

/// The shipment with this AWB, whoever's it is, and its courier's estimate from pickup to delivery
/// in days.
pub async fn shipment(conn: &mut Conn, awb: &str) -> Result<Option<(Booking, Option<i64>)>> {
    let find = concat!(
        "select (select tat_days from quotes q where q.quote_id = bookings.quote_id) as tat_days, ",
        columns!(),
        " from bookings where awb = $1 and status not in ('pending', 'failed')"
    );
    let found = sqlx::query(find).bind(awb).fetch_optional(conn).await?;
    let shipment = |row: AnyRow| Ok((booking(&row)?, row.try_get("tat_days")?));
    found.map(shipment).transpose()
}

/// What is known under a confirmation's key, if it was claimed.
pub async fn confirmation(
    conn: &mut Conn,
    user_id: &str,
    key: &str,
) -> Result<Option<KnownConfirmation>> {
    let found = sqlx::query(
        "select request_hash, status, answer, created_ms from idempotency_keys
         where user_id = $1 and idempotency_key = $2",
    )
    .bind(user_id)
    .bind(key)
    .fetch_optional(conn)
    .await?;
    let known = |row: AnyRow| -> Result<KnownConfirmation> {
        let answer: String = row.try_get("answer")?;
        let outcome = match row.try_get("status")? {
            OPEN => None,
            BOOKED => Some(Confirmation::Booked(booked_shipment(&answer)?)),
            _ => Some(Confirmation::Refused),
        };
        Ok(KnownConfirmation {
            claimed_ms: row.try_get("created_ms")?,
            request_hash: row.try_get("request_hash")?,
            outcome,
        })
    };
    found.map(known).transpose()
}

/// How a claimed key stands, in its column `status`.
const OPEN: i64 = 0;
const BOOKED: i64 = 200;
const REFUSED: i64 = 409;

/// A booked shipment as its row keeps it: inside a list, as the API answers it.
#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    data: [BookedShipment; 1],
}

fn booked_shipment(answer: &str) -> Result<BookedShipment> {
    let KeptAnswer { data: [shipment] } = serde_json::from_str(answer).map_err(Error::internal)?;
    Ok(shipment)
}

/// Claims a key for a request; `false` when somebody claimed it before. While that somebody's
/// transaction is open this waits for its end.
pub async fn claim_key(
    conn: &mut Conn,
    user_id: &str,
    key: &str,
    request_hash: &str,
    now_ms: i64,
) -> Result<bool> {
    let claimed = sqlx::query(
        "insert into idempotency_keys (user_id, idempotency_key, request_hash, status, answer,
           created_ms)
         values ($1, $2, $3, 0, '', $4) on conflict do nothing",
    )
    .bind(user_id)
    .bind(key)
    .bind(request_hash)
    .bind(now_ms)
    .execute(conn)
    .await?;
    Ok(claimed.rows_affected() == 1)
}

/// The same for a body that stands for a key: until its outcome is known, and for a while once
/// it is booked. While somebody's transaction with it is open this waits for its end.
pub async fn claim_body(
    conn: &mut Conn,
    user_id: &str,
    key: &str,
    request_hash: &str,
    now_ms: i64,
) -> Result<bool> {
    let claim = fault::sql(
        "insert into idempotency_keys as k (user_id, idempotency_key, request_hash, status, answer,
           created_ms)
         values ($1, $2, $3, 0, '', $4)
         on conflict (user_id, idempotency_key) do update
           set status = 0, answer = '', created_ms = $4
           where k.status = 409 or (k.status = 200 and k.created_ms <= $5)",
    );
    let claimed = sqlx::query(claim)
        .bind(user_id)
        .bind(key)
        .bind(request_hash)
        .bind(now_ms)
        .bind(now_ms - limits::BODY_KEY_MS)
        .execute(conn)
        .await?;
    Ok(claimed.rows_affected() == 1)
}

/// Forgets keys whose outcome is known. No booking can be made again without them: its quote is
/// used up.
pub async fn sweep_keys(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    let gone = sqlx::query("delete from idempotency_keys where created_ms < $1 and status <> $2")
        .bind(before_ms)
        .bind(OPEN)
        .execute(conn)
        .await?;
    Ok(gone.rows_affected())
}

/// Keeps what became of a confirmation under its claimed key.
pub async fn keep_confirmation(
    conn: &mut Conn,
    user_id: &str,
    key: &str,
    outcome: &Confirmation,
) -> Result<()> {
    keeping(user_id, key, outcome)?.execute(conn).await?;
    Ok(())
}

/// Keeps the invoice of a booking, and that its confirmation came to it.
pub async fn keep_booked(
    conn: &mut Conn,
    invoice: &(DocumentFiling, Invoice),
    key: &str,
    outcome: &Confirmation,
) -> Result<()> {
    let (filed, document) = invoice;
    let both = vec![
        invoices::adding(filed, document)?,
        keeping(&filed.user_id, key, outcome)?,
    ];
    together(conn, both).await?;
    Ok(())
}

fn keeping<'q>(user_id: &'q str, key: &'q str, outcome: &Confirmation) -> Result<Statement<'q>> {
    let (status, answer) = match outcome {
        Confirmation::Booked(shipment) => {
            let data = [shipment.clone()];
            let answer = serde_json::to_string(&KeptAnswer { data }).map_err(Error::internal)?;
            (BOOKED, answer)
        }
        Confirmation::Refused => (REFUSED, String::new()),
    };
    let keep = "update idempotency_keys set status = $3, answer = $4
                where user_id = $1 and idempotency_key = $2";
    Ok(sqlx::query(keep)
        .bind(user_id)
        .bind(key)
        .bind(status)
        .bind(answer))
}
