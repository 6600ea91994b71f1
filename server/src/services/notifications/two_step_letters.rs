//! The letter to a customer whose two-step sign-in an operator switched off.

use super::Notifications;
use super::letter::{Letter, no_server};
use crate::error::Result;
use crate::limits;
use crate::model::account::user::User;
use crate::model::operator::ActionFilter;
use crate::model::task::TaskEnd;
use crate::providers::notify::message::{Channel, NotSent};
use crate::store;

impl Notifications {
    /// Sends the letter. It is given up after a day of failures.
    pub async fn two_step_letter_task(&self, user_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let user = store::users::find(&mut conn, user_id).await?;
        let filter =
            ActionFilter { reference: user_id.to_owned(), limit: 1, ..ActionFilter::default() };
        let acts = store::operator_actions::list(&mut conn, &filter).await?;
        let done_ms = acts.first().map_or(0, |act| act.done_at);
        drop(conn);
        let Some(user) = user.filter(|user| user.email_confirmed) else {
            return Ok(TaskEnd::Done);
        };
        let result = self.send_letter(&self.two_step_off(&user)).await;
        let waits = matches!(result, Err(NotSent::Unavailable(_)))
            && self.notifier.has(Channel::Email)
            && self.core.clock.now_ms() - done_ms < limits::NOTICE_MS_MAX;
        match waits {
            true => Err(no_server()),
            false => Ok(TaskEnd::Done),
        }
    }

    fn two_step_off(&self, user: &User) -> Letter {
        let (url, username) = (&self.core.public_url, &user.username);
        let email = &self.core.company.email;
        Letter::new(
            user,
            "Dakiya switched off two-step sign-in for your account",
            "Dakiya ने आपके खाते का दो चरणों वाला लॉग इन बंद किया",
        )
        .text(
            format!(
                "We switched off two-step sign-in for your Dakiya account {username}, as we were \
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
        .button("Choose another password", "नया पासवर्ड चुनें", format!("{url}/forgot-password"))
        .link(
            "Set up two-step sign-in again",
            "दो चरणों वाला लॉग इन फिर चालू करें",
            format!("{url}/account/two-step"),
        )
    }
}
