//! Tracking events of a shipment, as stored and as shown to the public.

use std::ops::RangeInclusive;

use serde::Serialize;
use utoipa::ToSchema;

use crate::limits::DAY_MS;
use crate::model::booking::Booking;
use crate::model::booking::form::choices::YesNo;
use crate::model::booking::form::details::joined;
use crate::model::booking::pickup::PickupLine;
use crate::model::courier::time_told::TimeTold;
use crate::model::shipping::place;
use crate::model::shipping::status::ShipmentStatus;

/// An event of a shipment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackingEvent {
    pub status: String,
    pub courier_code: String,
    pub location: String,
    pub remarks: String,
    pub comments: String,
    pub happened_ms: i64,
    /// The precision of its time, as the courier told it.
    pub told: TimeTold,
    /// Its place among the events (UTC milliseconds): the courier's order, if its time is not told.
    pub sort_ms: i64,
}

impl TrackingEvent {
    /// Returns its time; near the time of its report, if that names one of the future.
    pub fn time_ms(&self) -> i64 {
        self.happened_ms.min(self.sort_ms)
    }
}

/// An event as the API and the pages show it.
/// Public: no name, phone, address or price.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TrackingEvent)]
pub struct PublicTrackingEvent {
    pub airwaybill_no: String,
    pub status: String,
    pub courier_code: String,
    pub date: i64,
    /// True if the courier told no time of the day.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub day_only: bool,
    pub update_location: String,
    pub remarks: String,
    pub comments: String,
}

/// A shipment as the API and the pages show it. Public, as its events are.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TrackedShipment)]
pub struct PublicShipment {
    /// The courier's name, as people write it.
    pub courier: String,
    pub service: String,
    /// The city, abroad with its country.
    pub destination: String,
    /// The shipment's progress, as a booking's status.
    pub status: String,
    /// About when it arrives; `None` when it is not known, or when it is over.
    #[schema(required)]
    pub expected_at: Option<i64>,
}

/// True if the receiver can ask us for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReceiverCall {
    /// The parcel is on its way.
    Possible,
    /// Somebody did, and we are to call.
    Asked,
}

/// Everything that a person with the AWB may see.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Tracked {
    pub shipment: PublicShipment,
    /// Newest first.
    #[serde(rename = "data")]
    pub events: Vec<PublicTrackingEvent>,
    /// When the courier fetches it from its sender, once that is agreed and until it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pickup: Option<PickupLine>,
    /// A sentence about its pickup or drop-off, until it is picked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handover: Option<String>,
    /// None once it has arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<ReceiverCall>,
}

/// Returns the public view of a booking and its events. `events` are newest first.
pub fn public_view(
    booking: &Booking,
    tat_days: Option<i64>,
    events: Vec<TrackingEvent>,
) -> Tracked {
    let shipment = PublicShipment {
        courier: courier_name(&booking.product_name, &booking.courier_code),
        service: service_name(&booking.product_name),
        destination: destination(booking),
        status: booking.status.word().to_owned(),
        expected_at: tat_days.and_then(|days| expected_at(booking, days, &events)),
    };
    let public = |event: TrackingEvent| PublicTrackingEvent {
        airwaybill_no: booking.awb.clone(),
        date: event.time_ms(),
        status: event.status,
        // One courier carries the shipment from end to end, also if a partner reported the event.
        courier_code: booking.courier_code.clone(),
        day_only: event.told != TimeTold::Moment,
        update_location: event.location,
        remarks: event.remarks,
        comments: event.comments,
    };
    Tracked {
        shipment,
        events: events.into_iter().map(public).collect(),
        pickup: None,
        handover: None,
        call: is_on_its_way(booking).then_some(ReceiverCall::Possible),
    }
}

/// True while the shipment is on its way, so that the receiver may have a question.
pub fn is_on_its_way(booking: &Booking) -> bool {
    booking.status.shipment().is_some_and(|stage| !stage.is_final())
}

/// Returns the brand at the start of a service's name, as the brand writes it: `FedEx` of `FedEx
/// International Priority`.
pub fn courier_name(service: &str, code: &str) -> String {
    match service.get(..code.len()) {
        Some(brand) if brand.eq_ignore_ascii_case(code) => brand.to_owned(),
        _ => service.to_owned(),
    }
}

