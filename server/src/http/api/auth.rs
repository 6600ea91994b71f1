//! /api/v1/auth: registering, logging in and out, the profile.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::CookieJar;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::answer;
use crate::http::api::account::Message;
use crate::http::extract::{Browser, Json, challenge_cookie, ended_cookie, logged_in_cookies};
use crate::http::state::AppState;
use crate::model::account::registration::{self, RawRegistration};
use crate::model::account::security_event::Origin;
use crate::model::account::session::{CurrentUser, FirstStep, LoggedIn, Profile, RawLogin};
use crate::model::account::two_step::RawLoginCode;
use crate::model::language::Language;
use crate::services::accounts::Accounts;
use crate::services::accounts::new_password::{self, RawForgotten, RawReset};
use crate::services::accounts::rate_limits::ClientIp;

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
/// credential. Browsers cannot leave out or forge `Sec-Fetch-Site`. Where two-step sign-in is on,
/// the answer is 202, and a code is asked for.
#[utoipa::path(
    post,
    path = "/auth/login",
    request_body = RawLogin,
    responses((status = 200, body = LoginAnswer), (status = 202, body = CodeWanted)),
    security(())
)]
pub(crate) async fn login(
    State(web): State<AppState>,
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Json(raw): Json<RawLogin>,
) -> Result<Response> {
    let login = web.accounts.log_in(client, &origin, browser.seen(), &raw);
    match login.await? {
        FirstStep::LoggedIn(logged_in) => begun(&web, *logged_in, &browser, &headers).await,
        FirstStep::CodeWanted { token } => {
            let is_browser = headers.contains_key("sec-fetch-site");
            let message = "Please enter the code from your app.";
            let challenge = if is_browser { "cookie" } else { &*token };
            let body = CodeWanted { message, challenge };
            let answer = answer::json(StatusCode::ACCEPTED, &body);
            let cookie = is_browser.then(|| challenge_cookie(&web.config, token.clone()));
            let jar = CookieJar::new();
            Ok((cookie.into_iter().fold(jar, CookieJar::add), answer).into_response())
        }
    }
}

/// The second step of a login, where two-step sign-in is on. A browser's cookie says which login it
/// is; a program sends back what the first step answered.
#[utoipa::path(
    post,
    path = "/auth/login/code",
    request_body = RawLoginCode,
    responses((status = 200, body = LoginAnswer)),
    security(())
)]
pub(crate) async fn login_code(
    State(web): State<AppState>,
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Json(raw): Json<RawLoginCode>,
) -> Result<Response> {
    let challenge = browser.challenge().unwrap_or(&raw.challenge);
    let accounts = &web.accounts;
    let login = accounts.log_in_with_code(client, &origin, browser.seen(), challenge, &raw.code);
    begun(&web, login.await?, &browser, &headers).await
}

/// Builds the response of a completed login.
pub(super) async fn begun(
    web: &AppState,
    logged_in: LoggedIn,
    browser: &Browser,
    headers: &HeaderMap,
) -> Result<Response> {
    let user = web.accounts.profile(&logged_in.user).await?;
    if let Some(language) = Language::chosen(headers) {
        web.accounts.reads(&logged_in.user, language).await?;
    }
    let jar = logged_in_cookies(&web.config, logged_in.token.clone(), browser);
    let is_browser = headers.contains_key("sec-fetch-site");
    let access = if is_browser { "cookie".to_owned() } else { logged_in.token };
    let body = LoginAnswer { tokens: Tokens { access }, user };
    Ok((jar, answer::ok(&body)).into_response())
}

#[utoipa::path(post, path = "/auth/logout", responses((status = 200, body = Object)))]
pub(crate) async fn logout(State(web): State<AppState>, user: CurrentUser) -> Result<Response> {
    web.accounts.log_out(&user).await?;
    let jar = CookieJar::new().add(ended_cookie(&web.config));
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
    State(accounts): State<Accounts>,
    client: ClientIp,
    origin: Origin,
    headers: HeaderMap,
    Json(raw): Json<RawRegistration>,
) -> Result<Response> {
    let user = accounts.register(client, &origin, Language::of(&headers), &raw).await?;
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
    State(web): State<AppState>,
    client: ClientIp,
    origin: Origin,
    Json(raw): Json<RawForgotten>,
) -> Result<Response> {
    web.accounts.ask_for_reset(client, origin, &raw)?;
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
    State(accounts): State<Accounts>,
    origin: Origin,
    Json(raw): Json<RawReset>,
) -> Result<Response> {
    accounts.reset_password(&origin, raw).await?;
    let message = new_password::RESET;
    Ok(answer::ok(&Message { message }))
}

#[utoipa::path(get, path = "/auth/profile", responses((status = 200, body = Profile)))]
pub(crate) async fn profile(
    State(accounts): State<Accounts>,
    user: CurrentUser,
) -> Result<Response> {
    Ok(answer::ok(&accounts.profile(&user.user).await?))
}
