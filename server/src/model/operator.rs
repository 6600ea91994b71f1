//! Who operates Dakiya, and the record of what they did.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::weight_claim::BY_CUSTOMER;
use crate::model::money::paise::Paise;

/// The name of an operator, as the record keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor(String);

/// Who closes what is not so any more.
pub const ITSELF: &str = "dakiya";

/// Who else decides something, by these names: no operator has one.
const OTHERS: [&str; 2] = [ITSELF, BY_CUSTOMER];

impl Actor {
    /// Reads a name: letters, digits, spaces and `.`, `-`, `_`, `@`.
    ///
    /// # Errors
    /// `Malformed` for none, one too long, one with other characters, or one that is no person's.
    pub fn parse(name: &str) -> Result<Actor> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::Malformed(
                "Say who you are: --as NAME, or the variable DAKIYA_OPERATOR.".into(),
            ));
        }
        if OTHERS.contains(&&*name.to_lowercase()) {
            return Err(Error::Malformed("This is no operator's name.".into()));
        }
        let fits = name.chars().count() <= limits::OPERATOR_CHARS_MAX;
        let plain = |c: char| c.is_alphanumeric() || " .-_@".contains(c);
        match fits && name.chars().all(plain) {
            true => Ok(Actor(name.to_owned())),
            false => Err(Error::Malformed(
                "An operator's name has letters, digits, spaces and . - _ @, 60 at most.".into(),
            )),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A line of the record.
#[derive(Clone, Debug, Serialize)]
pub struct OperatorAction {
    pub action: i64,
    pub done_at: i64,
    pub actor: String,
    pub command: String,
    /// As JSON, without anything personal.
    pub arguments: Box<RawValue>,
    /// The id of what was changed.
    pub reference: String,
    /// What became of it, in a sentence.
    pub outcome: String,
}

/// Which lines of the record are wanted, the newest first; what is empty does not filter.
#[derive(Clone, Debug, Default)]
pub struct ActionFilter {
    pub actor: String,
    pub reference: String,
    pub limit: i64,
}

/// An act as it is told to whoever had it done.
#[derive(Debug, Serialize)]
pub struct Done<T> {
    /// A sentence.
    pub outcome: String,
    /// Everything was done and then taken back.
    pub dry_run: bool,
    /// Its number in the record; none of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<i64>,
    /// What it posted to the books.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<PostedEntry>,
    #[serde(flatten)]
    pub result: T,
}

/// A line of a transaction in the books.
#[derive(Clone, Debug, Serialize)]
pub struct PostedEntry {
    pub transaction: String,
    pub account: String,
    pub amount: Paise,
    pub balance_after: Paise,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_has_a_name_and_it_fits_a_line() {
        assert_eq!(Actor::parse(" Ravi K. ").unwrap().as_str(), "Ravi K.");
        for none in ["", "  ", "a\nb", "<b>", "Dakiya", &"x".repeat(61)] {
            assert!(Actor::parse(none).is_err(), "{none:?}");
        }
    }
}
