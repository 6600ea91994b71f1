//! Money in whole paise, never a float. No sum wraps.

#![deny(clippy::arithmetic_side_effects, clippy::float_arithmetic)]

use std::borrow::Cow;
use std::fmt;
use std::iter::Sum;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::failpoints;

/// An amount of Indian rupees in paise (1/100 rupee). May be negative in ledger entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Paise(i64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an amount of rupees with at most two decimals")]
pub struct NotMoney;

impl Paise {
    pub const ZERO: Paise = Paise(0);

    pub const fn new(paise: i64) -> Paise {
        Paise(paise)
    }

    /// An amount of whole rupees, for constants.
    pub const fn rupees(rupees: i64) -> Paise {
        match rupees.checked_mul(100) {
            Some(paise) => Paise(paise),
            None => panic!("amount out of range"),
        }
    }

    pub const fn get(self) -> i64 {
        self.0
    }

    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    pub fn checked_add(self, other: Paise) -> Option<Paise> {
        self.0.checked_add(other.0).map(Paise)
    }

    pub fn checked_sub(self, other: Paise) -> Option<Paise> {
        self.0.checked_sub(other.0).map(Paise)
    }

    /// Subtracts amounts of one payment or booking, which are far below the limit of 64 bits.
    pub fn minus(self, other: Paise) -> Paise {
        self.checked_sub(other).expect("a difference of amounts fits 64 bits")
    }

    pub const fn negated(self) -> Paise {
        match self.0.checked_neg() {
            Some(paise) => Paise(paise),
            None => panic!("amount out of range"),
        }
    }

    /// Returns this share of the amount in basis points (1/100 percent), rounded half away from
    /// zero to the paisa. Every percentage that Dakiya charges is rounded by this rule.
    pub fn share_bp(self, basis_points: i64) -> Paise {
        // A product of two 64-bit numbers has at most 127 bits, so nothing saturates here.
        let product = i128::from(self.0).saturating_mul(i128::from(basis_points));
        let half = if product < 0 { -5_000 } else { 5_000 };
        let paise = product.saturating_add(half) / 10_000;
        Paise(i64::try_from(paise).expect("a share of an amount fits 64 bits"))
    }

    /// Returns this amount times `part / whole`, rounded half up to the paisa. Needs an amount and
    /// a part that are not negative and a positive whole.
    pub fn fraction(self, part: Paise, whole: Paise) -> Paise {
        let (amount, part, whole) = (i128::from(self.0), i128::from(part.0), i128::from(whole.0));
        let rounded = || {
            let doubled = amount.checked_mul(part)?.checked_mul(2)?;
            let paise = doubled.checked_add(whole)?.checked_div(whole.checked_mul(2)?)?;
            i64::try_from(paise).ok()
        };
        Paise(rounded().expect("a fraction of an amount fits 64 bits"))
    }

    /// Parses `500`, `12.5`, `0.05`. Rejects a sign, an exponent, a separator or a third decimal.
    pub fn parse_rupees(text: &str) -> Result<Paise, NotMoney> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "00"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(fraction) || fraction.len() > 2 || whole.len() > 15 {
            return Err(NotMoney);
        }
        let rupees: i64 = whole.parse().map_err(|_| NotMoney)?;
        let places = if failpoints::on("decimals-unpadded") { 0 } else { 2 };
        let paise = format!("{fraction:0<places$}").parse().map_err(|_| NotMoney)?;
        let total = rupees.checked_mul(100).and_then(|all| all.checked_add(paise));
        total.map(Paise).ok_or(NotMoney)
    }

    /// Formats hundredths of a foreign currency, in groups of three digits: `1,234,567.50`.
    pub fn in_thousands(self) -> String {
        let decimal = self.decimal();
        let (whole, fraction) = decimal.split_at(decimal.len().saturating_sub(3));
        let groups = whole.as_bytes().rchunks(3).rev();
        let groups = groups.map(|group| std::str::from_utf8(group).expect("digits are ASCII"));
        format!("{}{fraction}", groups.collect::<Vec<_>>().join(","))
    }

    /// Formats rupees with exactly two decimals and no separators: `1234.50`, `-0.05`.
    pub fn decimal(self) -> String {
        // Answers have many amounts: `format!` would take half the time of a price.
        let mut text = self.0.unsigned_abs().to_string();
        while text.len() < 3 {
            text.insert(0, '0');
        }
        text.insert(text.len().saturating_sub(2), '.');
        if self.0 < 0 {
            text.insert(0, '-');
        }
        text
    }
}

