//! What customers are told of payments that an operator ended. A crash between sending and writing
//! that down sends a letter again, which does no harm here.

use super::Notifications;
use crate::error::{Error, Result};
use crate::model::payment::PaymentState;
use crate::model::payment::gateway_refund::GatewayRefundState;
use crate::model::task::TaskEnd;
use crate::providers::notify::{Channel, Message, NotSent};
use crate::store;

/// A title and a sentence.
type News = (&'static str, &'static str);

const CREDITED: News = (
    "Your payment is in your wallet",
    "A payment of yours was not of the amount that was ordered. What you paid is in your wallet \
     now. See your statement here:",
);

const SENT_BACK: News = (
    "Your payment was sent back",
    "A payment of yours was sent back to the account that it came from. Your bank may take some \
     days to show it. See your statement here:",
);

const NOT_SENT_BACK: News = (
    "Your payment could not be sent back",
    "Your bank did not take back a payment that we sent. The money is in your wallet again. See \
     your statement here:",
);

impl Notifications {
    /// Tells a customer how a payment, or a refund of one, ended.
    pub async fn payment_letter_task(&self, id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let told = match store::gateway_refunds::find(&mut conn, id).await? {
            Some(refund) => {
                let news = match refund.state {
                    GatewayRefundState::Completed => Some(SENT_BACK),
                    GatewayRefundState::Failed if refund.from_wallet => Some(NOT_SENT_BACK),
                    _ => None,
                };
                news.map(|news| (refund.user_id, news))
            }
            None => {
                let order = store::payments::find_any(&mut conn, id).await?;
                let order = order.filter(|order| order.state == PaymentState::Completed);
                order.map(|order| (order.user_id, CREDITED))
            }
        };
        let Some((user_id, (subject, news))) = told else {
            return Ok(TaskEnd::Done);
        };
        let to = store::users::email(&mut conn, &user_id).await?;
        drop(conn);
        let (core, company) = (&self.core, &self.core.company);
        let url = &core.public_url;
        let text = format!(
            "{news}\n\n{url}/dashboard\n\n{}\n{}\n",
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
