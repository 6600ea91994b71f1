//! /register.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::answer::see_other;
use crate::http::extract::Form;
use crate::http::pages::data::Query;
use crate::http::pages::form::{self, FormState};
use crate::http::web::Web;
use crate::model::account::registration::{RawRegistration, Registration};
use crate::services::accounts::rate_limits::Client;

pub async fn submit(
    State(web): State<Web>,
    client: Client,
    headers: HeaderMap,
    Form(raw): Form<RawRegistration>,
) -> Result<Response> {
    let registered = match Registration::parse(&raw) {
        Ok(registration) => web.accounts.register(client, registration).await,
        Err(error) => Err(error),
    };
    match registered {
        Ok(_) => Ok(see_other("/login?registered=1")),
        Err(error) => {
            let values = BTreeMap::from([
                ("first_name", &raw.first_name),
                ("last_name", &raw.last_name),
                ("username", &raw.username),
                ("email", &raw.email),
                ("phone", &raw.phone),
            ]);
            let values = values
                .into_iter()
                .map(|(k, v)| (k, v.as_str().to_owned()))
                .collect();
            form::refused(web, "register", Query::new(), None, values, error, &headers).await
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = RegisterData)]
pub struct Register {
    #[schema(required)]
    pub form: Option<FormState>,
}
