//! The registration form, and the checks of its fields.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::model::account::common_passwords;
use crate::model::account::user::User;
use crate::model::input::phone;
use crate::model::language::Language;
use crate::model::openapi_schema::Text;

/// Shown after registering, on this page and on the login page.
pub const REGISTERED: &str = "Registration successful! Please login with your credentials.";

pub const NO_PHONE: &str = "Please enter a phone number of 10 digits.";

/// A registration as it comes over the wire.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = Registration)]
pub struct RawRegistration {
    #[schema(required)]
    pub username: Text,
    #[schema(required)]
    pub email: Text,
    #[schema(required)]
    pub password: String,
    #[schema(required)]
    pub password_confirm: String,
    #[schema(required)]
    pub first_name: Text,
    #[schema(required)]
    pub last_name: Text,
    #[schema(required)]
    pub phone: Text,
}

/// The account with this id and language, or `Fields` with every wrong field.
pub fn new_user(raw: &RawRegistration, user_id: String, language: Language) -> Result<User> {
    let mut wrong = Vec::new();
    let mut check = |field: &'static str, problem: Option<&'static str>| {
        wrong.extend(problem.map(|message| FieldError::new(field, message)));
    };
    check("first_name", name_problem(raw.first_name.as_str(), "Please enter your first name."));
    check("last_name", name_problem(raw.last_name.as_str(), "Please enter your last name."));
    check("username", username_problem(raw.username.as_str(), raw.email.as_str()));
    check("email", email_problem(raw.email.as_str()));
    let phone = own_phone(raw.phone.as_str());
    check("phone", phone.is_none().then_some(NO_PHONE));
    let user = User {
        user_id,
        username: raw.username.as_str().to_owned(),
        email: raw.email.as_str().to_owned(),
        phone: phone.unwrap_or_default(),
        first_name: raw.first_name.as_str().to_owned(),
        last_name: raw.last_name.as_str().to_owned(),
        language,
        ..User::default()
    };
    let (password, confirmed) = (&raw.password, &raw.password_confirm);
    wrong.extend(new_password_problems(password, confirmed, &user));
    Error::check(wrong)?;
    Ok(user)
}

pub fn name_problem(name: &str, missing: &'static str) -> Option<&'static str> {
    match name.chars().count() {
        0 => Some(missing),
        1..=100 if !name.chars().any(char::is_control) => None,
        _ => Some("Please use at most 100 letters."),
    }
}

/// A username with `@` looks like an email address, so it must be the account's own one.
fn username_problem(username: &str, email: &str) -> Option<&'static str> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._-@+".contains(c);
    match username.len() {
        0 => Some("Please choose a username."),
        3..=64 if username.chars().all(allowed) => {
            let is_foreign =
                username.contains('@') && username.to_lowercase() != email.to_lowercase();
            is_foreign.then_some("A username with @ must be your own email address.")
        }
        _ => Some("3–64 characters: letters, digits, . _ - @ +. No spaces."),
    }
}

/// Checks only the shape; whether email arrives is seen when it is sent.
pub fn email_problem(email: &str) -> Option<&'static str> {
    let valid = email.len() <= 254
        && !email.chars().any(|c| c.is_whitespace() || c.is_control())
        && email.split_once('@').is_some_and(|(local, host)| {
            !local.is_empty()
                && !host.contains('@')
                && host.contains('.')
                && host.split('.').all(|part| !part.is_empty())
        });
    match (email.is_empty(), valid) {
        (true, _) => Some("Please enter your email address."),
        (false, false) => Some("Please enter a valid email address."),
        (false, true) => None,
    }
}

/// The number of an account, by the rule for a sender's mobile number: `+919876543210`.
pub fn own_phone(text: &str) -> Option<String> {
    phone::indian_mobile(text).map(|national| phone::with_country_code(&national))
}

pub fn new_password_problems(password: &str, confirmed: &str, owner: &User) -> Vec<FieldError> {
    let problem = password_problem(password, owner);
    let differs = (password != confirmed).then_some("Passwords do not match");
    let problem = problem.map(|message| FieldError::new("password", message));
    let differs = differs.map(|message| FieldError::new("password_confirm", message));
    problem.into_iter().chain(differs).collect()
}

