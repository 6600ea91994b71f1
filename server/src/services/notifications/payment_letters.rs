//! What customers are told of payments that an operator ended. A crash between sending and writing
//! that down sends a letter again, which does no harm here.

use super::Notifications;
use crate::error::Result;
use crate::model::payment::PaymentState;
use crate::model::payment::gateway_refund::GatewayRefundState;
use crate::model::task::TaskEnd;
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
        self.tell_of_money(to, subject, news, "/dashboard").await
    }
}
