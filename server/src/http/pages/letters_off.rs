//! /letters-off: the unsubscribe link of an email, and one-click unsubscription by mail programs
//! (RFC 8058). Programs open links before people do, so nothing happens before the button is
//! pressed.

use axum::Router;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other};
use crate::http::extract::{Form, Query};
use crate::http::pages::page::{Early, Page, Params, Shown, Visit, read, serialize_data};
use crate::http::pages::respond::Sender;
use crate::http::state::AppState;
use dakiya_core::error::Result;
use dakiya_core::methods::post;
use dakiya_core::model::letter::LetterTopic;
use dakiya_core::services::notifications::choices::OffLink;

pub struct LettersOffPage;

impl Page for LettersOffPage {
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        if let Some(word) = visit.query.get("done") {
            let label = LetterTopic::parse(word).map_or("", LetterTopic::label);
            return Early::of(&LettersOff { done: label, ..LettersOff::default() });
        }
        let link: OffLink = read(&visit.query)?;
        match web.notifications.check_off(&link).await {
            Ok((topic, _)) => Early::of(&LettersOff {
                topic: topic.label(),
                of: &link.of,
                account: &link.account,
                seal: &link.seal,
                ..LettersOff::default()
            }),
            Err(error) if error.is_ours() => Err(error),
            Err(error) => {
                let page = LettersOff { message: error.message(), ..LettersOff::default() };
                Ok(Early { missing: !link.seal.is_empty(), ..Early::of(&page)? })
            }
        }
    }

    /// Loads the page after a refused form.
    async fn data(&self, _: &AppState, visit: &Visit) -> Result<Shown> {
        let message = visit.form.as_ref().map_or("", |form| &form.message);
        serialize_data(&LettersOff { message, ..LettersOff::default() })
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route("/letters-off", post(submit))
    }
}

#[derive(Default, Serialize, ToSchema)]
#[schema(as = LettersOffData)]
pub struct LettersOff<'a> {
    /// Subject of the letters that the button switches off; empty without a button.
    topic: &'a str,
    of: &'a str,
    account: &'a str,
    seal: &'a str,
    /// Subject of the letters that were switched off just now.
    done: &'a str,
    /// Why the link is good for nothing.
    message: &'a str,
}

/// The page's form has the link in its fields; a mail program has it in the address and sends
/// `List-Unsubscribe=One-Click`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct UnsubscribeForm {
    #[serde(rename = "List-Unsubscribe")]
    one_click: String,
    #[serde(flatten)]
    link: OffLink,
}

async fn submit(
    sender: Sender,
    Query(query): Query<Params>,
    Form(form): Form<UnsubscribeForm>,
) -> Answer {
    let notifications = &sender.web.notifications;
    // A mail program follows no redirect and shows no page.
    if form.one_click == "One-Click" {
        notifications.switch_off(&read(&query)?).await?;
        return Ok("These emails are switched off.\n".into_response());
    }
    match notifications.switch_off(&form.link).await {
        Ok(topic) => Ok(see_other(&format!("/letters-off?done={}", topic.word()))),
        Err(error) => {
            sender.draw_again("letters-off", &LettersOffPage, Params::new(), &[], error).await
        }
    }
}
