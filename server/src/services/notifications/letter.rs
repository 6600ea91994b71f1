//! E-mails to customers about their own account.

use tracing::Instrument as _;

use super::Notifications;
use crate::providers::notify::{Channel, Message};

/// One e-mail. Names that customers chose freely do not belong into it: somebody could have us
/// send words of theirs to an address that is not theirs.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    pub subject: &'static str,
    pub text: String,
}

impl Notifications {
    /// Sends a letter. What becomes of it is counted and logged.
    pub async fn send_letter(&self, letter: &Letter) {
        let message = Message {
            to: &letter.to,
            subject: letter.subject,
            text: &letter.text,
        };
        let _ = self.notifier.send(Channel::Email, message).await;
    }

    /// The same without anybody waiting.
    pub fn post_letter(&self, letter: Letter) {
        let notifications = self.clone();
        let sending = async move { notifications.send_letter(&letter).await };
        tokio::spawn(sending.in_current_span());
    }
}
