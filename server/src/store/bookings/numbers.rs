//! Sealed numbers of identity documents, stored apart from the forms.

use super::Conn;
use crate::error::Result;

/// Returns the numbers of the user's own booking, empty if its form has none; `None` without such a
/// booking.
pub(crate) async fn of(conn: &mut Conn, user_id: &str, booking_id: &str) -> Result<Option<String>> {
    let sealed = "select sealed_numbers from bookings where user_id = $1 and booking_id = $2";
    let sealed = sqlx::query_scalar(sealed).bind(user_id).bind(booking_id);
    Ok(sealed.fetch_optional(conn).await?)
}
