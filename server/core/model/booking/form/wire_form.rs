//! The booking form on the wire: texts under names, some of them nested.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::model::openapi_schema::Text;

/// A form of texts, each under a path such as `shipment_dimensions.value`. In a list, the path
/// means its first entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WireForm(Value);

/// Error for a list or an object in place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAText;

/// A list on the wire of which only one entry is used.
pub const CONTENTS: &str = "shipment_dimensions";

impl WireForm {
    /// Parses a JSON object; `None` if the text is none.
    pub fn parse(json: &str) -> Option<WireForm> {
        let value: Value = serde_json::from_str(json).ok()?;
        value.is_object().then_some(WireForm(value))
    }

    /// Makes a form of fields that are texts, alone and in groups. Empty texts are left out.
    pub fn of(fields: &impl Serialize) -> WireForm {
        let value = serde_json::to_value(fields);
        let mut value = value.expect("texts under names are JSON");
        prune(&mut value);
        WireForm(value)
    }

    /// Returns the text at a path, empty when there is none.
    ///
    /// # Errors
    /// `NotAText` if the value there is a list or an object.
    pub fn text(&self, path: &str) -> Result<Text, NotAText> {
        let mut value = &self.0;
        for name in path.split('.') {
            if let Value::Array(entries) = value {
                value = entries.first().unwrap_or(&Value::Null);
            }
            value = match value {
                Value::Object(fields) => fields.get(name).unwrap_or(&Value::Null),
                Value::Null => value,
                _ => return Err(NotAText),
            };
        }
        match value {
            Value::Null => Ok(Text::default()),
            Value::String(text) => Ok(Text::from(text.as_str())),
            Value::Number(number) => Ok(Text::from(number.to_string().as_str())),
            Value::Bool(yes) => Ok(Text::from(yes.to_string().as_str())),
            Value::Array(_) | Value::Object(_) => Err(NotAText),
        }
    }

    /// Returns the number of entries in the list of contents; a single object is a list of one.
    /// `None` for any other value.
    pub fn contents(&self) -> Option<usize> {
        match &self.0[CONTENTS] {
            Value::Null => Some(0),
            Value::Object(_) => Some(1),
            Value::Array(entries) if entries.iter().all(Value::is_object) => Some(entries.len()),
            _ => None,
        }
    }

    /// Sets the text at a path. An empty text is ignored.
    pub fn set(&mut self, path: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let (mut fields, mut name) = (object(&mut self.0), path);
        if let Some((group, inner)) = path.split_once('.') {
            let mut within = fields.entry(group).or_insert(Value::Null);
            if group == CONTENTS {
                if !within.is_array() {
                    *within = Value::Array(vec![Value::Null]);
                }
                within = &mut within[0];
            }
            fields = object(within);
            name = inner;
        }
        fields.insert(name.to_owned(), Value::String(text.to_owned()));
    }

    /// Removes a text that is in no group.
    pub fn remove(&mut self, name: &str) {
        object(&mut self.0).remove(name);
    }

    pub fn into_json(self) -> Value {
        self.0
    }
}

/// Removes empty texts and empty groups; `false` if the value itself is empty.
fn prune(value: &mut Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(entries) => {
            entries.retain_mut(prune);
            !entries.is_empty()
        }
        Value::Object(fields) => {
            fields.retain(|_, field| prune(field));
            !fields.is_empty()
        }
        Value::Bool(_) | Value::Number(_) => true,
    }
}

fn object(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("made an object a line above")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_within_groups_and_lists_and_comes_back_as_it_was_put() {
        let json = r#"{"weight": 2.50, "shipment_dimensions": [{"value": " 15 "}, {"value": 9}],
                       "unit": {"currency": 24}, "consigner_name": null, "otp": ["1"], "city": 1}"#;
        let form = WireForm::parse(json).unwrap();
        let text = |path: &str| form.text(path).map(|text| text.as_str().to_owned());
        assert_eq!(text("weight").unwrap(), "2.5");
        assert_eq!(text("shipment_dimensions.value").unwrap(), "15");
        assert_eq!(text("unit.currency").unwrap(), "24");
        assert_eq!(text("consigner_name").unwrap(), "");
        assert_eq!(text("kyc_info.document_path_1").unwrap(), "");
        assert_eq!(text("otp"), Err(NotAText));
        assert_eq!(text("city.name"), Err(NotAText));
        assert_eq!(form.contents(), Some(2));

        let mut put = WireForm::default();
        for path in ["weight", "unit.currency", "shipment_dimensions.value"] {
            put.set(path, &text(path).unwrap());
        }
        put.set("consigner_name", "");
        let expected = r#"{"shipment_dimensions": [{"value": "15"}],
                           "unit": {"currency": "24"}, "weight": "2.5"}"#;
        assert_eq!(Some(put), WireForm::parse(expected));
    }

    #[test]
    fn of_fields_only_what_says_something_is_written() {
        let fields = serde_json::json!({"weight": "2.5", "city": "", "unit": {"currency": ""},
            "shipment_dimensions": [{"value": "", "quantity": "1"}], "otp": null});
        let json = WireForm::of(&fields).into_json().to_string();
        assert_eq!(json, r#"{"weight":"2.5","shipment_dimensions":[{"quantity":"1"}]}"#);
        assert_eq!(WireForm::of(&serde_json::json!({"city": ""})).into_json().to_string(), "{}");
    }

    #[test]
    fn only_an_object_is_a_form() {
        for nonsense in ["", "[]", "null", "7", "{"] {
            assert_eq!(WireForm::parse(nonsense), None, "{nonsense}");
        }
    }
}
