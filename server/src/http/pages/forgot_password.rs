//! /forgot-password: a link to choose another password is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::answer::see_other;
use crate::http::extract::{Form, MaybeUser};
use crate::http::pages::data::Query;
use crate::http::pages::form::{self, FormState};
use crate::http::web::Web;
use crate::services::accounts::password_reset::RawForgotten;
use crate::services::accounts::rate_limits::Client;

pub async fn submit(
    State(web): State<Web>,
    client: Client,
    MaybeUser(user): MaybeUser,
    headers: HeaderMap,
    Form(raw): Form<RawForgotten>,
) -> Result<Response> {
    match web.accounts.ask_for_reset(client, &raw) {
        Ok(()) => Ok(see_other("/forgot-password?sent=1")),
        Err(error) => {
            let values = BTreeMap::from([("username", raw.username.as_str().to_owned())]);
            let screen = "forgot-password";
            form::refused(web, screen, Query::new(), user, values, error, &headers).await
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ForgottenData)]
pub struct Forgotten {
    #[schema(required)]
    pub form: Option<FormState>,
    /// Where the sandbox shows the messages it does not send.
    #[schema(required, value_type = Option<String>)]
    pub inbox_url: Option<Arc<str>>,
}
