//! The last letter of an account, about its closing. Its address is deleted afterwards.

use super::Notifications;
use super::letter::{Letter, no_server};
use crate::error::Result;
use crate::limits;
use crate::model::account::user::LetterRecipient;
use crate::model::task::TaskEnd;
use crate::providers::notify::message::{Channel, NotSent};
use crate::store;

impl Notifications {
    /// Sends the letter, then deletes its address, even if sending has failed for a day. A crash
    /// between the two sends it again, which does no harm.
    pub async fn closing_letter_task(&self, user_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let to = store::users::parting(&mut conn, user_id).await?;
        let closed_ms = store::users::closed_ms(&mut conn, user_id).await?;
        drop(conn);
        let Some(to) = to else {
            return Ok(TaskEnd::Done);
        };
        let result = self.send_letter(&self.closed(to)).await;
        let age_ms = self.core.clock.now_ms() - closed_ms.unwrap_or(0);
        let waits = matches!(result, Err(NotSent::Unavailable(_)))
            && self.notifier.has(Channel::Email)
            && age_ms < limits::NOTICE_MS_MAX;
        if waits {
            return Err(no_server());
        }
        let user_id = user_id.to_owned();
        let forget = self
            .core
            .store
            .write(move |conn| Box::pin(async move { store::users::parted(conn, &user_id).await }));
        forget.await?;
        Ok(TaskEnd::Done)
    }

    fn closed(&self, to: LetterRecipient) -> Letter {
        let email = &self.core.company.email;
        Letter::new(
            to,
            "Your Dakiya account is closed",
            "आपका Dakiya खाता बंद हो गया है",
        )
        .text(
            "Your Dakiya account is closed, and nobody can log in to it any more. Your name, \
             address book, drafts and identity documents are gone. Bookings, invoices and the \
             statement of your wallet stay for the eight years that tax law asks for.",
            "आपका Dakiya खाता बंद हो गया है, और अब उसमें कोई लॉग इन नहीं कर सकता। आपका नाम, पता \
             पुस्तिका, अधूरी बुकिंग और पहचान के दस्तावेज़ हटा दिए गए हैं। बुकिंग, इनवॉइस और \
             वॉलेट का हिसाब उन आठ सालों तक रहेगा जो कर कानून माँगता है।",
        )
        .text(
            format!(
                "If it was not you, write to {email} at once. You may open another account with \
                 this address at any time."
            ),
            format!(
                "अगर यह आपने नहीं किया, तो तुरंत {email} पर लिखें। इस पते से आप कभी भी नया खाता \
                 खोल सकते हैं।"
            ),
        )
    }
}
