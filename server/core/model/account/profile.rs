//! The profile form, and the checks of its fields.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::model::account::gstin::{self, is_gstin};
use crate::model::account::registration::{NO_PHONE, email_problem, name_problem, own_phone};
use crate::model::account::user::User;
use crate::model::input::characters::code;
use crate::model::openapi_schema::Text;

pub const SAVED: &str = "Your profile was saved.";

/// The profile as it comes over the wire. What is left out stays as it is.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = ProfileChange)]
pub struct RawProfile {
    pub first_name: Option<Text>,
    pub last_name: Option<Text>,
    pub email: Option<Text>,
    pub phone: Option<Text>,
    pub company_name: Option<Text>,
    pub gstin: Option<Text>,
    /// Needed for another email address or phone number, because both lead into the account.
    pub current_password: String,
    /// A code of the authenticator app, where two-step login is on.
    pub code: String,
    /// A passkey's word in place of both.
    pub passkey: String,
}

impl RawProfile {
    /// True if it requests another email address.
    pub fn changes_email(&self, before: &User) -> bool {
        let email = self.email.as_ref();
        email.is_some_and(|email| email.as_str() != before.email)
    }
}

/// True if the change needs the owner's password or passkey.
pub fn has_power(before: &User, after: &User) -> bool {
    // A number that cannot be one is refused anyway.
    after.email != before.email || (after.phone != before.phone && !after.phone.is_empty())
}

/// Returns the user with the form's changes, or the errors of its fields.
pub fn apply_changes(before: &User, raw: &RawProfile) -> Result<User> {
    let text =
        |value: &Option<Text>, before: &str| value.as_ref().map_or(before, Text::as_str).to_owned();
    let phone = text(&raw.phone, &before.phone);
    let mut user = User {
        first_name: text(&raw.first_name, &before.first_name),
        last_name: text(&raw.last_name, &before.last_name),
        email: text(&raw.email, &before.email),
        phone: own_phone(&phone).unwrap_or_default(),
        company_name: text(&raw.company_name, &before.company_name),
        gstin: code(&text(&raw.gstin, &before.gstin)),
        ..before.clone()
    };
    user.phone_confirmed &= user.phone == before.phone;
    let has_no_proof = raw.current_password.is_empty() && raw.passkey.is_empty();
    let problems = [
        ("first_name", name_problem(&user.first_name, "Please enter your first name.")),
        ("last_name", name_problem(&user.last_name, "Please enter your last name.")),
        ("email", email_problem(&user.email).filter(|_| user.email != before.email)),
        ("phone", user.phone.is_empty().then_some(NO_PHONE)),
        ("company_name", company_problem(&user.company_name)),
        ("gstin", (!user.gstin.is_empty() && !is_gstin(&user.gstin)).then_some(gstin::WRONG)),
        ("current_password", missing_proof(before, &user).filter(|_| has_no_proof)),
    ];
    let problems = problems.into_iter();
    let wrong = problems.filter_map(|(field, problem)| Some(FieldError::new(field, problem?)));
    Error::check(wrong.collect())?;
    Ok(user)
}

fn missing_proof(before: &User, after: &User) -> Option<&'static str> {
    has_power(before, after).then_some(match after.email == before.email {
        true => "Please enter your password to change your phone number.",
        false => "Please enter your password to change your email address.",
    })
}

fn company_problem(name: &str) -> Option<&'static str> {
    let fits = name.chars().count() <= limits::COMPANY_CHARS_MAX;
    let plain = !name.chars().any(char::is_control);
    (!fits || !plain).then_some("Please use at most 100 letters.")
}
