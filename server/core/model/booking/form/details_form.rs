//! Step 2 of the wizard as a plain form: the fields to show, and their problems. The browser's
//! script does the same with the same table, in `ui/src/booking/draft.ts`.

use std::collections::BTreeMap;

use crate::error::{Error, FieldError};
use crate::model::booking::form::request::in_wire_names;
use crate::model::booking::form::rules::{Context, Field, RULES};

/// Step 1 asks for this field if the country has postal codes.
const ASKED_IN_STEP_1: &str = "consignee_pincode";

/// Removes the values of fields that the form does not show. Keys are the form's names.
pub fn visible_values(
    values: &BTreeMap<String, String>,
    is_abroad: bool,
) -> BTreeMap<String, String> {
    let is_shown = |name: &str| {
        let field = RULES.of_form(name);
        field.is_some_and(|field| field.is_shown(values, is_abroad))
    };
    let fields = values.iter().filter(|(name, _)| is_shown(name));
    fields.map(|(name, text)| (name.clone(), text.clone())).collect()
}

/// Returns the missing and invalid fields, by the names of the form.
pub fn problems(values: &BTreeMap<String, String>, is_abroad: bool) -> Vec<FieldError> {
    RULES
        .form_fields()
        .filter(|field| field.is_shown(values, is_abroad))
        .filter_map(|field| {
            let sentence = problem(field, values, is_abroad)?;
            Some(FieldError::new(field.name(), sentence))
        })
        .collect()
}

fn problem(field: &Field, values: &BTreeMap<String, String>, is_abroad: bool) -> Option<String> {
    let text = |name: &str| values.get(name).map_or("", |text| text.trim());
    let value = text(field.name());
    if value.is_empty() {
        let is_known = is_abroad && field.name() == ASKED_IN_STEP_1;
        let is_missing = !is_known && field.is_required_in_form(values);
        return is_missing.then(|| RULES.sentences.required.clone());
    }
    let context = Context {
        is_abroad,
        is_document: text("shipment_type") == "2",
        country_id: Context::country(is_abroad, &[text("destination_country")]),
        is_in_rupees: Context::is_rupee(text("currency")),
        document_type: text("consigner_doc_type").to_owned(),
    };
    let earlier = field.later_than.as_ref().map(|earlier| text(earlier));
    RULES.problem(field, value, &context).or_else(|| {
        let is_early = earlier.is_some_and(|earlier| value <= earlier);
        is_early.then(|| RULES.sentences.later.clone())
    })
}

/// Returns the wrong fields of a rate request or a booking, by the names of the form. A field that
/// is not in the form keeps its name.
pub fn in_form_names(error: &Error) -> Vec<FieldError> {
    let wrong = error.fields().iter().cloned().map(in_wire_names);
    wrong
        .map(|wrong| {
            let is_meant = |field: &&Field| {
                field.wire == *wrong.path || field.same_as.as_deref() == Some(&*wrong.path)
            };
            match RULES.form_fields().find(is_meant) {
                Some(field) => FieldError::new(field.name(), wrong.message),
                None => wrong,
            }
        })
        .collect()
}

/// True if an error of a booking concerns a field of the form.
pub fn names_a_field(error: &Error) -> bool {
    let wrong = in_form_names(error);
    wrong.iter().any(|it| RULES.of_form(&it.path).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::booking::form::request::tests::cases;

    /// Returns the values with which the browser's `startDraft` begins.
    fn started() -> BTreeMap<String, String> {
        let defaults = [
            ("consigner_doc_number", "07AAACD1234E1ZB"),
            ("consigner_gst_applicable", "1"),
            ("consigner_doc_type", "1"),
            ("pickup_required", "2"),
            ("pickup_location", "1"),
            ("shipper_type", "1"),
            ("shipment_type", "1"),
        ];
        let text = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
        defaults.into_iter().map(text).collect()
    }

    #[test]
    fn the_form_takes_and_refuses_the_values_that_the_browser_does() {
        for case in cases() {
            let Some(name) = &case.form else { continue };
            let message = |value: &str| {
                let mut values = started();
                values.extend(case.with.clone());
                values.insert(name.clone(), value.to_owned());
                let wrong = problems(&values, case.international);
                let wrong = wrong.into_iter().find(|it| it.path == *name);
                wrong.map(|it| it.message.into_owned())
            };
            for good in &case.good {
                assert_eq!(message(good), None, "{name}: {good}");
            }
            for bad in &case.bad {
                let sentence = Some(case.sentence.clone());
                assert_eq!(message(bad), sentence, "{name}: {bad}");
            }
        }
    }

    #[test]
    fn a_field_is_there_only_where_the_form_shows_it() {
        let mut values = started();
        values.insert("pickup_name".to_owned(), "Asha".to_owned());
        assert!(!visible_values(&values, false).contains_key("pickup_name"));
        let is_asked = |values: &BTreeMap<String, String>| {
            let wrong = problems(values, false);
            wrong.iter().any(|it| it.path == "pickup_city")
        };
        assert!(!is_asked(&values));
        values.insert("pickup_location".to_owned(), "2".to_owned());
        assert!(visible_values(&values, false).contains_key("pickup_name"));
        assert!(is_asked(&values));
        values.insert("booking_invoice_number".to_owned(), "17".to_owned());
        values.insert("tell_receiver".to_owned(), "1".to_owned());
        for is_abroad in [false, true] {
            let visible = visible_values(&values, is_abroad);
            assert!(visible.contains_key("booking_invoice_number"));
            assert_eq!(visible.contains_key("tell_receiver"), !is_abroad);
        }
    }

    #[test]
    fn wrong_fields_of_a_price_or_a_booking_are_found_in_the_form() {
        let wrong = ["weight", "breadth", "width", "origin_pincode", "consigner_email", "kyc_info"];
        let wrong = wrong.map(|path| FieldError::new(path, "Wrong.")).to_vec();
        let paths = in_form_names(&Error::check(wrong).unwrap_err());
        let paths: Vec<&str> = paths.iter().map(|it| &*it.path).collect();
        let expected =
            ["weight", "breadth", "breadth", "consigner_pincode", "consigner_email", "kyc_info"];
        assert_eq!(paths, expected);
    }
}
