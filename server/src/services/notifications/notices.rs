//! What customers are told of their bookings by e-mail: that a courier took them, and every change
//! until they have arrived.
//!
//! A notice is written down with the change it tells of and sent after it, so that a mail server
//! that is slow or gone holds up nobody. It leaves at most once: what may have left is not sent
//! again.

use super::Notifications;
use crate::error::{Error, Result};
use crate::model::booking::status::BookingStatus;
use crate::model::notice::{News, Notice};
use crate::model::shipping::status::ShipmentStatus;
use crate::model::task::{TaskEnd, TaskKind};
use crate::providers::notify::{Channel, Message, NotSent};
use crate::services::core::Core;
use crate::{fault, limits, store};

impl Notifications {
    /// Tells a customer what there is to tell of a booking, in its order. When the last of the
    /// tries comes to nothing, it is given up.
    pub async fn send_task(&self, booking_id: &str, tries: i64) -> Result<TaskEnd> {
        if !self.notifier.has(Channel::Email) {
            return Ok(TaskEnd::Done);
        }
        let since_ms = self.core.clock.now_ms() - limits::NOTICE_MS_MAX;
        let mut conn = self.core.store.read().await?;
        let open = store::notices::open(&mut conn, booking_id, since_ms).await?;
        drop(conn);
        for notice in open {
            if self.send_notice(&notice).await? {
                continue;
            }
            if tries > TaskKind::Notices.rules().tries_max {
                tracing::warn!(booking = booking_id, "a notice was never sent");
                continue;
            }
            self.core
                .store
                .write(move |conn| {
                    Box::pin(async move { store::notices::reopen(conn, &notice).await })
                })
                .await?;
            return Err(Error::Provider("No mail server takes letters.".into()));
        }
        Ok(TaskEnd::Done)
    }

    /// `false` when it surely did not leave.
    async fn send_notice(&self, notice: &Notice) -> Result<bool> {
        let claimed = notice.clone();
        let ours = self
            .core
            .store
            .write(move |conn| Box::pin(async move { store::notices::claim(conn, &claimed).await }))
            .await?;
        if !ours {
            return Ok(true);
        }
        let (subject, text) = letter(&self.core, notice);
        let message = Message {
            to: &notice.email,
            subject: &subject,
            text: &text,
        };
        let sent = self.notifier.send(Channel::Email, message).await;
        fault::point("told", &notice.booking_id).await;
        Ok(!matches!(sent, Err(NotSent::Unavailable(_))))
    }
}

/// Subject and text. No name, address or price: mail is read on the way.
fn letter(core: &Core, notice: &Notice) -> (String, String) {
    let company = &core.company;
    let awb = &notice.awb;
    let (title, news) = match notice.news {
        News::Status(status) => news(status),
        News::CancelRefused => CANCEL_REFUSED,
    };
    let (subject, link) = match notice.news {
        // No courier has it, so there is no number and nothing to follow.
        News::Status(BookingStatus::Failed) => {
            (title.to_owned(), format!("{}/courier", core.public_url))
        }
        _ => (
            format!("{awb}: {title}"),
            format!("{}/track/{awb}", core.public_url),
        ),
    };
    let text = format!("{news}\n\n{link}\n\n{}\n{}\n", company.name, company.email);
    (subject, text)
}

/// Money that was expected back does not come, so it is said in both languages.
const CANCEL_REFUSED: (&str, &str) = (
    "The courier did not agree to cancel it",
    "You asked us to cancel this booking. Its courier did not agree, because the shipment is with \
     it already. The booking goes on, and nothing is given back. Follow it here:\n\nआपने यह बुकिंग \
     रद्द करने को कहा था। कूरियर ने इसे नहीं माना, क्योंकि शिपमेंट उसके पास पहुँच चुका है। \
     बुकिंग जारी रहेगी और पैसे वापस नहीं होंगे। इसे यहाँ देखें:",
);

/// A title and a sentence for a status.
fn news(status: BookingStatus) -> (&'static str, &'static str) {
    let Some(stage) = status.shipment() else {
        return (
            "Your courier booking was not made",
            "No courier took your booking, and nothing was charged. You can book again here:",
        );
    };
    let news = match stage {
        ShipmentStatus::Booked => "Your shipment is booked. Follow it here, from its pickup on:",
        ShipmentStatus::PickedUp => "Your shipment was picked up. Follow it here:",
        ShipmentStatus::InTransit => "Your shipment is on its way. Follow it here:",
        ShipmentStatus::OutForDelivery => "Your shipment is out for delivery. Follow it here:",
        ShipmentStatus::OnHold => "Your shipment is held up. See here what the courier says:",
        ShipmentStatus::Delivered => "Your shipment was delivered. Its whole way is here:",
        ShipmentStatus::Returning => {
            "Your shipment is on its way back to its sender. Follow it here:"
        }
        ShipmentStatus::Returned => {
            "Your shipment was returned to its sender. Its whole way is here:"
        }
        ShipmentStatus::Cancelled => {
            "Your booking was cancelled. Your wallet shows what was given back. The booking was:"
        }
    };
    (stage.label(), news)
}
