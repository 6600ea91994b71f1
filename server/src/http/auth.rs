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

/// A program gets its token; a browser gets the cookie only, so that no script ever sees a
/// credential. Browsers cannot leave out or forge `Sec-Fetch-Site`.
pub async fn login(
    State(app): State<App>,
    headers: HeaderMap,
    Json(raw): Json<RawLogin>,
) -> Result<Response> {
    let logged_in = session::log_in(&app, &raw).await?;
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
    Json(raw): Json<RawRegistration>,
) -> Result<Response> {
    let user = account::register(&app, Registration::parse(&raw)?).await?;
    let user = session::profile(&app, &user).await?;
    let body = Registered {
        message: account::REGISTERED,
        user,
    };
    Ok(answer::json(StatusCode::CREATED, &body))
}

pub async fn profile(State(app): State<App>, user: CurrentUser) -> Result<Response> {
    Ok(answer::ok(&session::profile(&app, &user.user).await?))
}
