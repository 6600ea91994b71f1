//! /reset-password: the page of the link that chooses a new password.

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
use crate::http::pages::page::{Early, Page, Shown, Visit, shown};
use crate::http::pages::respond;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::security_event::Origin;
use crate::services::accounts::new_password::RawReset;

pub struct ResetPasswordPage;

impl Page for ResetPasswordPage {
    /// Checks the link first, so that an unusable one is reported before a password is typed.
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        let token = token(visit);
        match web.accounts.check_reset(token).await {
            Ok(_) => Ok(Early::default()),
            Err(error) if error.is_ours() => Err(error),
            Err(error) => {
                let form = FormState::refused(BTreeMap::new(), &error);
                let form = Some(&form);
                Ok(Early {
                    data: shown(&Reset { token, form })?,
                    missing: !token.is_empty(),
                    ..Early::default()
                })
            }
        }
    }

    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let (token, form) = (token(visit), visit.form.as_ref());
        shown(&Reset { token, form })
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route("/reset-password", post(submit))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = ResetData)]
pub struct Reset<'a> {
    token: &'a str,
    #[schema(required)]
    form: Option<&'a FormState>,
}

fn token(visit: &Visit) -> &str {
    visit.query.get("token").map_or("", String::as_str)
}

async fn submit(
    State(web): State<AppState>,
    MaybeUser(user): MaybeUser,
    origin: Origin,
    headers: HeaderMap,
    Form(raw): Form<RawReset>,
) -> Result<Response> {
    let query = Params::from([("token".to_owned(), raw.token.clone())]);
    match web.accounts.reset_password(&origin, raw).await {
        Ok(()) => Ok(see_other("/login?changed=1")),
        Err(error) => {
            let (screen, values) = ("reset-password", BTreeMap::new());
            let visit = Visit::of_form(screen, &ResetPasswordPage, query, user);
            respond::refused(web, visit, values, error, &headers).await
        }
    }
}
