//! Sealed numbers of identity documents, stored apart from the forms.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::error::Result;

/// Returns the numbers of the user's own booking; `None` if it is older than sealing.
pub(crate) async fn of(conn: &mut Conn, user_id: &str, booking_id: &str) -> Result<Option<String>> {
    let sealed = "select sealed_numbers from bookings where user_id = $1 and booking_id = $2";
    let sealed = sqlx::query_scalar(sealed).bind(user_id).bind(booking_id);
    let sealed: Option<Option<String>> = sealed.fetch_optional(conn).await?;
    Ok(sealed.flatten())
}

/// Returns bookings whose form has unsealed numbers, with the form: for a background task.
pub(crate) async fn unsealed(conn: &mut Conn, limit: i64) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query(
        "select booking_id, details from bookings where sealed_numbers is null
         order by booking_id limit $1",
    )
    .bind(limit)
    .fetch_all(conn)
    .await?;
    let unsealed = |row: &AnyRow| Ok((row.try_get("booking_id")?, row.try_get("details")?));
    rows.iter().map(unsealed).collect()
}

/// Stores the sealed numbers of such a booking and, if there were any, its form without them.
pub(crate) async fn seal_old(
    conn: &mut Conn,
    booking_id: &str,
    details: Option<&str>,
    sealed: &str,
) -> Result<()> {
    sqlx::query(
        "update bookings set details = coalesce($2, details), sealed_numbers = $3
         where booking_id = $1 and sealed_numbers is null",
    )
    .bind(booking_id)
    .bind(details)
    .bind(sealed)
    .execute(conn)
    .await?;
    Ok(())
}
