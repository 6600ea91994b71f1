//! The parts that the steps of the booking wizard share.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::Answer;
use crate::http::pages::page::{Params, SentForm};
use dakiya_core::error::{Error, FieldError};
use dakiya_core::model::booking::form::details_form;
use dakiya_core::model::booking::form::draft::RateForm;
use dakiya_core::model::shipping::place::{self, Zipcode};

pub const COURIER: &str = "/courier";

/// Where a shipment goes from and to, as the draft keeps it.
#[derive(Serialize, ToSchema)]
pub struct Ends {
    pub origin: Zipcode,
    pub destination: Zipcode,
    pub country_name: &'static str,
}

impl Ends {
    /// Returns the places of a priced shipment; `None` if a place is unknown.
    pub fn of(form: &RateForm) -> Option<Ends> {
        let country_id = match form.is_abroad() {
            true => form.destination_country.parse().ok()?,
            false => place::INDIA,
        };
        Some(Ends {
            origin: place::find(place::INDIA, &form.origin_pincode)?,
            destination: place::find(country_id, &form.destination_pincode)?,
            country_name: place::country(country_id)?.country_name.as_str(),
        })
    }
}

/// Shows the draft's step again with the error. The typed values are already in the draft.
pub(super) async fn draw_step_again(form: SentForm<'_>, query: Params, error: Error) -> Answer {
    // The balance may have changed since the session was loaded.
    let user = form.web.accounts.reload_user(form.user).await?;
    let form = SentForm { user, ..form };
    let page = form.page;
    form.sender().draw_again("courier", page, query, &[], error).await
}

/// Renames the fields of an error from pricing or booking to those of the details form.
pub(super) fn in_form_names(error: Error) -> Error {
    let fields: Vec<FieldError> = details_form::in_form_names(&error);
    match error {
        Error::Fields { message, .. } => Error::Fields { message, fields },
        other => other,
    }
}
