//! The words that bookings are found by.

use std::collections::BTreeSet;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::columns;
use crate::error::{Error, Result};
use crate::model::booking::Booking;
use crate::model::booking::terms::{terms_of, terms_of_number};
use crate::store::{Conn, PerBackend};

/// Those of the number that its courier gave a booking, of which this row has owner and time, if it
/// has the others.
pub(super) async fn add_number(
    conn: &mut Conn,
    row: &AnyRow,
    booking_id: &str,
    awb: &str,
) -> Result<()> {
    let (user_id, at_ms): (String, i64) = (row.try_get("user_id")?, row.try_get("created_ms")?);
    if row.try_get::<i64, _>("has_terms")? == 0 {
        return Ok(());
    }
    insert(conn, &user_id, booking_id, at_ms, &terms_of_number(awb)).await
}

/// Each database has its own way to read a list.
const ADD_ALL: PerBackend = PerBackend {
    sqlite: "insert into booking_terms (user_id, term, created_ms, booking_id)
             select $1, value, $3, $4 from json_each($2) where true on conflict do nothing",
    postgres: "insert into booking_terms (user_id, term, created_ms, booking_id)
               select $1, value, $3, $4 from json_array_elements_text(cast($2 as json))
               on conflict do nothing",
};

async fn insert(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
    created_ms: i64,
    terms: &BTreeSet<String>,
) -> Result<()> {
    let terms = serde_json::to_string(terms).map_err(Error::internal)?;
    sqlx::query(ADD_ALL.of(conn))
        .bind(user_id)
        .bind(terms)
        .bind(created_ms)
        .bind(booking_id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Ids of bookings without words.
pub async fn missing(conn: &mut Conn, limit: i64) -> Result<Vec<String>> {
    let missing = "select booking_id from bookings where has_terms = 0
                   order by user_id, created_ms, booking_id limit $1";
    Ok(sqlx::query_scalar(missing)
        .bind(limit)
        .fetch_all(conn)
        .await?)
}

/// Adds the words of such a booking, as it stands now.
pub async fn add(conn: &mut Conn, booking_id: &str) -> Result<()> {
    let claim = concat!(
        "update bookings set has_terms = 1 where booking_id = $1 and has_terms = 0
         returning user_id, ",
        columns!()
    );
    let claimed = sqlx::query(claim).bind(booking_id);
    let Some(row) = claimed.fetch_optional(&mut *conn).await? else {
        return Ok(());
    };
    let (user_id, booking): (String, Booking) = (row.try_get("user_id")?, super::booking(&row)?);
    let (id, at_ms) = (&booking.booking_id, booking.created_ms);
    insert(conn, &user_id, id, at_ms, &terms_of(&booking)).await
}
