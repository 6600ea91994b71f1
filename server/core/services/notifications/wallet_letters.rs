//! Letters about the money of a wallet: that it is running low, what became of a payment, and a
//! courier's claim that a parcel was heavier. A crash between sending and recording sends a letter
//! again, which does no harm here.

use super::Notifications;
use super::letter::{Letter, LetterText};
use crate::error::Result;
use crate::model::account::user::LetterRecipient;
use crate::model::booking::weight_claim::{BY_CUSTOMER, WeightClaim, WeightClaimState};
use crate::model::calendar::moment_in_words;
use crate::model::language::Language;
use crate::model::letter::LetterTopic;
use crate::model::message::MessageKind;
use crate::model::money::charge::Charge;
use crate::model::money::movement::{Movement, MovementKind};
use crate::model::money::paise::Paise;
use crate::model::payment::gateway_refund::{GatewayRefund, GatewayRefundState};
use crate::model::payment::{PaymentOrder, PaymentState};
use crate::model::shipping::grams::Grams;
use crate::model::task::{TaskEnd, TaskKind};
use crate::model::wallet::statement::owes_us;
use crate::store::{self, Conn};

/// Adds the task of the letter about a low balance after a charge in this transaction, if the
/// wallet was at or above `below` and `balance` is less.
pub(crate) async fn add_task_if_below(
    conn: &mut Conn,
    charge: &Charge,
    balance: Paise,
    below: Paise,
) -> Result<()> {
    let before: Paise = [balance, charge.parts.total()].into_iter().sum();
    if balance < below && before >= below {
        let (user_id, now_ms) = (&charge.user_id, charge.created_ms);
        store::tasks::add(conn, TaskKind::LowBalanceLetter, user_id, now_ms, now_ms).await?;
    }
    Ok(())
}

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
    /// Notifies a customer of a low balance, if it is still low.
    pub async fn low_balance_task(&self, user_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let Some(reader) = store::users::reader(&mut conn, user_id).await? else {
            return Ok(TaskEnd::Done);
        };
        let (balance, below) = store::letter_choices::wallet(&mut conn, user_id).await?;
        let topic = LetterTopic::LowBalance;
        let is_off = store::letter_choices::is_declined(&mut conn, user_id, topic).await?;
        drop(conn);
        if balance >= below || is_off {
            return Ok(TaskEnd::Done);
        }
        let url = &self.core.public_url;
        let letter = Letter::new(reader, "Your wallet is running low", "आपके वॉलेट में पैसे कम हैं")
            .about(topic)
            .text(
                format!("There is less than {below} in your wallet, as you asked us to tell you."),
                format!("आपके वॉलेट में {below} से कम बचा है; आपने यह बताने को कहा था।"),
            )
            .total("In your wallet", "वॉलेट में", balance.to_string())
            .button("Recharge", "रिचार्ज करें", format!("{url}/recharge"))
            .link("Choose another amount", "दूसरी राशि चुनें", format!("{url}/account#letters"));
        self.send_for_task(&letter.of_kind(MessageKind::WalletLetter)).await
    }

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
        let owed = store::debts::owed(&mut conn, &user_id).await?;
        let repayment = find_repayment(&mut conn, id).await?;
        drop(conn);
        let Some(reader) = reader else { return Ok(TaskEnd::Done) };
        let url = &self.core.public_url;
        let letter = match payment {
            Payment::Credited(order) => receipt_letter(url, reader, &order),
            Payment::EndedByOperator(text) => Letter::from_text(reader, text),
        };
        let letter = letter.paid_debt(repayment.map(|it| it.amount));
        let letter = match owed > Paise::ZERO {
            true => {
                let sentence = owes_us(owed);
                letter.text(&sentence, Language::Hindi.translate_with_value(&sentence))
            }
            false => letter,
        };
        let letter = letter.total("In your wallet now", "अब वॉलेट में", available.to_string()).link(
            "Your statement",
            "आपका हिसाब",
            format!("{url}/dashboard?tab=transactions"),
        );
        self.send_for_task(&letter.of_kind(MessageKind::WalletLetter)).await
    }

    /// Sends the letter about the current state of a courier's claim, if that needs one.
    pub async fn weight_letter_task(&self, claim_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let claim = store::weight_claims::find_any(&mut conn, claim_id).await?;
        let Some(claim) = claim else { return Ok(TaskEnd::Done) };
        let reader = store::users::reader(&mut conn, &claim.user_id).await?;
        drop(conn);
        match reader.and_then(|reader| weight_letter(&self.core.public_url, reader, &claim)) {
            Some(letter) => self.send_for_task(&letter.of_kind(MessageKind::WalletLetter)).await,
            None => Ok(TaskEnd::Done),
        }
    }
}

