//! Weights.

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
