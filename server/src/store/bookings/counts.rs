//! How many of a user's bookings stand where, month by month: kept as bookings change.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::error::Result;
use crate::fault;
use crate::model::booking::Booking;
use crate::model::booking::history::Count;
use crate::model::booking::status::BookingStatus;
use crate::model::calendar::{date_in_india, month};
use crate::store::Conn;

/// Counts a new booking.
pub(super) async fn add(conn: &mut Conn, user_id: &str, booking: &Booking) -> Result<()> {
    let month = month(date_in_india(booking.created_ms));
    let amount = booking.amount.get();
    count(conn, user_id, &month, booking.status, 1, amount).await
}

/// A booking, of which this row has the owner, the amount and the time, went from one status to
/// another.
pub(super) async fn moved(
    conn: &mut Conn,
    row: &AnyRow,
    was: BookingStatus,
    is: BookingStatus,
) -> Result<()> {
    let user_id: String = row.try_get("user_id")?;
    let month = month(date_in_india(row.try_get("created_ms")?));
    let amount: i64 = row.try_get("amount_paise")?;
    if was == is || fault::on("move-uncounted") {
        return Ok(());
    }
    count(conn, &user_id, &month, was, -1, -amount).await?;
    count(conn, &user_id, &month, is, 1, amount).await
}

async fn count(
    conn: &mut Conn,
    user_id: &str,
    month: &str,
    status: BookingStatus,
    bookings: i64,
    amount_paise: i64,
) -> Result<()> {
    sqlx::query(
        "insert into booking_counts (user_id, month, status, bookings, amount_paise)
         values ($1, $2, $3, $4, $5)
         on conflict (user_id, month, status) do update set
           bookings = booking_counts.bookings + excluded.bookings,
           amount_paise = booking_counts.amount_paise + excluded.amount_paise",
    )
    .bind(user_id)
    .bind(month)
    .bind(status.word())
    .bind(bookings)
    .bind(amount_paise)
    .execute(conn)
    .await?;
    Ok(())
}

/// All counts of the user.
pub async fn all(conn: &mut Conn, user_id: &str) -> Result<Vec<Count>> {
    let rows = sqlx::query(
        "select month, status, bookings, amount_paise from booking_counts where user_id = $1",
    )
    .bind(user_id)
    .fetch_all(conn)
    .await?;
    let count = |row: &AnyRow| {
        Ok(Count {
            month: row.try_get("month")?,
            status: super::status(row)?,
            bookings: row.try_get("bookings")?,
            amount_paise: row.try_get("amount_paise")?,
        })
    };
    rows.iter().map(count).collect()
}
