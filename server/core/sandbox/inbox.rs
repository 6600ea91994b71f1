//! The page that shows the messages that customers would have received.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde::Deserialize;

use super::gateway::hosted::page;
use crate::methods::{delete, get};
use crate::model::calendar::moment_in_words;
use crate::providers::notify::inbox::{Inbox, InboxMessage};
use crate::ssr::shell::escaped;

pub(super) const PATH: &str = "/__sim/inbox";

pub(super) fn routes(inbox: Arc<Inbox>) -> Router {
    Router::new()
        .route(PATH, get(show).merge(delete(empty)))
        .route("/__sim/inbox/{number}", get(letter_html))
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
    let list = if letters.is_empty() { nothing } else { &letters };
    let body = format!(
        "<p>Email and SMS that customers would have got, the newest first.</p>
{list}<p><a class=\"main\" href=\"{PATH}\">Look again</a></p>"
    );
    page(StatusCode::OK, "Inbox", &body)
}

fn letter(message: &InboxMessage) -> String {
    let kind = match &*message.channel {
        "sms" => "SMS",
        _ => "Email",
    };
    let subject = match &*message.subject {
        "" => String::new(),
        subject => format!("<p><b>{}</b></p>", escaped(subject)),
    };
    let frame = match &message.html {
        Some(_) => format!(
            "<iframe title=\"The letter as it is drawn\" src=\"{PATH}/{number}\" \
             sandbox=\"allow-popups allow-popups-to-escape-sandbox\" loading=\"lazy\"></iframe>",
            number = message.number,
        ),
        None => String::new(),
    };
    let off = match &message.unsubscribe {
        Some(url) => format!("<p><small>List-Unsubscribe: {}</small></p>", escaped(url)),
        None => String::new(),
    };
    format!(
        "<article class=\"letter\"><h2>{kind} to {to}</h2><small>{when}</small>{subject}{frame}\
         <pre>{text}</pre>{off}</article>",
        to = escaped(&message.to),
        when = moment_in_words(message.sent_ms),
        text = escaped(&message.text),
    )
}

/// The content security policy of a displayed email: its own styles and nothing else.
const LETTER_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                             form-action 'none'; frame-ancestors 'self'; \
                             sandbox allow-popups allow-popups-to-escape-sandbox";

/// Returns the HTML of an email, for its frame.
async fn letter_html(State(inbox): State<Arc<Inbox>>, Path(number): Path<u64>) -> Response {
    let letter = inbox.read().into_iter().find(|it| it.number == number);
    let Some(html) = letter.and_then(|it| it.html) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, LETTER_POLICY),
    ];
    (headers, html).into_response()
}

async fn empty(State(inbox): State<Arc<Inbox>>) -> StatusCode {
    inbox.empty();
    StatusCode::NO_CONTENT
}
