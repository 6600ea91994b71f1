//! Identity document numbers of a booking form, removed from it before it is stored.

use serde::{Deserialize, Serialize};

use crate::model::booking::form::details::BookingDetails;

/// The numbers in a form; empty if missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentNumbers {
    pub consignor: String,
}

impl DocumentNumbers {
    /// Takes the numbers out of a form, which keeps their last characters.
    pub fn take(form: &mut BookingDetails) -> DocumentNumbers {
        let number = &mut form.consignor.document_number;
        let consignor = std::mem::take(number);
        *number = masked(&consignor);
        DocumentNumbers { consignor }
    }

    /// Puts the numbers back into their form.
    pub fn put_back(self, form: &mut BookingDetails) {
        form.consignor.document_number = self.consignor;
    }
}

/// Replaces all but the last four characters with X. Of a short number all are replaced.
fn masked(number: &str) -> String {
    let hidden = match number.chars().count() {
        count if count > 2 * SHOWN => count - SHOWN,
        count => count,
    };
    let end = number.chars().skip(hidden);
    "X".repeat(hidden).chars().chain(end).collect()
}

/// Visible characters at a number's end.
const SHOWN: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_keeps_how_a_number_ends() {
        let details = BookingDetails::from_stored(
            r#"{"consigner_doc_type": "2", "consigner_doc_number": "ABCPE1234F"}"#,
        );
        let mut form = details.clone();
        let numbers = DocumentNumbers::take(&mut form);
        assert_eq!(numbers.consignor, "ABCPE1234F");
        assert_eq!(form.consignor.document_number, "XXXXXX234F");
        assert_eq!(BookingDetails::from_stored(&form.to_json()), form);
        numbers.put_back(&mut form);
        assert_eq!(form, details);
        assert_eq!(masked("1234567"), "XXXXXXX");
        assert_eq!(masked(""), "");
        assert!(DocumentNumbers::take(&mut BookingDetails::default()).consignor.is_empty());
    }
}
