//! What customers are told by e-mail and SMS.

pub mod closing_letters;
pub mod letter;
pub mod notices;
pub mod payment_letters;
pub mod two_step_letters;
pub mod weight_letters;

use std::sync::Arc;

use super::core::Core;
use crate::error::Error;
use crate::model::task::TaskEnd;
use crate::providers::notify::{Channel, Message, NotSent, Notifier};

/// Sends messages to customers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Notifications {
    core: Core,
    notifier: Arc<Notifier>,
}

impl Notifications {
    pub fn new(core: Core, notifier: Notifier) -> Notifications {
        Notifications {
            core,
            notifier: Arc::new(notifier),
        }
    }

    /// Whether messages of this kind are sent at all.
    pub fn has(&self, channel: Channel) -> bool {
        self.notifier.has(channel)
    }

    /// Sends a message. What becomes of it is counted and logged.
    pub async fn send(&self, channel: Channel, message: Message<'_>) -> Result<(), NotSent> {
        self.notifier.send(channel, message).await
    }

    /// Sends a letter about money, which ends with the page that says more. A crash before that is
    /// written down sends it again, which does no harm.
    async fn tell_of_money(
        &self,
        to: Option<String>,
        subject: &str,
        news: &str,
        page: &str,
    ) -> Result<TaskEnd, Error> {
        let (url, company) = (&self.core.public_url, &self.core.company);
        let text = format!(
            "{news}\n\n{url}{page}\n\n{}\n{}\n",
            company.name, company.email
        );
        let message = Message {
            to: to.as_deref().unwrap_or_default(),
            subject,
            text: &text,
        };
        match self.notifier.send(Channel::Email, message).await {
            Err(NotSent::Unavailable(_)) if self.notifier.has(Channel::Email) => {
                Err(Error::Provider("No mail server takes letters.".into()))
            }
            _ => Ok(TaskEnd::Done),
        }
    }
}
