//! /api/v1/auth: registering, logging in and out, the profile, the password, the sessions.

use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use axum_extra::extract::cookie::CookieJar;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{self, Answer};
use crate::http::extract::{
    Browser, Json, Path, challenge_cookie, logged_in_cookies, logged_out_cookies,
};
use crate::http::language;
use crate::http::state::AppState;
use dakiya_core::model::account::agreement::Agreement;
use dakiya_core::model::account::profile::{self, RawProfile};
use dakiya_core::model::account::registration::{self, RawRegistration};
use dakiya_core::model::account::security_event::{Activity, Origin};
use dakiya_core::model::account::session::{
    self, CurrentUser, FirstStep, LoggedIn, LoggedInAt, Profile, RawLogin,
};
use dakiya_core::model::account::two_step::RawLoginCode;
use dakiya_core::model::letter::LetterChoices;
use dakiya_core::services::accounts::confirm_identity::RawIdentity;
use dakiya_core::services::accounts::new_password::{
    self, RawForgotten, RawPasswordChange, RawReset,
};
use dakiya_core::services::accounts::rate_limits::ClientIp;
use dakiya_core::services::accounts::{Accounts, email};
use dakiya_core::services::notifications::Notifications;
use dakiya_core::services::notifications::choices::{self, RawChoices};

#[derive(Serialize, ToSchema)]
pub(super) struct LoginAnswer {
    tokens: Tokens,
    user: Profile,
}

#[derive(Serialize, ToSchema)]
struct Tokens {
    access: String,
}

/// The password was right; the session begins with the code.
#[derive(Serialize, ToSchema)]
struct CodeWanted<'a> {
    message: &'static str,
    /// To be sent back with the code within five minutes; a browser has it as a cookie.
    challenge: &'a str,
}

#[derive(Serialize, ToSchema)]
struct Registered {
    message: &'static str,
    user: Profile,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ResetAsked)]
struct ResetRequested {
    message: &'static str,
    /// Where the sandbox shows the messages it does not send.
    #[schema(required, value_type = Option<String>)]
    inbox_url: Option<Arc<str>>,
}

/// A program gets its token; a browser gets the cookie only, so that no script ever sees a
/// credential. Where two-step login is on, the answer is 202, and a code is asked for.
#[utoipa::path(
    post,
    path = "/auth/login",
    params((
        "X-Session" = Option<String>,
        Header,
        description = "`cookie`, as our pages say: the answer carries no token."
    )),
    request_body = RawLogin,
    responses((status = 200, body = LoginAnswer), (status = 202, body = CodeWanted)),
    security(())
)]
pub(crate) async fn login(
    web: AppState,
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Json(raw): Json<RawLogin>,
) -> Answer {
    let login = web.accounts.log_in(client, &origin, browser.as_seen(), &raw);
    match login.await? {
        FirstStep::LoggedIn(logged_in) => {
            login_response(&web, *logged_in, &browser, &headers).await
        }
        FirstStep::CodeWanted { token } => {
            let is_browser = is_browser(&headers);
            let message = "Please enter the code from your app.";
            let challenge = if is_browser { COOKIE } else { &*token };
            let body = CodeWanted { message, challenge };
            let answer = answer::json(StatusCode::ACCEPTED, &body);
            let cookie = is_browser.then(|| challenge_cookie(&web.config, token.clone()));
            Ok((cookie.map(|cookie| CookieJar::new().add(cookie)), answer).into_response())
        }
    }
}

/// The second step of a login, where two-step login is on. A browser's cookie says which login it
/// is; a program sends back what the first step answered.
#[utoipa::path(
    post,
    path = "/auth/login/code",
    request_body = RawLoginCode,
    responses((status = 200, body = LoginAnswer)),
    security(())
)]
pub(crate) async fn login_code(
    web: AppState,
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Json(raw): Json<RawLoginCode>,
) -> Answer {
    let challenge = browser.challenge.as_deref().unwrap_or(&raw.challenge);
    let accounts = &web.accounts;
    let login = accounts.log_in_with_code(client, &origin, browser.as_seen(), challenge, &raw.code);
    login_response(&web, login.await?, &browser, &headers).await
}

/// Builds the response of a completed login.
pub(super) async fn login_response(
    web: &AppState,
    logged_in: LoggedIn,
    browser: &Browser,
    headers: &HeaderMap,
) -> Answer {
    let user = web.accounts.profile(&logged_in.user).await?;
    let jar = logged_in_cookies(&web.config, logged_in.token.clone(), browser);
    let access = if is_browser(headers) { COOKIE.to_owned() } else { logged_in.token };
    let body = LoginAnswer { tokens: Tokens { access }, user };
    Ok((jar, answer::ok(&body)).into_response())
}

/// Stands in the place of a token, and in the header by which our pages ask for none.
const COOKIE: &str = "cookie";

/// True for a request of a browser. New ones send `Sec-Fetch-Site`, all of them send `Origin` with
/// a form or a body, and our pages say it themselves.
fn is_browser(headers: &HeaderMap) -> bool {
    let is_said = headers.get("x-session").is_some_and(|session| session == COOKIE);
    is_said || headers.contains_key("sec-fetch-site") || headers.contains_key(header::ORIGIN)
}

#[utoipa::path(post, path = "/auth/logout", responses((status = 200, body = Object)))]
pub(crate) async fn logout(web: AppState, user: CurrentUser) -> Answer {
    web.accounts.log_out(&user).await?;
    let jar = logged_out_cookies(&web.config);
    Ok((jar, answer::ok(&serde_json::json!({}))).into_response())
}

