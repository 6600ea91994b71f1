//! /login/code: the second step of a login, where two-step sign-in is on.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::extract::{Browser, Form};
use crate::http::pages::document::{Visit, draw};
use crate::http::pages::encode;
use crate::http::pages::form_state::{self, FormState};
use crate::http::pages::login::{self, KEPT_FORM, LoginRequest};
use crate::http::pages::page::{Page, Shown, shown};
use crate::http::pages::page_data::Query;
use crate::http::screens;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::security_event::Origin;
use crate::model::local_path::LocalPath;
use crate::services::accounts::rate_limits::Client;

pub struct LoginCodePage;

impl Page for LoginCodePage {
    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let next = visit.query.get("next");
        shown(&LoginCode {
            next: next.and_then(|next| LocalPath::parse(next)),
            form: visit.form.as_ref(),
        })
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route("/login/code", post(submit))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = LoginCodeData)]
pub struct LoginCode<'a> {
    #[schema(required)]
    next: Option<LocalPath>,
    #[schema(required)]
    form: Option<&'a FormState>,
}

/// Leads from the first step to the second. A kept form is included in the page.
pub(crate) async fn ask(
    web: AppState,
    next: &str,
    form: &str,
    headers: &HeaderMap,
) -> Result<Response> {
    let query = form_state::back_to(next);
    if form.is_empty() {
        let next = query
            .get("next")
            .map(|next| format!("?next={}", encode(next)));
        return Ok(see_other(&format!(
            "/login/code{}",
            next.unwrap_or_default()
        )));
    }
    let state = FormState {
        values: BTreeMap::from([(KEPT_FORM, form.to_owned())]),
        ..FormState::default()
    };
    let visit = Visit {
        query,
        form: Some(state),
        ..Visit::of(screens::named("login-code"))
    };
    draw(web, visit, StatusCode::OK, &Method::POST, headers).await
}

async fn submit(
    State(web): State<AppState>,
    client: Client,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Form(told): Form<Query>,
) -> Result<Response> {
    let said = |name: &str| told.get(name).map_or("", String::as_str);
    let sent = LoginRequest {
        next: said("next"),
        form: said(KEPT_FORM),
        headers: &headers,
    };
    let challenge = browser.challenge().unwrap_or_default();
    let accounts = &web.accounts;
    let login = accounts.log_in_with_code(client, &origin, browser.seen(), challenge, said("code"));
    match login.await {
        Ok(logged_in) => Ok(login::finish_login(web, logged_in, origin, &browser, &sent).await),
        Err(error @ Error::LoggedOut(_)) => login::restart_login(web, &sent, error).await,
        Err(error) => {
            let form = Some(sent.form.to_owned()).filter(|form| !form.is_empty());
            let values = form.map(|form| (KEPT_FORM, form)).into_iter().collect();
            let query = form_state::back_to(sent.next);
            form_state::refused(web, "login-code", query, None, values, error, &headers).await
        }
    }
}
