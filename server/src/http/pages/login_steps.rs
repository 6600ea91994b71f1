//! The steps of a login: from the password to the code, to the page that it leads back to.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::error::{Error, Result};
use crate::http::answer::{encode, see_other};
use crate::http::extract::{Browser, logged_in_cookies};
use crate::http::pages::form_after_login;
use crate::http::pages::page::{FormState, PageOf, SentForm, TypedValue, back_to};
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
    pub async fn refused(
        &self,
        screen: &str,
        values: &[TypedValue<'_>],
        error: Error,
    ) -> Result<Response> {
        let visit = self.pages.visit(screen, back_to(self.next));
        respond::refused(self.web.clone(), visit, values, error, self.headers).await
    }

    /// Sets the session's cookies and redirects to the next page, or returns the kept form's
    /// response.
    pub async fn finish(&self, logged_in: LoggedIn, origin: Origin, browser: &Browser) -> Response {
        let next = LocalPath::parse(self.next);
        let next = next.as_ref().map_or("/dashboard", LocalPath::as_str);
        let brought = self.submit_kept_form(&logged_in, origin, next);
        let answer = brought.await.unwrap_or_else(|| see_other(next));
        if let Some(language) = Language::chosen(self.headers) {
            let result = self.web.accounts.reads(&logged_in.user, language).await;
            let _ = result.inspect_err(|error| tracing::error!("a language was not kept: {error}"));
        }
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
        let page = (self.pages.0)(screens::at(page));
        let form = SentForm { page, web: self.web.clone(), user, fields, headers: self.headers };
        // An error of the kept form does not fail the login.
        page.submit(form).await.ok()
    }

    /// Leads from the first step to the second. A kept form is included in the page.
    pub async fn ask_for_code(&self) -> Result<Response> {
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
