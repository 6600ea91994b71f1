//! Forms sent without JavaScript: the same rules as the API, answered with pages.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::CookieJar;
use serde::Deserialize;

use super::answer::see_other;
use super::early::Early;
use super::extract::{Form, MaybeUser, ended_cookie, session_cookie};
use super::page_data::{FormState, Query};
use super::pages::{Visit, draw};
use super::screens;
use crate::app::App;
use crate::domain::account::{self, RawRegistration, Registration};
use crate::domain::device::Device;
use crate::domain::local_path::LocalPath;
use crate::domain::pace::Client;
use crate::domain::password_reset::{self, RawForgotten, RawReset};
use crate::domain::payment::{self, RawRecharge};
use crate::domain::session::{self, CurrentUser, RawLogin};
use crate::domain::text::Text;
use crate::error::{Error, Result};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LoginForm {
    username: Text,
    password: String,
    next: String,
}

pub async fn login(
    State(app): State<App>,
    client: Client,
    device: Device,
    headers: HeaderMap,
    Form(form): Form<LoginForm>,
) -> Result<Response> {
    let raw = RawLogin {
        username: form.username,
        password: form.password,
    };
    match session::log_in(&app, client, &device, &raw).await {
        Ok(logged_in) => {
            let next = LocalPath::parse(&form.next);
            let next = next.as_ref().map(LocalPath::as_str);
            let jar = CookieJar::new().add(session_cookie(&app.config, logged_in.token));
            Ok((jar, see_other(next.unwrap_or("/dashboard"))).into_response())
        }
        Err(error) => {
            let values = BTreeMap::from([("username", raw.username.as_str().to_owned())]);
            again(
                app,
                "login",
                back_to(&form.next),
                None,
                values,
                error,
                &headers,
            )
            .await
        }
    }
}

pub async fn register(
    State(app): State<App>,
    client: Client,
    headers: HeaderMap,
    Form(raw): Form<RawRegistration>,
) -> Result<Response> {
    let registered = match Registration::parse(&raw) {
        Ok(registration) => account::register(&app, client, registration).await,
        Err(error) => Err(error),
    };
    match registered {
        Ok(_) => Ok(see_other("/login?registered=1")),
        Err(error) => {
            let values = BTreeMap::from([
                ("first_name", &raw.first_name),
                ("last_name", &raw.last_name),
                ("username", &raw.username),
                ("email", &raw.email),
                ("phone", &raw.phone),
            ]);
            let values = values
                .into_iter()
                .map(|(k, v)| (k, v.as_str().to_owned()))
                .collect();
            again(app, "register", Query::new(), None, values, error, &headers).await
        }
    }
}

pub async fn logout(State(app): State<App>, MaybeUser(user): MaybeUser) -> Result<Response> {
    if let Some(user) = user {
        session::log_out(&app, &user).await?;
    }
    let jar = CookieJar::new().add(ended_cookie(&app.config));
    Ok((jar, see_other("/login")).into_response())
}

pub async fn forgot_password(
    State(app): State<App>,
    client: Client,
    MaybeUser(user): MaybeUser,
    headers: HeaderMap,
    Form(raw): Form<RawForgotten>,
) -> Result<Response> {
    match password_reset::ask(&app, client, &raw) {
        Ok(()) => Ok(see_other("/forgot-password?sent=1")),
        Err(error) => {
            let values = BTreeMap::from([("username", raw.username.as_str().to_owned())]);
            let screen = "forgot-password";
            again(app, screen, Query::new(), user, values, error, &headers).await
        }
    }
}

pub async fn reset_password(
    State(app): State<App>,
    MaybeUser(user): MaybeUser,
    headers: HeaderMap,
    Form(raw): Form<RawReset>,
) -> Result<Response> {
    let query = Query::from([("token".to_owned(), raw.token.clone())]);
    match password_reset::choose(&app, raw).await {
        Ok(()) => Ok(see_other("/login?changed=1")),
        Err(error) => {
            let (screen, values) = ("reset-password", BTreeMap::new());
            again(app, screen, query, user, values, error, &headers).await
        }
    }
}

pub async fn recharge(
    State(app): State<App>,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
    Form(raw): Form<RawRecharge>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(see_other("/login?next=/recharge&expired=1"));
    };
    match payment::create(&app, &user, &raw).await {
        Ok(created) => Ok(see_other(&created.redirect_url)),
        Err(error) => {
            let values = BTreeMap::from([("amount", raw.amount.as_str().to_owned())]);
            again(
                app,
                "recharge",
                back_to(raw.next.as_str()),
                Some(user),
                values,
                error,
                &headers,
            )
            .await
        }
    }
}

/// The query that keeps where to go afterwards.
fn back_to(next: &str) -> Query {
    let next = LocalPath::parse(next).map(|next| ("next".to_owned(), next.as_str().to_owned()));
    next.into_iter().collect()
}

/// The page once more, with what was typed and what was wrong with it.
pub(super) async fn again(
    app: App,
    screen: &str,
    query: Query,
    user: Option<CurrentUser>,
    values: BTreeMap<&'static str, String>,
    error: Error,
    headers: &HeaderMap,
) -> Result<Response> {
    if matches!(error, Error::Internal(_)) {
        return Err(error);
    }
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST);
    let screen = screens::named(screen);
    let form = Some(FormState::refused(values, &error));
    let visit = Visit {
        screen,
        path: screen.path.clone(),
        query,
        user,
        form,
        early: Early::default(),
    };
    let mut page = draw(app, visit, status, &Method::POST, headers).await?;
    if let Error::TooMany { retry_after_s, .. } = error {
        page.headers_mut().insert(RETRY_AFTER, retry_after_s.into());
    }
    Ok(page)
}
