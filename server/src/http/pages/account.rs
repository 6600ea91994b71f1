//! /account: the customer's profile, password and sessions, and their plain forms.

use axum::Router;
use axum::body::Body;
use axum::response::IntoResponse;
use futures_util::stream::try_unfold;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{Answer, CLEAR_STORAGE, download, see_other};
use crate::http::extract::{Form, logged_out_cookies};
use crate::http::pages::form_after_login;
use crate::http::pages::page::{
    Early, FormState, Page, Params, SentForm, Shown, TypedValue, Visit, read, serialize_data,
    text_of,
};
use crate::http::pages::respond::Member;
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::methods::post;
use dakiya_core::model::account::agreement::Agreement;
use dakiya_core::model::account::profile::RawProfile;
use dakiya_core::model::account::security_event::Activity;
use dakiya_core::model::account::session::LoggedInAt;
use dakiya_core::model::calendar::date_in_india;
use dakiya_core::model::language::Language;
use dakiya_core::model::letter::LetterChoices;
use dakiya_core::services::accounts::confirm_identity::RawIdentity;
use dakiya_core::services::accounts::new_password::RawPasswordChange;
use dakiya_core::services::notifications::choices::RawChoices;

pub struct AccountPage;

impl Page for AccountPage {
    /// Handles the link that confirms an email address: it works only for its own customer, logged
    /// in.
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        let Some(token) = visit.query.get("confirm") else {
            return Ok(Early::default());
        };
        let saved = match web.accounts.confirm_email(visit.member()?, token).await {
            Ok(()) => "email",
            Err(error) if error.is_ours() => return Err(error),
            Err(error) if error.fields().iter().any(|it| it.path == "email") => "email-taken",
            Err(Error::Conflict { .. }) => "frozen",
            Err(Error::TooMany { .. }) => "link-late",
            Err(_) => "email-over",
        };
        Early::redirect(format!("/account?saved={saved}"))
    }

    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        serialize_data(&Account {
            sessions: web.accounts.sessions(visit.member()?).await?,
            activity: web.accounts.activity(visit.member()?).await?,
            agreements: web.accounts.agreements(visit.member()?).await?,
            phone_code_sent: web.accounts.has_sent_phone_code(visit.member()?).await?,
            letters: web.notifications.choices(visit.member()?).await?,
            letter_language: visit.member()?.user.language,
            part: text_of(&visit.query, "part"),
            form: visit.form.as_ref(),
        })
    }

    async fn submit(&self, form: SentForm<'_>) -> Answer {
        let raw: RawProfile = read(form.fields)?;
        let moves = raw.changes_email(&form.user.user);
        match form.web.accounts.change_profile(&form.user, &raw).await {
            Ok(_) if moves => Ok(see_other("/account?saved=email-asked")),
            Ok(_) => Ok(see_other("/account?saved=profile")),
            Err(error) => draw_again(form.sender(), "profile", &typed_values(&raw), error).await,
        }
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
            .route("/account", form_after_login::route(&AccountPage, "/account"))
            .route("/account/close", post(close))
            .route("/account/email/send", post(send_link))
            .route("/account/export", post(export))
            .route("/account/language", post(choose_language))
            .route("/account/letters", post(choose_letters))
            .route("/account/password", post(change_password))
            .route("/account/phone/confirm", post(confirm_phone))
            .route("/account/phone/send", post(send_phone_code))
            .route("/account/sessions/end", post(end_sessions))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = AccountData)]
pub struct Account<'a> {
    sessions: Vec<LoggedInAt>,
    activity: Vec<Activity>,
    agreements: Vec<Agreement>,
    /// A code is on its way to the phone.
    phone_code_sent: bool,
    letters: LetterChoices,
    letter_language: Language,
    /// The form that was refused, by name.
    part: &'a str,
    #[schema(required)]
    form: Option<&'a FormState>,
}

/// Shows the page again, with the error in the form of this name.
async fn draw_again(member: Member, part: &str, values: &[TypedValue<'_>], error: Error) -> Answer {
    let query = Params::from([("part".to_owned(), part.to_owned())]);
    member.draw_again("account", &AccountPage, query, values, error).await
}

/// Returns the typed values, without the password.
fn typed_values(raw: &RawProfile) -> Vec<TypedValue<'_>> {
    let values = [
        ("first_name", &raw.first_name),
        ("last_name", &raw.last_name),
        ("email", &raw.email),
        ("phone", &raw.phone),
        ("company_name", &raw.company_name),
        ("gstin", &raw.gstin),
    ];
    let values = values.into_iter();
    values.filter_map(|(name, value)| Some((name, value.as_ref()?.as_str()))).collect()
}

