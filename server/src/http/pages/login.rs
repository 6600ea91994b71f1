//! /login, and logging out.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::CookieJar;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::http::answer::see_other;
use crate::http::extract::{Form, MaybeUser, ended_cookie, session_cookie};
use crate::http::pages::data::Query;
use crate::http::pages::form::{self, FormState};
use crate::http::web::Web;
use crate::model::account::device::Device;
use crate::model::account::session::RawLogin;
use crate::model::local_path::LocalPath;
use crate::model::wire::Text;
use crate::services::accounts::rate_limits::Client;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LoginForm {
    username: Text,
    password: String,
    next: String,
}

pub async fn submit(
    State(web): State<Web>,
    client: Client,
    device: Device,
    headers: HeaderMap,
    Form(form): Form<LoginForm>,
) -> Result<Response> {
    let raw = RawLogin {
        username: form.username,
        password: form.password,
    };
    match web.accounts.log_in(client, &device, &raw).await {
        Ok(logged_in) => {
            let next = LocalPath::parse(&form.next);
            let next = next.as_ref().map(LocalPath::as_str);
            let jar = CookieJar::new().add(session_cookie(&web.config, logged_in.token));
            Ok((jar, see_other(next.unwrap_or("/dashboard"))).into_response())
        }
        Err(error) => {
            let values = BTreeMap::from([("username", raw.username.as_str().to_owned())]);
            form::refused(
                web,
                "login",
                form::back_to(&form.next),
                None,
                values,
                error,
                &headers,
            )
            .await
        }
    }
}

pub async fn log_out(State(web): State<Web>, MaybeUser(user): MaybeUser) -> Result<Response> {
    if let Some(user) = user {
        web.accounts.log_out(&user).await?;
    }
    let jar = CookieJar::new().add(ended_cookie(&web.config));
    Ok((jar, see_other("/login")).into_response())
}

/// The form with the username that was registered a moment ago.
pub fn known(query: &Query) -> Option<FormState> {
    let username = query.get("username")?.clone();
    Some(FormState {
        values: BTreeMap::from([("username", username)]),
        ..FormState::default()
    })
}

#[derive(Serialize)]
pub struct Login {
    pub next: Option<LocalPath>,
    pub form: Option<FormState>,
}