impl fmt::Display for Paise {
    /// Writes the rupee sign and Indian grouping: `₹1,23,456.50`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let paise = self.0.unsigned_abs();
        let rupees = group_indian(&(paise / 100).to_string());
        write!(f, "{sign}₹{rupees}.{:02}", paise % 100)
    }
}

impl Sum for Paise {
    fn sum<I: Iterator<Item = Paise>>(amounts: I) -> Paise {
        amounts.fold(Paise::ZERO, |sum, amount| {
            sum.checked_add(amount).expect("a sum of amounts fits 64 bits")
        })
    }
}

impl Serialize for Paise {
    /// Writes a JSON number of rupees, made from the integer.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.decimal()).expect("a decimal is JSON").serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Paise {
    /// Reads the JSON number by its digits, without a float.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Paise, D::Error> {
        let number = Box::<RawValue>::deserialize(deserializer)?;
        Paise::parse_rupees(number.get()).map_err(D::Error::custom)
    }
}

impl PartialSchema for Paise {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .description(Some("Rupees with at most two decimals"))
            .into()
    }
}

impl ToSchema for Paise {
    /// The name of the wire's unit.
    fn name() -> Cow<'static, str> {
        "Rupees".into()
    }
}

/// Groups digits for lakh and crore: the last three digits, then pairs.
fn group_indian(digits: &str) -> String {
    let Some(split) = digits.len().checked_sub(3).filter(|&split| split > 0) else {
        return digits.to_owned();
    };
    let (head, tail) = digits.split_at(split);
    let pairs = head.as_bytes().rchunks(2).rev();
    let pairs = pairs.map(|pair| std::str::from_utf8(pair).expect("digits are ASCII"));
    pairs.chain([tail]).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rupees_are_shown_with_lakh_grouping() {
        for (paise, text) in [
            (0, "₹0.00"),
            (5, "₹0.05"),
            (99_999, "₹999.99"),
            (100_000, "₹1,000.00"),
            (12_345_678, "₹1,23,456.78"),
            (123_456_789_012, "₹1,23,45,67,890.12"),
            (-250_000, "-₹2,500.00"),
        ] {
            assert_eq!(Paise(paise).to_string(), text);
        }
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,000", "1.234", "१०", " 1"] {
            assert_eq!(Paise::parse_rupees(text), Err(NotMoney), "{text:?}");
        }
    }

    #[test]
    fn a_percentage_rounds_half_away_from_zero() {
        assert_eq!(Paise(25).share_bp(1_800), Paise(5)); // 4.5 paise
        assert_eq!(Paise(24).share_bp(1_800), Paise(4)); // 4.32 paise
        assert_eq!(Paise(-25).share_bp(1_800), Paise(-5));
    }

    #[test]
    fn the_wire_carries_a_plain_number() {
        assert_eq!(serde_json::to_string(&Paise(123_450)).unwrap(), "1234.50");
        let parse = serde_json::from_str::<Paise>;
        assert_eq!(parse("1234.50").unwrap(), Paise(123_450));
        assert!(parse("\"1234.50\"").is_err() && parse("1e3").is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_the_same(paise in 0i64..100_000_000_000_000) {
            prop_assert_eq!(Paise::parse_rupees(&Paise(paise).decimal()), Ok(Paise(paise)));
        }
    }
}
