//! /login, and logging out.

use std::collections::BTreeMap;

use async_trait::async_trait;
use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum_extra::extract::cookie::CookieJar;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::extract::{Form, MaybeUser, ended_cookie, session_cookie};
use crate::http::pages::courier_form;
use crate::http::pages::data::Query;
use crate::http::pages::document::Visit;
use crate::http::pages::form::{self, FormState};
use crate::http::pages::page::{Page, Shown, shown};
use crate::http::web::Web;
use crate::model::account::device::Device;
use crate::model::account::session::{LoggedIn, RawLogin};
use crate::model::local_path::LocalPath;
use crate::services::accounts::rate_limits::Client;

pub struct LoginPage;

#[async_trait]
impl Page for LoginPage {
    async fn data(&self, _: &Web, visit: &Visit) -> Result<Shown> {
        let next = visit.query.get("next");
        shown(&Login {
            next: next.and_then(|next| LocalPath::parse(next)),
            form: visit.form.clone().or_else(|| known(&visit.query)),
        })
    }

    fn forms(&self) -> Router<Web> {
        Router::new()
            .route("/login", post(submit))
            .route("/logout", post(log_out))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = LoginData)]
pub struct Login {
    #[schema(required)]
    next: Option<LocalPath>,
    #[schema(required)]
    form: Option<FormState>,
}

async fn submit(
    State(web): State<Web>,
    client: Client,
    device: Device,
    headers: HeaderMap,
    Form(told): Form<Query>,
) -> Result<Response> {
    if told.contains_key("step") {
        return taken_along(web, &told, &headers).await;
    }
    let said = |name: &str| told.get(name).map_or("", String::as_str);
    let raw = RawLogin {
        username: said("username").into(),
        password: said("password").to_owned(),
    };
    match web.accounts.log_in(client, &device, &raw).await {
        Ok(logged_in) => {
            let next = LocalPath::parse(said("next"));
            let next = next.as_ref().map_or("/dashboard", LocalPath::as_str);
            let next = brought_back(&web, &logged_in, said(TAKEN_ALONG))
                .await
                .unwrap_or(next);
            let jar = CookieJar::new().add(session_cookie(&web.config, logged_in.token));
            Ok((jar, see_other(next)).into_response())
        }
        Err(error) => {
            let values = [
                ("username", said("username")),
                (TAKEN_ALONG, said(TAKEN_ALONG)),
            ];
            again(web, said("next"), values, error, &headers).await
        }
    }
}

/// A form of the wizard that was sent when its session had ended, inside the login.
const TAKEN_ALONG: &str = "form";

/// The login, with the wizard's form in it.
async fn taken_along(web: Web, told: &Query, headers: &HeaderMap) -> Result<Response> {
    let form = serde_json::to_string(told).map_err(Error::internal)?;
    let ended = "Your session has ended. What you entered is kept: please log in again.";
    let values = [("username", ""), (TAKEN_ALONG, &form)];
    again(
        web,
        "/courier",
        values,
        Error::LoggedOut(ended.into()),
        headers,
    )
    .await
}

/// What was taken along becomes the draft of the customer who typed it, and of nobody else.
async fn brought_back(web: &Web, logged_in: &LoggedIn, form: &str) -> Option<&'static str> {
    let told: Query = serde_json::from_str(form).ok()?;
    if told.get("owner") != Some(&logged_in.user.username) {
        return None;
    }
    let user = web.accounts.current_user(&logged_in.token).await.ok()??;
    // Whoever has logged in is not turned away because their draft was not kept.
    courier_form::keep(web, &user, &told).await.ok()
}

async fn again(
    web: Web,
    next: &str,
    values: [(&'static str, &str); 2],
    error: Error,
    headers: &HeaderMap,
) -> Result<Response> {
    let values = values.map(|(name, value)| (name, value.to_owned()));
    let query = form::back_to(next);
    form::refused(web, "login", query, None, values.into(), error, headers).await
}

async fn log_out(State(web): State<Web>, MaybeUser(user): MaybeUser) -> Result<Response> {
    if let Some(user) = user {
        web.accounts.log_out(&user).await?;
    }
    let jar = CookieJar::new().add(ended_cookie(&web.config));
    Ok((jar, see_other("/login")).into_response())
}

/// The form with the username that was registered a moment ago.
fn known(query: &Query) -> Option<FormState> {
    let username = query.get("username")?.clone();
    Some(FormState {
        values: BTreeMap::from([("username", username)]),
        ..FormState::default()
    })
}
