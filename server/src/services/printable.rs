//! Texts that labels and invoices must be able to print.

use serde_json::Value;

use crate::error::{Error, FieldError, Result};
use crate::model::account::user::User;
use crate::model::booking::form::details::BookingDetails;
use crate::pdf;

/// # Errors
/// `Fields` with every text of the form that has a character without a glyph in our fonts, such as
/// an emoji.
pub fn check_booking(details: &BookingDetails) -> Result<()> {
    let form = serde_json::from_str(&details.to_json()).map_err(Error::internal)?;
    let mut wrong = Vec::new();
    collect(&form, "", &mut wrong);
    Error::check(wrong)
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

fn collect(value: &Value, path: &str, wrong: &mut Vec<FieldError>) {
    match value {
        Value::String(text) => wrong.extend(problem(path, text)),
        Value::Array(entries) => entries.iter().for_each(|it| collect(it, path, wrong)),
        Value::Object(fields) => {
            for (name, field) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                collect(field, &path, wrong);
            }
        }
        _ => {}
    }
}

fn problem(path: &str, text: &str) -> Option<FieldError> {
    let c = pdf::unprintable(text)?;
    let sentence = format!("“{c}” cannot be printed on labels. Please leave it out.");
    Some(FieldError::new(path.to_owned(), sentence))
}
