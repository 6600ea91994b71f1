//! /forgot-password: requests a link to choose a new password.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::answer::see_other;
use crate::http::extract::{Form, MaybeUser};
use crate::http::pages::form_state::{FormState, Params};
use crate::http::pages::page::{Page, Shown, Visit, shown};
use crate::http::pages::respond;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::security_event::Origin;
use crate::services::accounts::new_password::RawForgotten;
use crate::services::accounts::rate_limits::ClientIp;

pub struct ForgotPasswordPage;

impl Page for ForgotPasswordPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        shown(&Forgotten { form: visit.form.as_ref(), inbox_url: web.inbox_url.as_deref() })
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route("/forgot-password", post(submit))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ForgottenData)]
pub struct Forgotten<'a> {
    #[schema(required)]
    form: Option<&'a FormState>,
    /// Where the sandbox shows the messages it does not send.
    #[schema(required)]
    inbox_url: Option<&'a str>,
}

async fn submit(
    State(web): State<AppState>,
    client: ClientIp,
    origin: Origin,
    MaybeUser(user): MaybeUser,
    headers: HeaderMap,
    Form(raw): Form<RawForgotten>,
) -> Result<Response> {
    match web.accounts.ask_for_reset(client, origin, &raw) {
        Ok(()) => Ok(see_other("/forgot-password?sent=1")),
        Err(error) => {
            let values = BTreeMap::from([("username", raw.username.as_str().to_owned())]);
            let screen = "forgot-password";
            let visit = Visit::of_form(screen, &ForgotPasswordPage, Params::new(), user);
            respond::refused(web, visit, values, error, &headers).await
        }
    }
}
