//! The steps of a login: from the password to the code, to the page that it leads back to.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::extract::{Browser, logged_in_cookies};
use crate::http::login_link::encode;
use crate::http::pages::form_after_login;
use crate::http::pages::form_state::{self, FormState};
use crate::http::pages::page::{PageOf, SentForm};
use crate::http::pages::respond;
use crate::http::screens;
use crate::http::state::AppState;
use crate::model::account::security_event::Origin;
use crate::model::account::session::LoggedIn;
use crate::model::language::Language;
use crate::model::local_path::LocalPath;

/// The field of the login form with a form that was sent after its session had ended.
pub(super) const KEPT_FORM: &str = "form";

/// The parts of a login request besides its secrets.
pub(super) struct LoginRequest<'a> {
    pub pages: PageOf,
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
    request: &LoginRequest<'_>,
) -> Response {
    let next = LocalPath::parse(request.next);
    let next = next.as_ref().map_or("/dashboard", LocalPath::as_str);
    let brought = submit_kept_form(&web, &logged_in, origin, next, request);
    let answer = brought.await.unwrap_or_else(|| see_other(next));
    if let Some(language) = Language::chosen(request.headers) {
        let result = web.accounts.reads(&logged_in.user, language).await;
        let _ = result.inspect_err(|error| tracing::error!("a language was not kept: {error}"));
    }
    let jar = logged_in_cookies(&web.config, logged_in.token, browser);
    (jar, answer).into_response()
}

/// Shows the login again, as the second step came too late.
pub(super) async fn restart_login(
    web: AppState,
    request: &LoginRequest<'_>,
    error: Error,
) -> Result<Response> {
    let values = Some((KEPT_FORM, request.form)).filter(|(_, form)| !form.is_empty());
    render_login(web, request, values.as_slice(), error).await
}

/// Shows the login with the kept form in it.
pub(super) async fn login_with_kept_form(
    web: AppState,
    request: &LoginRequest<'_>,
) -> Result<Response> {
    let sentence = "Your session has ended. What you entered is kept: please log in again.";
    let values = [("username", ""), (KEPT_FORM, request.form)];
    render_login(web, request, &values, Error::LoggedOut(sentence.into())).await
}

/// Submits the kept form to its page, if this customer typed it.
async fn submit_kept_form(
    web: &AppState,
    logged_in: &LoggedIn,
    origin: Origin,
    page: &str,
    request: &LoginRequest<'_>,
) -> Option<Response> {
    if request.form.is_empty() {
        return None;
    }
    let user = web.accounts.current_user(&logged_in.token, origin);
    let user = user.await.ok()??;
    let fields = &form_after_login::read_kept_form(&user, request.form)?;
    let page = (request.pages.0)(screens::at(page));
    let form = SentForm { page, web: web.clone(), user, fields, headers: request.headers };
    // An error of the kept form does not fail the login.
    page.submit(form).await.ok()
}

/// Shows the login with these values and the error.
pub(super) async fn render_login(
    web: AppState,
    request: &LoginRequest<'_>,
    values: &[(&'static str, &str)],
    error: Error,
) -> Result<Response> {
    let values = values.iter().map(|(name, value)| (*name, (*value).to_owned()));
    let visit = request.pages.visit("login", form_state::back_to(request.next));
    respond::refused(web, visit, values.collect(), error, request.headers).await
}

/// Leads from the first step to the second. A kept form is included in the page.
pub(super) async fn ask_for_code(web: AppState, request: &LoginRequest<'_>) -> Result<Response> {
    let query = form_state::back_to(request.next);
    if request.form.is_empty() {
        let next = query.get("next").map(|next| format!("?next={}", encode(next)));
        return Ok(see_other(&format!("/login/code{}", next.unwrap_or_default())));
    }
    let mut visit = request.pages.visit("login-code", query);
    visit.form = Some(FormState {
        values: BTreeMap::from([(KEPT_FORM, request.form.to_owned())]),
        ..FormState::default()
    });
    respond::draw(web, visit, StatusCode::OK, &Method::POST, request.headers).await
}
