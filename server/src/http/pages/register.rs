//! /register.

use axum::Router;
use axum::http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, encode, see_other};
use crate::http::extract::Form;
use crate::http::language;
use crate::http::pages::page::{FormState, Page, Params, Shown, Visit, serialize_data};
use crate::http::pages::respond::Sender;
use crate::http::state::AppState;
use dakiya_core::error::Result;
use dakiya_core::methods::post;
use dakiya_core::model::account::registration::RawRegistration;
use dakiya_core::model::account::security_event::Origin;
use dakiya_core::services::accounts::rate_limits::ClientIp;

pub struct RegisterPage;

impl Page for RegisterPage {
    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let form = visit.form.as_ref();
        serialize_data(&Register { form })
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route("/register", post(submit))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = RegisterData)]
pub struct Register<'a> {
    #[schema(required)]
    form: Option<&'a FormState>,
}

async fn submit(
    web: AppState,
    client: ClientIp,
    origin: Origin,
    headers: HeaderMap,
    Form(raw): Form<RawRegistration>,
) -> Answer {
    match web.accounts.register(client, &origin, language::of(&headers), &raw).await {
        Ok(user) => {
            let username = encode(&user.username);
            Ok(see_other(&format!("/login?registered=1&username={username}")))
        }
        Err(error) => {
            let values = [
                ("first_name", raw.first_name.as_str()),
                ("last_name", raw.last_name.as_str()),
                ("username", raw.username.as_str()),
                ("email", raw.email.as_str()),
                ("phone", raw.phone.as_str()),
            ];
            let sender: Sender = Sender { web, user: None, headers };
            sender.draw_again("register", &RegisterPage, Params::new(), &values, error).await
        }
    }
}
