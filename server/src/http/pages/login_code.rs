//! /login/code: the second step of a login, where two-step login is on.

use axum::http::HeaderMap;
use axum::{Extension, Router};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::Answer;
use crate::http::extract::{Browser, Form};
use crate::http::pages::login::{KEPT_FORM, LoginRequest};
use crate::http::pages::page::{
    FormState, Page, PageOf, Params, Shown, Visit, serialize_data, text_of,
};
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::methods::post;
use dakiya_core::model::account::security_event::Origin;
use dakiya_core::model::local_path::LocalPath;
use dakiya_core::services::accounts::rate_limits::ClientIp;

pub struct LoginCodePage;

impl Page for LoginCodePage {
    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let next = visit.query.get("next");
        serialize_data(&LoginCode {
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

async fn submit(
    web: AppState,
    Extension(pages): Extension<PageOf>,
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Form(fields): Form<Params>,
) -> Answer {
    let (next, form) = (text_of(&fields, "next"), text_of(&fields, KEPT_FORM));
    let request = LoginRequest { web, pages, next, form, headers: &headers };
    let challenge = browser.challenge.as_deref().unwrap_or_default();
    let (accounts, code) = (&request.web.accounts, text_of(&fields, "code"));
    let login = accounts.log_in_with_code(client, &origin, browser.as_seen(), challenge, code);
    match login.await {
        Ok(logged_in) => Ok(request.finish(logged_in, origin, &browser).await),
        Err(error) => {
            // After a step that came too late the login begins again.
            let is_over = matches!(error, Error::LoggedOut(_));
            let screen = if is_over { "login" } else { "login-code" };
            let kept = Some((KEPT_FORM, form)).filter(|(_, form)| !form.is_empty());
            request.draw_again(screen, kept.as_slice(), error).await
        }
    }
}
