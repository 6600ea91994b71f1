//! /reset-password: the page of the link that chooses a new password.

use axum::Router;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other};
use crate::http::extract::Form;
use crate::http::pages::page::{
    Early, FormState, Page, Params, Shown, Visit, serialize_data, text_of,
};
use crate::http::pages::respond::Sender;
use crate::http::state::AppState;
use dakiya_core::error::Result;
use dakiya_core::methods::post;
use dakiya_core::model::account::security_event::Origin;
use dakiya_core::services::accounts::new_password::RawReset;

pub struct ResetPasswordPage;

impl Page for ResetPasswordPage {
    /// Checks the link first, so that an unusable one is reported before a password is typed.
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        let token = text_of(&visit.query, "token");
        match web.accounts.check_reset(token).await {
            Ok(_) => Ok(Early::default()),
            Err(error) if error.is_ours() => Err(error),
            Err(error) => {
                let form = FormState::from_error(&[], &error);
                let data = Reset { token, form: Some(&form) };
                Ok(Early { missing: !token.is_empty(), ..Early::of(&data)? })
            }
        }
    }

    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let (token, form) = (text_of(&visit.query, "token"), visit.form.as_ref());
        serialize_data(&Reset { token, form })
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

async fn submit(sender: Sender, origin: Origin, Form(raw): Form<RawReset>) -> Answer {
    let query = Params::from([("token".to_owned(), raw.token.clone())]);
    let keep = raw.keep.clone();
    match sender.web.accounts.reset_password(&origin, raw).await {
        Ok(()) => Ok(see_other("/login?changed=1")),
        Err(error) => {
            let values = [("keep", keep.as_str())];
            sender.draw_again("reset-password", &ResetPasswordPage, query, &values, error).await
        }
    }
}