fn password_problem(password: &str, owner: &User) -> Option<&'static str> {
    match password {
        short if short.chars().count() < limits::PASSWORD_CHARS_MIN => {
            Some("Password must be at least 6 characters long")
        }
        long if long.len() > limits::PASSWORD_BYTES_MAX => Some("Please use a shorter password."),
        common if common_passwords::is_common(common) => {
            Some("This password is too common. Choose another.")
        }
        known if common_passwords::is_known(known, owner) => Some(
            "This password is made of your name, username, email address, phone number or \
             company, or of “Dakiya”. Please choose another.",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> RawRegistration {
        RawRegistration {
            username: "asha".into(),
            email: "asha@example.in".into(),
            password: "chai-at-four".into(),
            password_confirm: "chai-at-four".into(),
            first_name: "Asha".into(),
            last_name: "Rao".into(),
            phone: "98765 43210".into(),
        }
    }

    fn wrong_fields(raw: &RawRegistration) -> Vec<(String, String)> {
        let fields = |error: Error| {
            let fields = error.fields().iter();
            fields.map(|f| (f.path.to_string(), f.message.to_string())).collect()
        };
        new_user(raw, String::new(), Language::English).err().map(fields).unwrap_or_default()
    }

    #[test]
    fn a_good_registration_has_no_wrong_field() {
        assert_eq!(wrong_fields(&good()), []);
    }

    #[test]
    fn an_empty_registration_names_every_field() {
        let names: Vec<String> =
            wrong_fields(&RawRegistration::default()).into_iter().map(|(name, _)| name).collect();
        let all = ["first_name", "last_name", "username", "email", "phone", "password"];
        assert_eq!(names, all);
    }

    #[test]
    fn a_username_with_an_at_sign_is_the_accounts_own_address() {
        let with = |username: &str| {
            let raw = RawRegistration { username: username.into(), ..good() };
            wrong_fields(&raw).into_iter().map(|(field, _)| field).collect::<Vec<_>>()
        };
        for own in ["asha", "asha@example.in", "Asha@Example.IN"] {
            assert_eq!(with(own), [] as [&str; 0], "{own}");
        }
        for foreign in ["ravi@example.in", "asha@", "@asha", "asha@example.in@"] {
            assert_eq!(with(foreign), ["username"], "{foreign}");
        }
    }

    #[test]
    fn passwords_must_be_long_enough_alike_and_not_common() {
        let with = |password: &str, confirm: &str| {
            let raw = RawRegistration {
                password: password.into(),
                password_confirm: confirm.into(),
                ..good()
            };
            wrong_fields(&raw).into_iter().map(|(_, message)| message).collect::<Vec<_>>()
        };
        let lengths = include_str!("../../../tests/password_lengths.json");
        let lengths: Vec<(String, bool)> = serde_json::from_str(lengths).expect("passwords");
        for (password, is_long) in lengths {
            let too_short: &[&str] = match is_long {
                true => &[],
                false => &["Password must be at least 6 characters long"],
            };
            assert_eq!(with(&password, &password), too_short, "{password}");
        }
        assert_eq!(with("chai-at-four", "chai-at-five"), ["Passwords do not match"]);
        assert!(with("Qwerty123", "Qwerty123")[0].starts_with("This password is too common"));
    }

    #[test]
    fn a_password_may_have_64_characters_of_any_script() {
        let problem =
            |letter: &str, count: usize| password_problem(&letter.repeat(count), &User::default());
        for letter in ["w", "é", "न", "🪁"] {
            assert_eq!(problem(letter, 64), None, "{letter}");
        }
        for (letter, count) in [("w", 257), ("🪁", 65)] {
            assert_eq!(problem(letter, count), Some("Please use a shorter password."), "{letter}");
        }
    }

    #[test]
    fn phones_are_kept_with_their_country_code() {
        for good in ["098765-43210", "+91 098765 43210", "\u{202a}+91 98765\u{a0}43210\u{202c}"] {
            assert_eq!(own_phone(good).as_deref(), Some("+919876543210"), "{good}");
        }
        let bad = ["", "12345", "phone", "+1", "1234567890", "+91 98765 4321", "+44 20 7946 0958"];
        for bad in bad {
            assert_eq!(own_phone(bad), None, "{bad}");
        }
    }
}
