//! Emails and SMS to customers and receivers. Each is counted before it is sent.

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
use super::message_budgets::{MessageBudgets, MessagePermit, PlannedMessage};
use crate::error::{self, Error};
use crate::model::account::user::User;
use crate::model::input::phone;
use crate::model::message::MessageKind;
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
    budgets: MessageBudgets,
}

impl fmt::Debug for Notifications {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Notifications");
        debug.field("notifier", &self.notifier).finish_non_exhaustive()
    }
}

impl Notifications {
    pub fn new(
        core: Core,
        notifier: Notifier,
        renderer: Renderer,
        seal: Signer,
        budgets: MessageBudgets,
    ) -> Notifications {
        Notifications { core, notifier: Arc::new(notifier), renderer, seal, budgets }
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

    /// Plans a message to a phone number or an email address, for an account.
    pub(in crate::services) fn plan(
        &self,
        kind: MessageKind,
        to: &str,
        user_id: &str,
    ) -> PlannedMessage {
        self.budgets.plan(kind, to, user_id)
    }

    /// Plans a message to a phone number or an email address that a customer typed.
    pub(in crate::services) fn plan_typed(
        &self,
        kind: MessageKind,
        to: &str,
        user: &User,
    ) -> PlannedMessage {
        self.budgets.plan_typed(kind, to, user)
    }

    /// Plans a message whose receiver is counted for each network of customers by itself.
    pub(in crate::services) fn plan_from_network(
        &self,
        kind: MessageKind,
        to: &str,
        user_id: &str,
        network: &str,
    ) -> PlannedMessage {
        self.budgets.plan_from_network(kind, to, user_id, network)
    }

    /// Counts a message that nothing else is stored with.
    async fn permit(&self, planned: PlannedMessage) -> Result<MessagePermit, NotSent> {
        let now_ms = self.core.clock.now_ms();
        let take = self
            .core
            .store
            .write(move |conn| Box::pin(async move { planned.take(conn, now_ms).await }));
        match take.await {
            Ok(taken) => taken.map_err(|_| NotSent::Refused("over its budget".to_owned())),
            Err(error) => {
                tracing::error!("a message was not counted: {error}");
                Err(NotSent::Unavailable("not counted".to_owned()))
            }
        }
    }

    /// Sends a message that was counted. The result is counted and logged.
    pub(in crate::services) async fn send(
        &self,
        permit: MessagePermit,
        message: OutgoingMessage<'_>,
    ) -> Result<(), NotSent> {
        let result = match permit.kind().is_sms() {
            // We pay for each SMS.
            true if phone::indian_mobile(message.to).is_none() => {
                Err(NotSent::Refused("no Indian mobile number".to_owned()))
            }
            true => self.notifier.send(Channel::Sms, message).await,
            false => self.notifier.send(Channel::Email, message).await,
        };
        if let Err(NotSent::Unavailable(_)) = result {
            self.give_back(permit).await;
        }
        result
    }

    /// Takes back the count of a message that was certainly not sent, for a retry.
    async fn give_back(&self, permit: MessagePermit) {
        let write = self
            .core
            .store
            .write(move |conn| Box::pin(async move { permit.give_back(conn).await }));
        if let Err(error) = write.await {
            tracing::error!("a message that was not sent stays counted: {error}");
        }
    }
}
