//! The letter to a customer whose two-step sign-in an operator switched off.

use super::Notifications;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::user::User;
use crate::model::operator::ActionFilter;
use crate::model::task::TaskEnd;
use crate::providers::notify::{Channel, Message, NotSent};
use crate::store;

const SUBJECT: &str = "Dakiya switched off two-step sign-in for your account";

impl Notifications {
    /// Sends the letter. It is given up when it cannot be sent for a day.
    pub async fn two_step_letter_task(&self, user_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let user = store::users::find(&mut conn, user_id).await?;
        let filter = ActionFilter {
            reference: user_id.to_owned(),
            limit: 1,
            ..ActionFilter::default()
        };
        let acts = store::operator_actions::list(&mut conn, &filter).await?;
        let done_ms = acts.first().map_or(0, |act| act.done_at);
        drop(conn);
        let Some(user) = user.filter(|user| user.email_confirmed) else {
            return Ok(TaskEnd::Done);
        };
        let message = Message {
            to: &user.email,
            subject: SUBJECT,
            text: &self.two_step_text(&user),
        };
        let sent = self.notifier.send(Channel::Email, message).await;
        let waits = matches!(sent, Err(NotSent::Unavailable(_)))
            && self.notifier.has(Channel::Email)
            && self.core.clock.now_ms() - done_ms < limits::NOTICE_MS_MAX;
        match waits {
            true => Err(Error::Provider("No mail server takes letters.".into())),
            false => Ok(TaskEnd::Done),
        }
    }

    fn two_step_text(&self, user: &User) -> String {
        let (url, username) = (&self.core.public_url, &user.username);
        let (name, email) = (&self.core.company.name, &self.core.company.email);
        format!(
            "We switched off two-step sign-in for your Dakiya account {username}, as we were told \
             that you lost your phone and your recovery codes. A login asks for the password \
             alone, and you were logged out everywhere.\n\n\
             If it was not you who asked for this, choose another password at once: \
             {url}/forgot-password\n\
             and write to {email}. You can set it up again here: {url}/account/two-step\n\n\
             हमने आपके Dakiya खाते {username} के लिए दो चरणों वाला लॉग इन बंद कर दिया है, क्योंकि \
             हमें बताया गया कि आपका फ़ोन और रिकवरी कोड खो गए हैं। अगर यह आपने नहीं कहा, तो \
             ऊपर के पहले लिंक से तुरंत नया पासवर्ड चुनें और हमें लिखें।\n\n{name}\n{email}\n"
        )
    }
}
