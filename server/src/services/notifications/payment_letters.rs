//! Letters about payments: that one was credited, or how an operator ended it. A crash between
//! sending and recording sends a letter again, which does no harm here.

use super::Notifications;
use super::letter::{Letter, LetterText};
use crate::error::Result;
use crate::model::account::user::LetterRecipient;
use crate::model::calendar::moment_in_words;
use crate::model::payment::gateway_refund::{GatewayRefund, GatewayRefundState};
use crate::model::payment::{PaymentOrder, PaymentState};
use crate::model::task::TaskEnd;
use crate::store;

/// The event that a payment's letter reports.
enum Payment {
    Credited(Box<PaymentOrder>),
    EndedByOperator(&'static LetterText),
}

/// An operator credited another amount than was ordered.
const CREDITED_BY_HAND: LetterText = LetterText {
    subject: ("Your payment is in your wallet", "आपका भुगतान आपके वॉलेट में है"),
    text: (
        "A payment of yours was not of the amount that was ordered. What you paid is in your \
         wallet now.",
        "आपका एक भुगतान ऑर्डर की राशि के बराबर नहीं था। आपने जितना दिया, वह अब आपके वॉलेट में है।",
    ),
};

const SENT_BACK: LetterText = LetterText {
    subject: ("Your payment was sent back", "आपका भुगतान लौटा दिया गया"),
    text: (
        "A payment of yours was sent back to the account that it came from. Your bank may take \
         some days to show it.",
        "आपका एक भुगतान उसी खाते में लौटा दिया गया जहाँ से आया था। बैंक में दिखने में कुछ दिन लग \
         सकते हैं।",
    ),
};

const NOT_SENT_BACK: LetterText = LetterText {
    subject: ("Your payment could not be sent back", "आपका भुगतान लौटाया नहीं जा सका"),
    text: (
        "Your bank did not take back a payment that we sent. The money is in your wallet again.",
        "आपके बैंक ने हमारा लौटाया भुगतान नहीं लिया। पैसे फिर आपके वॉलेट में हैं।",
    ),
};

impl Notifications {
    /// Sends the letter about the end of a payment or refund.
    pub async fn payment_letter_task(&self, id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let payment = match store::gateway_refunds::find(&mut conn, id).await? {
            Some(refund) => of_refund(refund),
            None => {
                let order = store::payments::find_any(&mut conn, id).await?;
                let order = order.filter(|order| order.state == PaymentState::Completed);
                let by_hand = store::disputes::was_credited(&mut conn, id).await?;
                order.map(|order| match by_hand {
                    true => (order.user_id, Payment::EndedByOperator(&CREDITED_BY_HAND)),
                    false => (order.user_id.clone(), Payment::Credited(Box::new(order))),
                })
            }
        };
        let Some((user_id, payment)) = payment else { return Ok(TaskEnd::Done) };
        let reader = store::users::reader(&mut conn, &user_id).await?;
        let available = store::ledger::available(&mut conn, &user_id).await?;
        drop(conn);
        let Some(reader) = reader else { return Ok(TaskEnd::Done) };
        let url = &self.core.public_url;
        let letter = match payment {
            Payment::Credited(order) => receipt(url, reader, &order),
            Payment::EndedByOperator(text) => Letter::begun(reader, text),
        };
        let letter = letter.total("In your wallet now", "अब वॉलेट में", available.to_string()).link(
            "Your statement",
            "आपका हिसाब",
            format!("{url}/dashboard?tab=transactions"),
        );
        self.send_for_task(&letter).await
    }
}

fn of_refund(refund: GatewayRefund) -> Option<(String, Payment)> {
    let text = match refund.state {
        GatewayRefundState::Completed => &SENT_BACK,
        GatewayRefundState::Failed if refund.from_wallet => &NOT_SENT_BACK,
        _ => return None,
    };
    Some((refund.user_id, Payment::EndedByOperator(text)))
}

fn receipt(url: &str, reader: LetterRecipient, order: &PaymentOrder) -> Letter {
    let id = &order.merchant_order_id;
    let mut letter = Letter::new(reader, "Your wallet was recharged", "आपका वॉलेट रिचार्ज हो गया")
        .text(
            "Your payment has arrived, and is in your wallet.",
            "आपका भुगतान मिल गया है और आपके वॉलेट में है।",
        )
        .fact("Amount", "राशि", order.amount.to_string())
        .fact("Order", "ऑर्डर", id);
    if let Some(transaction) = &order.transaction_id {
        letter = letter.fact("Transaction", "लेन-देन", transaction);
    }
    if let Some(at_ms) = order.completed_ms {
        letter = letter.fact("On", "कब", moment_in_words(at_ms));
    }
    letter.button("Receipt as a PDF", "रसीद (PDF)", format!("{url}/recharge/receipt/{id}.pdf"))
}
