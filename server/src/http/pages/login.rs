//! /login, and logging out.

use std::collections::BTreeMap;

use async_trait::async_trait;
use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum_extra::extract::cookie::CookieJar;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::answer::see_other;
use crate::http::extract::{Form, MaybeUser, ended_cookie, session_cookie};
use crate::http::pages::data::Query;
use crate::http::pages::document::Visit;
use crate::http::pages::form::{self, FormState};
use crate::http::pages::page::{Page, Shown, shown};
use crate::http::web::Web;
use crate::model::account::device::Device;
use crate::model::account::session::RawLogin;
use crate::model::local_path::LocalPath;
use crate::model::wire::Text;
use crate::services::accounts::rate_limits::Client;

pub struct LoginPage;

#[async_trait]
impl Page for LoginPage {
    async fn data(&self, _: &Web, visit: &Visit) -> Result<Shown> {
        let next = visit.query.get("next");
        shown(&Login {
            next: next.and_then(|next| LocalPath::parse(next)),
            form: visit.form.clone().or_else(|| known(&visit.query)),
        })
    }

    fn forms(&self) -> Router<Web> {
        Router::new()
            .route("/login", post(submit))
            .route("/logout", post(log_out))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = LoginData)]
pub struct Login {
    #[schema(required)]
    next: Option<LocalPath>,
    #[schema(required)]
    form: Option<FormState>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LoginForm {
    username: Text,
    password: String,
    next: String,
}

async fn submit(
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

async fn log_out(State(web): State<Web>, MaybeUser(user): MaybeUser) -> Result<Response> {
    if let Some(user) = user {
        web.accounts.log_out(&user).await?;
    }
    let jar = CookieJar::new().add(ended_cookie(&web.config));
    Ok((jar, see_other("/login")).into_response())
}

/// The form with the username that was registered a moment ago.
fn known(query: &Query) -> Option<FormState> {
    let username = query.get("username")?.clone();
    Some(FormState {
        values: BTreeMap::from([("username", username)]),
        ..FormState::default()
    })
}
