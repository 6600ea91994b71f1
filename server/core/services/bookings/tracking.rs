//! Tracking of shipments: reported by operators or read from partners, and shown to everyone who
//! has the AWB.

use super::courier_orders::note;
use super::scans::{Reported, add_scans, words};
use super::{Bookings, cancel};
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::Booking;
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::booking::order::progress::{self, Progress};
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::order::tracking::{
    CANCELLED_BY_COURIER, ReceiverCall, Tracked, TrackingReader, is_on_its_way, last_event,
    track_again_ms, tracked_view,
};
use crate::model::booking::pickup::PickupStanding;
use crate::model::courier::finding::{FindingKind, NewFinding};
use crate::model::courier::order::{Scan, Standing};
use crate::model::courier::time_told::TimeTold;
use crate::model::input::phone;
use crate::model::notice::BookingEvent;
use crate::model::shipping::awb;
use crate::model::shipping::loss::Loss;
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
    /// Returns a shipment and its events. Only its sender, if logged in, reads the words of its
    /// courier.
    ///
    /// # Errors
    /// `Fields` for empty input, `NotFound` when there is no such shipment, `TooMany` for a client
    /// that tries many numbers.
    pub async fn track(
        &self,
        client: ClientIp,
        user: Option<&CurrentUser>,
        awb_text: &str,
    ) -> Result<Tracked> {
        self.unknown_awbs.take(client, self.core.clock.now_ms())?;
        let mut conn = self.core.store.read().await?;
        let (booking, tat_days) = shipment(&mut conn, awb_text).await?;
        let reader = reader(&mut conn, user, &booking).await?;
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
        let shipment = tracked_view(&booking, tat_days, events, reader);
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
    /// requests, and after too many calls about this parcel, to this receiver or in total.
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
        let number = &booking.form.read().consignee.phone;
        let number = phone::indian(number).unwrap_or_else(|| number.clone());
        let (id, budgets) = (booking.booking_id, self.message_budgets.clone());
        let ask = self.core.store.write(move |conn| {
            Box::pin(async move {
                let Some(sender) = store::call_requests::ask(conn, &id, now_ms).await? else {
                    return Ok(());
                };
                let planned = budgets.plan_call(&number, &sender, &id);
                // A refusal takes the request back.
                planned.take(conn, now_ms).await?.map(|_| ()).map_err(|spent| Error::TooMany {
                    message: "Too many requests. Please try again later.".into(),
                    retry_after_s: spent.retry_after_s,
                })
            })
        });
        ask.await
    }

    /// Reads a shipment's tracking from its partner, every half hour until it has arrived or was
    /// cancelled, and less often for some days after that: its courier may take its word back, or
    /// carry it all the same.
    pub async fn track_task(&self, booking_id: &str) -> Result<TaskEnd> {
        let order = self.order_of(booking_id).await?;
        let Some(order) = order.filter(|order| !order.awb.is_empty()) else {
            return Ok(TaskEnd::Done);
        };
        let (now_ms, awb) = (self.core.clock.now_ms(), &order.awb);
        let courier = self.couriers.of(&order.courier)?;
        let is_old = now_ms - order.created_ms >= limits::TRACK_MS_MAX;
        let status = store::bookings::status_of(&mut *self.core.store.read().await?, awb).await?;
        let mut has_news = false;
        let is_cancelled = status == Some(BookingStatus::CANCELLED);
        match reports(courier.as_ref(), &order, is_cancelled, now_ms).await {
            Ok(scans) => has_news = record(&self.core.store, awb, scans, now_ms).await?,
            Err(_) if is_old => {}
            // Some couriers do not know a cancelled shipment any more.
            Err(error) if is_cancelled => {
                tracing::info!(courier = order.courier, "nothing of a cancelled one: {error}");
            }
            Err(error) => {
                note(&order.courier, &error);
                tracing::warn!(courier = order.courier, "tracking was not received: {error}");
                return Err(Error::Provider("the courier does not say where it is".into()));
            }
        }
        let mut conn = self.core.store.read().await?;
        let status = store::bookings::status_of(&mut conn, awb).await?;
        let events = store::tracking_events::all(&mut conn, booking_id).await?;
        drop(conn);
        let stage = status.and_then(BookingStatus::shipment);
        let has_arrived = stage.is_some_and(ShipmentStatus::is_final);
        let since_ms = events.first().map_or(0, |newest| now_ms - newest.time_ms());
        match (has_arrived, is_old) {
            (true, false) if since_ms < limits::TRACK_ARRIVED_MS => {
                return Ok(TaskEnd::Again(now_ms + limits::TRACK_ARRIVED_EVERY_MS));
            }
            (false, false) => {
                let is_told = self.couriers.callback_secret(&order.courier).is_some();
                return Ok(TaskEnd::Again(now_ms + track_again_ms(is_told && !has_news, since_ms)));
            }
            (true, _) => {}
            (false, true) => {
                let awb = stage.map(|_| awb.clone());
                let write = self.core.store.write(move |conn| {
                    Box::pin(async move {
                        match awb {
                            Some(awb) => give_up(conn, &awb, now_ms).await,
                            None => Ok(()),
                        }
                    })
                });
                write.await?;
            }
        }
        Ok(TaskEnd::Done)
    }

    /// Handles a partner's callback about a shipment: its tracking is read at once. A task is
    /// stored first, so that an accepted callback survives a crash. Shipments of others, or not
    /// tracked any more, are accepted and ignored: a partner that gets too many errors stops its
    /// callbacks.
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
        write.await.map(drop)
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

