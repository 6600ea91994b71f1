//! A customer's choice of e-mails.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::letter::LetterTopic;
use crate::model::money::paise::Paise;

/// Letters a customer gets, besides those about security and money.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LetterChoices {
    pub topics: Vec<TopicChoice>,
    /// Under this the wallet is low (rupees).
    pub low_balance_below: Paise,
}

/// One kind of letter.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TopicChoice {
    pub topic: LetterTopic,
    pub label: &'static str,
    pub is_on: bool,
}

impl LetterChoices {
    pub fn new(declined: &[LetterTopic], low_balance_below: Paise) -> LetterChoices {
        let choice = |topic: LetterTopic| TopicChoice {
            topic,
            label: topic.label(),
            is_on: !declined.contains(&topic),
        };
        LetterChoices { topics: LetterTopic::ALL.map(choice).to_vec(), low_balance_below }
    }
}
