//! What customers are told by e-mail and SMS.

pub mod booking_letters;
pub mod choices;
pub mod closing_letters;
pub mod letter;
pub mod low_balance;
pub mod notices;
pub mod payment_letters;
pub mod receiver_messages;
pub mod two_step_letters;
pub mod weight_letters;
pub mod welcome;

use std::fmt;
use std::sync::Arc;

use super::core::Core;
use crate::providers::notify::{Channel, Message, NotSent, Notifier};
use crate::providers::vault::Signer;
use crate::ssr::Renderer;

/// Sends messages to customers. Cheap to clone.
#[derive(Clone)]
pub struct Notifications {
    core: Core,
    notifier: Arc<Notifier>,
    /// Draws letters, as it draws pages.
    renderer: Renderer,
    /// Seals the links with which letters are switched off.
    seal: Signer,
}

impl fmt::Debug for Notifications {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Notifications");
        debug
            .field("notifier", &self.notifier)
            .finish_non_exhaustive()
    }
}

impl Notifications {
    pub fn new(core: Core, notifier: Notifier, renderer: Renderer, seal: Signer) -> Notifications {
        Notifications {
            core,
            notifier: Arc::new(notifier),
            renderer,
            seal,
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
