//! /forgot-password: requests a link to choose a new password.

use axum::Router;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other};
use crate::http::extract::{Browser, Form};
use crate::http::pages::page::{FormState, Page, Params, Shown, Visit, serialize_data};
use crate::http::pages::respond::Sender;
use crate::http::state::AppState;
use dakiya_core::error::Result;
use dakiya_core::methods::post;
use dakiya_core::model::account::security_event::Origin;
use dakiya_core::services::accounts::new_password::RawForgotten;
use dakiya_core::services::accounts::rate_limits::ClientIp;

pub struct ForgotPasswordPage;

impl Page for ForgotPasswordPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        serialize_data(&Forgotten {
            form: visit.form.as_ref(),
            inbox_url: web.inbox_url.as_deref(),
        })
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
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    sender: Sender,
    Form(raw): Form<RawForgotten>,
) -> Answer {
    let seen = browser.as_seen();
    let Err(error) = sender.web.accounts.ask_for_reset(client, origin, seen, &raw) else {
        return Ok(see_other("/forgot-password?sent=1"));
    };
    let (page, values) = (&ForgotPasswordPage, [("username", raw.username.as_str())]);
    sender.draw_again("forgot-password", page, Params::new(), &values, error).await
}
