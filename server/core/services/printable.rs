//! Texts that labels and invoices must be able to print.

use crate::error::{Error, FieldError, Result};
use crate::model::account::user::User;
use crate::model::booking::form::details::BookingDetails;
use crate::model::booking::form::rules::{Field, RULES};
use crate::model::booking::form::wire_form::WireForm;
use crate::pdf;

/// Checks the details of a booking that was sent as this JSON.
///
/// # Errors
/// `Fields` with every text of the form that has a character without a glyph in our fonts, such as
/// an emoji.
pub fn check_booking(body: &str, details: &BookingDetails) -> Result<()> {
    // All of ASCII can be printed.
    if body.is_ascii() && !body.contains("\\u") {
        return Ok(());
    }
    let form = WireForm::of(details);
    let problem_of = |field: &Field| {
        let text = form.text(&field.wire).unwrap_or_default();
        problem(&field.wire, text.as_str())
    };
    Error::check(RULES.fields.iter().filter_map(problem_of).collect())
}

/// # Errors
/// `Fields` with every name that cannot be printed.
pub fn check_names(user: &User) -> Result<()> {
    let names = [
        ("first_name", &user.first_name),
        ("last_name", &user.last_name),
        ("company_name", &user.company_name),
    ];
    Error::check(names.into_iter().filter_map(|(path, name)| problem(path, name)).collect())
}

fn problem(path: &str, text: &str) -> Option<FieldError> {
    let c = pdf::unprintable(text)?;
    let sentence = format!("“{c}” cannot be printed on labels. Please leave it out.");
    Some(FieldError::new(path.to_owned(), sentence))
}
