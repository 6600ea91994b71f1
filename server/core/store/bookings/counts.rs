//! Numbers of a user's bookings by status and month, updated with every change of a booking.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::error::Result;
use crate::failpoints;
use crate::model::booking::Booking;
use crate::model::booking::order::history::Count;
use crate::model::booking::order::status::BookingStatus;
use crate::model::calendar::{date_in_india, month};
use crate::store::pipeline::Statement;
use crate::store::{Conn, RunStatement as _};

/// Adds to an existing count.
macro_rules! counted {
    () => {
        " on conflict (user_id, month, status) do update set
            bookings = booking_counts.bookings + excluded.bookings,
            amount_paise = booking_counts.amount_paise + excluded.amount_paise"
    };
}

pub(super) fn add_statement<'q>(user_id: &'q str, booking: &'q Booking) -> Statement<'q> {
    let month = month(date_in_india(booking.created_ms));
    let count = concat!(
        "insert into booking_counts (user_id, month, status, bookings, amount_paise)
         values ($1, $2, $3, 1, $4)",
        counted!()
    );
    sqlx::query(count)
        .bind(user_id)
        .bind(month)
        .bind(booking.status.word())
        .bind(booking.amount.get())
}

/// Counts a change of status, if it is one. The row has the owner, amount and time of the booking.
pub(super) fn change_statement<'q>(
    row: &AnyRow,
    was: BookingStatus,
    is: BookingStatus,
) -> Result<Option<Statement<'q>>> {
    let user_id: String = row.try_get("user_id")?;
    let month = month(date_in_india(row.try_get("created_ms")?));
    let amount: i64 = row.try_get("amount_paise")?;
    if was == is || failpoints::on("move-uncounted") {
        return Ok(None);
    }
    let count = concat!(
        "insert into booking_counts (user_id, month, status, bookings, amount_paise)
         values ($1, $2, $3, -1, -cast($5 as bigint)), ($1, $2, $4, 1, $5)",
        counted!()
    );
    let count = sqlx::query(count).bind(user_id).bind(month);
    Ok(Some(count.bind(was.word()).bind(is.word()).bind(amount)))
}

pub(crate) async fn all(conn: &mut Conn, user_id: &str) -> Result<Vec<Count>> {
    let select =
        "select month, status, bookings, amount_paise from booking_counts where user_id = $1";
    let count = |row: &AnyRow| {
        Ok(Count {
            month: row.try_get("month")?,
            status: super::row::status(row)?,
            bookings: row.try_get("bookings")?,
            amount_paise: row.try_get("amount_paise")?,
        })
    };
    sqlx::query(select).bind(user_id).read_all(conn, count).await
}