async fn send_link(member: Member) -> Answer {
    match member.web.accounts.send_confirmation(&member.user).await {
        Ok(()) => Ok(see_other("/account?saved=link")),
        Err(Error::TooMany { .. }) => Ok(see_other("/account?saved=link-late")),
        Err(error) => draw_again(member, "profile", &[], error).await,
    }
}

async fn send_phone_code(member: Member) -> Answer {
    match member.web.accounts.send_phone_code(&member.user).await {
        Ok(()) => Ok(see_other("/account?saved=phone-code#phone")),
        Err(error) => draw_again(member, "phone", &[], error).await,
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PhoneCode {
    otp: String,
    #[serde(flatten)]
    identity: RawIdentity,
}

async fn confirm_phone(member: Member, Form(raw): Form<PhoneCode>) -> Answer {
    match member.web.accounts.confirm_phone(&member.user, &raw.otp, raw.identity.identity()).await {
        Ok(()) => Ok(see_other("/account?saved=phone")),
        Err(error) => draw_again(member, "phone", &[], error).await,
    }
}

#[derive(Deserialize)]
struct RawLanguage {
    letter_language: Language,
}

async fn choose_language(member: Member, Form(raw): Form<RawLanguage>) -> Answer {
    member.web.accounts.set_language(&member.user, raw.letter_language).await?;
    Ok(see_other("/account?saved=letters"))
}

async fn choose_letters(member: Member, Form(raw): Form<RawChoices>) -> Answer {
    let Err(error) = member.web.notifications.choose(&member.user, &raw).await else {
        return Ok(see_other("/account?saved=letters"));
    };
    let values = [
        ("booked", raw.booked.as_str()),
        ("progress", raw.progress.as_str()),
        ("trouble", raw.trouble.as_str()),
        ("low_balance", raw.low_balance.as_str()),
        ("low_balance_below", raw.low_balance_below.as_str()),
    ];
    draw_again(member, "letters", &values, error).await
}

async fn change_password(member: Member, Form(raw): Form<RawPasswordChange>) -> Answer {
    let keep = raw.keep.clone();
    match member.web.accounts.change_password(&member.user, raw).await {
        Ok(()) => Ok(see_other("/account?saved=password")),
        Err(error) => draw_again(member, "password", &[("keep", keep.as_str())], error).await,
    }
}

/// The form to end one session, or all others if `session` is empty.
#[derive(Deserialize)]
struct RawEnding {
    #[serde(default)]
    session: String,
    #[serde(flatten)]
    identity: RawIdentity,
}

async fn end_sessions(member: Member, Form(raw): Form<RawEnding>) -> Answer {
    let (accounts, user) = (&member.web.accounts, &member.user);
    let identity = raw.identity.identity();
    let result = match raw.session.as_str() {
        "" => accounts.end_other_sessions(user, identity).await,
        one => accounts.end_session(user, one, identity).await,
    };
    match result {
        Ok(()) if raw.session.is_empty() => Ok(see_other("/account?saved=sessions")),
        // The session is over in both cases, even if another request ended it.
        Ok(()) | Err(Error::NotFound(_)) => Ok(see_other("/account?saved=session")),
        Err(error) => {
            let values = [("session", raw.session.as_str())];
            draw_again(member, "sessions", &values, error).await
        }
    }
}

/// Streams all stored data of the customer as a file. An error breaks the connection, so that a
/// partial file is not taken for a complete one.
async fn export(member: Member, Form(raw): Form<RawIdentity>) -> Answer {
    let export = match member.web.exports.begin(&member.user, raw.identity()).await {
        Ok(export) => export,
        Err(error) => return draw_again(member, "data", &[], error).await,
    };
    let pieces = try_unfold(export, async |mut export| {
        let piece = export.next().await;
        let piece =
            piece.inspect_err(|error| tracing::error!("an export was interrupted: {error}"))?;
        Ok::<_, Error>(piece.map(|piece| (piece, export)))
    });
    let name = format!("dakiya-{}.json", date_in_india(member.web.core.clock.now_ms()));
    download("application/json", &name, Body::from_stream(pieces))
}

async fn close(member: Member, Form(raw): Form<RawIdentity>) -> Answer {
    if let Err(error) = member.web.accounts.close(&member.user, raw.identity()).await {
        return draw_again(member, "close", &[], error).await;
    }
    let jar = logged_out_cookies(&member.web.config);
    // The policy lists the data that is kept after the account is closed.
    let next = see_other("/privacy-policy?closed=1");
    Ok((jar, [CLEAR_STORAGE], next).into_response())
}