async fn reader(
    conn: &mut Conn,
    user: Option<&CurrentUser>,
    booking: &Booking,
) -> Result<TrackingReader> {
    let own = match user {
        Some(user) => store::bookings::find(conn, user.id(), &booking.booking_id).await?,
        None => None,
    };
    Ok(own.map_or(TrackingReader::Stranger, |_| TrackingReader::Sender))
}

/// Calls `add` in a transaction of its own.
pub async fn record(store: &Store, awb: &str, scans: Vec<Scan>, now_ms: i64) -> Result<bool> {
    let awb = awb.to_owned();
    store.write(move |conn| Box::pin(async move { add(conn, &awb, &scans, now_ms).await })).await
}

/// Reads the courier's reports of a shipment. Some couriers do not report a cancellation, so for a
/// shipment that has not moved the list of orders is read too. Of a cancelled one, only reports
/// that it moved are read.
async fn reports(
    courier: &dyn Courier,
    order: &CourierOrder,
    is_cancelled: bool,
    now_ms: i64,
) -> std::result::Result<Vec<Scan>, CourierError> {
    let mut scans = courier.track(&order.service, &order.awb).await?;
    for scan in scans.iter_mut().filter(|scan| scan.told == TimeTold::Nothing) {
        // 0: nothing was told, not even by the reports around it. An expected day may come yet.
        scan.happened_ms = match scan.happened_ms {
            0 => now_ms,
            ms => ms.min(now_ms),
        };
    }
    if is_cancelled {
        scans.retain(|scan| scan.stage.is_some_and(ShipmentStatus::has_moved));
        return Ok(scans);
    }
    let tells = |scan: &Scan| scan.stage.is_some_and(|it| it != ShipmentStatus::Booked);
    if scans.iter().any(tells) {
        return Ok(scans);
    }
    match courier.look_up(&order.numbers()).await {
        Ok(Standing::Cancelled) => scans.push(Scan {
            stage: Some(ShipmentStatus::Cancelled),
            remarks: CANCELLED_BY_COURIER.to_owned(),
            happened_ms: now_ms,
            ..Scan::default()
        }),
        Ok(_) => {}
        Err(error) => note(&order.courier, &error),
    }
    Ok(scans)
}

