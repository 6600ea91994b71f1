//! The search words of bookings.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::row::{booking, select_bookings};
use crate::error::{Error, Result};
use crate::model::booking::Booking;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::search::search_words::{terms_of, terms_of_number};
use crate::store::pipeline::Statement;
use crate::store::{Conn, PerBackend, RunStatement as _};

/// The search words of a booking, with the AWB and status they were computed for.
#[derive(Clone, Debug)]
pub struct BookingTerms {
    booking_id: String,
    created_ms: i64,
    awb: String,
    status: BookingStatus,
    terms: BTreeSet<String>,
}

impl BookingTerms {
    pub fn of(booking: Booking) -> BookingTerms {
        BookingTerms {
            terms: terms_of(&booking),
            booking_id: booking.booking_id,
            created_ms: booking.created_ms,
            awb: booking.awb,
            status: booking.status,
        }
    }
}

/// Notes that a new booking has no search words.
pub(super) fn mark_unindexed_statement<'q>(
    user_id: &'q str,
    booking: &'q Booking,
) -> Statement<'q> {
    let note = "insert into unindexed_bookings (user_id, created_ms, booking_id)
                values ($1, $2, $3)";
    sqlx::query(note).bind(user_id).bind(booking.created_ms).bind(&booking.booking_id)
}

/// Returns the user's bookings without search words, the oldest first.
pub(crate) async fn unindexed_bookings(
    conn: &mut Conn,
    user_id: &str,
    limit: i64,
) -> Result<Vec<Booking>> {
    let missing = select_bookings!(
        "where user_id = $1 and booking_id in
           (select booking_id from unindexed_bookings where user_id = $1
            order by created_ms, booking_id limit $2)
         order by created_ms, booking_id"
    );
    sqlx::query(missing).bind(user_id).bind(limit).read_all(conn, booking).await
}

/// Counts the user's bookings without search words, at most `most`.
pub(crate) async fn count_missing(conn: &mut Conn, user_id: &str, most: i64) -> Result<i64> {
    let count = "select count(*) from (select 1 from unindexed_bookings
                   where user_id = $1 limit $2) as missing";
    let count = sqlx::query_scalar(count).bind(user_id).bind(most);
    Ok(count.fetch_one(conn).await?)
}

/// Deletes the note of bookings whose AWB and status have not changed. Their rows are locked in the
/// order of their ids, so that two servers do not deadlock.
const TAKE_NOTE: PerBackend = PerBackend {
    sqlite: "with it as (select value ->> 0 as id, value ->> 1 as awb, value ->> 2 as status
               from json_each($1))
             delete from unindexed_bookings where user_id = $2 and (created_ms, booking_id) in
               (select b.created_ms, b.booking_id from bookings b
                join it on b.booking_id = it.id and b.awb = it.awb and b.status = it.status)
             returning booking_id",
    postgres: "with it as (select value ->> 0 as id, value ->> 1 as awb, value ->> 2 as status
                 from json_array_elements(cast($1 as json))),
               ours as (select b.created_ms, b.booking_id from bookings b
                 join it on b.booking_id = it.id and b.awb = it.awb and b.status = it.status
                 where b.user_id = $2 order by b.booking_id for update of b)
               delete from unindexed_bookings where user_id = $2
                 and (created_ms, booking_id) in (select created_ms, booking_id from ours)
               returning booking_id",
};

/// Adds the search words of the user's bookings that have none yet and have not changed.
pub(crate) async fn add(conn: &mut Conn, user_id: &str, all: &[BookingTerms]) -> Result<()> {
    let stood = all.iter().map(|it| (&it.booking_id, &it.awb, it.status.word()));
    let ours: Vec<String> = sqlx::query_scalar(TAKE_NOTE.of(conn))
        .bind(json(&stood.collect::<Vec<_>>())?)
        .bind(user_id)
        .fetch_all(&mut *conn)
        .await?;
    let ours: HashSet<String> = ours.into_iter().collect();
    let ours = all.iter().filter(|it| ours.contains(&it.booking_id));
    let rows = ours.map(|it| (it.created_ms, &*it.booking_id, &it.terms));
    insert(conn, user_id, &rows.collect::<Vec<_>>()).await
}

/// The words of a number. A booking without its other words gets them with those.
macro_rules! add_number {
    ($words:literal) => {
        concat!(
            "insert into booking_search_words (user_id, term, created_ms, booking_id)
             select $1, term.value, cast($3 as bigint), $4 from ",
            $words,
            " where not exists (select 1 from unindexed_bookings
                 where user_id = $1 and created_ms = $3 and booking_id = $4)
             order by 2 on conflict do nothing"
        )
    };
}

const ADD_NUMBER: PerBackend = PerBackend {
    sqlite: add_number!("json_each($2) as term"),
    postgres: add_number!("json_array_elements_text(cast($2 as json)) as term(value)"),
};

/// Adds the search words of a courier's AWB, if the booking has its other words. The row has its
/// owner and time, and is locked, so that no other server adds the other words meanwhile.
pub(super) fn add_number_statement<'q>(
    conn: &Conn,
    row: &AnyRow,
    booking_id: &'q str,
    awb: &str,
) -> Result<Statement<'q>> {
    let (user_id, at_ms): (String, i64) = (row.try_get("user_id")?, row.try_get("created_ms")?);
    let add = sqlx::query(ADD_NUMBER.of(conn)).bind(user_id).bind(json(&terms_of_number(awb))?);
    Ok(add.bind(at_ms).bind(booking_id))
}

/// Inserts in the order of the primary key.
const ADD_ALL: PerBackend = PerBackend {
    sqlite: "with it as materialized (
               select value ->> 0 as at_ms, value ->> 1 as id, value -> 2 as terms
               from json_each($2))
             insert into booking_search_words (user_id, term, created_ms, booking_id)
             select $1, term.value, it.at_ms, it.id from it, json_each(it.terms) as term
             where true order by 2, 3, 4 on conflict do nothing",
    postgres: "insert into booking_search_words (user_id, term, created_ms, booking_id)
               select $1, term.value, cast(it.value ->> 0 as bigint), it.value ->> 1
               from json_array_elements(cast($2 as json)) as it(value)
               cross join lateral json_array_elements_text(it.value -> 2) as term(value)
               order by 2, 3, 4 on conflict do nothing",
};

/// Adds search words of the user's bookings; each row has time, id and words.
async fn insert(
    conn: &mut Conn,
    user_id: &str,
    rows: &[(i64, &str, &BTreeSet<String>)],
) -> Result<()> {
    sqlx::query(ADD_ALL.of(conn)).bind(user_id).bind(json(rows)?).run(conn).await
}

fn json(rows: &(impl Serialize + ?Sized)) -> Result<String> {
    serde_json::to_string(rows).map_err(Error::internal)
}
