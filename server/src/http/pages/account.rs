//! /account: the customer's profile, password and sessions, and their plain forms.

use std::collections::BTreeMap;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::CookieJar;
use futures_util::stream::try_unfold;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::{CLEAR_STORAGE, download, see_other};
use crate::http::extract::{Form, MaybeUser, ended_cookie};
use crate::http::pages::form_after_login;
use crate::http::pages::form_state::{FormState, Params};
use crate::http::pages::page::{Early, Page, SentForm, Shown, Visit, shown};
use crate::http::pages::respond;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::agreement::AgreementShown;
use crate::model::account::profile::RawProfile;
use crate::model::account::security_event::Activity;
use crate::model::account::session::{CurrentUser, LoggedInAt};
use crate::model::calendar::date_in_india;
use crate::model::letter_choices::LetterChoices;
use crate::model::openapi_schema::Text;
use crate::services::accounts::confirm_identity::RawIdentity;
use crate::services::accounts::new_password::RawPasswordChange;
use crate::services::notifications::choices::RawChoices;

pub struct AccountPage;

impl Page for AccountPage {
    /// Handles the link that confirms an e-mail address: it works only for its own customer, logged
    /// in.
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        let Some(token) = visit.query.get("confirm") else {
            return Ok(Early::default());
        };
        let saved = match web.accounts.confirm_email(visit.member()?, token).await {
            Ok(()) => "email",
            Err(error) if error.is_ours() => return Err(error),
            Err(error) if error.fields().iter().any(|it| it.path == "email") => "email-taken",
            Err(_) => "email-over",
        };
        Ok(Early { elsewhere: Some(format!("/account?saved={saved}")), ..Early::default() })
    }

    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        shown(&Account {
            sessions: web.accounts.sessions(visit.member()?).await?,
            activity: web.accounts.activity(visit.member()?).await?,
            agreements: web.accounts.agreements(visit.member()?).await?,
            phone_code_sent: web.accounts.phone_code_sent(visit.member()?).await?,
            letters: web.notifications.choices(visit.member()?).await?,
            part: visit.query.get("part").map_or("", String::as_str),
            form: visit.form.as_ref(),
        })
    }

    /// Saves the profile.
    async fn submit(&self, web: AppState, form: SentForm<'_>) -> Result<Response> {
        let raw: RawProfile = form.read()?;
        let SentForm { user, headers, .. } = form;
        let moves = raw.moves(&user.user);
        match web.accounts.change_profile(&user, &raw).await {
            Ok(_) if moves => Ok(see_other("/account?saved=email-asked")),
            Ok(_) => Ok(see_other("/account?saved=profile")),
            Err(error) => {
                let values = typed(&raw);
                refused(web, user, "profile", values, error, headers).await
            }
        }
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
            .route("/account", form_after_login::route(&AccountPage, "/account"))
            .route("/account/close", post(close))
            .route("/account/email/send", post(send_link))
            .route("/account/export", post(export))
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
    agreements: Vec<AgreementShown>,
    /// A code is on its way to the phone.
    phone_code_sent: bool,
    letters: LetterChoices,
    /// The form that was refused, by name.
    part: &'a str,
    #[schema(required)]
    form: Option<&'a FormState>,
}

/// The customer who sends a form of the account page. A guest is redirected to the login, which
/// leads back here.
pub(super) struct Member(pub CurrentUser);

impl FromRequestParts<AppState> for Member {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        web: &AppState,
    ) -> std::result::Result<Member, Response> {
        match MaybeUser::from_request_parts(parts, web).await {
            Ok(MaybeUser(Some(user))) => Ok(Member(user)),
            Ok(MaybeUser(None)) => Err(see_other("/login?next=/account&expired=1")),
            Err(error) => Err(error.into_response()),
        }
    }
}

/// Returns the typed values, without the password.
fn typed(raw: &RawProfile) -> BTreeMap<&'static str, String> {
    let values = [
        ("first_name", &raw.first_name),
        ("last_name", &raw.last_name),
        ("email", &raw.email),
        ("phone", &raw.phone),
        ("company_name", &raw.company_name),
        ("gstin", &raw.gstin),
    ];
    let text = |value: &Option<Text>| value.as_ref().map(|text| text.as_str().to_owned());
    let values = values.into_iter();
    values.filter_map(|(name, it)| Some((name, text(it)?))).collect()
}