/// Adds the reports of a shipment, the oldest first, updates its booking and notifies the customer.
/// A cancelled one is refunded too, unless it ever moved. A repeated report changes nothing; an
/// older one that comes late is listed in its place and does not change the status. Returns `true`
/// if one of them is new.
///
/// # Errors
/// `NotFound` when there is no such shipment.
pub(crate) async fn add(conn: &mut Conn, awb: &str, scans: &[Scan], now_ms: i64) -> Result<bool> {
    add_from(conn, awb, scans, false, now_ms).await
}

/// Adds an operator's report, as `add` does. An operator's word that a shipment is cancelled
/// refunds it, unless it has arrived.
///
/// # Errors
/// `NotFound` when there is no such shipment.
pub(crate) async fn add_by_operator(
    conn: &mut Conn,
    awb: &str,
    scan: Scan,
    now_ms: i64,
) -> Result<()> {
    let is_decided = scan.stage == Some(ShipmentStatus::Cancelled);
    add_from(conn, awb, &[scan], is_decided, now_ms).await.map(drop)
}

/// Adds reports. With `is_decided`, an operator has decided that the shipment is cancelled.
async fn add_from(
    conn: &mut Conn,
    awb: &str,
    scans: &[Scan],
    is_decided: bool,
    now_ms: i64,
) -> Result<bool> {
    let (user_id, booking) = claim(conn, awb).await?;
    let events = add_scans(conn, &booking, scans, now_ms).await?;
    follow(conn, (&user_id, &booking), &events, is_decided, now_ms).await?;
    Ok(events.iter().any(|it| it.is_new))
}

/// Changes the booking, the money and the findings as the events tell.
async fn follow(
    conn: &mut Conn,
    (user_id, booking): (&str, &Booking),
    events: &[Reported],
    is_decided: bool,
    now_ms: i64,
) -> Result<()> {
    let stands = booking.status.shipment().unwrap_or(ShipmentStatus::Booked);
    if stands == ShipmentStatus::Cancelled {
        return note_carried(conn, booking, events, now_ms).await;
    }
    match progress::decide(stands, &words(events)) {
        Progress::Stays => Ok(()),
        Progress::Moves(stage) => {
            change(conn, user_id, booking, stage, now_ms).await?;
            note_loss(conn, booking, stage, events, now_ms).await
        }
        Progress::TakenBack(stage) => {
            take_back(conn, booking, stands, now_ms).await?;
            change(conn, user_id, booking, stage, now_ms).await?;
            note_loss(conn, booking, stage, events, now_ms).await?;
            find(conn, booking, FindingKind::DeliveryWithdrawn, stage.word(), now_ms).await
        }
        Progress::CalledOff => call_off(conn, user_id, booking, now_ms).await,
        Progress::CalledOffLate if is_decided && !stands.is_final() => {
            call_off(conn, user_id, booking, now_ms).await
        }
        // Told before, and settled perhaps.
        _ if events.last().is_none_or(|newest| !newest.is_new) => Ok(()),
        Progress::CalledOffLate => {
            let mut others = words(events);
            others.retain(|word| *word != ShipmentStatus::Cancelled);
            if let Progress::Moves(stage) = progress::decide(stands, &others) {
                change(conn, user_id, booking, stage, now_ms).await?;
                note_loss(conn, booking, stage, events, now_ms).await?;
            }
            find(conn, booking, FindingKind::CancelledLate, stands.word(), now_ms).await
        }
    }
}

/// Stores for operators that a cancelled shipment is carried all the same, at whatever time the new
/// report says that it moved.
async fn note_carried(
    conn: &mut Conn,
    booking: &Booking,
    events: &[Reported],
    now_ms: i64,
) -> Result<()> {
    let new = events.iter().rev().filter(|it| it.is_new);
    let mut stages = new.filter_map(|it| ShipmentStatus::of_label(&it.event.status));
    match stages.find(|stage| stage.has_moved()) {
        Some(stage) => find(conn, booking, FindingKind::MovedCancelled, stage.word(), now_ms).await,
        None => Ok(()),
    }
}

/// Locks the shipment with this AWB and returns it with its owner.
async fn claim(conn: &mut Conn, awb: &str) -> Result<(String, Booking)> {
    let unknown = || Error::NotFound("We have no shipment with this AWB number.".into());
    store::bookings::claim(conn, awb).await?.ok_or_else(unknown)
}

