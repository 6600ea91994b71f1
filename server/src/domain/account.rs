//! Opening an account.

use std::collections::HashMap;
use std::sync::Mutex;

use serde::Deserialize;

use super::ids::random_id;
use super::pace::Client;
use super::password;
use super::text::Text;
use crate::app::App;
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::store;
use crate::store::users::{NewUser, User};

/// Shown after registering, here and on the login page.
pub const REGISTERED: &str = "Registration successful! Please login with your credentials.";

/// A registration as it comes over the wire.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawRegistration {
    pub username: Text,
    pub email: Text,
    pub password: String,
    pub password_confirm: String,
    pub first_name: Text,
    pub last_name: Text,
    pub phone: Text,
}

/// A registration whose every field is in order.
#[derive(Clone, Debug)]
pub struct Registration {
    user: User,
    password: String,
}

impl Registration {
    /// Checks every field and names all that are wrong.
    pub fn parse(raw: &RawRegistration) -> Result<Registration> {
        let mut wrong = Vec::new();
        let mut check = |field: &'static str, problem: Option<&'static str>| {
            wrong.extend(problem.map(|message| FieldError::new(field, message)));
        };
        check(
            "first_name",
            name_problem(raw.first_name.as_str(), "Please enter your first name."),
        );
        check(
            "last_name",
            name_problem(raw.last_name.as_str(), "Please enter your last name."),
        );
        check("username", username_problem(raw.username.as_str()));
        check("email", email_problem(raw.email.as_str()));
        let phone = phone_digits(raw.phone.as_str());
        check(
            "phone",
            phone
                .is_none()
                .then_some("Please enter a phone number of 10 digits."),
        );
        wrong.extend(new_password_problems(&raw.password, &raw.password_confirm));
        Error::check(wrong)?;
        Ok(Registration {
            user: User {
                user_id: random_id(),
                username: raw.username.as_str().to_owned(),
                email: raw.email.as_str().to_owned(),
                phone: phone.unwrap_or_default(),
                first_name: raw.first_name.as_str().to_owned(),
                last_name: raw.last_name.as_str().to_owned(),
                company_name: String::new(),
                gstin: String::new(),
            },
            password: raw.password.clone(),
        })
    }
}

/// What is wrong with a first or last name.
pub fn name_problem(name: &str, missing: &'static str) -> Option<&'static str> {
    match name.chars().count() {
        0 => Some(missing),
        1..=100 if !name.chars().any(char::is_control) => None,
        _ => Some("Please use at most 100 letters."),
    }
}

fn username_problem(username: &str) -> Option<&'static str> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._-@+".contains(c);
    match username.len() {
        0 => Some("Please choose a username."),
        3..=64 if username.chars().all(allowed) => None,
        _ => Some("Use 3 to 64 letters, digits or . _ - @ + without spaces."),
    }
}

/// A shape check only; whether mail arrives shows when it is sent.
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
        (true, _) => Some("Please enter your e-mail address."),
        (false, false) => Some("Please enter a valid e-mail address."),
        (false, true) => None,
    }
}

/// A phone number with its country code and no decoration: `+919876543210`.
pub fn phone_digits(text: &str) -> Option<String> {
    let international = text.starts_with('+');
    let bare: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | '(' | ')' | '.'))
        .collect();
    let digits = bare.strip_prefix('+').unwrap_or(&bare);
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let national = digits.strip_prefix('0').unwrap_or(digits);
    match (international, digits.len()) {
        (true, 8..=15) => Some(format!("+{digits}")),
        (false, _) if national.len() == 10 => Some(format!("+91{national}")),
        (false, 12) if digits.starts_with("91") => Some(format!("+{digits}")),
        _ => None,
    }
}

/// What is wrong with a password that somebody chose.
pub fn new_password_problems(password: &str, confirmed: &str) -> Vec<FieldError> {
    let problem = password_problem(password);
    let differs = (password != confirmed).then_some("Passwords do not match");
    let problem = problem.map(|message| FieldError::new("password", message));
    let differs = differs.map(|message| FieldError::new("password_confirm", message));
    problem.into_iter().chain(differs).collect()
}

fn password_problem(password: &str) -> Option<&'static str> {
    match password {
        short if short.chars().count() < limits::PASSWORD_CHARS_MIN => {
            Some("Password must be at least 6 characters long")
        }
        long if long.len() > limits::PASSWORD_BYTES_MAX => Some("Please use a shorter password."),
        common if password::is_common(common) => {
            Some("This password is among the first that others would guess. Please choose another.")
        }
        _ => None,
    }
}

/// Opens the account with an empty wallet.
///
/// # Errors
/// `Fields` when the username or e-mail is taken; `TooMany` for a client that registers often.
pub async fn register(app: &App, client: Client, registration: Registration) -> Result<User> {
    app.paces.registrations.take(client, app.clock.now_ms())?;
    let password_hash = app.passwords.hash(registration.password).await?;
    let user = registration.user.clone();
    let new = NewUser {
        user: registration.user,
        password_hash,
        created_ms: app.clock.now_ms(),
    };
    app.store
        .write(move |conn| {
            Box::pin(async move {
                if store::users::add(conn, &new).await? {
                    return store::ledger::open_wallet(conn, &new.user.user_id).await;
                }
                let (username, email) = (&new.user.username, &new.user.email);
                let (username, email) = store::users::taken(conn, username, email).await?;
                let mut wrong = Vec::new();
                if username {
                    wrong.push(FieldError::new("username", "This username is taken."));
                }
                if email {
                    let message = "There is an account with this e-mail address.";
                    wrong.push(FieldError::new("email", message));
                }
                Error::check(wrong)
            })
        })
        .await?;
    Ok(user)
}

