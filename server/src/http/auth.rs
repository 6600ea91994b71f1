//! /api/v1/auth: registering, logging in and out, the profile.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::CookieJar;
use serde::Serialize;

use super::answer;
use super::extract::{Json, ended_cookie, session_cookie};
use crate::app::App;
use crate::domain::account::{self, RawRegistration, Registration};
use crate::domain::device::Device;
use crate::domain::pace::Client;
use crate::domain::password_reset::{self, RawForgotten, RawReset};
use crate::domain::session::{self, CurrentUser, Profile, RawLogin};
use crate::error::Result;

#[derive(Serialize)]
struct LoginAnswer {
    tokens: Tokens,
    user: Profile,
}

#[derive(Serialize)]
struct Tokens {
    access: String,
}

#[derive(Serialize)]
struct Registered {
    message: &'static str,
    user: Profile,
}

#[derive(Serialize)]
struct Asked {
    message: &'static str,
    /// Where the sandbox shows the messages it does not send.
    inbox_url: Option<String>,
}

#[derive(Serialize)]
struct Changed {
    message: &'static str,
}

/// A program gets its token; a browser gets the cookie only, so that no script ever sees a
/// credential. Browsers cannot leave out or forge `Sec-Fetch-Site`.
pub async fn login(
    State(app): State<App>,
    client: Client,
    device: Device,
    headers: HeaderMap,
    Json(raw): Json<RawLogin>,
) -> Result<Response> {
    let logged_in = session::log_in(&app, client, &device, &raw).await?;
    let user = session::profile(&app, &logged_in.user).await?;
    let jar = CookieJar::new().add(session_cookie(&app.config, logged_in.token.clone()));
    let is_browser = headers.contains_key("sec-fetch-site");
    let access = if is_browser {
        "cookie".to_owned()
    } else {
        logged_in.token
    };
    let body = LoginAnswer {
        tokens: Tokens { access },
        user,
    };
    Ok((jar, answer::ok(&body)).into_response())
}

pub async fn logout(State(app): State<App>, user: CurrentUser) -> Result<Response> {
    session::log_out(&app, &user).await?;
    let jar = CookieJar::new().add(ended_cookie(&app.config));
    Ok((jar, answer::ok(&serde_json::json!({}))).into_response())
}

pub async fn register(
    State(app): State<App>,
    client: Client,
    Json(raw): Json<RawRegistration>,
) -> Result<Response> {
    let user = account::register(&app, client, Registration::parse(&raw)?).await?;
    let user = session::profile(&app, &user).await?;
    let body = Registered {
        message: account::REGISTERED,
        user,
    };
    Ok(answer::json(StatusCode::CREATED, &body))
}

/// Sends a link for a new password, if there is such an account.
pub async fn forgot_password(
    State(app): State<App>,
    client: Client,
    Json(raw): Json<RawForgotten>,
) -> Result<Response> {
    password_reset::ask(&app, client, &raw)?;
    let inbox_url = app.sandbox.as_ref().map(|sandbox| sandbox.inbox_url());
    Ok(answer::ok(&Asked {
        message: password_reset::ASKED,
        inbox_url,
    }))
}

/// Sets the password that was chosen through such a link.
pub async fn reset_password(State(app): State<App>, Json(raw): Json<RawReset>) -> Result<Response> {
    password_reset::choose(&app, raw).await?;
    let message = password_reset::CHANGED;
    Ok(answer::ok(&Changed { message }))
}

pub async fn profile(State(app): State<App>, user: CurrentUser) -> Result<Response> {
    Ok(answer::ok(&session::profile(&app, &user.user).await?))
}
