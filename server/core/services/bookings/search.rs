//! Searching bookings: a page of matches, and the position of the next page.

use std::cmp::Reverse;

use super::Bookings;
use crate::error::Result;
use crate::limits;
use crate::model::booking::Booking;
use crate::model::booking::order::history::HistoryRow;
use crate::model::booking::order::tracking::courier_name;
use crate::model::booking::pickup::PickupLine;
use crate::model::booking::search::query::{
    BookingMatches, BookingSearch, CourierChoice, ListPlace,
};
use crate::model::booking::search::search_words;
use crate::store::bookings::search::{self, SearchPage};
use crate::store::{self, Conn};

impl Bookings {
    /// Returns a page of the user's matching bookings, newest first.
    pub async fn search(&self, user_id: &str, search: &BookingSearch) -> Result<BookingMatches> {
        let mut conn = self.core.store.read().await?;
        let mut matches = match by_number(&mut conn, user_id, search).await? {
            Some(booking) => {
                let id = &booking.booking_id;
                let pickup = store::pickups::of_booking(&mut conn, user_id, id).await?;
                let pickup = pickup.map(|pickup| pickup.line(self.core.clock.now_ms()));
                let row = HistoryRow { pickup, ..HistoryRow::from(booking) };
                BookingMatches { results: vec![row], ..BookingMatches::default() }
            }
            None if search.matches_nothing => BookingMatches::default(),
            None => {
                let unindexed = self.look_at_unindexed(&mut conn, user_id, search).await?;
                page(&mut conn, user_id, search, unindexed, self.core.clock.now_ms()).await?
            }
        };
        if search.is_counted() {
            let statuses = search.status.unwrap_or_default();
            let count = store::bookings::search::count(&mut conn, user_id, statuses).await?;
            matches.count = Some(count);
        }
        matches.couriers = couriers(&mut conn).await?;
        Ok(matches)
    }

    /// Searches bookings without index. Runs first: those indexed meanwhile are found later.
    async fn look_at_unindexed(
        &self,
        conn: &mut Conn,
        user_id: &str,
        search: &BookingSearch,
    ) -> Result<Option<SearchPage>> {
        if search.terms.is_empty() {
            return Ok(None);
        }
        let most = limits::SEARCHED_BOOKINGS_MAX;
        let look = search::look_at_unindexed(conn, user_id, search, most).await?;
        if look.candidates > rows_of(limits::BOOKINGS_UNINDEXED_MAX) {
            self.unindexed.note(user_id);
        }
        Ok(Some(look))
    }

    /// Returns the choices of an empty form, for input that cannot be read.
    pub async fn courier_choices(&self) -> Result<Vec<CourierChoice>> {
        couriers(&mut *self.core.store.read().await?).await
    }
}

/// Returns the booking of a complete AWB, if it meets the other conditions.
async fn by_number(
    conn: &mut Conn,
    user_id: &str,
    search: &BookingSearch,
) -> Result<Option<Booking>> {
    let Some(awb) = &search.awb else {
        return Ok(None);
    };
    let booking = store::bookings::find(conn, user_id, awb).await?;
    let in_period = search.period.from_ms()..search.period.until_ms();
    let is_wanted = |booking: &Booking| {
        let courier = search_words::courier(&booking.courier_code);
        let others = search.terms.iter().filter(|term| term.contains(':'));
        booking.awb == *awb
            && booking.status.shipment().is_some()
            && in_period.contains(&booking.created_ms)
            && search.status.is_none_or(|group| group.contains(&booking.status))
            && others.into_iter().all(|term| *term == courier)
    };
    Ok(booking.filter(is_wanted))
}

/// Reads few candidates first, and more each time that they are not enough; merges the matches
/// without index.
async fn page(
    conn: &mut Conn,
    user_id: &str,
    search: &BookingSearch,
    unindexed: Option<SearchPage>,
    now_ms: i64,
) -> Result<BookingMatches> {
    let rows = rows_of(limits::BOOKINGS_ROWS);
    let most = limits::SEARCHED_BOOKINGS_MAX;
    let (mut place, mut bookings) = (search.beginning(), Vec::new());
    let (mut looked, mut at_once, mut is_over) = (0, limits::BOOKINGS_ROWS + 1, false);
    while bookings.len() <= rows && !is_over && looked < most {
        let look = search::check_candidates(conn, user_id, search, &place, at_once).await?;
        let candidates = i64::try_from(look.candidates).unwrap_or(i64::MAX);
        bookings.extend(look.bookings);
        is_over = candidates < at_once;
        place = look.end.unwrap_or(place);
        looked += candidates;
        at_once = (at_once * 4).min(most);
    }
    if let Some(unindexed) = unindexed {
        if unindexed.candidates == rows_of(most) {
            // More of them follow further down.
            let end = unindexed.end.unwrap_or_else(|| place.clone());
            place = if is_over { end } else { place.max(end) };
            is_over = false;
        }
        bookings.extend(unindexed.bookings);
        let at = |(booking, _): &(Booking, _)| ListPlace::of(booking);
        bookings.retain(|row| is_over || at(row) >= place);
        bookings.sort_by_cached_key(|row| Reverse(at(row)));
        bookings.dedup_by_key(|row| at(row));
    }
    let is_more = bookings.len() > rows;
    bookings.truncate(rows);
    let last = bookings.last().map(|(booking, _)| ListPlace::of(booking));
    let stopped = (!is_more && !is_over).then_some(&place);
    Ok(BookingMatches {
        next: match is_more {
            true => last.map(|last| last.key()),
            false => stopped.map(ListPlace::key),
        },
        searched_since: stopped.map(|place| place.created_ms),
        results: bookings
            .into_iter()
            .map(|(booking, pickup)| HistoryRow {
                pickup: pickup.map(|(state, time)| PickupLine::of(state, &time, now_ms)),
                ..HistoryRow::from(booking)
            })
            .collect(),
        ..BookingMatches::default()
    })
}

fn rows_of(limit: i64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

async fn couriers(conn: &mut Conn) -> Result<Vec<CourierChoice>> {
    let couriers = store::bookings::search::couriers(conn).await?;
    let choice = |(code, service): (String, String)| CourierChoice {
        name: match courier_name(&service, &code) {
            // A service name without a brand is not a courier's name.
            name if name == service => code.clone(),
            brand => brand,
        },
        code,
    };
    Ok(couriers.into_iter().map(choice).collect())
}
