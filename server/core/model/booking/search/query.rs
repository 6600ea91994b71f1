//! Search in a customer's bookings, and a page of its results.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{Error, FieldError, Result};
use crate::limits::{PARTNER_TEXT_CHARS_MAX, SEARCH_CHARS_MAX};
use crate::model::booking::Booking;
use crate::model::booking::order::history::HistoryRow;
use crate::model::booking::order::status::BookingStatus::{self, Cancelling, Pending, Shipment};
use crate::model::booking::search::search_words;
use crate::model::openapi_schema::Text;
use crate::model::period::Period;
use crate::model::shipping::awb;
use crate::model::shipping::status::ShipmentStatus::{
    Delivered, Exception, InTransit, OnHold, OutForDelivery, PickedUp, Returned, Returning,
};

/// A search as an address carries it; what is empty does not choose.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct RawBookingSearch {
    /// An AWB, or beginnings of it, of the receiver's name, city and phone, and of references.
    pub q: Text,
    /// waiting, moving, held, delivered, cancelled.
    pub status: Text,
    /// A courier's code.
    pub courier: Text,
    /// The first day in India, as in 2026-11-21.
    pub from: Text,
    /// The last day in India.
    pub to: Text,
    /// Where the page before ended: its `next`.
    pub before: Text,
}

/// Groups of statuses in a customer's words: each with at most four statuses.
const STATUS_GROUPS: [(&str, &[BookingStatus]); 5] = [
    // Booked or pending; the courier has not collected it.
    ("waiting", &[Pending, BookingStatus::BOOKED]),
    ("moving", &[Shipment(PickedUp), Shipment(InTransit), Shipment(OutForDelivery)]),
    // Stopped on its way, lost or damaged, or being returned.
    ("held", &[Shipment(OnHold), Shipment(Exception), Shipment(Returning), Shipment(Returned)]),
    ("delivered", &[Shipment(Delivered)]),
    ("cancelled", &[Cancelling, BookingStatus::CANCELLED]),
];

/// A position in the list, newest first. The bookings after it are older than this instant (UTC
/// milliseconds), or of the same instant with a smaller id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListPlace {
    pub created_ms: i64,
    pub booking_id: String,
}

impl ListPlace {
    pub fn of(booking: &Booking) -> ListPlace {
        ListPlace { created_ms: booking.created_ms, booking_id: booking.booking_id.clone() }
    }

    /// Returns the position as text for a query string.
    pub fn key(&self) -> String {
        format!("{}-{}", self.created_ms, self.booking_id)
    }

    fn parse(key: &str) -> Option<ListPlace> {
        let (created_ms, id) = key.split_once('-')?;
        let is_id =
            id.len() <= 64 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        Some(ListPlace {
            created_ms: created_ms.parse().ok().filter(|ms| *ms >= 0)?,
            booking_id: is_id.then(|| id.to_owned())?,
        })
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookingSearch {
    /// The search text, if it may be a complete AWB.
    pub awb: Option<String>,
    /// Terms that a booking must all have, including the courier's. The first is the one that the
    /// fewest bookings have.
    pub terms: Vec<String>,
    /// The statuses of the chosen group.
    pub status: Option<&'static [BookingStatus]>,
    pub period: Period,
    pub before: Option<ListPlace>,
    /// The search text has no word that a booking could have.
    pub matches_nothing: bool,
}

impl BookingSearch {
    /// # Errors
    /// `Fields` names every value that is wrong.
    pub fn parse(raw: &RawBookingSearch) -> Result<BookingSearch> {
        let mut wrong = Vec::new();
        let mut refuse_if = |is_wrong: bool, name: &'static str, message: &str| {
            if is_wrong {
                wrong.push(FieldError::new(name, message.to_owned()));
            }
        };
        let too_long = format!("Please search for at most {SEARCH_CHARS_MAX} letters.");
        refuse_if(raw.q.as_str().chars().count() > SEARCH_CHARS_MAX, "q", &too_long);
        let status = STATUS_GROUPS.into_iter().find(|(word, _)| *word == raw.status.as_str());
        let is_unknown = status.is_none() && !raw.status.is_empty();
        refuse_if(is_unknown, "status", "Please choose a status from the list.");
        let is_unknown = raw.courier.as_str().chars().count() > PARTNER_TEXT_CHARS_MAX;
        refuse_if(is_unknown, "courier", "Please choose a courier from the list.");
        let period = Period::parse(&raw.from, &raw.to, &mut wrong);
        period.check_order(&mut wrong);
        let before = ListPlace::parse(raw.before.as_str());
        if before.is_none() && !raw.before.is_empty() {
            let message = "This page of the list does not exist. Please begin with the newest.";
            wrong.push(FieldError::new("before", message));
        }
        Error::check(wrong)?;
        let mut terms = search_words::search_terms(raw.q.as_str());
        let matches_nothing = terms.is_empty() && !raw.q.is_empty();
        if !raw.courier.is_empty() {
            terms.push(search_words::courier(raw.courier.as_str()));
        }
        Ok(BookingSearch {
            awb: awb::normalise(raw.q.as_str()),
            terms,
            status: status.map(|(_, statuses)| statuses),
            period,
            before,
            matches_nothing,
        })
    }

    /// True if at most a status is chosen: the number of bookings is then known without a search.
    pub fn is_counted(&self) -> bool {
        let BookingSearch { terms, period, matches_nothing, .. } = self;
        terms.is_empty() && *period == Period::default() && !matches_nothing
    }

    /// Returns the position where the page begins.
    pub fn beginning(&self) -> ListPlace {
        let end = ListPlace { created_ms: self.period.until_ms(), booking_id: String::new() };
        match &self.before {
            Some(before) if before.created_ms < end.created_ms => before.clone(),
            _ => end,
        }
    }
}

/// A courier to choose by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CourierChoice {
    pub code: String,
    /// As people write it.
    pub name: String,
}

