//! Bookings as lists show them, counted and summed by month.

use serde::Serialize;
use serde_json::value::RawValue;
use time::Date;
use utoipa::ToSchema;

use crate::limits::CHART_MONTHS;
use crate::model::booking::Booking;
use crate::model::booking::status::BookingStatus;
use crate::model::calendar::month;
use crate::model::money::paise::Paise;
use crate::model::wire;

/// Counts over all bookings of a user.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Stats {
    pub total: i64,
    pub amount: Paise,
    pub pending: i64,
    pub delivered: i64,
}

/// What was booked in one month of India's calendar and not taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Month {
    /// As in `2026-11`.
    pub month: String,
    pub bookings: i64,
    pub amount: Paise,
}

/// The same for one day.
#[derive(Clone, Copy, Debug)]
pub struct Day {
    pub date: Date,
    pub bookings: i64,
    pub amount: Paise,
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
    #[schema(schema_with = wire::decimal_schema)]
    pub weight: Box<RawValue>,
    pub product_name: String,
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

/// The first days of the last months, oldest first, that of `today` included.
pub fn last_months(today: Date) -> [Date; CHART_MONTHS] {
    let mut first = today.replace_day(1).unwrap_or(today);
    let mut months = [first; CHART_MONTHS];
    for slot in months.iter_mut().rev() {
        *slot = first;
        first = first.previous_day().unwrap_or(first);
        first = first.replace_day(1).unwrap_or(first);
    }
    months
}

/// A month without bookings has its place too.
pub fn by_month(months: &[Date], days: &[Day]) -> Vec<Month> {
    let sum = |first: &Date| {
        let name = month(*first);
        let of_it = || days.iter().filter(|day| month(day.date) == name);
        Month {
            bookings: of_it().map(|day| day.bookings).sum(),
            amount: of_it().map(|day| day.amount).sum(),
            month: name,
        }
    };
    months.iter().map(sum).collect()
}

impl From<Booking> for HistoryRow {
    fn from(booking: Booking) -> HistoryRow {
        // Until the courier has taken it there is no number to track it by.
        let awb_number = match booking.status.shipment() {
            None => String::new(),
            Some(_) => booking.awb,
        };
        HistoryRow {
            id: booking.booking_id,
            awb_number,
            consignee_name: booking.consignee_name,
            consignee_pincode: booking.destination_pincode.clone(),
            rate: booking.amount,
            amount: booking.amount,
            status: booking.status,
            booking_date: booking.created_ms,
            created_at: booking.created_ms,
            origin_city: booking.origin_city,
            origin: booking.origin_pincode,
            destination_city: booking.destination_city,
            destination: booking.destination_pincode,
            weight: booking.weight.kilograms(),
            product_name: booking.product_name,
        }
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
        assert_eq!(
            names,
            [
                "2025-09", "2025-10", "2025-11", "2025-12", "2026-01", "2026-02"
            ]
        );
        let day = |date, paise| Day {
            date,
            bookings: 1,
            amount: Paise::new(paise),
        };
        let days = [
            day(date!(2025 - 12 - 31), 100),
            day(date!(2026 - 01 - 01), 200),
            day(date!(2026 - 01 - 31), 300),
        ];
        let summed = by_month(&months, &days);
        let bookings: Vec<i64> = summed.iter().map(|month| month.bookings).collect();
        assert_eq!(bookings, [0, 0, 0, 1, 2, 0]);
        assert_eq!(summed[4].amount, Paise::new(500));
    }
}
