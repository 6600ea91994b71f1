//! /login, and logging out.

use std::collections::BTreeMap;

use axum::extract::Query;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use axum_extra::extract::cookie::CookieJar;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::{CLEAR_STORAGE, see_other};
use crate::http::extract::{Browser, Form, MaybeUser, challenge_cookie, ended_cookie};
use crate::http::pages::form_after_login;
use crate::http::pages::login_steps::{KEPT_FORM, LoginRequest};
use crate::http::pages::page::{FormState, Page, PageOf, Params, Shown, Visit, shown};
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::security_event::Origin;
use crate::model::account::session::{FirstStep, RawLogin};
use crate::model::local_path::LocalPath;
use crate::services::accounts::rate_limits::ClientIp;

pub struct LoginPage;

impl Page for LoginPage {
    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let next = visit.query.get("next");
        shown(&LoginData {
            next: next.and_then(|next| LocalPath::parse(next)),
            form: visit.form.clone().or_else(|| known(&visit.query)),
        })
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route("/login", post(submit)).route("/logout", post(log_out))
    }
}

#[derive(Serialize, ToSchema)]
pub struct LoginData {
    #[schema(required)]
    next: Option<LocalPath>,
    #[schema(required)]
    form: Option<FormState>,
}

async fn submit(
    (State(web), Extension(pages)): (State<AppState>, Extension<PageOf>),
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Query(query): Query<Params>,
    Form(fields): Form<Params>,
) -> Result<Response> {
    let headers = &headers;
    if let Some(form) = form_after_login::kept(&fields)? {
        let next = query.get("next").map_or("", String::as_str);
        let request = LoginRequest { web, pages, next, form: &form, headers };
        let sentence = "Your session has ended. What you entered is kept: please log in again.";
        let values = [("username", ""), (KEPT_FORM, request.form)];
        return request.refused("login", &values, Error::LoggedOut(sentence.into())).await;
    }
    let field = |name: &str| fields.get(name).map_or("", String::as_str);
    let (next, form) = (field("next"), field(KEPT_FORM));
    let request = LoginRequest { web, pages, next, form, headers };
    let raw =
        RawLogin { username: field("username").into(), password: field("password").to_owned() };
    let login = request.web.accounts.log_in(client, &origin, browser.seen(), &raw);
    match login.await {
        Ok(FirstStep::CodeWanted { token }) => {
            let cookie = challenge_cookie(&request.web.config, token);
            let jar = CookieJar::new().add(cookie);
            Ok((jar, request.ask_for_code().await?).into_response())
        }
        Ok(FirstStep::LoggedIn(logged_in)) => {
            Ok(request.finish(*logged_in, origin, &browser).await)
        }
        Err(error) => {
            let values = [("username", field("username")), (KEPT_FORM, request.form)];
            request.refused("login", &values, error).await
        }
    }
}

async fn log_out(web: AppState, MaybeUser(user): MaybeUser) -> Result<Response> {
    if let Some(user) = user {
        web.accounts.log_out(&user).await?;
    }
    let jar = CookieJar::new().add(ended_cookie(&web.config));
    Ok((jar, [CLEAR_STORAGE], see_other("/login")).into_response())
}

/// Fills in the username that was registered a moment ago.
fn known(query: &Params) -> Option<FormState> {
    let username = query.get("username")?.clone();
    Some(FormState { values: BTreeMap::from([("username", username)]), ..FormState::default() })
}
