//! Reads bookings from rows.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::error::Result;
use crate::model::booking::Booking;
use crate::model::booking::order::status::BookingStatus;
use crate::model::money::paise::Paise;
use crate::model::shipping::grams::Grams;

macro_rules! columns {
    () => {
        "booking_id, awb, status, quote_id, product_id, product_name, courier_code,
         consignee_name, origin_pincode, origin_city, destination_pincode, destination_city,
         weight_grams, amount_paise, details, created_ms"
    };
}
pub(super) use columns;

/// Selects whole bookings, with the given conditions and order.
macro_rules! select_bookings {
    ($which:literal) => {
        concat!("select ", $crate::store::bookings::row::columns!(), " from bookings ", $which)
    };
}
pub(super) use select_bookings;

pub(super) fn booking(row: &AnyRow) -> Result<Booking> {
    let mut booking = Booking {
        booking_id: row.try_get("booking_id")?,
        awb: row.try_get("awb")?,
        status: status(row)?,
        quote_id: row.try_get("quote_id")?,
        product_id: row.try_get("product_id")?,
        product_name: row.try_get("product_name")?,
        courier_code: row.try_get("courier_code")?,
        consignee_name: row.try_get("consignee_name")?,
        origin_pincode: row.try_get("origin_pincode")?,
        origin_city: row.try_get("origin_city")?,
        destination_pincode: row.try_get("destination_pincode")?,
        destination_city: row.try_get("destination_city")?,
        weight: Grams(row.try_get("weight_grams")?),
        amount: Paise::new(row.try_get("amount_paise")?),
        form: row.try_get::<String, _>("details")?.into(),
        created_ms: row.try_get("created_ms")?,
    };
    if booking.destination_city.is_empty() {
        // A booking abroad from the time when only its form stored the city.
        booking.destination_city = booking.form.read().consignee.city.clone();
    }
    Ok(booking)
}

pub(super) fn status(row: &AnyRow) -> Result<BookingStatus> {
    Ok(BookingStatus::stored(&row.try_get::<String, _>("status")?))
}
