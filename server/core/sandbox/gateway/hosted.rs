//! The payment page for customers, and the script that opens it. The page is plain HTML and CSS: it
//! works without JavaScript, at 360 pixels, with a keyboard and with a screen reader.

use axum::extract::rejection::FormRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Form, Router};
use serde::Deserialize;
use time::macros::{format_description, offset};
use time::{Duration, OffsetDateTime};

use super::super::wire::header_text;
use super::declines::{DECLINES, NOT_COMPLETED, decline};
use super::orders::{Act, PaymentState, PhonePeOrder};
use super::state::Gateway;
use crate::methods::{get, post};
use crate::model::money::paise::Paise;
use crate::ssr::shell::escaped;

const STYLE: &str = include_str!("hosted.css");
const SCRIPT: &str = include_str!("checkout.js");

/// The delay until a pending payment is decided, if the form requests it (milliseconds).
const LATER_MS: i64 = 10_000;

/// The payment methods of the page: PhonePe's code, a name, a hint.
const METHODS: &[(&str, &str, &str)] = &[
    ("UPI_INTENT", "UPI", "Any UPI app on this phone"),
    ("CARD", "Card", "Debit or credit card"),
    ("NET_BANKING", "Net banking", "Your bank's own page"),
];

pub(super) fn routes() -> Router<Gateway> {
    Router::new()
        .route("/transact", get(show).merge(post(decide)))
        .route("/transact/hosted.css", get(style))
        .route("/web/bundle/checkout.js", get(script))
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response()
}

async fn script() -> Response {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT).into_response()
}

#[derive(Deserialize)]
struct PageQuery {
    #[serde(default)]
    token: String,
}

async fn show(
    State(gateway): State<Gateway>,
    Query(query): Query<PageQuery>,
    headers: HeaderMap,
) -> Response {
    let (site, order) = gateway.change(|records| {
        let order = records.order_of_token(&query.token);
        if let Some(id) = order.map(|order| order.merchant_order_id.clone()) {
            records.catch_up_order(&id);
        }
        let order = records.order_of_token(&query.token).cloned();
        (records.settings.referrer.clone(), order)
    });
    let referrer = header_text(&headers, header::REFERER).unwrap_or_default();
    if site.is_some_and(|site| !referrer.starts_with(&site)) {
        let text = paragraph("This page was not opened from the shop's own site.");
        return page(StatusCode::FORBIDDEN, "Cannot open this payment", &text);
    }
    match order {
        None => no_such_payment(),
        Some(order) if order.state == PaymentState::Pending => {
            page(StatusCode::OK, "Pay", &form(&order))
        }
        Some(order) => page(StatusCode::OK, "Payment finished", &finished(&order)),
    }
}

#[derive(Deserialize)]
struct Decision {
    token: String,
    #[serde(rename = "do")]
    action: String,
    method: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    then: String,
}

async fn decide(
    State(gateway): State<Gateway>,
    decision: Result<Form<Decision>, FormRejection>,
) -> Response {
    let Ok(Form(decision)) = decision else {
        return not_understood();
    };
    let Ok(act) = decision.act() else {
        return not_understood();
    };
    let (notices, settings, redirect_url) = {
        let mut records = gateway.records();
        let Some(order) = records.order_of_token(&decision.token) else {
            return no_such_payment();
        };
        let (id, redirect_url) = (order.merchant_order_id.clone(), order.redirect_url.clone());
        // This page does not change a decided payment; the control API makes late successes.
        records.catch_up_order(&id);
        let is_pending = |order: &PhonePeOrder| order.state == PaymentState::Pending;
        let pending = records.order(&id).is_some_and(is_pending);
        if let Some(act) = act.filter(|_| pending) {
            records.act(&id, act);
        }
        let notices = records.take_notices();
        (notices, records.settings.clone(), redirect_url)
    };
    gateway.sender.send_with_redirect(settings, notices).await;
    (StatusCode::SEE_OTHER, [(header::LOCATION, redirect_url)]).into_response()
}

/// A form with values that the page does not offer.
struct NotUnderstood;

impl Decision {
    /// Returns the act of the form; `None` for closing the page, which does nothing.
    fn act(&self) -> Result<Option<Act>, NotUnderstood> {
        if !METHODS.iter().any(|(method, ..)| *method == self.method) {
            return Err(NotUnderstood);
        }
        let method = self.method.clone();
        let pay = Act::Pay { method: method.clone(), amount: None };
        let decline_with =
            |code: &str| Act::Decline { method: method.clone(), code: code.to_owned() };
        match self.action.as_str() {
            "pay" => Ok(Some(pay)),
            "decline" if decline(&self.code).is_some() => Ok(Some(decline_with(&self.code))),
            "pending" => {
                let then = match self.then.as_str() {
                    "pay" => Some(pay),
                    "decline" => Some(decline_with("U90")),
                    _ => None,
                };
                Ok(Some(Act::LeavePending { then: then.map(Box::new), method, after_ms: LATER_MS }))
            }
            "close" => Ok(None),
            _ => Err(NotUnderstood),
        }
    }
}

