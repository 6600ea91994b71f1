//! Tracking of shipments: reported by operators or read from partners, and shown to everyone who
//! has the AWB.

use std::collections::HashSet;

use super::courier_orders::note;
use super::{Bookings, cancel};
use crate::error::{Error, Result};
use crate::model::booking::Booking;
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::order::tracking::{
    ReceiverCall, Tracked, TrackingEvent, is_on_its_way, public_view,
};
use crate::model::booking::pickup::PickupStanding;
use crate::model::courier::order::{Scan, Standing};
use crate::model::notice::BookingEvent;
use crate::model::shipping::awb;
use crate::model::shipping::status::ShipmentStatus;
use crate::model::task::{TaskEnd, TaskKind};
use crate::providers::courier::Courier;
use crate::providers::courier::callback::awb_of;
use crate::providers::courier::error::CourierError;
use crate::services::accounts::rate_limits::ClientIp;
use crate::services::notifications::receiver_messages;
use crate::store::{self, Conn, Store};
use crate::{failpoints, limits};

impl Bookings {
    /// Returns a shipment and its events.
    ///
    /// # Errors
    /// `Fields` for empty input, `NotFound` when there is no such shipment, `TooMany` for a client
    /// that tries many numbers.
    pub async fn track(&self, client: ClientIp, awb_text: &str) -> Result<Tracked> {
        self.unknown_awbs.take(client, self.core.clock.now_ms())?;
        let mut conn = self.core.store.read().await?;
        let (booking, tat_days) = shipment(&mut conn, awb_text).await?;
        let events = store::tracking_events::all(&mut conn, &booking.booking_id).await?;
        let is_asked = store::call_requests::is_open(&mut conn, &booking.booking_id).await?;
        let now_ms = self.core.clock.now_ms();
        let drop_off = &self.core.company.drop_off;
        let handover = store::pickups::handover(&mut conn, &booking, drop_off, now_ms).await?;
        let (pickup, handover) = handover.unzip();
        let pickup = pickup.flatten();
        // A pickup that is not agreed concerns its sender only.
        let is_public = match &pickup {
            Some(line) => line.state == PickupStanding::Confirmed,
            None => !booking.form.read().pickup.is_wanted(),
        };
        let shipment = public_view(&booking, tat_days, events);
        self.unknown_awbs.give_back(&client);
        Ok(Tracked {
            pickup: pickup.filter(|_| is_public),
            handover: handover.filter(|_| is_public),
            call: shipment.call.map(|possible| match is_asked {
                true => ReceiverCall::Asked,
                false => possible,
            }),
            ..shipment
        })
    }

    /// Requests a call to the receiver, at the number that the sender entered, for a person who has
    /// the parcel's number.
    ///
    /// # Errors
    /// As `track`; `Conflict` when it is not in transit, `TooMany` for a client with too many
    /// requests.
    pub async fn ask_for_call(&self, client: ClientIp, awb_text: &str) -> Result<()> {
        let now_ms = self.core.clock.now_ms();
        self.calls.take(client, now_ms)?;
        let (booking, _) = shipment(&mut *self.core.store.read().await?, awb_text).await?;
        if !is_on_its_way(&booking) {
            return Err(Error::Conflict {
                code: "not_on_its_way",
                message: "This parcel is not on its way any more. Please write to us.".into(),
            });
        }
        let id = booking.booking_id;
        let ask = self.core.store.write(move |conn| {
            Box::pin(async move { store::call_requests::ask(conn, &id, now_ms).await })
        });
        ask.await
    }

    /// Reads a shipment's tracking from its partner, every half hour until it has arrived.
    pub async fn track_task(&self, booking_id: &str) -> Result<TaskEnd> {
        let order = self.order_of(booking_id).await?;
        let Some(order) = order.filter(|order| !order.awb.is_empty()) else {
            return Ok(TaskEnd::Done);
        };
        let (now_ms, awb) = (self.core.clock.now_ms(), &order.awb);
        let courier = self.couriers.of(&order.courier)?;
        let is_old = now_ms - order.created_ms >= limits::TRACK_MS_MAX;
        match reports(courier.as_ref(), &order, now_ms).await {
            Ok(scans) => record(&self.core.store, awb, scans, now_ms).await?,
            Err(_) if is_old => {}
            Err(error) => {
                note(&order.courier, &error);
                tracing::warn!(courier = order.courier, "tracking was not received: {error}");
                return Err(Error::Provider("the courier does not say where it is".into()));
            }
        }
        let status = store::bookings::status_of(&mut *self.core.store.read().await?, awb).await?;
        let stage = status.and_then(BookingStatus::shipment);
        match is_old || stage.is_some_and(ShipmentStatus::is_final) {
            true => Ok(TaskEnd::Done),
            false => Ok(TaskEnd::Again(now_ms + limits::TRACK_EVERY_MS)),
        }
    }

