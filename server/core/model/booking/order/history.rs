//! Lists of bookings, with counts and sums by month.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use time::Date;
use utoipa::ToSchema;

use crate::limits::CHART_MONTHS;
use crate::model::booking::Booking;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::pickup::PickupLine;
use crate::model::calendar::{first_of_month, midnight_in_india, month};
use crate::model::money::paise::Paise;
use crate::model::openapi_schema;
use crate::model::shipping::grams::Grams;
use crate::model::shipping::status::ShipmentStatus;

/// Counts over all bookings of a user.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Stats {
    pub total: i64,
    pub amount: Paise,
    pub pending: i64,
    pub delivered: i64,
    /// Their courier waits for somebody, or reports them as lost or damaged.
    pub on_hold: i64,
    /// On their way back to the sender.
    pub returning: i64,
    /// Parcels for which their courier did not agree to come, or did not come.
    pub lost_pickups: i64,
}

/// Bookings of one calendar month in India, without cancelled ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Month {
    /// As in `2026-11`.
    pub month: String,
    pub bookings: i64,
    pub amount: Paise,
}

/// The number of bookings of one month with one status.
#[derive(Clone, Debug, Deserialize)]
pub struct Count {
    pub month: String,
    pub status: BookingStatus,
    pub bookings: i64,
    pub amount_paise: i64,
}

/// A booking's columns for a list, in the order in which they are read.
#[derive(Clone, Debug, Deserialize)]
pub struct ListedBooking {
    pub booking_id: String,
    pub awb: String,
    pub status: BookingStatus,
    pub consignee_name: String,
    pub origin_pincode: String,
    pub origin_city: String,
    pub destination_pincode: String,
    pub destination_city: String,
    pub weight_grams: i64,
    pub amount_paise: i64,
    pub product_name: String,
    pub created_ms: i64,
    /// The form as JSON, only if the city is not known otherwise.
    pub details: String,
}

/// A page of a user's bookings, with counts of all of them.
#[derive(Clone, Debug)]
pub struct ListPage {
    pub bookings: Vec<ListedBooking>,
    pub counts: Vec<Count>,
    pub lost_pickups: i64,
}

/// A booking in the history.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Booking)]
pub struct HistoryRow {
    pub id: String,
    pub awb_number: String,
    pub consignee_name: String,
    pub consignee_pincode: String,
    pub rate: Paise,
    pub amount: Paise,
    pub status: BookingStatus,
    pub booking_date: i64,
    pub created_at: i64,
    pub origin_city: String,
    pub origin: String,
    pub destination_city: String,
    pub destination: String,
    /// Kilograms.
    #[schema(schema_with = openapi_schema::decimal_schema)]
    pub weight: Box<RawValue>,
    pub product_name: String,
    /// When it is fetched; only in the list of bookings, and while that is planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pickup: Option<PickupLine>,
}

/// A page of bookings with counts over all of them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct History {
    pub results: Vec<HistoryRow>,
    pub count: i64,
    pub stats: Stats,
    /// The last months, oldest first, the present one included.
    pub months: Vec<Month>,
}

impl History {
    /// Makes the history of a page; the counts are of all bookings. `today` is the day in India.
    pub fn of(page: ListPage, today: Date) -> History {
        let stats = Stats { lost_pickups: page.lost_pickups, ..Stats::from_counts(&page.counts) };
        History {
            results: page.bookings.into_iter().map(HistoryRow::from).collect(),
            count: stats.total,
            stats,
            months: by_month(&last_months(today), &page.counts),
        }
    }
}

/// Returns the first days of the last months, oldest first, including the month of `today`.
fn last_months(today: Date) -> [Date; CHART_MONTHS] {
    let mut first = today.replace_day(1).unwrap_or(today);
    let mut months = [first; CHART_MONTHS];
    for slot in months.iter_mut().rev() {
        *slot = first;
        first = first.previous_day().unwrap_or(first);
        first = first.replace_day(1).unwrap_or(first);
    }
    months
}

/// Sums the bookings of each of these months from all counts. A month without bookings is included.
fn by_month(months: &[Date], counts: &[Count]) -> Vec<Month> {
    let is_kept =
        |count: &&Count| !matches!(count.status, BookingStatus::Failed | BookingStatus::CANCELLED);
    let sum = |first: &Date| {
        let name = month(*first);
        let of_it = || counts.iter().filter(is_kept).filter(|it| it.month == name);
        Month {
            bookings: of_it().map(|it| it.bookings).sum(),
            amount: Paise::new(of_it().map(|it| it.amount_paise).sum()),
            month: name,
        }
    };
    months.iter().map(sum).collect()
}

/// The start of a page of a user's bookings: an upper bound in time, and the number to skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryStart {
    /// UTC milliseconds.
    pub until_ms: i64,
    pub skipped: i64,
}

