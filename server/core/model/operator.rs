//! Operators, and the record of their actions.

use std::fmt::Display;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::weight_claim::BY_CUSTOMER;
use crate::model::money::paise::Paise;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor(String);

/// The actor that closes reconciliation findings which no longer apply.
pub const ITSELF: &str = "dakiya";

/// Reserved names of other actors: no operator may have one.
const OTHERS: [&str; 2] = [ITSELF, BY_CUSTOMER];

impl Actor {
    /// # Errors
    /// `Malformed` if it is empty, too long, has other characters, or is reserved.
    pub fn parse(name: &str) -> Result<Actor> {
        let malformed = |sentence: &'static str| Err(Error::Malformed(sentence.into()));
        let name = name.trim();
        if name.is_empty() {
            return malformed("Say who you are: --as NAME, or the variable DAKIYA_OPERATOR.");
        }
        if OTHERS.contains(&&*name.to_lowercase()) {
            return malformed("This is no operator's name.");
        }
        let fits = name.chars().count() <= limits::OPERATOR_CHARS_MAX;
        let plain = |c: char| c.is_alphanumeric() || " .-_@".contains(c);
        match fits && name.chars().all(plain) {
            true => Ok(Actor(name.to_owned())),
            false => {
                malformed("An operator's name has letters, digits, spaces and . - _ @, 60 at most.")
            }
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct OperatorAction {
    pub action: i64,
    pub done_at: i64,
    pub actor: String,
    pub command: String,
    /// The arguments as JSON, without personal data.
    pub arguments: Box<RawValue>,
    pub reference: String,
    pub outcome: String,
}

/// A filter of the record, newest rows first; empty fields do not filter.
#[derive(Clone, Debug, Default)]
pub struct ActionFilter {
    pub actor: String,
    pub reference: String,
    pub limit: i64,
}

#[derive(Debug, Serialize)]
pub struct ActResult<T> {
    /// The outcome, in a sentence.
    pub outcome: String,
    /// Set when the transaction was rolled back after a trial run.
    pub dry_run: bool,
    /// The action's number in the record; `None` for a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<PostedEntry>,
    #[serde(flatten)]
    pub result: T,
}

#[derive(Clone, Debug, Serialize)]
pub struct PostedEntry {
    pub transaction: String,
    pub account: String,
    pub amount: Paise,
    /// `None` for an account of the house.
    pub balance_after: Option<Paise>,
}

/// Formats a count with its noun: `1 row`, `2 rows`.
pub fn format_count(count: impl Display, noun: &str) -> String {
    match count.to_string().as_str() {
        "1" => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_counted_without_a_plural() {
        let said = [0, 1, 2, 11].map(|count| format_count(count, "zone rule"));
        assert_eq!(said, ["0 zone rules", "1 zone rule", "2 zone rules", "11 zone rules"]);
    }

    #[test]
    fn an_operator_has_a_name_and_it_fits_a_line() {
        assert_eq!(Actor::parse(" Ravi K. ").unwrap().as_str(), "Ravi K.");
        for none in ["", "  ", "a\nb", "<b>", "Dakiya", &"x".repeat(61)] {
            assert!(Actor::parse(none).is_err(), "{none:?}");
        }
    }
}