    /// Handles a partner's callback about a shipment: its tracking is read at once. A task is
    /// stored first, so that an accepted callback survives a crash. Shipments of others, or already
    /// final, are accepted and ignored: a partner that gets too many errors stops its callbacks.
    ///
    /// # Errors
    /// `NotFound` when callbacks of this partner are not enabled, `LoggedOut` for a wrong secret,
    /// `Malformed` for a body without an AWB.
    pub async fn on_courier_callback(
        &self,
        courier: &str,
        caller_secret: Option<&[u8]>,
        body: &[u8],
    ) -> Result<()> {
        let secret = self.couriers.callback_secret(courier);
        let secret = secret.ok_or_else(|| Error::NotFound("There is no such call.".into()))?;
        let genuine = caller_secret.is_some_and(|value| secret.is(value));
        if !genuine && !failpoints::on("courier-callback-unchecked") {
            return Err(Error::LoggedOut("This callback is not from the courier.".into()));
        }
        let awb = awb_of(body).ok_or_else(|| {
            Error::Malformed("A callback is a JSON object, with the AWB it speaks of.".into())
        })?;
        let Some(awb) = awb::normalise(&awb) else {
            return Ok(());
        };
        let (courier, now_ms) = (courier.to_owned(), self.core.clock.now_ms());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                match store::courier_orders::booking_of(conn, &courier, &awb).await? {
                    Some(id) => store::tasks::make_due(conn, TaskKind::Tracking, &id, now_ms).await,
                    None => Ok(false),
                }
            })
        });
        let is_due = write.await?;
        if is_due {
            self.core.wakes.wake(TaskKind::Tracking);
        }
        Ok(())
    }
}

/// Returns the parcel of this AWB, and its expected days of transit.
async fn shipment(conn: &mut Conn, awb_text: &str) -> Result<(Booking, Option<i64>)> {
    if awb_text.trim().is_empty() {
        return Err(Error::field("awb", "Please enter an AWB number."));
    }
    let unknown = |awb_text: &str| {
        let message = match awb::is_mistyped(awb_text) {
            true => "This AWB number has a wrong digit. Please check it.",
            false => "We have no shipment with this AWB number.",
        };
        Error::NotFound(message.into())
    };
    let awb = awb::normalise(awb_text).ok_or_else(|| unknown(""))?;
    if let Some(booking) = store::bookings::shipment(conn, &awb).await? {
        return Ok(booking);
    }
    // Our own AWB, before its courier assigned another.
    let courier_awb = store::courier_orders::awb_of(conn, &awb).await?;
    let courier_awb = courier_awb.ok_or_else(|| unknown(&awb))?;
    let booking = store::bookings::shipment(conn, &courier_awb).await?;
    booking.ok_or_else(|| unknown(&courier_awb))
}

/// Calls `add` in a transaction of its own.
pub async fn record(store: &Store, awb: &str, scans: Vec<Scan>, now_ms: i64) -> Result<()> {
    let awb = awb.to_owned();
    store.write(move |conn| Box::pin(async move { add(conn, &awb, &scans, now_ms).await })).await
}

/// Reads the courier's reports of a shipment. Some couriers do not report a cancellation, so for a
/// shipment that has not moved the list of orders is read too.
async fn reports(
    courier: &dyn Courier,
    order: &CourierOrder,
    now_ms: i64,
) -> std::result::Result<Vec<Scan>, CourierError> {
    let mut scans = courier.track(&order.service, &order.awb).await?;
    let tells = |scan: &Scan| scan.stage.is_some_and(|it| it != ShipmentStatus::Booked);
    if scans.iter().any(tells) {
        return Ok(scans);
    }
    match courier.look_up(&order.numbers()).await {
        Ok(Standing::Cancelled) => scans.push(Scan {
            stage: Some(ShipmentStatus::Cancelled),
            location: String::new(),
            remarks: "Cancelled by the courier".to_owned(),
            comments: String::new(),
            happened_ms: now_ms,
        }),
        Ok(_) => {}
        Err(error) => note(&order.courier, &error),
    }
    Ok(scans)
}

