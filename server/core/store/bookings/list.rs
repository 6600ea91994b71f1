//! A page of a user's bookings with the counts over all of them, in one statement.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::error::{Error, Result};
use crate::model::booking::form::details::BookingDetails;
use crate::model::booking::order::history::{HistoryStart, ListPage, ListedBooking};
use crate::store::{Conn, PerBackend};

/// The columns `counts`, `bookings` and `lost_pickups` of the user `$1`: `$2` bookings made before
/// `$4`, after skipping `$3`, at the time `$5`. The two databases name the JSON functions
/// differently; everything else is the same. [`read`] sorts the counts and bookings: sorting in
/// SQLite takes as long as finding them.
macro_rules! history_columns {
    ($array:literal, $list:literal) => {
        concat!(
            "coalesce((select cast(",
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
                   created_ms, case when destination_city = '' then details else '' end)) as text)
                 from (select * from bookings
                   where user_id = $1 and status <> 'failed' and created_ms < $4
                   order by created_ms desc, booking_id limit $2 offset $3) as page), '[]')
                 as bookings,
               (select count(*) from pickup_parcels p
                  join pickups k on k.pickup_id = p.pickup_id
                  where p.user_id = $1 and p.state = 'waiting'
                    and (k.state = 'refused' or k.late_ms <= $5)) as lost_pickups"
        )
    };
}
pub(in crate::store) use history_columns;

const HISTORY: PerBackend = PerBackend {
    sqlite: concat!("select ", history_columns!("json_array", "json_group_array")),
    postgres: concat!("select ", history_columns!("json_build_array", "json_agg")),
};

/// Returns a page of the user's bookings made before an instant (UTC milliseconds), newest first,
/// and all of the user's counts. Bookings that no courier accepted are left out.
pub(crate) async fn history(
    conn: &mut Conn,
    user_id: &str,
    rows: i64,
    HistoryStart { until_ms, skipped }: HistoryStart,
    now_ms: i64,
) -> Result<ListPage> {
    let row = sqlx::query(HISTORY.of(conn))
        .bind(user_id)
        .bind(rows)
        .bind(skipped)
        .bind(until_ms)
        .bind(now_ms)
        .fetch_one(conn)
        .await?;
    read(&row)
}

/// Reads the page from a row that has these columns.
pub(in crate::store) fn read(row: &AnyRow) -> Result<ListPage> {
    let mut bookings: Vec<ListedBooking> =
        serde_json::from_str(row.try_get("bookings")?).map_err(Error::internal)?;
    bookings.sort_unstable_by(|one, other| {
        let newest_first = other.created_ms.cmp(&one.created_ms);
        newest_first.then_with(|| one.booking_id.cmp(&other.booking_id))
    });
    for booking in &mut bookings {
        if booking.destination_city.is_empty() {
            // A booking abroad from the time when only its form stored the city.
            booking.destination_city = BookingDetails::from_stored(&booking.details).consignee.city;
        }
    }
    Ok(ListPage {
        bookings,
        counts: serde_json::from_str(row.try_get("counts")?).map_err(Error::internal)?,
        lost_pickups: row.try_get("lost_pickups")?,
    })
}
