//! Forms on pages: as they are sent, and as a refused one is shown again with the typed values.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, FieldError};
use crate::model::local_path::LocalPath;

/// Parameters of a query or a form by name; the last of a repeated one counts.
pub type Params = BTreeMap<String, String>;

/// Returns the query that keeps the page to continue with.
pub fn back_to(next: &str) -> Params {
    let next = LocalPath::parse(next).map(|next| ("next".to_owned(), next.as_str().to_owned()));
    next.into_iter().collect()
}

/// The name of a field and what was typed into it.
pub type TypedValue<'a> = (&'static str, &'a str);

/// Input of a form that was refused. Never a password.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct FormState {
    pub values: BTreeMap<&'static str, String>,
    pub message: String,
    pub errors: Vec<FieldError>,
}

impl FormState {
    /// Returns the typed values with the errors.
    pub fn refused(values: &[TypedValue<'_>], error: &Error) -> FormState {
        FormState {
            values: values.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
            message: error.message().to_owned(),
            errors: error.fields().to_vec(),
        }
    }
}