/// Adds the reports of a shipment, updates its booking and notifies the customer. A cancelled one
/// is refunded too. A repeated report changes nothing; an older one that comes late is listed in
/// its place and does not change the status.
///
/// # Errors
/// `NotFound` when there is no such shipment.
pub(crate) async fn add(conn: &mut Conn, awb: &str, scans: &[Scan], now_ms: i64) -> Result<()> {
    let unknown = || Error::NotFound("We have no shipment with this AWB number.".into());
    let claimed = store::bookings::claim(conn, awb).await?;
    let (user_id, booking) = claimed.ok_or_else(unknown)?;
    let all = add_scans(conn, &booking, scans).await?;
    let stands = booking.status.shipment();
    let is_final = stands.is_some_and(ShipmentStatus::is_final);
    let reports =
        all.iter().filter_map(|it| Some((ShipmentStatus::of_label(&it.status)?, it.happened_ms)));
    // Some couriers report only minutes, so that a pickup may seem older than its booking.
    let newest = reports.max_by_key(|(stage, at_ms)| (*stage != ShipmentStatus::Booked, *at_ms));
    let stage = newest.map(|(stage, _)| stage);
    if let Some(stage) = stage.filter(|stage| !is_final && Some(*stage) != stands) {
        let status = BookingStatus::Shipment(stage);
        let id = &booking.booking_id;
        store::bookings::set_status(conn, id, status).await?;
        store::notices::add(conn, id, BookingEvent::Status(status), now_ms).await?;
        receiver_messages::note(conn, &booking, status, now_ms).await?;
        if stage == ShipmentStatus::Cancelled && !failpoints::on("cancelled-unpaid") {
            cancel::pay_back(conn, &user_id, &booking, now_ms).await?;
        }
        store::pickups::remove_parcel(conn, &user_id, id, "fetched", now_ms).await?;
    }
    Ok(())
}

/// Adds the new reports, and returns all. Beyond the limit of a shipment the oldest are dropped,
/// except the first of each status.
async fn add_scans(
    conn: &mut Conn,
    booking: &Booking,
    scans: &[Scan],
) -> Result<Vec<TrackingEvent>> {
    let id = &booking.booking_id;
    let mut all = store::tracking_events::all(conn, id).await?;
    let stored_count = all.len();
    let mut scans: Vec<&Scan> = scans.iter().collect();
    scans.sort_by_key(|scan| scan.happened_ms);
    for scan in scans {
        if !all.iter().any(|it| is_same(it, scan)) {
            all.push(event(scan, &booking.courier_code, &all));
        }
    }
    let new = all.split_off(stored_count);
    let lasting = events_to_keep(&all, &new);
    for event in all.iter().filter(|event| !lasting.contains(event)) {
        store::tracking_events::drop_one(conn, id, event).await?;
    }
    for event in new.iter().filter(|event| lasting.contains(event)) {
        store::tracking_events::add(conn, id, event).await?;
    }
    Ok([all, new].concat())
}

/// Returns true if a report is stored already. One without a stage was stored with a derived stage,
/// which may differ by now.
fn is_same(event: &TrackingEvent, scan: &Scan) -> bool {
    let stage = scan.stage.map(ShipmentStatus::label);
    event.happened_ms == scan.happened_ms
        && event.location == scan.location
        && event.remarks == scan.remarks
        && stage.is_none_or(|stage| event.status == stage)
}

/// Returns the first of each status, and the newest up to the limit.
fn events_to_keep<'a>(
    all: &'a [TrackingEvent],
    new: &'a [TrackingEvent],
) -> Vec<&'a TrackingEvent> {
    let mut events: Vec<&TrackingEvent> = all.iter().chain(new).collect();
    events.sort_by_key(|event| event.happened_ms);
    let mut statuses = HashSet::new();
    let (mut first, mut rest): (Vec<_>, Vec<_>) =
        events.into_iter().partition(|event| statuses.insert(event.status.as_str()));
    let room = limits::TRACK_EVENTS_MAX.saturating_sub(first.len());
    first.extend(rest.drain(rest.len().saturating_sub(room)..));
    first
}

/// Converts a report to an event. A report without a known stage keeps the shipment's stage: in
/// transit after the pickup, else booked.
pub fn event(scan: &Scan, courier_code: &str, before: &[TrackingEvent]) -> TrackingEvent {
    let mut stages = before.iter().filter_map(|it| ShipmentStatus::of_label(&it.status));
    let stage = scan.stage.unwrap_or_else(|| {
        let was_picked_up = stages.any(|stage| stage != ShipmentStatus::Booked);
        if was_picked_up { ShipmentStatus::InTransit } else { ShipmentStatus::Booked }
    });
    TrackingEvent {
        status: stage.label().to_owned(),
        courier_code: courier_code.to_owned(),
        location: scan.location.clone(),
        remarks: scan.remarks.clone(),
        comments: scan.comments.clone(),
        happened_ms: scan.happened_ms,
    }
}
