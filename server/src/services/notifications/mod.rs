//! What customers are told by e-mail and SMS.

pub mod letter;
pub mod notices;
pub mod payment_letters;

use std::sync::Arc;

use super::core::Core;
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
}
