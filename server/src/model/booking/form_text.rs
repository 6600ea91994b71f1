//! The texts of a booking's form, as documents print them: whatever was sent, it reads.

use serde_json::Value;

use crate::limits;

/// A booking form of which only texts are wanted. What is missing or no text is empty.
#[derive(Clone, Debug)]
pub struct FormText(Value);

impl FormText {
    /// Reads the form kept with a booking.
    pub fn read(details: &str) -> FormText {
        FormText(serde_json::from_str(details).unwrap_or_default())
    }

    /// A field's text, of printable length.
    pub fn get(&self, name: &str) -> String {
        printable(&self.0[name])
    }

    /// A field of the first of the things sent.
    pub fn of_contents(&self, name: &str) -> String {
        printable(&self.0["shipment_dimensions"][0][name])
    }

    /// A field of what it says of identity documents.
    pub fn of_kyc(&self, name: &str) -> String {
        printable(&self.0["kyc_info"][name])
    }

    /// The code of the currency that values are in; the wire numbers them.
    pub fn currency(&self) -> &'static str {
        match printable(&self.0["unit"]["currency"]).as_str() {
            "25" => "USD",
            "26" => "EUR",
            _ => "INR",
        }
    }

    /// Several fields in one line, those that are empty left out.
    pub fn joined(&self, names: &[&str]) -> String {
        let texts = names.iter().map(|name| self.get(name));
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        texts.join(", ")
    }
}

fn printable(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    text.chars().take(limits::DOCUMENT_TEXT_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_was_sent_there_is_a_text() {
        let form = FormText::read(
            r#"{"weight": 2.5, "consigner_name": " Asha ", "consigner_city": ["Delhi"],
                "shipment_dimensions": [{"quantity": 1}], "unit": {"currency": "25"}}"#,
        );
        assert_eq!(form.get("weight"), "2.5");
        assert_eq!(form.get("consigner_city"), "");
        assert_eq!(form.of_contents("quantity"), "1");
        assert_eq!(form.currency(), "USD");
        assert_eq!(
            form.joined(&["consigner_name", "consigner_city", "weight"]),
            "Asha, 2.5"
        );
        for nonsense in ["", "[]", "null", "{\"shipment_dimensions\": 1}"] {
            let form = FormText::read(nonsense);
            assert_eq!(form.get("weight") + &form.of_contents("quantity"), "");
        }
        let long = format!("{{\"weight\": \"{}\"}}", "म".repeat(5_000));
        let text = FormText::read(&long).get("weight");
        assert_eq!(text.chars().count(), limits::DOCUMENT_TEXT_CHARS_MAX);
    }
}
