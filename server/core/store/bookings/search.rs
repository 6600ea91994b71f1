//! Search in the owner's bookings. Candidates come from an index in the order of the list, a few at
//! a time, and each is checked against the other conditions: however many bookings there are, only
//! the candidates are read.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::error::Result;
use crate::model::booking::Booking;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::pickup::{PickupState, PickupTime};
use crate::model::booking::search::query::{BookingSearch, ListPlace};
use crate::model::booking::search::search_words::has_all;
use crate::store::{Conn, pickups};

/// One condition of a search: the booking has the term, if there is one.
macro_rules! has_term {
    ($term:literal) => {
        concat!(
            " and (",
            $term,
            " = '' or exists (select 1 from booking_search_words t
                 where t.user_id = $1 and t.term = ",
            $term,
            " and t.created_ms = c.created_ms and t.booking_id = c.booking_id))"
        )
    };
}

/// Candidates of the user `$1` after the place `$2`, `$3`, each marked as found or not: found if it
/// has a status of `$4` to `$6` or `$14` and the terms `$7` to `$11`.
macro_rules! found {
    ($($candidates:expr),+) => {
        concat!(
            "select case when b.status <> 'failed'
                and ($4 = '' or b.status in ($4, $5, $6, $14))",
            has_term!("$7"), has_term!("$8"), has_term!("$9"), has_term!("$10"), has_term!("$11"),
            " then 1 else 0 end as is_found,
             b.booking_id, b.awb, b.status, b.quote_id, b.product_id, b.product_name,
             b.courier_code, b.consignee_name, b.origin_pincode, b.origin_city,
             b.destination_pincode, b.destination_city, b.weight_grams, b.amount_paise,
             b.details, b.created_ms, k.state as pickup_state, k.day, k.from_minute, k.until_minute
             from (", $($candidates,)+ ") as c
             join bookings b on b.booking_id = c.booking_id
             left join pickup_parcels p on p.booking_id = b.booking_id and p.user_id = $1
               and p.state = 'waiting'
             left join pickups k on k.pickup_id = p.pickup_id
             where b.user_id = $1
             order by c.created_ms desc, c.booking_id desc"
        )
    };
}

/// At most `$13` rows after the place and not before the instant `$12`, newest first.
macro_rules! after_the_place {
    () => {
        " and (created_ms, booking_id) < ($2, $3) and created_ms >= $12
          order by created_ms desc, booking_id desc limit $13"
    };
}

macro_rules! of_status {
    ($status:literal) => {
        concat!(
            "select * from (select created_ms, booking_id from bookings
               where user_id = $1 and status = ",
            $status,
            after_the_place!(),
            ") as s",
            $status
        )
    };
}

/// Candidates that have the first term.
const WITH_TERM: &str = found!(
    "select created_ms, booking_id from booking_search_words where user_id = $1 and term = $7",
    after_the_place!()
);

/// Candidates without search words so far.
const UNINDEXED: &str = found!(
    "select created_ms, booking_id from unindexed_bookings where user_id = $1",
    after_the_place!()
);

/// Candidates with one of four statuses: at most `$13` of each, then at most `$13` of all.
const OF_STATUS: &str = found!(
    "select created_ms, booking_id from (",
    of_status!("$4"),
    " union all ",
    of_status!("$5"),
    " union all ",
    of_status!("$6"),
    " union all ",
    of_status!("$14"),
    ") as one_of order by created_ms desc, booking_id desc limit $13"
);

const ANY: &str =
    found!("select created_ms, booking_id from bookings where user_id = $1", after_the_place!());

/// A page of the search: the candidates after a place.
#[derive(Debug)]
pub struct SearchPage {
    /// The bookings found, each with its planned pickup, if there is one.
    pub bookings: Vec<(Booking, Option<(PickupState, PickupTime)>)>,
    /// The number of candidates.
    pub candidates: usize,
    /// The place of the last candidate.
    pub end: Option<ListPlace>,
}

/// Checks this many candidates after a place.
pub(crate) async fn check_candidates(
    conn: &mut Conn,
    user_id: &str,
    search: &BookingSearch,
    after: &ListPlace,
    candidates: i64,
) -> Result<SearchPage> {
    let statement = match (search.terms.is_empty(), search.status) {
        (false, _) => WITH_TERM,
        (true, Some(_)) => OF_STATUS,
        (true, None) => ANY,
    };
    read(conn, statement, user_id, (search, &search.terms), after, candidates).await
}

/// Checks bookings that have no search words yet.
pub(crate) async fn look_at_unindexed(
    conn: &mut Conn,
    user_id: &str,
    search: &BookingSearch,
    candidates: i64,
) -> Result<SearchPage> {
    let after = search.beginning();
    let mut look = read(conn, UNINDEXED, user_id, (search, &[]), &after, candidates).await?;
    look.bookings.retain(|(booking, _)| has_all(booking, &search.terms));
    Ok(look)
}

/// Runs a statement for candidates with the terms.
async fn read(
    conn: &mut Conn,
    statement: &'static str,
    user_id: &str,
    (search, terms): (&BookingSearch, &[String]),
    after: &ListPlace,
    candidates: i64,
) -> Result<SearchPage> {
    let statuses = search.status.unwrap_or_default();
    let look = sqlx::query(statement).bind(user_id);
    let mut look = look.bind(after.created_ms).bind(&after.booking_id);
    let status = |at: usize| statuses.get(at).map_or("", |status| status.word());
    for at in 0..3 {
        look = look.bind(status(at));
    }
    for at in 0..5 {
        look = look.bind(terms.get(at).map_or("", String::as_str));
    }
    let look = look.bind(search.period.from_ms()).bind(candidates).bind(status(3));
    let rows = look.fetch_all(conn).await?;
    let place = |row: &AnyRow| -> Result<ListPlace> {
        Ok(ListPlace {
            created_ms: row.try_get("created_ms")?,
            booking_id: row.try_get("booking_id")?,
        })
    };
    let mut bookings = Vec::new();
    for row in &rows {
        if row.try_get::<i64, _>("is_found")? == 1 {
            let planned: Option<String> = row.try_get("pickup_state")?;
            let pickup = match planned {
                Some(state) => Some(pickups::state_and_time(row, &state)?),
                None => None,
            };
            bookings.push((super::row::booking(row)?, pickup));
        }
    }
    Ok(SearchPage { bookings, candidates: rows.len(), end: rows.last().map(place).transpose()? })
}

/// Counts the user's bookings with these statuses; all bookings if none is named.
pub(crate) async fn count(
    conn: &mut Conn,
    user_id: &str,
    statuses: &[BookingStatus],
) -> Result<i64> {
    let counts = super::counts::all(conn, user_id).await?;
    let is_wanted = |status: BookingStatus| match statuses {
        [] => status != BookingStatus::Failed,
        some => some.contains(&status),
    };
    let counts = counts.iter().filter(|count| is_wanted(count.status));
    Ok(counts.map(|count| count.bookings).sum())
}

/// Returns every courier on sale by code, with the name of one of its services.
pub(crate) async fn couriers(conn: &mut Conn) -> Result<Vec<(String, String)>> {
    let couriers = "select parent_vendor, min(product_name) as product_name from products
                    group by parent_vendor order by parent_vendor";
    Ok(sqlx::query_as(couriers).fetch_all(conn).await?)
}