#[utoipa::path(
    post,
    path = "/auth/register",
    request_body = RawRegistration,
    responses((status = 201, body = Registered)),
    security(())
)]
pub(crate) async fn register(
    accounts: Accounts,
    client: ClientIp,
    origin: Origin,
    headers: HeaderMap,
    Json(raw): Json<RawRegistration>,
) -> Answer {
    let user = accounts.register(client, &origin, language::of(&headers), &raw).await?;
    let user = accounts.profile(&user).await?;
    let body = Registered { message: registration::REGISTERED, user };
    Ok(answer::json(StatusCode::CREATED, &body))
}

/// Sends a link for a new password, if there is such an account.
#[utoipa::path(
    post,
    path = "/auth/forgot-password",
    request_body = RawForgotten,
    responses((status = 200, body = ResetRequested)),
    security(())
)]
pub(crate) async fn forgot_password(
    web: AppState,
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    Json(raw): Json<RawForgotten>,
) -> Answer {
    web.accounts.ask_for_reset(client, origin, browser.as_seen(), &raw)?;
    let inbox_url = web.inbox_url.clone();
    Ok(answer::ok(&ResetRequested { message: new_password::ASKED, inbox_url }))
}

/// Sets the password that was chosen through such a link.
#[utoipa::path(
    post,
    path = "/auth/reset-password",
    request_body = RawReset,
    responses((status = 200, body = Message)),
    security(())
)]
pub(crate) async fn reset_password(
    accounts: Accounts,
    origin: Origin,
    Json(raw): Json<RawReset>,
) -> Answer {
    accounts.reset_password(&origin, raw).await?;
    Message::answer(new_password::RESET)
}

#[utoipa::path(get, path = "/auth/profile", responses((status = 200, body = Profile)))]
pub(crate) async fn profile(accounts: Accounts, user: CurrentUser) -> Answer {
    Ok(answer::ok(&accounts.profile(&user.user).await?))
}

#[derive(Serialize, ToSchema)]
pub struct ProfileSaved {
    message: &'static str,
    user: Profile,
}

#[derive(Serialize, ToSchema)]
pub struct Message {
    pub message: &'static str,
}

impl Message {
    pub fn answer(message: &'static str) -> Answer {
        Ok(answer::ok(&Message { message }))
    }
}

#[derive(Serialize, ToSchema)]
struct Sessions {
    results: Vec<LoggedInAt>,
}

#[derive(Serialize, ToSchema)]
struct Activities {
    results: Vec<Activity>,
    agreements: Vec<Agreement>,
}

#[utoipa::path(
    post,
    path = "/auth/profile",
    request_body = RawProfile,
    responses((status = 200, body = ProfileSaved))
)]
pub(crate) async fn save(
    accounts: Accounts,
    user: CurrentUser,
    Json(raw): Json<RawProfile>,
) -> Answer {
    let message = match raw.changes_email(&user.user) {
        true => email::CHANGE_ASKED,
        false => profile::SAVED,
    };
    let user = accounts.change_profile(&user, &raw).await?;
    Ok(answer::ok(&ProfileSaved { message, user: accounts.profile(&user).await? }))
}

#[utoipa::path(
    post,
    path = "/auth/change-password",
    request_body = RawPasswordChange,
    responses((status = 200, body = Message))
)]
pub(crate) async fn change_password(
    accounts: Accounts,
    user: CurrentUser,
    Json(raw): Json<RawPasswordChange>,
) -> Answer {
    accounts.change_password(&user, raw).await?;
    Message::answer(new_password::CHANGED)
}

/// Letters the customer gets, besides those about security and money.
#[utoipa::path(get, path = "/auth/letters", responses((status = 200, body = LetterChoices)))]
pub(crate) async fn letters(notifications: Notifications, user: CurrentUser) -> Answer {
    Ok(answer::ok(&notifications.choices(&user).await?))
}

/// Chooses them: what is left empty is switched off.
#[utoipa::path(
    post,
    path = "/auth/letters",
    request_body = RawChoices,
    responses((status = 200, body = Message))
)]
pub(crate) async fn choose_letters(
    notifications: Notifications,
    user: CurrentUser,
    Json(raw): Json<RawChoices>,
) -> Answer {
    notifications.choose(&user, &raw).await?;
    Message::answer(choices::SAVED)
}

#[utoipa::path(get, path = "/auth/sessions", responses((status = 200, body = Sessions)))]
pub(crate) async fn sessions(accounts: Accounts, user: CurrentUser) -> Answer {
    let results = accounts.sessions(&user).await?;
    Ok(answer::ok(&Sessions { results }))
}

#[utoipa::path(get, path = "/auth/activity", responses((status = 200, body = Activities)))]
pub(crate) async fn activity(accounts: Accounts, user: CurrentUser) -> Answer {
    let results = accounts.activity(&user).await?;
    let agreements = accounts.agreements(&user).await?;
    Ok(answer::ok(&Activities { results, agreements }))
}

#[utoipa::path(
    post,
    path = "/auth/sessions/{id}/end",
    request_body = RawIdentity,
    responses((status = 200, body = Message))
)]
pub(crate) async fn end_one(
    accounts: Accounts,
    user: CurrentUser,
    Path(id): Path,
    Json(raw): Json<RawIdentity>,
) -> Answer {
    accounts.end_session(&user, &id, raw.identity()).await?;
    Message::answer(session::ENDED)
}

#[utoipa::path(
    post,
    path = "/auth/sessions/end-others",
    request_body = RawIdentity,
    responses((status = 200, body = Message))
)]
pub(crate) async fn end_others(
    accounts: Accounts,
    user: CurrentUser,
    Json(raw): Json<RawIdentity>,
) -> Answer {
    accounts.end_other_sessions(&user, raw.identity()).await?;
    Message::answer(session::OTHERS_ENDED)
}
