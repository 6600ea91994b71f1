//! An email as data, from which its HTML and its plain text are made, and the choice of emails.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::language::Language;
use crate::model::money::paise::Paise;

/// Topics of letters that customers may switch off, one by one. Letters about security or about
/// money that moved have none of these topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LetterTopic {
    /// A courier took a booking.
    Booked,
    /// A shipment moved on.
    Progress,
    /// It is held up, or on its way back.
    Trouble,
    /// The wallet fell below what the customer named.
    LowBalance,
}

impl LetterTopic {
    pub const ALL: [LetterTopic; 4] =
        [LetterTopic::Booked, LetterTopic::Progress, LetterTopic::Trouble, LetterTopic::LowBalance];

    /// The word in the database, in forms and in links.
    pub fn word(self) -> &'static str {
        match self {
            LetterTopic::Booked => "booked",
            LetterTopic::Progress => "progress",
            LetterTopic::Trouble => "trouble",
            LetterTopic::LowBalance => "low_balance",
        }
    }

    pub fn parse(word: &str) -> Option<LetterTopic> {
        LetterTopic::ALL.into_iter().find(|it| it.word() == word)
    }

    /// The label on the account's page.
    pub fn label(self) -> &'static str {
        match self {
            LetterTopic::Booked => "When a booking is confirmed",
            LetterTopic::Progress => "When a shipment is picked up, on its way or delivered",
            LetterTopic::Trouble => "When a shipment is held up or comes back",
            LetterTopic::LowBalance => "When my wallet is running low",
        }
    }
}

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

/// One letter, whole: all that its HTML and its plain text say.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LetterData)]
pub struct LetterSheet {
    pub language: Language,
    pub heading: String,
    pub parts: Vec<LetterPart>,
    /// The sender and the address to write to.
    pub company: String,
    pub email: String,
    /// Why it came, and how it is switched off.
    pub footer: Vec<LetterPart>,
}

/// The parts of a letter, from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LetterPart {
    Text {
        text: String,
    },
    /// A button for the next action.
    Button {
        label: String,
        url: String,
    },
    /// Another address to go to.
    Link {
        label: String,
        url: String,
    },
    Facts {
        facts: Vec<LetterFact>,
    },
}

/// A line of a table: of a price, or of what happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LetterFact {
    pub label: String,
    pub value: String,
    /// The lines above add up to it.
    pub is_total: bool,
}

impl LetterSheet {
    /// The plain text of the email.
    pub fn plain(&self) -> String {
        let signed = format!("{}\n{}", self.company, self.email);
        let body = self.parts.iter().map(plain);
        let footer = self.footer.iter().map(plain);
        let all: Vec<String> = body.chain([signed]).chain(footer).collect();
        format!("{}\n", all.join("\n\n"))
    }
}

fn plain(part: &LetterPart) -> String {
    match part {
        LetterPart::Text { text } => text.clone(),
        LetterPart::Button { label, url } | LetterPart::Link { label, url } => {
            format!("{label}:\n{url}")
        }
        LetterPart::Facts { facts } => {
            let line = |fact: &LetterFact| format!("{}: {}", fact.label, fact.value);
            facts.iter().map(line).collect::<Vec<_>>().join("\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_of_one_topic() {
        for topic in LetterTopic::ALL {
            assert_eq!(LetterTopic::parse(topic.word()), Some(topic));
        }
        assert_eq!(LetterTopic::parse("security"), None);
    }

    #[test]
    fn the_plain_text_says_what_the_sheet_says() {
        let text = |text: &str| LetterPart::Text { text: text.into() };
        let fact = |label: &str, value: &str, is_total| LetterFact {
            label: label.into(),
            value: value.into(),
            is_total,
        };
        let sheet = LetterSheet {
            language: Language::English,
            heading: "Booked".into(),
            parts: vec![
                text("A courier has it."),
                LetterPart::Facts {
                    facts: vec![fact("Freight", "₹100.00", false), fact("Total", "₹118.00", true)],
                },
                LetterPart::Button {
                    label: "Follow it".into(),
                    url: "https://dakiya.example/track/DK1".into(),
                },
            ],
            company: "Dakiya".into(),
            email: "help@dakiya.example".into(),
            footer: vec![text("You have an account.")],
        };
        assert_eq!(
            sheet.plain(),
            "A courier has it.\n\nFreight: ₹100.00\nTotal: ₹118.00\n\nFollow it:\n\
             https://dakiya.example/track/DK1\n\nDakiya\nhelp@dakiya.example\n\n\
             You have an account.\n"
        );
    }
}
