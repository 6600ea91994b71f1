//! What customers say about themselves after they registered.

use serde::Deserialize;

use super::account::{email_problem, name_problem, phone_digits};
use super::gstin::{self, is_gstin};
use super::letter::Letter;
use super::session::{self, CurrentUser};
use super::text::Text;
use crate::app::App;
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::store;
use crate::store::users::User;

/// Shown when it is done.
pub const SAVED: &str = "Your profile was saved.";

/// The profile as it comes over the wire. What is left out stays as it is.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct RawProfile {
    pub first_name: Option<Text>,
    pub last_name: Option<Text>,
    pub email: Option<Text>,
    pub phone: Option<Text>,
    pub company_name: Option<Text>,
    pub gstin: Option<Text>,
    /// Needed for another e-mail address: who has it can choose another password.
    pub current_password: String,
}

/// Changes the profile. Open quotes made with another GSTIN hold no longer (see `quote.rs`).
///
/// # Errors
/// `Fields` for what is wrong, for an e-mail address that is taken, and for a wrong password;
/// `TooMany` after many wrong ones.
pub async fn change(app: &App, user: &CurrentUser, raw: &RawProfile) -> Result<User> {
    let before = &user.user;
    let after = changed(before, raw)?;
    let moved = before.email != after.email;
    if moved {
        session::confirm_password(app, user, &raw.current_password).await?;
    }
    let (now_ms, kept) = (app.clock.now_ms(), after.clone());
    app.store
        .write(move |conn| {
            Box::pin(async move {
                store::users::hold(conn, &kept.user_id).await?;
                if !store::users::update(conn, &kept).await? {
                    let message = "There is an account with this e-mail address.";
                    return Err(Error::field("email", message));
                }
                if moved {
                    // They lie in the mailbox that this account no longer trusts.
                    store::password_resets::end_all(conn, &kept.user_id, now_ms).await?;
                }
                Ok(())
            })
        })
        .await?;
    if moved {
        letter(app, before).post(app);
    }
    Ok(after)
}

/// The user as the form wants them.
fn changed(before: &User, raw: &RawProfile) -> Result<User> {
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
        phone: phone_digits(&phone).unwrap_or_default(),
        company_name: text(&raw.company_name, &before.company_name),
        gstin: text(&raw.gstin, &before.gstin)
            .replace(' ', "")
            .to_uppercase(),
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

/// To the address that is no longer the account's.
fn letter(app: &App, before: &User) -> Letter {
    let (username, help) = (&before.username, &app.config.company.email);
    let text = format!(
        "The e-mail address of your Dakiya account {username} was changed. Messages no longer \
         come to this one.\n\n\
         If it was not you, write to {help} at once.\n"
    );
    Letter {
        to: before.email.clone(),
        subject: "Your Dakiya e-mail address was changed",
        text,
    }
}
