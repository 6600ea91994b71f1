//! What customers are told of a courier's claim that a parcel was heavier: that there is one, and
//! how an operator decided it. What they did themselves they know.

use super::Notifications;
use crate::error::Result;
use crate::model::booking::label::kilograms;
use crate::model::booking::weight_claim::{BY_CUSTOMER, WeightClaim, WeightClaimState};
use crate::model::task::TaskEnd;
use crate::store;

impl Notifications {
    /// Tells a customer how a claim stands now, where there is something to tell.
    pub async fn weight_letter_task(&self, claim_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let claim = store::weight_claims::find_any(&mut conn, claim_id).await?;
        let told = claim.and_then(|claim| letter(&claim).map(|it| (claim.user_id, it)));
        let Some((user_id, (subject, news))) = told else {
            return Ok(TaskEnd::Done);
        };
        let to = store::users::email(&mut conn, &user_id).await?;
        drop(conn);
        self.tell_of_money(to, &subject, &news, "/wallet/weight-differences")
            .await
    }
}

/// Subject and text, in both languages, as money is asked for. No name and no address: mail is read
/// on the way.
fn letter(claim: &WeightClaim) -> Option<(String, String)> {
    let (awb, amount) = (&claim.awb, claim.parts.total());
    let [booked, measured] = [claim.booked_grams, claim.claimed_grams].map(kilograms);
    let (title, news) = match claim.state {
        WeightClaimState::Open => (
            "The courier says it was heavier",
            format!(
                "The courier of this shipment says that it was heavier than booked: {measured} \
                 instead of {booked}. The difference costs {amount}, GST included.\n\nNothing \
                 is taken from your wallet before you accept it or we have decided. See the \
                 courier's proof, and accept it or tell us why it is wrong:\n\nकूरियर का कहना है \
                 कि इस शिपमेंट का वज़न बुकिंग से ज़्यादा था: {booked} की जगह {measured}। \
                 अंतर का शुल्क GST सहित {amount} है।\n\nजब तक आप इसे स्वीकार न करें या हम फैसला न \
                 करें, आपके वॉलेट से कुछ नहीं कटेगा। कूरियर का सबूत देखें, फिर इसे स्वीकार करें या \
                 बताएँ कि यह गलत क्यों है:"
            ),
        ),
        WeightClaimState::Charged if claim.decided_by != BY_CUSTOMER => {
            let note = claim.debit_note.as_deref().unwrap_or_default();
            (
                "We decided about its weight",
                format!(
                    "We looked at what the courier says about the weight of this shipment, and it \
                     is right: {measured} instead of {booked}. {amount}, GST included, was \
                     taken from your wallet. The debit note {note} is here:\n\nहमने इस शिपमेंट के \
                     वज़न पर कूरियर की बात जाँची, और वह सही है: {booked} की जगह {measured}। GST \
                     सहित {amount} आपके वॉलेट से लिए गए। डेबिट नोट {note} यहाँ है:"
                ),
            )
        }
        WeightClaimState::Dropped => (
            "Nothing is owed for its weight",
            "We looked at what the courier says about the weight of this shipment, and dropped it. \
             You owe nothing for it, and nothing was taken from your wallet. See it here:\n\nहमने \
             इस शिपमेंट के वज़न पर कूरियर की बात जाँची और उसे खारिज कर दिया। आपको इसका कुछ नहीं \
             देना है, और आपके वॉलेट से कुछ नहीं लिया गया। इसे यहाँ देखें:"
                .to_owned(),
        ),
        WeightClaimState::Charged | WeightClaimState::Disputed => return None,
    };
    Some((format!("{awb}: {title}"), news))
}
