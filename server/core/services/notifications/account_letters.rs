//! Letters about an account: its first one, its last one, and the one to a customer whose two-step
//! login an operator switched off.

use super::Notifications;
use super::letter::Letter;
use crate::error::Result;
use crate::model::account::user::{LetterRecipient, User};
use crate::model::operator::ActionFilter;
use crate::model::task::TaskEnd;
use crate::store;

impl Notifications {
    /// Sends the first letter of an account, whose address was confirmed.
    pub fn post_welcome(&self, reader: LetterRecipient) {
        let url = &self.core.public_url;
        let letter = Letter::new(reader, "Welcome to Dakiya", "Dakiya में आपका स्वागत है")
            .text(
                "Your email address is confirmed. To send your first parcel, compare what \
                 couriers ask for it, put that much into your wallet, and book.",
                "आपका ई-मेल पता पक्का हो गया है। पहला पार्सल भेजने के लिए कूरियरों की कीमतें \
                 देखें, वॉलेट में उतने पैसे डालें और बुक करें।",
            )
            .button("Compare prices", "कीमतें देखें", format!("{url}/calculate"))
            .link("Recharge", "रिचार्ज करें", format!("{url}/recharge"))
            .link("Questions and answers", "सवाल-जवाब", format!("{url}/help"))
            .text(
                "We write to you about your bookings, your wallet and the security of your \
                 account. You choose which of these emails you want:",
                "हम आपको आपकी बुकिंग, वॉलेट और खाते की सुरक्षा के बारे में लिखते हैं। कौन-से ई-मेल \
                 चाहिए, यह आप चुनते हैं:",
            )
            .link("My emails", "मेरे ई-मेल", format!("{url}/account#letters"));
        self.post_letter(letter);
    }

    /// Sends the letter about a closed account, then deletes its address, even if sending has
    /// failed for a day. A crash between the two sends it again, which does no harm.
    pub async fn closing_letter_task(&self, user_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let to = store::users::closing_recipient(&mut conn, user_id).await?;
        let closed_ms = store::users::closed_ms(&mut conn, user_id).await?;
        drop(conn);
        let Some(to) = to else { return Ok(TaskEnd::Done) };
        self.send_within_a_day(&self.closed_letter(to), closed_ms.unwrap_or(0)).await?;
        let user_id = user_id.to_owned();
        let forget = self.core.store.write(move |conn| {
            Box::pin(async move { store::users::delete_closing_email(conn, &user_id).await })
        });
        forget.await?;
        Ok(TaskEnd::Done)
    }

    fn closed_letter(&self, to: LetterRecipient) -> Letter {
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

    /// Sends the letter about two-step login. It is given up after a day of failures.
    pub async fn two_step_letter_task(&self, user_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let user = store::users::find(&mut conn, user_id).await?;
        let filter =
            ActionFilter { reference: user_id.to_owned(), limit: 1, ..ActionFilter::default() };
        let acts = store::operator_actions::list(&mut conn, &filter).await?;
        let done_ms = acts.first().map_or(0, |act| act.done_at);
        let now_ms = self.core.clock.now_ms();
        let earlier = store::email_links::earlier_addresses(&mut conn, user_id, now_ms).await?;
        drop(conn);
        let Some(user) = user.filter(|user| user.email_confirmed) else { return Ok(TaskEnd::Done) };
        let letter = self.two_step_off_letter(&user);
        for address in earlier.iter().filter(|address| **address != user.email) {
            self.post_letter(letter.clone().for_earlier_address(address));
        }
        self.send_within_a_day(&letter, done_ms).await
    }

    fn two_step_off_letter(&self, user: &User) -> Letter {
        let (url, username) = (&self.core.public_url, &user.username);
        let email = &self.core.company.email;
        Letter::new(
            user,
            "Dakiya switched off two-step login for your account",
            "Dakiya ने आपके खाते का दो चरणों वाला लॉग इन बंद किया",
        )
        .text(
            format!(
                "We switched off two-step login for your Dakiya account {username}, as we were \
                 told that you lost your phone and your recovery codes. A login asks for the \
                 password alone, and you were logged out everywhere."
            ),
            format!(
                "हमने आपके Dakiya खाते {username} के लिए दो चरणों वाला लॉग इन बंद कर दिया है, \
                 क्योंकि हमें बताया गया कि आपका फ़ोन और रिकवरी कोड खो गए हैं। अब लॉग इन में केवल \
                 पासवर्ड माँगा जाएगा, और आप हर जगह से लॉग आउट हो गए हैं।"
            ),
        )
        .text(
            format!(
                "If it was not you who asked for this, choose another password at once, and write \
                 to {email}."
            ),
            format!("अगर यह आपने नहीं कहा, तो तुरंत नया पासवर्ड चुनें और {email} पर लिखें।"),
        )
        .choose_password(url)
        .link(
            "Set up two-step login again",
            "दो चरणों वाला लॉग इन फिर चालू करें",
            format!("{url}/account/two-step"),
        )
    }
}
