//! Types of the wire format, before validation.

use std::fmt;

use serde::Serialize;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

/// A text, number or boolean taken as the text that was sent; null and absent are empty.
///
/// Forms send everything as text and programs send numbers: both mean the same here. Surrounding
/// white space is dropped. Numbers keep the shortest text that names them, so `500.10` reads
/// `500.1`, and no arithmetic ever happens on a float.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Text(String);

impl Text {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn or<'a>(&'a self, default: &'a str) -> &'a str {
        if self.0.is_empty() { default } else { &self.0 }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        // Postgres stores no NUL in a text; it becomes Unicode's replacement character.
        Text(text.trim().replace('\0', "\u{fffd}"))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

impl PartialSchema for Text {
    fn schema() -> RefOr<Schema> {
        let types = [Type::String, Type::Number, Type::Boolean, Type::Null];
        ObjectBuilder::new()
            .schema_type(SchemaType::from_iter(types))
            .description(Some("A text; a number or a boolean counts as the text it is written as."))
            .into()
    }
}

impl ToSchema for Text {}

/// A choice among these values, each as a text or, where it is one, as a number.
pub fn choice_schema<'a>(texts: impl IntoIterator<Item = &'a str>) -> Object {
    let values = texts.into_iter().flat_map(|text| {
        let number = text.parse::<i64>().ok().map(Value::from);
        [Some(Value::from(text)), number].into_iter().flatten()
    });
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Number]))
        .enum_values(Some(values))
        .build()
}

/// 1 or 2, such as the types of bookings and shipments.
pub fn one_or_two_schema() -> Object {
    choice_schema(["1", "2"])
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text::from(text))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Text, E> {
        Ok(Text(number.to_string()))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Text, E> {
        Ok(Text(number.to_string()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Text, E> {
        Ok(Text(number.to_string()))
    }

    fn visit_bool<E: de::Error>(self, yes: bool) -> Result<Text, E> {
        Ok(Text(yes.to_string()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Text, E> {
        Ok(Text::default())
    }
}

/// A decimal text with up to three decimals in thousandths: `2.5` is 2500. No sign or exponent.
///
/// Kilograms become grams and centimetres become hundredths of a millimetre this way.
pub fn thousandths(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || whole.len() > 9 {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 3 {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let fraction: i64 = format!("{fraction:0<3}").parse().ok()?;
    Some(whole * 1_000 + fraction)
}

/// An integer of `10^-places` as a JSON number: `decimal(2500, 3)` is `2.5`.
pub fn decimal(value: i64, places: usize) -> Box<RawValue> {
    let sign = if value < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    let text = format!("{sign}{whole}{point}{fraction}");
    RawValue::from_string(text).expect("a decimal is JSON")
}

pub fn decimal_schema() -> Object {
    ObjectBuilder::new().schema_type(Type::Number).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_numbers_and_nothing_are_read_alike() {
        let parse = |json: &str| serde_json::from_str::<Text>(json).map(|t| t.as_str().to_owned());
        assert_eq!(parse("\" 2.5 \"").unwrap(), "2.5");
        assert_eq!(parse("2.5").unwrap(), "2.5");
        assert_eq!(parse("500.10").unwrap(), "500.1");
        assert_eq!(parse("7").unwrap(), "7");
        assert_eq!(parse("null").unwrap(), "");
        assert_eq!(parse("\"a\\u0000b\"").unwrap(), "a\u{fffd}b");
        assert!(parse("[1]").is_err());
        assert!(parse("{}").is_err());
    }

    #[test]
    fn integers_become_decimals() {
        for (value, places, text) in [
            (2_500, 3, "2.5"),
            (10_000, 3, "10"),
            (1, 3, "0.001"),
            (305, 1, "30.5"),
            (0, 1, "0"),
            (-5, 1, "-0.5"),
        ] {
            assert_eq!(decimal(value, places).get(), text);
        }
    }

    #[test]
    fn decimals_become_thousandths() {
        assert_eq!(thousandths("2.5"), Some(2_500));
        assert_eq!(thousandths("0.001"), Some(1));
        assert_eq!(thousandths("12.3400"), Some(12_340));
        for bad in ["", ".", "1.", ".5", "-1", "1e3", "1.2345", "२", "1 0", "9999999999"] {
            assert_eq!(thousandths(bad), None, "{bad:?}");
        }
    }
}
