//! /login, and logging out.

use std::collections::BTreeMap;

use axum::extract::Query;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use axum_extra::extract::cookie::CookieJar;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, CLEAR_STORAGE, encode, see_other};
use crate::http::extract::{
    Browser, Form, MaybeUser, challenge_cookie, logged_in_cookies, logged_out_cookies,
};
use crate::http::pages::page::{
    FormState, Page, PageOf, Params, SentForm, Shown, TypedValue, Visit, back_to, serialize_data,
    text_of,
};
use crate::http::pages::{form_after_login, respond};
use crate::http::screens;
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::methods::post;
use dakiya_core::model::account::security_event::Origin;
use dakiya_core::model::account::session::{FirstStep, LoggedIn, RawLogin};
use dakiya_core::model::local_path::LocalPath;
use dakiya_core::services::accounts::rate_limits::ClientIp;

pub struct LoginPage;

impl Page for LoginPage {
    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let next = visit.query.get("next");
        serialize_data(&LoginData {
            next: next.and_then(|next| LocalPath::parse(next)),
            form: visit.form.clone().or_else(|| registered_form(&visit.query)),
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
    (web, Extension(pages)): (AppState, Extension<PageOf>),
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Query(query): Query<Params>,
    Form(fields): Form<Params>,
) -> Answer {
    let headers = &headers;
    if let Some(form) = form_after_login::form_to_keep(&fields)? {
        let next = text_of(&query, "next");
        let request = LoginRequest { web, pages, next, form: &form, headers };
        let sentence = "Your session has ended. What you entered is kept: please log in again.";
        let values = [("username", ""), (KEPT_FORM, request.form)];
        return request.draw_again("login", &values, Error::LoggedOut(sentence.into())).await;
    }
    let (next, form) = (text_of(&fields, "next"), text_of(&fields, KEPT_FORM));
    let request = LoginRequest { web, pages, next, form, headers };
    let username = text_of(&fields, "username");
    let password = text_of(&fields, "password").to_owned();
    let raw = RawLogin { username: username.into(), password };
    let login = request.web.accounts.log_in(client, &origin, browser.as_seen(), &raw);
    match login.await {
        Ok(FirstStep::CodeWanted { token }) => {
            let jar = CookieJar::new().add(challenge_cookie(&request.web.config, token));
            Ok((jar, request.ask_for_code().await?).into_response())
        }
        Ok(FirstStep::LoggedIn(logged_in)) => {
            Ok(request.finish(*logged_in, origin, &browser).await)
        }
        Err(error) => {
            let values = [("username", username), (KEPT_FORM, request.form)];
            request.draw_again("login", &values, error).await
        }
    }
}

async fn log_out(web: AppState, MaybeUser(user): MaybeUser) -> Answer {
    if let Some(user) = user {
        web.accounts.log_out(&user).await?;
    }
    let jar = logged_out_cookies(&web.config);
    Ok((jar, [CLEAR_STORAGE], see_other("/login")).into_response())
}

/// Fills in the username that was registered a moment ago.
fn registered_form(query: &Params) -> Option<FormState> {
    let username = query.get("username")?.clone();
    Some(FormState { values: BTreeMap::from([("username", username)]), ..FormState::default() })
}

/// The field of the login form with a form that was sent after its session had ended.
pub(super) const KEPT_FORM: &str = "form";

/// The parts of a login request besides its secrets.
pub(super) struct LoginRequest<'a> {
    pub web: AppState,
    pub pages: PageOf,
    /// The page to continue with.
    pub next: &'a str,
    /// The kept form, or empty.
    pub form: &'a str,
    pub headers: &'a HeaderMap,
}

impl LoginRequest<'_> {
    /// Shows a step of the login with these values and the error.
    pub async fn draw_again(
        &self,
        screen: &str,
        values: &[TypedValue<'_>],
        error: Error,
    ) -> Answer {
        let visit = self.pages.visit(screen, back_to(self.next));
        respond::draw_again(self.web.clone(), visit, values, error, self.headers).await
    }

    /// Sets the session's cookies and redirects to the next page, or returns the kept form's
    /// response.
    pub async fn finish(&self, logged_in: LoggedIn, origin: Origin, browser: &Browser) -> Response {
        let next = LocalPath::parse(self.next);
        let next = next.as_ref().map_or("/dashboard", LocalPath::as_str);
        let brought = self.submit_kept_form(&logged_in, origin, next);
        let answer = brought.await.unwrap_or_else(|| see_other(next));
        let jar = logged_in_cookies(&self.web.config, logged_in.token, browser);
        (jar, answer).into_response()
    }

    /// Submits the kept form to its page, if this customer typed it.
    async fn submit_kept_form(
        &self,
        logged_in: &LoggedIn,
        origin: Origin,
        page: &str,
    ) -> Option<Response> {
        if self.form.is_empty() {
            return None;
        }
        let user = self.web.accounts.current_user(&logged_in.token, origin);
        let user = user.await.ok()??;
        let fields = &form_after_login::read_kept_form(&user, self.form)?;
        let page = (self.pages.0)(screens::by_path(page));
        let form = SentForm { page, web: self.web.clone(), user, fields, headers: self.headers };
        // An error of the kept form does not fail the login.
        page.submit(form).await.ok()
    }

    /// Leads from the first step to the second. A kept form is included in the page.
    pub async fn ask_for_code(&self) -> Answer {
        let query = back_to(self.next);
        if self.form.is_empty() {
            let next = query.get("next").map(|next| format!("?next={}", encode(next)));
            return Ok(see_other(&format!("/login/code{}", next.unwrap_or_default())));
        }
        let mut visit = self.pages.visit("login-code", query);
        visit.form = Some(FormState {
            values: BTreeMap::from([(KEPT_FORM, self.form.to_owned())]),
            ..FormState::default()
        });
        respond::draw(self.web.clone(), visit, StatusCode::OK, &Method::POST, self.headers).await
    }
}