/// A page of the bookings that were looked for, newest first.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = BookingsFound)]
pub struct BookingMatches {
    pub results: Vec<HistoryRow>,
    /// Number of bookings on all pages, where it is known at once.
    #[schema(required)]
    pub count: Option<i64>,
    /// The next page begins there.
    #[schema(required)]
    pub next: Option<String>,
    /// Only bookings since then were looked through for this page; `next` looks further.
    #[schema(required)]
    pub searched_since: Option<i64>,
    pub couriers: Vec<CourierChoice>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(q: &str, status: &str, from: &str, to: &str, before: &str) -> RawBookingSearch {
        RawBookingSearch {
            q: q.into(),
            status: status.into(),
            from: from.into(),
            to: to.into(),
            before: before.into(),
            ..RawBookingSearch::default()
        }
    }

    #[test]
    fn every_wrong_value_is_named() {
        let long = "a".repeat(SEARCH_CHARS_MAX + 1);
        let wrong = raw(&long, "lost", "yesterday", "2026-02-30", "x");
        let error = BookingSearch::parse(&wrong).unwrap_err();
        let names: Vec<String> = error.fields().iter().map(|it| it.path.to_string()).collect();
        assert_eq!(names, ["q", "status", "from", "to", "before"]);
        let turned = raw("", "", "2026-11-22", "2026-11-21", "");
        let error = BookingSearch::parse(&turned).unwrap_err();
        assert_eq!(error.fields()[0].path, "to");
    }

    #[test]
    fn a_place_is_read_as_it_was_written_and_the_last_day_bounds_it() {
        let place = ListPlace { created_ms: 1_796_000_000_000, booking_id: "b-1_x".to_owned() };
        let search = BookingSearch::parse(&raw("", "", "", "", &place.key())).unwrap();
        assert_eq!(search.beginning(), place);
        let search = BookingSearch::parse(&raw("", "", "", "2026-01-01", &place.key())).unwrap();
        assert!(search.beginning().created_ms < place.created_ms);
        for key in ["-1-b", "12", "12-a b", "x-b", "-"] {
            assert_eq!(ListPlace::parse(key), None, "{key}");
        }
    }

    #[test]
    fn signs_alone_find_nothing_and_every_status_is_in_one_group() {
        let search = BookingSearch::parse(&raw("%%", "", "", "", "")).unwrap();
        assert!(search.matches_nothing && !search.is_counted());
        let grouped = STATUS_GROUPS.iter().flat_map(|(_, statuses)| *statuses);
        let mut words: Vec<&str> = grouped.map(|status| status.word()).collect();
        words.sort_unstable();
        let all = BookingStatus::words();
        let mut all: Vec<&str> = all.split(", ").filter(|word| *word != "failed").collect();
        all.sort_unstable();
        assert_eq!(words, all);
        assert!(STATUS_GROUPS.iter().all(|(_, statuses)| statuses.len() <= 4));
    }
}