/// Slows down guessing without locking anybody out for long: a lock would be a weapon.
///
/// After a few wrong passwords for one username each further try must wait, twice as long every
/// time up to a limit. Kept in memory: a restart forgives.
#[derive(Debug, Default)]
pub struct Guesses(Mutex<HashMap<String, Guessed>>);

#[derive(Clone, Copy, Debug)]
struct Guessed {
    wrong: u32,
    last_ms: i64,
}

impl Guesses {
    /// `TooMany` while the username must wait.
    pub fn may_try(&self, username: &str, now_ms: i64) -> Result<()> {
        let guesses = self.0.lock().expect("no holder panics");
        let Some(guessed) = guesses.get(&username.to_lowercase()) else {
            return Ok(());
        };
        let wait_ms = guessed.last_ms + delay_ms(guessed.wrong) - now_ms;
        if wait_ms <= 0 {
            return Ok(());
        }
        let retry_after_s = u64::try_from(wait_ms).unwrap_or(0).div_ceil(1_000);
        let message = format!("Too many wrong passwords. Please try again in {retry_after_s} s.");
        Err(Error::TooMany {
            message: message.into(),
            retry_after_s,
        })
    }

    pub fn failed(&self, username: &str, now_ms: i64) {
        let mut guesses = self.0.lock().expect("no holder panics");
        if guesses.len() >= limits::GUESSED_USERNAMES_MAX {
            guesses.retain(|_, guessed| now_ms - guessed.last_ms < limits::GUESS_DELAY_MS_MAX);
        }
        let guessed = guesses.entry(username.to_lowercase()).or_insert(Guessed {
            wrong: 0,
            last_ms: now_ms,
        });
        guessed.wrong = guessed.wrong.saturating_add(1);
        guessed.last_ms = now_ms;
    }

    pub fn succeeded(&self, username: &str) {
        self.0
            .lock()
            .expect("no holder panics")
            .remove(&username.to_lowercase());
    }
}

fn delay_ms(wrong: u32) -> i64 {
    match wrong.checked_sub(limits::GUESSES_FREE) {
        None => 0,
        Some(over) => (1_000i64 << over.min(10)).min(limits::GUESS_DELAY_MS_MAX),
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
            fields
                .map(|f| (f.path.to_string(), f.message.to_string()))
                .collect()
        };
        Registration::parse(raw)
            .err()
            .map(fields)
            .unwrap_or_default()
    }

    #[test]
    fn a_good_registration_has_no_wrong_field() {
        assert_eq!(wrong_fields(&good()), []);
    }

    #[test]
    fn an_empty_registration_names_every_field() {
        let names: Vec<String> = wrong_fields(&RawRegistration::default())
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let all = [
            "first_name",
            "last_name",
            "username",
            "email",
            "phone",
            "password",
        ];
        assert_eq!(names, all);
    }

    #[test]
    fn passwords_must_be_long_enough_alike_and_not_common() {
        let with = |password: &str, confirm: &str| {
            let raw = RawRegistration {
                password: password.into(),
                password_confirm: confirm.into(),
                ..good()
            };
            wrong_fields(&raw)
                .into_iter()
                .map(|(_, message)| message)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            with("abcde", "abcde"),
            ["Password must be at least 6 characters long"]
        );
        assert_eq!(
            with("chai-at-four", "chai-at-five"),
            ["Passwords do not match"]
        );
        assert!(with("Qwerty123", "Qwerty123")[0].starts_with("This password is among the first"));
    }

    #[test]
    fn phones_are_kept_with_their_country_code() {
        assert_eq!(
            phone_digits("098765-43210").as_deref(),
            Some("+919876543210")
        );
        assert_eq!(
            phone_digits("+44 20 7946 0958").as_deref(),
            Some("+442079460958")
        );
        for bad in ["", "12345", "987654321०", "phone", "+1"] {
            assert_eq!(phone_digits(bad), None, "{bad}");
        }
    }

    #[test]
    fn guessing_gets_slower_and_a_right_password_ends_it() {
        let guesses = Guesses::default();
        for _ in 0..limits::GUESSES_FREE {
            guesses.may_try("asha", 0).unwrap();
            guesses.failed("Asha", 0);
        }
        assert!(matches!(
            guesses.may_try("asha", 0),
            Err(Error::TooMany { .. })
        ));
        guesses.may_try("asha", 2_000).unwrap();
        guesses.may_try("ravi", 0).unwrap();
        guesses.failed("asha", 2_000);
        assert!(guesses.may_try("asha", 3_000).is_err());
        guesses.succeeded("asha");
        guesses.may_try("asha", 3_000).unwrap();
    }
}
