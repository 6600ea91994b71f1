//! The words that bookings are found by.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::columns;
use crate::error::{Error, Result};
use crate::model::booking::Booking;
use crate::model::booking::status::BookingStatus;
use crate::model::booking::terms::{terms_of, terms_of_number};
use crate::store::{Conn, PerBackend};

/// The words of a booking as it stood.
#[derive(Clone, Debug)]
pub struct BookingTerms {
    user_id: String,
    booking_id: String,
    created_ms: i64,
    awb: String,
    status: BookingStatus,
    terms: BTreeSet<String>,
}

impl BookingTerms {
    pub fn of(user_id: String, booking: Booking) -> BookingTerms {
        BookingTerms {
            user_id,
            terms: terms_of(&booking),
            booking_id: booking.booking_id,
            created_ms: booking.created_ms,
            awb: booking.awb,
            status: booking.status,
        }
    }
}

/// Bookings without words and their owners.
pub async fn missing(conn: &mut Conn, limit: i64) -> Result<Vec<(String, Booking)>> {
    let missing = concat!(
        "select user_id, ",
        columns!(),
        " from bookings where has_terms = 0 order by user_id, created_ms, booking_id limit $1"
    );
    let rows = sqlx::query(missing).bind(limit).fetch_all(conn).await?;
    let owned = |row: &AnyRow| Ok((row.try_get("user_id")?, super::booking(row)?));
    rows.iter().map(owned).collect()
}

/// Marks bookings that have no words yet and still stand as they did. Rows are held in the order of
/// their ids, so that two servers do not wait for each other.
const MARK: PerBackend = PerBackend {
    sqlite: "with it as (select value ->> 0 as id, value ->> 1 as awb, value ->> 2 as status
               from json_each($1))
             update bookings set has_terms = 1 where booking_id in
               (select b.booking_id from bookings b
                join it on b.booking_id = it.id and b.awb = it.awb and b.status = it.status)
               and has_terms = 0
             returning booking_id",
    postgres: "with it as (select value ->> 0 as id, value ->> 1 as awb, value ->> 2 as status
                 from json_array_elements(cast($1 as json))),
               ours as (select b.booking_id from bookings b
                 join it on b.booking_id = it.id and b.awb = it.awb and b.status = it.status
                 where b.has_terms = 0 order by b.booking_id for update of b)
               update bookings set has_terms = 1
               where booking_id in (select booking_id from ours)
               returning booking_id",
};

/// Adds the words of bookings that have none yet and still stand as they did.
pub async fn add(conn: &mut Conn, all: &[BookingTerms]) -> Result<()> {
    let stood = all
        .iter()
        .map(|it| (&it.booking_id, &it.awb, it.status.word()));
    let ours: Vec<String> = sqlx::query_scalar(MARK.of(conn))
        .bind(json(&stood.collect::<Vec<_>>())?)
        .fetch_all(&mut *conn)
        .await?;
    let ours: HashSet<String> = ours.into_iter().collect();
    let ours = all.iter().filter(|it| ours.contains(&it.booking_id));
    let rows = ours.map(|it| (&*it.user_id, it.created_ms, &*it.booking_id, &it.terms));
    insert(conn, &rows.collect::<Vec<_>>()).await
}

/// Those of the number that its courier gave a booking, of which this row has owner and time, if it
/// has the others.
pub(super) async fn add_number(
    conn: &mut Conn,
    row: &AnyRow,
    booking_id: &str,
    awb: &str,
) -> Result<()> {
    let (user_id, at_ms): (String, i64) = (row.try_get("user_id")?, row.try_get("created_ms")?);
    match row.try_get::<i64, _>("has_terms")? {
        0 => Ok(()),
        _ => {
            insert(
                conn,
                &[(&*user_id, at_ms, booking_id, &terms_of_number(awb))],
            )
            .await
        }
    }
}

/// In the order in which they are kept.
const ADD_ALL: PerBackend = PerBackend {
    sqlite: "insert into booking_terms (user_id, term, created_ms, booking_id)
             select it.value ->> 0, term.value, it.value ->> 1, it.value ->> 2
             from json_each($1) as it, json_each(it.value, '$[3]') as term
             where true order by 1, 2, 3, 4 on conflict do nothing",
    postgres: "insert into booking_terms (user_id, term, created_ms, booking_id)
               select it.value ->> 0, term.value, cast(it.value ->> 1 as bigint), it.value ->> 2
               from json_array_elements(cast($1 as json)) as it(value)
               cross join lateral json_array_elements_text(it.value -> 3) as term(value)
               order by 1, 2, 3, 4 on conflict do nothing",
};

/// Adds words of bookings: of whom, of when, of which, and which.
async fn insert(conn: &mut Conn, rows: &[(&str, i64, &str, &BTreeSet<String>)]) -> Result<()> {
    sqlx::query(ADD_ALL.of(conn))
        .bind(json(rows)?)
        .execute(conn)
        .await?;
    Ok(())
}

fn json(rows: &(impl Serialize + ?Sized)) -> Result<String> {
    serde_json::to_string(rows).map_err(Error::internal)
}
