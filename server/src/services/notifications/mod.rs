//! Emails and SMS to customers.

pub mod account_letters;
pub mod booking_letters;
pub mod choices;
pub mod letter;
pub mod notices;
pub mod receiver_messages;
pub mod wallet_letters;

use std::fmt;
use std::sync::Arc;

use super::core::Core;
use crate::error::{self, Error};
use crate::providers::notify::Notifier;
use crate::providers::notify::message::{Channel, NotSent, OutgoingMessage};
use crate::providers::vault::Signer;
use crate::ssr::Renderer;

/// Sends messages to customers. Cheap to clone.
#[derive(Clone)]
pub struct Notifications {
    core: Core,
    notifier: Arc<Notifier>,
    /// Renders letters, as it renders pages.
    renderer: Renderer,
    /// Seals the links that switch letters off.
    seal: Signer,
}

impl fmt::Debug for Notifications {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Notifications");
        debug.field("notifier", &self.notifier).finish_non_exhaustive()
    }
}

impl Notifications {
    pub fn new(core: Core, notifier: Notifier, renderer: Renderer, seal: Signer) -> Notifications {
        Notifications { core, notifier: Arc::new(notifier), renderer, seal }
    }

    /// Returns true if messages are sent on this channel.
    pub fn has(&self, channel: Channel) -> bool {
        self.notifier.has(channel)
    }

    /// Fails with `Provider` where no messages are sent on this channel.
    pub fn require(&self, channel: Channel) -> error::Result<()> {
        if self.has(channel) {
            return Ok(());
        }
        let email = &self.core.company.email;
        let message = match channel {
            Channel::Email => {
                format!("We cannot send emails just now. Please write to {email}.")
            }
            Channel::Sms => format!("We cannot send SMS just now. Please write to {email}."),
        };
        Err(Error::Provider(message.into()))
    }

    /// Sends a message. The result is counted and logged.
    pub async fn send(
        &self,
        channel: Channel,
        message: OutgoingMessage<'_>,
    ) -> Result<(), NotSent> {
        self.notifier.send(channel, message).await
    }
}
