//! Weights.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::model::openapi_schema::decimal;

/// A weight in whole grams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Grams(pub i64);

impl Grams {
    /// Returns a JSON number of kilograms, made from the integer.
    pub fn kilograms(self) -> Box<RawValue> {
        decimal(self.0, 3)
    }
}

impl fmt::Display for Grams {
    /// Writes kilograms: `2.5 kg`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kg", self.kilograms())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_short() {
        assert_eq!(Grams(2_500).to_string(), "2.5 kg");
        assert_eq!(Grams(10_000).to_string(), "10 kg");
        assert_eq!(Grams(1).to_string(), "0.001 kg");
    }
}
