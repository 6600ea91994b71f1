//! The profile form, and what each of its fields must be.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::model::account::gstin::{self, is_gstin};
use crate::model::account::registration::{email_problem, name_problem, phone_digits};
use crate::model::account::user::User;
use crate::model::wire::Text;

/// Shown when it is done.
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
    /// Needed for another e-mail address: who has it can choose another password.
    pub current_password: String,
    /// The same, where two-step sign-in is on.
    pub code: String,
}

impl RawProfile {
    /// Whether it asks for another e-mail address.
    pub fn moves(&self, before: &User) -> bool {
        let email = self.email.as_ref();
        email.is_some_and(|email| email.as_str() != before.email)
    }
}

/// The user as the form wants them.
pub fn changed(before: &User, raw: &RawProfile) -> Result<User> {
    let text = |given: &Option<Text>, before: &str| match given {
        Some(given) => given.as_str().to_owned(),
        None => before.to_owned(),
    };
    let phone = text(&raw.phone, &before.phone);
    let user = User {
        user_id: before.user_id.clone(),
        username: before.username.clone(),
        first_name: text(&raw.first_name, &before.first_name),
        last_name: text(&raw.last_name, &before.last_name),
        email: text(&raw.email, &before.email),
        email_confirmed: before.email_confirmed,
        new_email: before.new_email.clone(),
        phone: phone_digits(&phone).unwrap_or_default(),
        company_name: text(&raw.company_name, &before.company_name),
        gstin: text(&raw.gstin, &before.gstin)
            .replace(' ', "")
            .to_uppercase(),
        two_step_ms: before.two_step_ms,
        language: before.language,
    };
    let problems = [
        (
            "first_name",
            name_problem(&user.first_name, "Please enter your first name."),
        ),
        (
            "last_name",
            name_problem(&user.last_name, "Please enter your last name."),
        ),
        ("email", email_problem(&user.email)),
        (
            "phone",
            user.phone
                .is_empty()
                .then_some("Please enter a phone number of 10 digits."),
        ),
        ("company_name", company_problem(&user.company_name)),
        (
            "gstin",
            (!user.gstin.is_empty() && !is_gstin(&user.gstin)).then_some(gstin::WRONG),
        ),
        (
            "current_password",
            (user.email != before.email && raw.current_password.is_empty())
                .then_some("Please enter your password to change your e-mail address."),
        ),
    ];
    let wrong = problems
        .into_iter()
        .filter_map(|(field, problem)| problem.map(|message| FieldError::new(field, message)));
    Error::check(wrong.collect())?;
    Ok(user)
}

fn company_problem(name: &str) -> Option<&'static str> {
    let fits = name.chars().count() <= limits::COMPANY_CHARS_MAX;
    let plain = !name.chars().any(char::is_control);
    (!fits || !plain).then_some("Please use at most 100 letters.")
}
