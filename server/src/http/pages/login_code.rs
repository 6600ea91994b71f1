//! /login/code: the second step of a login, where two-step sign-in is on.

use axum::http::HeaderMap;
use axum::response::Response;
use axum::{Extension, Router};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::extract::{Browser, Form};
use crate::http::pages::form_state::{self, FormState, Params};
use crate::http::pages::login_steps::{KEPT_FORM, LoginRequest, finish_login, restart_login};
use crate::http::pages::page::{Page, PageOf, Shown, Visit, shown};
use crate::http::pages::respond;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::security_event::Origin;
use crate::model::local_path::LocalPath;
use crate::services::accounts::rate_limits::ClientIp;

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

async fn submit(
    web: AppState,
    Extension(pages): Extension<PageOf>,
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Form(fields): Form<Params>,
) -> Result<Response> {
    let field = |name: &str| fields.get(name).map_or("", String::as_str);
    let request =
        LoginRequest { pages, next: field("next"), form: field(KEPT_FORM), headers: &headers };
    let challenge = browser.challenge().unwrap_or_default();
    let accounts = &web.accounts;
    let login =
        accounts.log_in_with_code(client, &origin, browser.seen(), challenge, field("code"));
    match login.await {
        Ok(logged_in) => Ok(finish_login(web, logged_in, origin, &browser, &request).await),
        Err(error @ Error::LoggedOut(_)) => restart_login(web, &request, error).await,
        Err(error) => {
            let form = Some(request.form.to_owned()).filter(|form| !form.is_empty());
            let values = form.map(|form| (KEPT_FORM, form)).into_iter().collect();
            let query = form_state::back_to(request.next);
            let visit = Visit::of_form("login-code", &LoginCodePage, query, None);
            respond::refused(web, visit, values, error, &headers).await
        }
    }
}