fn form(order: &PhonePeOrder) -> String {
    let amount = Paise::new(order.amount);
    let methods = METHODS.iter().zip([" checked", "", ""]);
    let methods: String = methods
        .map(|((value, name, hint), checked)| {
            format!(
                "<label class=\"choice\"><input type=\"radio\" name=\"method\" value=\"{value}\"\
                 {checked}><span><b>{name}</b><small>{hint}</small></span></label>"
            )
        })
        .collect();
    let codes = DECLINES.iter().map(|it| (it.detailed_code, it.description));
    let codes = codes.filter(|(code, _)| *code != NOT_COMPLETED);
    let codes: String = codes
        .map(|(code, text)| format!("<option value=\"{code}\">{}</option>", escaped(text)))
        .collect();
    let waiting = match order.attempts.last() {
        None => "",
        Some(attempt) if attempt.state == PaymentState::Pending => {
            "<p class=\"note\">The bank has not decided about your payment yet.</p>"
        }
        Some(_) => "<p class=\"note\">Your last try failed. You can try again.</p>",
    };
    format!(
        "<p class=\"amount\">{amount}</p>
<dl><div><dt>Order</dt><dd>{id}</dd></div><div><dt>Pay before</dt><dd>{before}</dd></div></dl>
{waiting}<form method=\"post\" action=\"/transact\">
<input type=\"hidden\" name=\"token\" value=\"{token}\">
<fieldset><legend>How do you want to pay?</legend>{methods}</fieldset>
<button class=\"main\" name=\"do\" value=\"pay\">Pay {amount}</button>
<section aria-labelledby=\"other\"><h2 id=\"other\">Or try another ending</h2>
<div class=\"ending\"><label for=\"code\">The bank refuses</label>
<select id=\"code\" name=\"code\">{codes}</select>
<button name=\"do\" value=\"decline\">Decline</button></div>
<div class=\"ending\"><label for=\"then\">The bank does not answer</label>
<select id=\"then\" name=\"then\"><option value=\"nothing\">and stays silent</option>
<option value=\"pay\">and accepts 10 seconds later</option>
<option value=\"decline\">and refuses 10 seconds later</option></select>
<button name=\"do\" value=\"pending\">Leave pending</button></div>
<button class=\"quiet\" name=\"do\" value=\"close\">Close without paying</button></section></form>",
        id = escaped(&order.merchant_order_id),
        before = india(order.expire_ms),
        token = escaped(&order.page_token),
    )
}

fn finished(order: &PhonePeOrder) -> String {
    let outcome = match order.decline.as_deref().and_then(decline) {
        Some(reason) => format!("This payment failed. {}", reason.description),
        None => "This payment is complete.".to_owned(),
    };
    format!(
        "<p class=\"amount\">{}</p>{}<p><a class=\"main\" href=\"{}\">Back to the shop</a></p>",
        Paise::new(order.amount),
        paragraph(&outcome),
        escaped(&order.redirect_url),
    )
}

fn no_such_payment() -> Response {
    let text = "The link is not known here. Please start again in the shop.";
    page(StatusCode::NOT_FOUND, "No such payment", &paragraph(text))
}

fn not_understood() -> Response {
    let text = paragraph("The form was not understood. Please go back and choose again.");
    page(StatusCode::BAD_REQUEST, "Please try again", &text)
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>", escaped(text))
}

/// Returns a page of the sandbox; `body` is markup.
pub(in crate::sandbox) fn page(status: StatusCode, title: &str, body: &str) -> Response {
    let html = format!(
        "<!doctype html>
<html lang=\"en-IN\"><head><meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"robots\" content=\"noindex\"><title>{title} · Sandbox</title>
<link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/transact/hosted.css\"></head>
<body><header class=\"banner\"><strong>Sandbox: no real money.</strong> Nothing you do here costs \
anything.</header>
<main><h1>{title}</h1>
{body}
</main></body></html>"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'self'; img-src data:; frame-src 'self'; \
             base-uri 'none'",
        ),
    ];
    (status, headers, html).into_response()
}

/// Formats a time in India: `21 Nov 2025, 14:05`.
fn india(ms: i64) -> String {
    let moment = OffsetDateTime::UNIX_EPOCH + Duration::milliseconds(ms);
    let format =
        format_description!("[day padding:none] [month repr:short] [year], [hour]:[minute]");
    moment.to_offset(offset!(+5:30)).format(format).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_india() {
        assert_eq!(india(1_767_225_600_000), "1 Jan 2026, 05:30");
    }

    #[test]
    fn what_is_written_on_the_page_cannot_break_out_of_its_element() {
        let page = paragraph("\"><b>'&");
        assert_eq!(page, "<p>&quot;&gt;&lt;b&gt;&#39;&amp;</p>");
    }
}
