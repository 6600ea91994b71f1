//! /reset-password: the page that such a link leads to.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::extract::{Form, MaybeUser};
use crate::http::pages::data::{self, Query};
use crate::http::pages::early::Early;
use crate::http::pages::form::{self, FormState};
use crate::http::web::Web;
use crate::services::accounts::password_reset::RawReset;

/// A link that cannot be used says so at once, before a password is thought up.
pub async fn check_link(web: &Web, query: &Query) -> Result<Early> {
    let token = query.get("token").map_or("", String::as_str);
    match web.accounts.check_reset(token).await {
        Ok(_) => Ok(Early::default()),
        Err(Error::Internal(cause)) => Err(Error::Internal(cause)),
        Err(error) => {
            let form = FormState::refused(BTreeMap::new(), &error);
            Ok(Early {
                data: data::public(web, "reset-password", query, Some(form)),
                missing: !token.is_empty(),
                ..Early::default()
            })
        }
    }
}

pub async fn submit(
    State(web): State<Web>,
    MaybeUser(user): MaybeUser,
    headers: HeaderMap,
    Form(raw): Form<RawReset>,
) -> Result<Response> {
    let query = Query::from([("token".to_owned(), raw.token.clone())]);
    match web.accounts.reset_password(raw).await {
        Ok(()) => Ok(see_other("/login?changed=1")),
        Err(error) => {
            let (screen, values) = ("reset-password", BTreeMap::new());
            form::refused(web, screen, query, user, values, error, &headers).await
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ResetData)]
pub struct Reset<'a> {
    pub token: &'a str,
    #[schema(required)]
    pub form: Option<FormState>,
}