/// Changes the status of a shipment, and notifies its customer and receiver.
async fn change(
    conn: &mut Conn,
    user_id: &str,
    booking: &Booking,
    stage: ShipmentStatus,
    now_ms: i64,
) -> Result<()> {
    let (id, status) = (&booking.booking_id, BookingStatus::Shipment(stage));
    store::bookings::set_status(conn, id, status).await?;
    if booking.status == BookingStatus::Cancelling && stage != ShipmentStatus::Booked {
        // The pickup came before the answer to the customer's cancellation.
        store::tasks::remove(conn, TaskKind::Cancellation, id).await?;
        store::notices::add(conn, id, BookingEvent::CancelRefused, now_ms).await?;
    }
    store::notices::add(conn, id, BookingEvent::Status(status), now_ms).await?;
    receiver_messages::note(conn, booking, status, now_ms).await?;
    store::pickups::remove_parcel(conn, user_id, id, "fetched", now_ms).await?;
    Ok(())
}

/// Notifies the customer that the shipment has not arrived. If it arrives once more, the customer
/// is notified once more.
async fn take_back(
    conn: &mut Conn,
    booking: &Booking,
    stands: ShipmentStatus,
    now_ms: i64,
) -> Result<()> {
    let id = &booking.booking_id;
    for told in [BookingEvent::Status(booking.status), BookingEvent::DeliveryWithdrawn] {
        store::notices::forget(conn, id, told).await?;
    }
    match stands {
        ShipmentStatus::Delivered => {
            store::notices::add(conn, id, BookingEvent::DeliveryWithdrawn, now_ms).await
        }
        _ => Ok(()),
    }
}

/// Cancels a shipment for its courier, and refunds its price.
async fn call_off(conn: &mut Conn, user_id: &str, booking: &Booking, now_ms: i64) -> Result<()> {
    let (id, status) = (&booking.booking_id, BookingStatus::CANCELLED);
    store::bookings::set_status(conn, id, status).await?;
    store::notices::add(conn, id, BookingEvent::Status(status), now_ms).await?;
    if !failpoints::on("cancelled-unpaid") {
        cancel::pay_back(conn, user_id, booking, now_ms).await?;
    }
    store::pickups::remove_parcel(conn, user_id, id, "fetched", now_ms).await?;
    Ok(())
}

/// Stores for operators that a shipment is lost or damaged, if that is its new status.
async fn note_loss(
    conn: &mut Conn,
    booking: &Booking,
    stage: ShipmentStatus,
    events: &[Reported],
    now_ms: i64,
) -> Result<()> {
    if stage != ShipmentStatus::Exception {
        return Ok(());
    }
    let loss = events.iter().rev().find_map(|it| Loss::of_label(&it.event.status));
    let detail = loss.map_or("", Loss::word);
    find(conn, booking, FindingKind::Exception, detail, now_ms).await
}

async fn find(
    conn: &mut Conn,
    booking: &Booking,
    kind: FindingKind,
    detail: &str,
    now_ms: i64,
) -> Result<()> {
    let found = NewFinding {
        kind,
        subject: &booking.booking_id,
        awb: &booking.awb,
        courier: &booking.courier_code,
        detail,
    };
    store::tracking_findings::add(conn, &found, now_ms).await
}

/// Ends the tracking of a shipment that has not arrived: its page says so, and an operator must ask
/// its courier.
async fn give_up(conn: &mut Conn, awb: &str, now_ms: i64) -> Result<()> {
    let (_, booking) = claim(conn, awb).await?;
    let Some(stage) = booking.status.shipment().filter(|stage| !stage.is_final()) else {
        return Ok(());
    };
    let event = last_event(&booking, stage, now_ms);
    store::tracking_events::add(conn, &booking.booking_id, &event).await?;
    find(conn, &booking, FindingKind::NotArrived, stage.word(), now_ms).await
}
