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
use super::web::Web;
use crate::error::{Error, Result};
use crate::model::account::device::Device;
use crate::model::account::registration::{RawRegistration, Registration};
use crate::model::account::session::{CurrentUser, RawLogin};
use crate::model::local_path::LocalPath;
use crate::model::payment::RawRecharge;
use crate::model::wire::Text;
use crate::services::accounts::password_reset::{RawForgotten, RawReset};
use crate::services::accounts::rate_limits::Client;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LoginForm {
    username: Text,
    password: String,
    next: String,
}

pub async fn login(
    State(web): State<Web>,
    client: Client,
    device: Device,
    headers: HeaderMap,
    Form(form): Form<LoginForm>,
) -> Result<Response> {
    let raw = RawLogin {
        username: form.username,
        password: form.password,
    };
    match web.accounts.log_in(client, &device, &raw).await {
        Ok(logged_in) => {
            let next = LocalPath::parse(&form.next);
            let next = next.as_ref().map(LocalPath::as_str);
            let jar = CookieJar::new().add(session_cookie(&web.config, logged_in.token));
            Ok((jar, see_other(next.unwrap_or("/dashboard"))).into_response())
        }
        Err(error) => {
            let values = BTreeMap::from([("username", raw.username.as_str().to_owned())]);
            again(
                web,
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
    State(web): State<Web>,
    client: Client,
    headers: HeaderMap,
    Form(raw): Form<RawRegistration>,
) -> Result<Response> {
    let registered = match Registration::parse(&raw) {
        Ok(registration) => web.accounts.register(client, registration).await,
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
            again(web, "register", Query::new(), None, values, error, &headers).await
        }
    }
}

pub async fn logout(State(web): State<Web>, MaybeUser(user): MaybeUser) -> Result<Response> {
    if let Some(user) = user {
        web.accounts.log_out(&user).await?;
    }
    let jar = CookieJar::new().add(ended_cookie(&web.config));
    Ok((jar, see_other("/login")).into_response())
}

pub async fn forgot_password(
    State(web): State<Web>,
    client: Client,
    MaybeUser(user): MaybeUser,
    headers: HeaderMap,
    Form(raw): Form<RawForgotten>,
) -> Result<Response> {
    match web.accounts.ask_for_reset(client, &raw) {
        Ok(()) => Ok(see_other("/forgot-password?sent=1")),
        Err(error) => {
            let values = BTreeMap::from([("username", raw.username.as_str().to_owned())]);
            let screen = "forgot-password";
            again(web, screen, Query::new(), user, values, error, &headers).await
        }
    }
}

pub async fn reset_password(
    State(web): State<Web>,
    MaybeUser(user): MaybeUser,
    headers: HeaderMap,
    Form(raw): Form<RawReset>,
) -> Result<Response> {
    let query = Query::from([("token".to_owned(), raw.token.clone())]);
    match web.accounts.reset_password(raw).await {
        Ok(()) => Ok(see_other("/login?changed=1")),
        Err(error) => {
            let (screen, values) = ("reset-password", BTreeMap::new());
            again(web, screen, query, user, values, error, &headers).await
        }
    }
}

pub async fn recharge(
    State(web): State<Web>,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
    Form(raw): Form<RawRecharge>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(see_other("/login?next=/recharge&expired=1"));
    };
    match web.payments.create(&user, &raw).await {
        Ok(created) => Ok(see_other(&created.redirect_url)),
        Err(error) => {
            let values = BTreeMap::from([("amount", raw.amount.as_str().to_owned())]);
            again(
                web,
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
    web: Web,
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
    let mut page = draw(web, visit, status, &Method::POST, headers).await?;
    if let Error::TooMany { retry_after_s, .. } = error {
        page.headers_mut().insert(RETRY_AFTER, retry_after_s.into());
    }
    Ok(page)
}
