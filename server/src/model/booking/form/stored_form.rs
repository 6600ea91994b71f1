//! The stored form of a booking.

use std::sync::OnceLock;

use crate::model::booking::form::details::BookingDetails;

/// A form as JSON, parsed at first use.
#[derive(Clone, Debug)]
pub struct KeptForm {
    json: String,
    details: OnceLock<BookingDetails>,
}

impl KeptForm {
    /// Makes the stored form of new details.
    pub fn of(form: BookingDetails) -> KeptForm {
        KeptForm { json: form.to_json(), details: form.into() }
    }

    /// Returns the parsed content.
    pub fn read(&self) -> &BookingDetails {
        self.details.get_or_init(|| BookingDetails::from_stored(&self.json))
    }

    pub fn as_json(&self) -> &str {
        &self.json
    }
}

/// Accepts stored JSON of any age.
impl From<String> for KeptForm {
    fn from(json: String) -> KeptForm {
        KeptForm { json, details: OnceLock::new() }
    }
}
