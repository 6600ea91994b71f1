//! /login, and logging out.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::{Query as QueryOf, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::CookieJar;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::{CLEAR_STORAGE, see_other};
use crate::http::extract::{
    Browser, Form, MaybeUser, challenge_cookie, ended_cookie, logged_in_cookies,
};
use crate::http::pages;
use crate::http::pages::document::Visit;
use crate::http::pages::form_after_login::{self, SentForm};
use crate::http::pages::form_state::{self, FormState};
use crate::http::pages::login_code;
use crate::http::pages::page::{Page, Shown, shown};
use crate::http::pages::page_data::Query;
use crate::http::screens;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::security_event::Origin;
use crate::model::account::session::{FirstStep, LoggedIn, RawLogin};
use crate::model::language::Language;
use crate::model::local_path::LocalPath;
use crate::services::accounts::rate_limits::Client;

pub struct LoginPage;

impl Page for LoginPage {
    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let next = visit.query.get("next");
        shown(&Login {
            next: next.and_then(|next| LocalPath::parse(next)),
            form: visit.form.clone().or_else(|| known(&visit.query)),
        })
    }

    fn forms(&self) -> Router<AppState> {
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
    State(web): State<AppState>,
    client: Client,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    QueryOf(query): QueryOf<Query>,
    Form(told): Form<Query>,
) -> Result<Response> {
    if let Some(form) = form_after_login::kept(&told)? {
        let next = query.get("next").map_or("", String::as_str);
        return login_with_kept_form(web, next, &form, &headers).await;
    }
    let said = |name: &str| told.get(name).map_or("", String::as_str);
    let raw = RawLogin {
        username: said("username").into(),
        password: said("password").to_owned(),
    };
    let login = web.accounts.log_in(client, &origin, browser.seen(), &raw);
    match login.await {
        Ok(FirstStep::CodeWanted { token }) => {
            let cookie = challenge_cookie(&web.config, token);
            let jar = CookieJar::new().add(cookie);
            let asked = login_code::ask(web, said("next"), said(KEPT_FORM), &headers);
            Ok((jar, asked.await?).into_response())
        }
        Ok(FirstStep::LoggedIn(logged_in)) => {
            let sent = LoginRequest {
                next: said("next"),
                form: said(KEPT_FORM),
                headers: &headers,
            };
            Ok(finish_login(web, *logged_in, origin, &browser, &sent).await)
        }
        Err(error) => {
            let values = [("username", said("username")), (KEPT_FORM, said(KEPT_FORM))];
            render_login(web, said("next"), &values, error, &headers).await
        }
    }
}

/// The field of the login form with a form that was sent after its session had ended.
pub(super) const KEPT_FORM: &str = "form";

/// The parts of a login request besides its secrets.
pub(super) struct LoginRequest<'a> {
    /// The page to continue with.
    pub next: &'a str,
    /// The kept form, or empty.
    pub form: &'a str,
    pub headers: &'a HeaderMap,
}

/// Sets the session's cookies and redirects to the next page, or returns the kept form's response.
pub(super) async fn finish_login(
    web: AppState,
    logged_in: LoggedIn,
    origin: Origin,
    browser: &Browser,
    sent: &LoginRequest<'_>,
) -> Response {
    let next = LocalPath::parse(sent.next);
    let next = next.as_ref().map_or("/dashboard", LocalPath::as_str);
    let brought = submit_kept_form(&web, &logged_in, origin, next, sent.form, sent.headers);
    let answer = brought.await.unwrap_or_else(|| see_other(next));
    if let Some(language) = Language::chosen(sent.headers) {
        let kept = web.accounts.reads(&logged_in.user, language).await;
        let _ = kept.inspect_err(|error| tracing::error!("a language was not kept: {error}"));
    }
    let jar = logged_in_cookies(&web.config, logged_in.token, browser);
    (jar, answer).into_response()
}

/// Shows the login again, as the second step came too late.
pub(super) async fn restart_login(
    web: AppState,
    sent: &LoginRequest<'_>,
    error: Error,
) -> Result<Response> {
    let taken = (KEPT_FORM, sent.form);
    let values = if sent.form.is_empty() {
        vec![]
    } else {
        vec![taken]
    };
    render_login(web, sent.next, &values, error, sent.headers).await
}

/// Shows the login with the kept form in it.
async fn login_with_kept_form(
    web: AppState,
    next: &str,
    form: &str,
    headers: &HeaderMap,
) -> Result<Response> {
    let ended = "Your session has ended. What you entered is kept: please log in again.";
    let values = [("username", ""), (KEPT_FORM, form)];
    render_login(web, next, &values, Error::LoggedOut(ended.into()), headers).await
}

/// Submits the kept form to its page, if this customer typed it.
async fn submit_kept_form(
    web: &AppState,
    logged_in: &LoggedIn,
    origin: Origin,
    page: &str,
    form: &str,
    headers: &HeaderMap,
) -> Option<Response> {
    if form.is_empty() {
        return None;
    }
    let user = web.accounts.current_user(&logged_in.token, origin);
    let user = user.await.ok()??;
    let told = &form_after_login::read_kept_form(&user, form)?;
    let form = SentForm {
        user,
        told,
        headers,
    };
    // An error of the kept form does not fail the login.
    let page = pages::of(screens::at(page));
    page.submit(web.clone(), form).await.ok()
}

async fn render_login(
    web: AppState,
    next: &str,
    values: &[(&'static str, &str)],
    error: Error,
    headers: &HeaderMap,
) -> Result<Response> {
    let values = values
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()));
    let query = form_state::back_to(next);
    form_state::refused(web, "login", query, None, values.collect(), error, headers).await
}

async fn log_out(State(web): State<AppState>, MaybeUser(user): MaybeUser) -> Result<Response> {
    if let Some(user) = user {
        web.accounts.log_out(&user).await?;
    }
    let jar = CookieJar::new().add(ended_cookie(&web.config));
    Ok((jar, [CLEAR_STORAGE], see_other("/login")).into_response())
}

/// Fills in the username that was registered a moment ago.
fn known(query: &Query) -> Option<FormState> {
    let username = query.get("username")?.clone();
    Some(FormState {
        values: BTreeMap::from([("username", username)]),
        ..FormState::default()
    })
}
