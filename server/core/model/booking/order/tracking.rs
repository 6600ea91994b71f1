//! Tracking events of a shipment, as stored and as shown to the public.

use std::ops::RangeInclusive;

use serde::Serialize;
use utoipa::ToSchema;

use crate::limits::{self, DAY_MS};
use crate::model::booking::Booking;
use crate::model::booking::form::details::joined;
use crate::model::booking::order::cancellation;
use crate::model::booking::pickup::PickupLine;
use crate::model::courier::time_told::TimeTold;
use crate::model::shipping::place::{self, Country};
use crate::model::shipping::public_place::{known_place, plain_city};
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

/// Returns the pause before the next tracking request for a shipment of which nothing was heard for
/// this long. It grows for a quiet one: its partner calls back, and this time told nothing new.
pub fn track_again_ms(is_quiet: bool, since_ms: i64) -> i64 {
    match is_quiet {
        true => (since_ms / 2).clamp(limits::TRACK_EVERY_MS, limits::TRACK_CALLED_BACK_MS_MAX),
        false => limits::TRACK_EVERY_MS,
    }
}

/// An event as the API and the pages show it: no name, phone, address or price. Only the sender
/// also reads the courier's own words.
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
    /// To all but the sender a city or country of our lists, or empty.
    pub update_location: String,
    /// To all but the sender a sentence of ours.
    pub remarks: String,
    /// Empty to all but the sender.
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

/// The reader of a shipment's events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackingReader {
    Sender,
    /// Everybody who has the AWB. A courier's words may hold the receiver's name or phone.
    Stranger,
}

/// Returns the view of a booking and its events for a reader. `events` are newest first.
pub fn tracked_view(
    booking: &Booking,
    tat_days: Option<i64>,
    events: Vec<TrackingEvent>,
    reader: TrackingReader,
) -> Tracked {
    let shipment = PublicShipment {
        courier: courier_name(&booking.product_name, &booking.courier_code),
        service: service_name(&booking.product_name),
        destination: destination(booking),
        status: booking.status.word().to_owned(),
        expected_at: tat_days.and_then(|days| expected_at(booking, days, &events)),
    };
    let shown = |event: TrackingEvent| {
        let event = match reader {
            TrackingReader::Sender => event,
            TrackingReader::Stranger => in_our_words(event, booking),
        };
        PublicTrackingEvent {
            airwaybill_no: booking.awb.clone(),
            date: event.time_ms(),
            status: event.status,
            // One courier carries the shipment from end to end, also if a partner reported the
            // event.
            courier_code: booking.courier_code.clone(),
            day_only: event.told != TimeTold::Moment,
            update_location: event.location,
            remarks: event.remarks,
            comments: event.comments,
        }
    };
    Tracked {
        shipment,
        events: events.into_iter().map(shown).collect(),
        pickup: None,
        handover: None,
        call: is_on_its_way(booking).then_some(ReceiverCall::Possible),
    }
}

/// Replaces all text of the event that is not ours.
fn in_our_words(event: TrackingEvent, booking: &Booking) -> TrackingEvent {
    let remarks = match OUR_REMARKS.contains(&event.remarks.as_str()) {
        true => event.remarks,
        false => ShipmentStatus::of_label(&event.status).map_or("", sentence).to_owned(),
    };
    let own_cities = [&booking.origin_city, &booking.destination_city].map(|city| plain_city(city));
    let country = destination_country(booking).map_or("", |it| it.country_code.as_str());
    let location = known_place(&event.location, own_cities, country);
    TrackingEvent { remarks, location, comments: String::new(), ..event }
}

/// Returns the sentence about a stage for everybody who has the AWB.
fn sentence(stage: ShipmentStatus) -> &'static str {
    match stage {
        ShipmentStatus::Booked => "The courier expects the parcel.",
        ShipmentStatus::PickedUp => "The courier has the parcel.",
        ShipmentStatus::InTransit => "On its way.",
        ShipmentStatus::OutForDelivery => "The courier is bringing it to the receiver.",
        ShipmentStatus::OnHold => "It is held up, or could not be delivered yet.",
        ShipmentStatus::Exception => "The courier says that it is lost, damaged or destroyed.",
        ShipmentStatus::Delivered => "It has arrived.",
        ShipmentStatus::Returning => {
            "It could not be delivered and is on its way back to the sender."
        }
        ShipmentStatus::Returned => "It could not be delivered and came back to the sender.",
        ShipmentStatus::Cancelled => "It was cancelled.",
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
/// of prices and bookings, in `ui/src/rates/service-name.ts`; tests on both sides read
/// `server/tests/service_names.json`.
pub fn service_name(name: &str) -> String {
    let figures = |text: &str, lengths: RangeInclusive<usize>| {
        lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_number = |text: &str| {
        text.is_empty() || text.strip_prefix(' ').is_some_and(|it| figures(it, 1..=usize::MAX))
    };
    let partner = name.strip_suffix(')').and_then(|name| name.rsplit_once(" (partner"));
    let name = partner.filter(|(_, number)| is_number(number)).map_or(name, |(name, _)| name);
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
    let city = plain_city(&booking.destination_city);
    if !city.is_empty() {
        return city.to_owned();
    }
    let country = destination_country(booking).map_or("", |it| it.country_name.as_str());
    joined(&[plain_city(&booking.form.read().consignee.city), country], ", ")
}

fn destination_country(booking: &Booking) -> Option<&'static Country> {
    booking.form.read().route.destination_country_id.parse().ok().and_then(place::country)
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

/// The remark of the event of a booking that its sender has cancelled.
pub const CANCELLED_BY_SENDER: &str = "Cancelled by the sender";

/// The remark of the event of an order that its courier lists as cancelled.
pub const CANCELLED_BY_COURIER: &str = "Cancelled by the courier";

/// The remark of the last event of a shipment that did not arrive as long as it was tracked.
pub const NOT_ARRIVED: &str = "The courier does not say any more where it is. Please write to us.";

/// All remarks that we write ourselves.
const OUR_REMARKS: [&str; 4] =
    [CANCELLED_BY_SENDER, CANCELLED_BY_COURIER, NOT_ARRIVED, cancellation::REFUSED];

/// Returns the event of a booking that was just made. It does not name a pickup or a drop-off: the
/// sender may change that later, and the event stays.
pub fn first_event(booking: &Booking) -> TrackingEvent {
    let stage = ShipmentStatus::Booked;
    own_event(booking, stage, sentence(stage), booking.created_ms)
}

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
    fn only_a_quiet_shipment_is_asked_for_less_often() {
        let pauses_ms = [0, 2, 24].map(|hours| track_again_ms(true, hours * limits::HOUR_MS));
        assert_eq!(pauses_ms, [1, 2, 8].map(|half_hours| half_hours * limits::HOUR_MS / 2));
        assert_eq!(track_again_ms(false, DAY_MS), limits::HOUR_MS / 2);
    }

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
        let names = include_str!("../../../../tests/service_names.json");
        let names: Vec<(String, String)> = serde_json::from_str(names).expect("names");
        for (name, shown) in names {
            assert_eq!(service_name(&name), shown);
        }
    }
}
