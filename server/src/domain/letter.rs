//! E-mails to customers about their own account.

use crate::app::App;
use crate::providers::notify::{Channel, Message};

/// One e-mail. Names that customers chose freely do not belong into it: somebody could have us
/// send words of theirs to an address that is not theirs.
#[derive(Clone, Debug)]
pub struct Letter {
    pub to: String,
    pub subject: &'static str,
    pub text: String,
}

impl Letter {
    /// Sends it. What becomes of it is counted and logged.
    pub async fn send(&self, app: &App) {
        let message = Message {
            to: &self.to,
            subject: self.subject,
            text: &self.text,
        };
        let _ = app.notifier.send(Channel::Email, message).await;
    }

    /// The same without anybody waiting.
    pub fn post(self, app: &App) {
        let app = app.clone();
        tokio::spawn(async move { self.send(&app).await });
    }
}