/// Returns the part of a recharge, or of a refund that failed, that paid a debt.
async fn find_repayment(conn: &mut Conn, id: &str) -> Result<Option<Movement>> {
    let failed = MovementKind::GatewayRefundFailed.id_of(&GatewayRefund::failed_id(id));
    for credit in [format!("recharge:{id}"), failed] {
        let repayment = MovementKind::DebtRepaid.id_of(&credit);
        if let Some(found) = store::movements::find(conn, &repayment).await? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn of_refund(refund: GatewayRefund) -> Option<(String, Payment)> {
    let text = match refund.state {
        GatewayRefundState::Completed => &SENT_BACK,
        GatewayRefundState::Failed if refund.from_wallet => &NOT_SENT_BACK,
        _ => return None,
    };
    Some((refund.user_id, Payment::EndedByOperator(text)))
}

fn receipt_letter(url: &str, reader: LetterRecipient, order: &PaymentOrder) -> Letter {
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

/// Returns the letter, without name or address, as mail can be read in transit. `None` for a state
/// without a letter.
fn weight_letter(url: &str, reader: LetterRecipient, claim: &WeightClaim) -> Option<Letter> {
    let amount = claim.parts.total().to_string();
    let letter = match claim.state {
        WeightClaimState::Open => Letter::new(
            reader,
            "The courier says it was heavier",
            "कूरियर का कहना है कि वज़न ज़्यादा था",
        )
        .text(
            "The courier of this shipment says that it was heavier than booked. Nothing is taken \
             from your wallet before you accept it or we have decided. See the courier's proof, \
             and accept it or tell us why it is wrong.",
            "कूरियर का कहना है कि इस शिपमेंट का वज़न बुकिंग से ज़्यादा था। जब तक आप इसे स्वीकार न \
             करें या हम फैसला न करें, आपके वॉलेट से कुछ नहीं कटेगा। कूरियर का सबूत देखें, फिर इसे \
             स्वीकार करें या बताएँ कि यह गलत क्यों है।",
        ),
        WeightClaimState::Charged if claim.decided_by != BY_CUSTOMER => {
            Letter::new(reader, "We decided about its weight", "हमने वज़न पर फैसला किया").text(
                "We looked at what the courier says about the weight of this shipment, and it is \
                 right. The difference was taken from your wallet.",
                "हमने इस शिपमेंट के वज़न पर कूरियर की बात जाँची, और वह सही है। अंतर की राशि आपके \
                 वॉलेट से ली गई।",
            )
        }
        WeightClaimState::Dropped => Letter::new(
            reader,
            "Nothing is owed for its weight",
            "वज़न के लिए कुछ नहीं देना है",
        )
        .text(
            "We looked at what the courier says about the weight of this shipment, and dropped it. \
             You owe nothing for it, and nothing was taken from your wallet.",
            "हमने इस शिपमेंट के वज़न पर कूरियर की बात जाँची और उसे खारिज कर दिया। आपको इसका कुछ \
             नहीं देना है, और आपके वॉलेट से कुछ नहीं लिया गया।",
        ),
        WeightClaimState::Charged | WeightClaimState::Disputed | WeightClaimState::Unknown => {
            return None;
        }
    };
    let mut letter = letter
        .of_shipment(&claim.awb)
        .fact("Booked weight", "बुक किया वज़न", Grams(claim.booked_grams).to_string())
        .fact("Weight by the courier", "कूरियर का वज़न", Grams(claim.claimed_grams).to_string());
    if let Some(note) = &claim.debit_note {
        letter = letter.fact("Debit note", "डेबिट नोट", note);
    }
    if claim.state != WeightClaimState::Dropped {
        letter = letter.total("Difference, GST included", "अंतर, GST सहित", amount);
    }
    Some(letter.button(
        "See the weight difference",
        "वज़न का अंतर देखें",
        format!("{url}/wallet/weight-differences"),
    ))
}