impl Default for HistoryStart {
    /// Starts at the newest booking.
    fn default() -> HistoryStart {
        HistoryStart { until_ms: i64::MAX, skipped: 0 }
    }
}

impl HistoryStart {
    /// Skips `offset` bookings, newest first. Whole months among them need not be read.
    pub fn of(offset: i64, counts: &[Count]) -> HistoryStart {
        let mut months = BTreeMap::<&str, i64>::new();
        for count in counts.iter().filter(|it| it.status != BookingStatus::Failed) {
            *months.entry(&count.month).or_default() += count.bookings;
        }
        let mut beginning = HistoryStart { skipped: offset, ..HistoryStart::default() };
        for (name, bookings) in months.into_iter().rev() {
            let first = first_of_month(name);
            let Some(first) = first.filter(|_| bookings <= beginning.skipped) else {
                break;
            };
            beginning.skipped -= bookings;
            beginning.until_ms = midnight_in_india(first);
        }
        beginning
    }
}

impl Stats {
    /// Counts all bookings except those that no courier accepted.
    pub fn from_counts(counts: &[Count]) -> Stats {
        let valid_counts = || counts.iter().filter(|it| it.status != BookingStatus::Failed);
        let at = |statuses: &[BookingStatus]| {
            let here = valid_counts().filter(|it| statuses.contains(&it.status));
            here.map(|it| it.bookings).sum()
        };
        let picked_up = BookingStatus::Shipment(ShipmentStatus::PickedUp);
        let held = [ShipmentStatus::OnHold, ShipmentStatus::Exception].map(BookingStatus::Shipment);
        Stats {
            total: valid_counts().map(|it| it.bookings).sum(),
            amount: Paise::new(valid_counts().map(|it| it.amount_paise).sum()),
            pending: at(&[BookingStatus::Pending, BookingStatus::BOOKED, picked_up]),
            delivered: at(&[BookingStatus::Shipment(ShipmentStatus::Delivered)]),
            on_hold: at(&held),
            returning: at(&[BookingStatus::Shipment(ShipmentStatus::Returning)]),
            lost_pickups: 0,
        }
    }
}

impl From<ListedBooking> for HistoryRow {
    fn from(booking: ListedBooking) -> HistoryRow {
        let amount = Paise::new(booking.amount_paise);
        // Before its courier has accepted it, a booking cannot be tracked.
        let is_accepted =
            booking.status.shipment().is_some() || booking.status == BookingStatus::Unknown;
        HistoryRow {
            id: booking.booking_id,
            awb_number: if is_accepted { booking.awb } else { String::new() },
            consignee_name: booking.consignee_name,
            consignee_pincode: booking.destination_pincode.clone(),
            rate: amount,
            amount,
            status: booking.status,
            booking_date: booking.created_ms,
            created_at: booking.created_ms,
            origin_city: booking.origin_city,
            origin: booking.origin_pincode,
            destination_city: booking.destination_city,
            destination: booking.destination_pincode,
            weight: Grams(booking.weight_grams).kilograms(),
            product_name: booking.product_name,
            pickup: None,
        }
    }
}

impl From<Booking> for HistoryRow {
    fn from(booking: Booking) -> HistoryRow {
        HistoryRow::from(ListedBooking {
            booking_id: booking.booking_id,
            awb: booking.awb,
            status: booking.status,
            consignee_name: booking.consignee_name,
            origin_pincode: booking.origin_pincode,
            origin_city: booking.origin_city,
            destination_pincode: booking.destination_pincode,
            destination_city: booking.destination_city,
            weight_grams: booking.weight.0,
            amount_paise: booking.amount.get(),
            product_name: booking.product_name,
            created_ms: booking.created_ms,
            details: String::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn months_follow_each_other_over_the_new_year_and_those_without_bookings_stay() {
        let months = last_months(date!(2026 - 02 - 28));
        let names = months.map(month);
        assert_eq!(names, ["2025-09", "2025-10", "2025-11", "2025-12", "2026-01", "2026-02"]);
        let count = |month: &str, status, amount_paise| Count {
            month: month.to_owned(),
            status,
            bookings: 1,
            amount_paise,
        };
        let counts = [
            count("2025-12", BookingStatus::BOOKED, 100),
            count("2026-01", BookingStatus::BOOKED, 200),
            count("2026-01", BookingStatus::Pending, 300),
            count("2026-01", BookingStatus::CANCELLED, 400),
            count("2026-01", BookingStatus::Failed, 500),
        ];
        let summed = by_month(&months, &counts);
        let bookings: Vec<i64> = summed.iter().map(|month| month.bookings).collect();
        assert_eq!(bookings, [0, 0, 0, 1, 2, 0]);
        assert_eq!(summed[4].amount, Paise::new(500));
        let stats = Stats::from_counts(&counts);
        assert_eq!((stats.total, stats.pending, stats.delivered), (4, 3, 0));
        assert_eq!(stats.amount, Paise::new(1_000));
    }
}
