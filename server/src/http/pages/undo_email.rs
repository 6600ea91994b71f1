//! /undo-email: the page of the link in the email about a changed address. Mail programs open
//! links before people do: nothing happens before the button is pressed.

use axum::Router;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other};
use crate::http::extract::Form;
use crate::http::pages::page::{Early, Page, Params, Shown, Visit, serialize_data, text_of};
use crate::http::pages::respond::Sender;
use crate::http::state::AppState;
use dakiya_core::error::Result;
use dakiya_core::methods::post;
use dakiya_core::model::account::security_event::Origin;

pub struct UndoEmailPage;

impl Page for UndoEmailPage {
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        let token = text_of(&visit.query, "token");
        match web.accounts.check_undo(token).await {
            Ok(email) => Early::of(&Undo { token, email: Some(&email), message: "" }),
            Err(error) if error.is_ours() => Err(error),
            Err(error) => {
                let early = Early::of(&Undo::with_message(error.message()))?;
                Ok(Early { missing: !token.is_empty(), ..early })
            }
        }
    }

    /// Loads the page after a refused form.
    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let message = visit.form.as_ref().map_or("", |form| &form.message);
        serialize_data(&Undo::with_message(message))
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route("/undo-email", post(submit))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = UndoEmailData)]
pub struct Undo<'a> {
    token: &'a str,
    /// The address that the link makes the account's again; null for one that is over.
    #[schema(required)]
    email: Option<&'a str>,
    /// Why it is over.
    message: &'a str,
}

impl Undo<'_> {
    fn with_message(message: &str) -> Undo<'_> {
        Undo { token: "", email: None, message }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UndoForm {
    token: String,
}

async fn submit(sender: Sender, origin: Origin, Form(form): Form<UndoForm>) -> Answer {
    match sender.web.accounts.undo_email(&origin, &form.token).await {
        Ok(()) => Ok(see_other("/forgot-password?changed=email")),
        Err(error) => {
            sender.draw_again("undo-email", &UndoEmailPage, Params::new(), &[], error).await
        }
    }
}
