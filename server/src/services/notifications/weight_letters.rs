//! Letters about a courier's claim that a parcel was heavier: a new claim, and an operator's
//! decision. The customer's own answers need no letter.

use super::Notifications;
use super::letter::Letter;
use crate::error::Result;
use crate::model::account::user::LetterRecipient;
use crate::model::booking::documents::label::kilograms;
use crate::model::booking::weight_claim::{BY_CUSTOMER, WeightClaim, WeightClaimState};
use crate::model::task::TaskEnd;
use crate::store;

impl Notifications {
    /// Sends the letter about a claim's current state, if that needs one.
    pub async fn weight_letter_task(&self, claim_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let claim = store::weight_claims::find_any(&mut conn, claim_id).await?;
        let Some(claim) = claim else { return Ok(TaskEnd::Done) };
        let reader = store::users::reader(&mut conn, &claim.user_id).await?;
        drop(conn);
        match reader.and_then(|reader| letter(&self.core.public_url, reader, &claim)) {
            Some(letter) => self.send_for_task(&letter).await,
            None => Ok(TaskEnd::Done),
        }
    }
}

/// Returns the letter, without name or address, as mail can be read in transit. `None` for a state
/// without a letter.
fn letter(url: &str, reader: LetterRecipient, claim: &WeightClaim) -> Option<Letter> {
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
                "हमने इस शिपमेंट के वज़न पर कूरियर की बात जाँची, और वह सही है। अंतर की राशि आपके वॉलेट \
             से ली गई।",
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
        WeightClaimState::Charged | WeightClaimState::Disputed => return None,
    };
    let mut letter = letter
        .of_shipment(&claim.awb)
        .fact("Booked weight", "बुक किया वज़न", kilograms(claim.booked_grams))
        .fact("Weight by the courier", "कूरियर का वज़न", kilograms(claim.claimed_grams));
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
