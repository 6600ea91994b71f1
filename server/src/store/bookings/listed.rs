//! A page of a user's bookings with the counts over all of them, in one statement.

use sqlx::Row;

use crate::error::{Error, Result};
use crate::model::booking::details::BookingDetails;
use crate::model::booking::history::{Beginning, Count, ListedBooking};
use crate::store::{Conn, PerBackend};

/// Each database has its own names for what makes JSON; all else is the same.
macro_rules! history {
    ($array:literal, $list:literal) => {
        concat!(
            "select
               coalesce((select cast(",
            $list,
            "(",
            $array,
            "(month, status, bookings, amount_paise)) as text)
                 from booking_counts where user_id = $1), '[]') as counts,
               coalesce((select cast(",
            $list,
            "(",
            $array,
            "(booking_id, awb, status, consignee_name, origin_pincode, origin_city,
                   destination_pincode, destination_city, weight_grams, amount_paise, product_name,
                   created_ms, case when destination_city = '' then details else '' end)
                   order by created_ms desc, booking_id) as text)
                 from (select * from bookings
                   where user_id = $1 and status <> 'failed' and created_ms < $4
                   order by created_ms desc, booking_id limit $2 offset $3) as page), '[]')
                 as bookings"
        )
    };
}

const HISTORY: PerBackend = PerBackend {
    sqlite: history!("json_array", "json_group_array"),
    postgres: history!("json_build_array", "json_agg"),
};

/// So many of the user's bookings of before an instant (UTC milliseconds), newest first and after
/// so many others, and all of the user's counts. Bookings that no courier took are none.
pub async fn history(
    conn: &mut Conn,
    user_id: &str,
    rows: i64,
    Beginning { until_ms, skipped }: Beginning,
) -> Result<(Vec<ListedBooking>, Vec<Count>)> {
    let row = sqlx::query(HISTORY.of(conn))
        .bind(user_id)
        .bind(rows)
        .bind(skipped)
        .bind(until_ms)
        .fetch_one(conn)
        .await?;
    let (bookings, counts): (String, String) = (row.try_get("bookings")?, row.try_get("counts")?);
    let mut bookings: Vec<ListedBooking> =
        serde_json::from_str(&bookings).map_err(Error::internal)?;
    for booking in &mut bookings {
        if booking.destination_city.is_empty() {
            // One that went abroad when only its form kept the city.
            booking.destination_city = BookingDetails::from_stored(&booking.details).consignee.city;
        }
    }
    Ok((
        bookings,
        serde_json::from_str(&counts).map_err(Error::internal)?,
    ))
}