async fn send_link(
    State(web): State<AppState>,
    Member(user): Member,
    headers: HeaderMap,
) -> Result<Response> {
    match web.accounts.send_confirmation(&user).await {
        Ok(()) => Ok(see_other("/account?saved=link")),
        Err(Error::TooMany { .. }) => Ok(see_other("/account?saved=link-late")),
        Err(error) => refused(web, user, "profile", BTreeMap::new(), error, &headers).await,
    }
}

async fn send_phone_code(
    State(web): State<AppState>,
    Member(user): Member,
    headers: HeaderMap,
) -> Result<Response> {
    match web.accounts.send_phone_code(&user).await {
        Ok(()) => Ok(see_other("/account?saved=phone-code#phone")),
        Err(error) => refused(web, user, "phone", BTreeMap::new(), error, &headers).await,
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PhoneCode {
    otp: String,
}

async fn confirm_phone(
    State(web): State<AppState>,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<PhoneCode>,
) -> Result<Response> {
    match web.accounts.confirm_phone(&user, &raw.otp).await {
        Ok(()) => Ok(see_other("/account?saved=phone")),
        Err(error) => refused(web, user, "phone", BTreeMap::new(), error, &headers).await,
    }
}

async fn choose_letters(
    State(web): State<AppState>,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<RawChoices>,
) -> Result<Response> {
    match web.notifications.choose(&user, &raw).await {
        Ok(()) => Ok(see_other("/account?saved=letters")),
        Err(error) => {
            let values = BTreeMap::from([
                ("booked", raw.booked),
                ("progress", raw.progress),
                ("trouble", raw.trouble),
                ("low_balance", raw.low_balance),
                ("low_balance_below", raw.low_balance_below),
            ]);
            refused(web, user, "letters", values, error, &headers).await
        }
    }
}

async fn change_password(
    State(web): State<AppState>,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<RawPasswordChange>,
) -> Result<Response> {
    match web.accounts.change_password(&user, raw).await {
        Ok(()) => Ok(see_other("/account?saved=password")),
        Err(error) => refused(web, user, "password", BTreeMap::new(), error, &headers).await,
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

async fn end_sessions(
    State(web): State<AppState>,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<RawEnding>,
) -> Result<Response> {
    let identity = raw.identity.identity();
    let result = match raw.session.as_str() {
        "" => web.accounts.end_other_sessions(&user, identity).await,
        one => web.accounts.end_session(&user, one, identity).await,
    };
    match result {
        Ok(()) if raw.session.is_empty() => Ok(see_other("/account?saved=sessions")),
        // The session is over in both cases, even if another request ended it.
        Ok(()) | Err(Error::NotFound(_)) => Ok(see_other("/account?saved=session")),
        Err(error) => {
            let values = BTreeMap::from([("session", raw.session)]);
            refused(web, user, "sessions", values, error, &headers).await
        }
    }
}

/// Streams all stored data of the customer as a file. An error breaks the connection, so that a
/// partial file is not taken for a complete one.
async fn export(
    State(web): State<AppState>,
    Member(user): Member,
    headers: HeaderMap,
) -> Result<Response> {
    let export = match web.exports.begin(&user).await {
        Ok(export) => export,
        Err(error) => return refused(web, user, "data", BTreeMap::new(), error, &headers).await,
    };
    let pieces = try_unfold(export, async |mut export| {
        let piece = export.next().await;
        let piece = piece.inspect_err(|error| tracing::error!("an export broke off: {error}"))?;
        Ok::<_, Error>(piece.map(|piece| (piece, export)))
    });
    let name = format!("dakiya-{}.json", date_in_india(web.core.clock.now_ms()));
    download("application/json", &name, Body::from_stream(pieces))
}

async fn close(
    State(web): State<AppState>,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<RawIdentity>,
) -> Result<Response> {
    if let Err(error) = web.accounts.close(&user, raw.identity()).await {
        return refused(web, user, "close", BTreeMap::new(), error, &headers).await;
    }
    let jar = CookieJar::new().add(ended_cookie(&web.config));
    // The policy lists the data that is kept after the account is closed.
    let next = see_other("/privacy-policy?closed=1");
    Ok((jar, [CLEAR_STORAGE], next).into_response())
}

/// Shows the page again, with the error in the form of this name.
async fn refused(
    web: AppState,
    user: CurrentUser,
    part: &str,
    values: BTreeMap<&'static str, String>,
    error: Error,
    headers: &HeaderMap,
) -> Result<Response> {
    let query = Params::from([("part".to_owned(), part.to_owned())]);
    let visit = Visit::of_form("account", &AccountPage, query, Some(user));
    respond::refused(web, visit, values, error, headers).await
}