/// Returns a service's name as customers see it. Two partners may sell one service, which its own
/// name tells apart; a time at the end is when it arrives. The pages have the same rule for names
/// of prices and bookings, in `ui/src/rates/service-name.ts`.
pub fn service_name(name: &str) -> String {
    let name = match name.rsplit_once(" (partner") {
        Some((service, end)) if end.ends_with(')') => service,
        _ => name,
    };
    let figures = |text: &str, lengths: RangeInclusive<usize>| {
        lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts = name.rsplit_once([' ', ':', '.']).and_then(|(start, minutes)| {
        let (service, hour) = start.rsplit_once(' ')?;
        (figures(hour, 1..=2) && figures(minutes, 2..=2)).then_some((service, hour, minutes))
    });
    match parts {
        Some((service, hour, minutes)) => format!("{service} by {hour}:{minutes}"),
        None => name.to_owned(),
    }
}

fn destination(booking: &Booking) -> String {
    if !booking.destination_city.is_empty() {
        return booking.destination_city.clone();
    }
    let form = booking.form.read();
    let country = form.route.destination_country_id.parse().ok().and_then(place::country);
    let country = country.map_or("", |country| country.country_name.as_str());
    joined(&[&form.consignee.city, country], ", ")
}

/// Estimates the arrival: days after the pickup, or after the booking until then.
fn expected_at(booking: &Booking, days: i64, events: &[TrackingEvent]) -> Option<i64> {
    let stage = |event: &TrackingEvent| ShipmentStatus::of_label(&event.status);
    let stands = events.iter().find_map(stage)?;
    if stands.is_final() || matches!(stands, ShipmentStatus::Returning | ShipmentStatus::Exception)
    {
        return None;
    }
    let moved =
        |event: &&TrackingEvent| stage(event).is_some_and(|it| it != ShipmentStatus::Booked);
    let pickup = events.iter().rev().find(moved);
    let since_ms = pickup.map_or(booking.created_ms, TrackingEvent::time_ms);
    Some(since_ms + days * DAY_MS)
}

/// Returns the event of a booking that was just made.
pub fn first_event(booking: &Booking) -> TrackingEvent {
    let remarks = match booking.form.read().pickup.required {
        Some(YesNo::No) => "Booked, waiting for drop-off",
        Some(YesNo::Yes) | None => "Booked, waiting for pickup",
    };
    own_event(booking, ShipmentStatus::Booked, remarks, booking.created_ms)
}

/// The remark of the last event of a shipment that did not arrive as long as it was tracked.
pub const NOT_ARRIVED: &str = "The courier does not say any more where it is. Please write to us.";

/// Returns the event of a shipment whose tracking ends before it has arrived.
pub fn last_event(booking: &Booking, status: ShipmentStatus, now_ms: i64) -> TrackingEvent {
    let event = own_event(booking, status, NOT_ARRIVED, now_ms);
    TrackingEvent { location: String::new(), ..event }
}

/// Makes an event of our own for a shipment that is still at its origin.
pub fn own_event(
    booking: &Booking,
    status: ShipmentStatus,
    remarks: &str,
    happened_ms: i64,
) -> TrackingEvent {
    TrackingEvent {
        status: status.label().to_owned(),
        courier_code: booking.courier_code.clone(),
        location: booking.origin_city.clone(),
        remarks: remarks.to_owned(),
        comments: String::new(),
        happened_ms,
        told: TimeTold::Moment,
        sort_ms: happened_ms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_courier_is_called_as_its_services_call_it() {
        for (service, code, name) in [
            ("FedEx International Priority", "fedex", "FedEx"),
            ("DHL Express Worldwide", "dhl", "DHL"),
            ("Blue Dart Air", "blue dart", "Blue Dart"),
            ("Dakiya Surface", "dakiya", "Dakiya"),
            ("Express", "house", "Express"),
        ] {
            assert_eq!(courier_name(service, code), name);
        }
    }

    #[test]
    fn a_service_is_called_without_what_tells_partners_apart() {
        for (name, shown) in [
            ("FedEx International Priority (partner)", "FedEx International Priority"),
            ("UPS Standard (partner 2)", "UPS Standard"),
            ("DHL Express 12 00", "DHL Express by 12:00"),
            ("DHL Express 9:00", "DHL Express by 9:00"),
            ("Dakiya Surface", "Dakiya Surface"),
            ("Blue Dart 500 g", "Blue Dart 500 g"),
        ] {
            assert_eq!(service_name(name), shown);
        }
    }
}
