//! Notices about bookings: customers get an email when a courier has accepted one, and for every
//! change until the delivery; receivers get SMS.
//!
//! A notice is stored with its change and sent after it, so that a slow or failed mail server
//! delays nothing else. It is sent at most once: one that may have been sent is not retried.

use super::Notifications;
use super::booking_letters::{self, BookingLetterData};
use super::letter::no_server;
use crate::error::{Error, Result};
use crate::model::message::MessageKind;
use crate::model::notice::{BookingEvent, Notice};
use crate::model::task::{TaskEnd, TaskKind};
use crate::providers::notify::message::{Channel, NotSent};
use crate::services::message_budgets::{MessagePermit, PlannedMessage};
use crate::{failpoints, limits, store};

impl Notifications {
    /// Sends a booking's open notices, in order. A notice is given up after the last retry.
    pub async fn send_task(&self, booking_id: &str, tries: i64) -> Result<TaskEnd> {
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
            let write = self.core.store.write(move |conn| {
                Box::pin(async move { store::notices::reopen(conn, &notice).await })
            });
            write.await?;
            return Err(no_server());
        }
        Ok(TaskEnd::Done)
    }

    /// Sends a notice; `false` when it was certainly not sent.
    async fn send_notice(&self, notice: &Notice) -> Result<bool> {
        if let BookingEvent::Receiver(news) = notice.news {
            return self.tell_receiver(notice, news).await;
        }
        if !notice.is_confirmed || !self.notifier.has(Channel::Email) {
            return Ok(true);
        }
        // Before the claim: an error here can be retried.
        let letter = self.letter_data(notice).await?.map(|data| {
            let (url, reader) = (&self.core.public_url, notice.reader.clone());
            let letter = booking_letters::letter(url, reader, notice.news, &data);
            letter.of_kind(MessageKind::BookingLetter)
        });
        let planned = letter.as_ref().map(|letter| self.plan_letter(letter));
        let permit = self.claim(notice, planned).await?;
        let (Some(permit), Some(letter)) = (permit, letter) else { return Ok(true) };
        let result = self.send_counted_letter(permit, &letter).await;
        failpoints::point("told", &notice.booking_id).await;
        Ok(!matches!(result, Err(NotSent::Unavailable(_))))
    }

    /// Takes the single permission to send it now, and counts its message. `None` when it is or
    /// was taken, without a message, and over a budget: then nothing is sent.
    pub(super) async fn claim(
        &self,
        notice: &Notice,
        planned: Option<PlannedMessage>,
    ) -> Result<Option<MessagePermit>> {
        let (claimed, now_ms) = (notice.clone(), self.core.clock.now_ms());
        let claim = self.core.store.write(move |conn| {
            Box::pin(async move {
                let ours = store::notices::claim(conn, &claimed).await?;
                match planned.filter(|_| ours) {
                    Some(planned) => Ok(planned.take(conn, now_ms).await?.ok()),
                    None => Ok(None),
                }
            })
        });
        claim.await
    }

    /// Returns the booking's data; `None` when its customer has switched this letter off.
    async fn letter_data(&self, notice: &Notice) -> Result<Option<BookingLetterData>> {
        let (user_id, id) = (&notice.reader.user_id, &notice.booking_id);
        let mut conn = self.core.store.read().await?;
        if let Some(topic) = booking_letters::topic(notice.news)
            && store::letter_choices::is_declined(&mut conn, user_id, topic).await?
        {
            return Ok(None);
        }
        let gone = || Error::internal(anyhow::anyhow!("the booking of a notice is missing"));
        let booking = store::bookings::find(&mut conn, user_id, id).await?;
        let booking = booking.ok_or_else(gone)?;
        let quote = store::quotes::find_booked(&mut conn, user_id, &booking.quote_id).await?;
        let tracked =
            store::tracking_events::find_view(&mut conn, &booking, quote.tat_days).await?;
        let (now_ms, drop_off) = (self.core.clock.now_ms(), &self.core.company.drop_off);
        let handover = store::pickups::handover(&mut conn, &booking, drop_off, now_ms).await?;
        let handover = handover.map(|(_, sentence)| sentence);
        let debt_paid = store::debts::paid_by_booking(&mut conn, user_id, id).await?;
        let price = quote.read_price()?;
        Ok(Some(BookingLetterData { booking, price, tracked, handover, debt_paid }))
    }
}
