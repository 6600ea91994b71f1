//! Sealed numbers of identity documents, beside the forms that they were taken out of.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::error::Result;

/// Those of the user's own booking; `None` when it was made before they were sealed.
pub(crate) async fn of(conn: &mut Conn, user_id: &str, booking_id: &str) -> Result<Option<String>> {
    let sealed = "select sealed_numbers from bookings where user_id = $1 and booking_id = $2";
    let sealed = sqlx::query_scalar(sealed).bind(user_id).bind(booking_id);
    let sealed: Option<Option<String>> = sealed.fetch_optional(conn).await?;
    Ok(sealed.flatten())
}

/// Bookings whose form has the numbers as they were typed, with it: for the upkeep.
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

/// Keeps the numbers of such a booking and, if there were any, its form without them.
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
