//! Pickups of our own couriers, for operators.

use serde::Serialize;
use time::Date;

use crate::error::Result;
use crate::limits;
use crate::model::booking::pickup::PickupTime;
use crate::model::courier::HOUSE;
use crate::services::bookings::courier_form::pickup_place;
use crate::services::bookings::pickups::lines;
use crate::store::{self, Store};

/// A parcel that waits for a driver.
#[derive(Debug, Serialize)]
pub struct PickupShown {
    /// Parcels with one number are picked up together.
    pub pickup: String,
    /// Time such as `10:00`.
    pub from: String,
    pub until: String,
    pub awb: String,
    pub place: String,
    pub phone: String,
    /// Kilograms.
    pub weight: Box<serde_json::value::RawValue>,
}

/// Returns our drivers' pickups on a day in India, by hour and customer.
pub async fn of_day(store: &Store, day: Date) -> Result<Vec<PickupShown>> {
    let day = PickupTime { day, from: 0, until: 0 };
    let mut conn = store.read().await?;
    let most = limits::PICKUPS_SHOWN_MAX;
    let pickups = store::pickups::of_day(&mut conn, HOUSE, &day.day_text(), most).await?;
    let shown = pickups.into_iter().map(|(pickup, booking)| {
        let (place, (from, until)) = (pickup_place(&booking, ""), pickup.time.hours());
        PickupShown {
            pickup: pickup.pickup_id,
            from,
            until,
            place: lines(&place).join(", "),
            phone: place.phone,
            weight: booking.weight.kilograms(),
            awb: booking.awb,
        }
    });
    Ok(shown.collect())
}
