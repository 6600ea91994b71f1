//! The page that shows the messages that customers would have received.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use super::gateway::hosted::{escape, page};
use crate::model::calendar::moment_in_words;
use crate::providers::notify::inbox::{Inbox, InboxMessage};

/// Where the page is.
pub(super) const PATH: &str = "/__sim/inbox";

pub(super) fn routes(inbox: Arc<Inbox>) -> Router {
    Router::new()
        .route(PATH, get(show).delete(empty))
        .with_state(inbox)
}

#[derive(Deserialize)]
struct InboxQuery {
    #[serde(default)]
    format: String,
}

async fn show(State(inbox): State<Arc<Inbox>>, Query(query): Query<InboxQuery>) -> Response {
    let messages = inbox.read();
    if query.format == "json" {
        return Json(messages).into_response();
    }
    let letters: String = messages.iter().map(letter).collect();
    let nothing = "<p class=\"note\">Nothing was sent yet.</p>";
    let shown = if letters.is_empty() {
        nothing
    } else {
        &letters
    };
    let body = format!(
        "<p>E-mail and SMS that customers would have got, the newest first.</p>
{shown}<p><a class=\"main\" href=\"{PATH}\">Look again</a></p>"
    );
    page(StatusCode::OK, "Inbox", &body)
}

fn letter(message: &InboxMessage) -> String {
    let kind = match &*message.channel {
        "sms" => "SMS",
        _ => "E-mail",
    };
    let subject = match &*message.subject {
        "" => String::new(),
        subject => format!("<p><b>{}</b></p>", escape(subject)),
    };
    format!(
        "<article class=\"letter\"><h2>{kind} to {to}</h2><small>{when}</small>{subject}\
         <pre>{text}</pre></article>",
        to = escape(&message.to),
        when = moment_in_words(message.sent_ms),
        text = escape(&message.text),
    )
}

async fn empty(State(inbox): State<Arc<Inbox>>) -> StatusCode {
    inbox.empty();
    StatusCode::NO_CONTENT
}
