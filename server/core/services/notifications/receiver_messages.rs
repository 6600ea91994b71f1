//! SMS to receivers, if the sender wishes: for a new booking and when the parcel is out for
//! delivery. The text is ours, so that customers cannot send their own text to a stranger; it
//! contains only the number, the pickup's time and the tracking link. A cancelled booking does not
//! give its SMS back.

use super::Notifications;
use crate::error::Result;
use crate::failpoints;
use crate::model::booking::Booking;
use crate::model::booking::form::choices::YesNo;
use crate::model::booking::handover::pickup_time;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::pickup::PickupStanding;
use crate::model::input::phone;
use crate::model::message::MessageKind;
use crate::model::notice::{BookingEvent, Notice, ReceiverNews};
use crate::model::shipping::status::ShipmentStatus;
use crate::providers::notify::message::{Channel, NotSent, OutgoingMessage, Template};
use crate::store::{self, Conn};

/// Stores a notice to the receiver, if the status needs one and the sender wished it.
pub(crate) async fn note(
    conn: &mut Conn,
    booking: &Booking,
    status: BookingStatus,
    now_ms: i64,
) -> Result<()> {
    match receiver_event(booking, status) {
        Some(news) => store::notices::add(conn, &booking.booking_id, news, now_ms).await,
        None => Ok(()),
    }
}

/// Returns the receiver's notice of a status, if it needs one and the sender wished it.
pub fn receiver_event(booking: &Booking, status: BookingStatus) -> Option<BookingEvent> {
    let wished = || booking.form.read().consignee.told_by_sms == Some(YesNo::Yes);
    let news = ReceiverNews::of(status).filter(|_| wished())?;
    Some(BookingEvent::Receiver(news))
}

impl Notifications {
    /// Sends the SMS; `false` when it was certainly not sent.
    pub(super) async fn tell_receiver(&self, notice: &Notice, news: ReceiverNews) -> Result<bool> {
        let (user_id, id) = (&notice.reader.user_id, &notice.booking_id);
        let mut conn = self.core.store.read().await?;
        let booking = store::bookings::find(&mut conn, user_id, id).await?;
        let (now_ms, drop_off) = (self.core.clock.now_ms(), &self.core.company.drop_off);
        let handover = match &booking {
            Some(booking) => store::pickups::handover(&mut conn, booking, drop_off, now_ms).await?,
            None => None,
        };
        drop(conn);
        let booking = booking.filter(|booking| self.has(Channel::Sms) && is_news(booking, news));
        // Others cannot get an SMS.
        let mobile = |booking: &Booking| phone::indian_mobile(&booking.form.read().consignee.phone);
        let to = booking.as_ref().and_then(mobile);
        let to = to.map(|mobile| phone::with_country_code(&mobile));
        let planned = to.as_ref().map(|to| self.plan(kind(news), to, user_id));
        let permit = self.claim(notice, planned).await?;
        let (Some(permit), Some(booking), Some(to)) = (permit, booking, to) else {
            return Ok(true);
        };
        // Only an agreed pickup concerns the receiver.
        let line = handover.and_then(|(line, _)| line);
        let agreed = line.filter(|it| it.state == PickupStanding::Confirmed);
        let pickup = agreed.map(|line| pickup_time(&line));
        let link = format!("{}/track/{}", self.core.public_url, booking.awb);
        let (template, text) = sms(news, pickup.as_deref(), &booking.awb, &link);
        let message =
            OutgoingMessage { to: &to, text: &text, template, ..OutgoingMessage::default() };
        let result = self.send(permit, message).await;
        failpoints::point("told", &notice.booking_id).await;
        Ok(!matches!(result, Err(NotSent::Unavailable(_))))
    }
}

/// Returns the text and its kind. `docs/configuration.md` has the texts as they are registered.
fn sms(news: ReceiverNews, pickup: Option<&str>, awb: &str, link: &str) -> (Template, String) {
    match (news, pickup) {
        (ReceiverNews::Booked, None) => (
            Template::Booked,
            format!("Dakiya: a parcel is being sent to you. Track {awb}: {link}"),
        ),
        (ReceiverNews::Booked, Some(time)) => (
            Template::Pickup,
            format!("Dakiya: a parcel is being sent to you. Pickup: {time}. Track {awb}: {link}"),
        ),
        (ReceiverNews::OutForDelivery, _) => (
            Template::OutForDelivery,
            format!("Dakiya: your parcel {awb} is out for delivery: {link}"),
        ),
    }
}

fn kind(news: ReceiverNews) -> MessageKind {
    match news {
        ReceiverNews::Booked => MessageKind::ReceiverBooked,
        ReceiverNews::OutForDelivery => MessageKind::ReceiverArriving,
    }
}

/// Returns true if the news is still current: the booking may be cancelled or delivered by now.
fn is_news(booking: &Booking, news: ReceiverNews) -> bool {
    let stage = booking.status.shipment();
    match news {
        ReceiverNews::Booked => {
            let is_cancelling = booking.status == BookingStatus::Cancelling;
            !is_cancelling && stage.is_some_and(|stage| !stage.is_final())
        }
        ReceiverNews::OutForDelivery => stage == Some(ShipmentStatus::OutForDelivery),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_a_template_of_its_own_and_is_documented_as_it_is_registered() {
        const VARIABLE: &str = "{#var#}";
        let texts = [
            sms(ReceiverNews::Booked, None, VARIABLE, VARIABLE),
            sms(ReceiverNews::Booked, Some(VARIABLE), VARIABLE, VARIABLE),
            sms(ReceiverNews::OutForDelivery, None, VARIABLE, VARIABLE),
        ];
        let documented = include_str!("../../../docs/configuration.md");
        for (at, (template, text)) in texts.iter().enumerate() {
            assert!(documented.contains(text.as_str()), "{text}");
            assert!(texts[..at].iter().all(|(other, _)| other != template), "{text}");
        }
    }
}
