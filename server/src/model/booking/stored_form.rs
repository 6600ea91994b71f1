//! The form of a booking as it is kept with it.

use std::sync::OnceLock;

use crate::model::booking::details::BookingDetails;

/// The text of a form, which is read when somebody first asks what it says.
#[derive(Clone, Debug)]
pub struct KeptForm {
    json: String,
    read: OnceLock<BookingDetails>,
}

impl KeptForm {
    /// A form that is about to be kept.
    pub fn of(form: BookingDetails) -> KeptForm {
        KeptForm {
            json: form.to_json(),
            read: form.into(),
        }
    }

    /// What it says.
    pub fn read(&self) -> &BookingDetails {
        self.read
            .get_or_init(|| BookingDetails::from_stored(&self.json))
    }

    pub fn as_json(&self) -> &str {
        &self.json
    }
}

/// What was kept, whenever that was.
impl From<String> for KeptForm {
    fn from(json: String) -> KeptForm {
        KeptForm {
            json,
            read: OnceLock::new(),
        }
    }
}
