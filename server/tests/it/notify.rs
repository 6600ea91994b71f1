//! Email over a real SMTP conversation, SMS over HTTP, and the sandbox's inbox.

mod budgets;
pub mod mail_server;
mod proof_budgets;

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use dakiya_core::limits::PROVIDER_FAILURES_MAX;
use dakiya_core::model::settings::notify::{MailConfig, NotifyConfig, SmsConfig, SmsTemplates};
use dakiya_core::providers::notify::Notifier;
use dakiya_core::providers::notify::limits::NotifyLimits;
use dakiya_core::providers::notify::message::{Channel, NotSent, OutgoingMessage, Template};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::app::{Actor, TestApp, block_on};
use crate::patience::patient;
use mail_server::{MailServer, Manner};

const LETTER: OutgoingMessage<'_> = OutgoingMessage {
    to: "asha@example.in",
    subject: "OTP for your courier booking",
    text: "482913 is the OTP.\n.\nIt costs ₹0.",
    html: None,
    unsubscribe: None,
    template: Template::Otp,
};

fn limits() -> NotifyLimits {
    NotifyLimits { connect: patient(1_000), total: patient(1_000) }
}

fn notifier(config: &NotifyConfig) -> Notifier {
    Notifier::new(config, None, limits()).expect("a good configuration")
}

fn by_mail(url: &str) -> Notifier {
    let mail = Some(MailConfig {
        server: url.parse().expect("an address"),
        login: Some(("post".to_owned(), "hunter2".into())),
        from: "Dakiya <post@dakiya.example>".parse().expect("a sender"),
    });
    notifier(&NotifyConfig { mail, sms: None })
}

fn unavailable(sent: Result<(), NotSent>) -> String {
    match sent {
        Err(NotSent::Unavailable(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_email_reaches_the_mail_server_whole() {
    block_on(async {
        let server = MailServer::start(Manner::Good).await;
        let notifier = by_mail(&format!("smtp://127.0.0.1:{}", server.port));
        notifier.send(Channel::Email, LETTER).await.unwrap();
        let said = server.heard();
        for line in [
            "EHLO dakiya.example",
            "AUTH PLAIN AHBvc3QAaHVudGVyMg==", // \0post\0hunter2
            "RCPT TO:<asha@example.in>",
            "From: Dakiya <post@dakiya.example>",
            "To: asha@example.in",
            "Subject: OTP for your courier booking",
            "Auto-Submitted: auto-generated",
            "482913 is the OTP.",
            "..", // a line of one dot is no end
        ] {
            assert!(said.iter().any(|heard| heard == line), "{line} not in {said:#?}");
        }
        let starts = |start: &str| said.iter().any(|line| line.starts_with(start));
        assert!(starts("MAIL FROM:<post@dakiya.example>") && starts("Message-ID: <"));
        assert!(starts("Date: ") && starts("It costs "), "{said:#?}");
        assert!(!notifier.has(Channel::Sms));
        let nobody = notifier.send(Channel::Sms, LETTER).await;
        assert!(matches!(nobody, Err(NotSent::Refused(_))), "{nobody:?}");
    });
}

#[test]
fn a_letter_goes_out_in_two_parts_with_the_link_that_ends_it() {
    block_on(async {
        let server = MailServer::start(Manner::Good).await;
        let notifier = by_mail(&format!("smtp://127.0.0.1:{}", server.port));
        let letter = OutgoingMessage {
            html: Some("<p>482913 in <b>bold</b></p>"),
            unsubscribe: Some("https://dakiya.example/letters-off?of=booked&seal=x"),
            ..LETTER
        };
        notifier.send(Channel::Email, letter).await.unwrap();
        let said = server.heard().join("\n");
        let at = |what: &str| {
            let at = said.find(what);
            at.unwrap_or_else(|| panic!("{what} not in {said}"))
        };
        at("Content-Type: multipart/alternative");
        // A mail program shows the last part that it understands.
        assert!(at("482913 is the OTP.") < at("<p>482913 in <b>bold</b></p>"));
        at("List-Unsubscribe: <https://dakiya.example/letters-off?of=booked&seal=x>");
        at("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
        notifier.send(Channel::Email, LETTER).await.unwrap();
        let said = server.heard();
        let of = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!([of("List-Unsubscribe: "), of("Content-Type: multipart")], [1, 1]);
    });
}

#[test]
fn a_mail_server_elsewhere_hears_nothing_before_tls() {
    block_on(async {
        // Another name of this machine's address, which is not accepted as local.
        let plain = MailServer::start(Manner::Good).await;
        let notifier = by_mail(&format!("smtp://0.0.0.0:{}", plain.port));
        unavailable(notifier.send(Channel::Email, LETTER).await);
        assert_eq!(plain.heard(), ["EHLO dakiya.example"]);

        let secret = MailServer::start(Manner::StartTls).await;
        let notifier = by_mail(&format!("smtp://0.0.0.0:{}", secret.port));
        unavailable(notifier.send(Channel::Email, LETTER).await);
        let heard = secret.heard();
        assert_eq!(heard[..2], ["EHLO dakiya.example", "STARTTLS"]);
        assert_eq!(heard[2], "a TLS greeting");

        let notifier = by_mail(&format!("smtps://localhost:{}", plain.port));
        unavailable(notifier.send(Channel::Email, LETTER).await);
    });
}

#[test]
fn a_refused_email_is_told_without_naming_anybody() {
    block_on(async {
        let server = MailServer::start(Manner::Refuses).await;
        let notifier = by_mail(&format!("smtp://127.0.0.1:{}", server.port));
        let refused = Err(NotSent::Refused("SMTP 550".to_owned()));
        // A clear refusal is a response: the server does not count as failing.
        for _ in 0..=PROVIDER_FAILURES_MAX {
            assert_eq!(notifier.send(Channel::Email, LETTER).await, refused);
        }
        let nonsense = OutgoingMessage { to: "asha", ..LETTER };
        let sent = notifier.send(Channel::Email, nonsense).await;
        assert!(matches!(sent, Err(NotSent::Refused(_))), "{sent:?}");
    });
}

#[test]
fn a_letter_that_may_have_been_taken_is_told_from_one_that_was_not() {
    block_on(async {
        let server = MailServer::start(Manner::HangsUp).await;
        let notifier = by_mail(&format!("smtp://127.0.0.1:{}", server.port));
        let sent = notifier.send(Channel::Email, LETTER).await;
        assert!(matches!(sent, Err(NotSent::Lost(_))), "{sent:?}");

        let server = MailServer::start(Manner::Busy).await;
        let notifier = by_mail(&format!("smtp://127.0.0.1:{}", server.port));
        let reason = unavailable(notifier.send(Channel::Email, LETTER).await);
        assert_eq!(reason, "SMTP 421");
    });
}

#[test]
fn a_mail_server_that_is_silent_or_gone_is_left_alone_for_a_while() {
    block_on(async {
        let silent = MailServer::start(Manner::Silent).await;
        let notifier = by_mail(&format!("smtp://127.0.0.1:{}", silent.port));
        let reason = unavailable(notifier.send(Channel::Email, LETTER).await);
        assert_eq!(reason, "no answer in time");

        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = gone.local_addr().unwrap().port();
        drop(gone);
        let notifier = by_mail(&format!("smtp://127.0.0.1:{port}"));
        for _ in 0..PROVIDER_FAILURES_MAX {
            let reason = unavailable(notifier.send(Channel::Email, LETTER).await);
            assert_eq!(reason, "no connection to the mail server");
        }
        let reason = unavailable(notifier.send(Channel::Email, LETTER).await);
        assert_eq!(reason, "left alone for a moment");
    });
}

/// An SMS gateway that answers with the status at the number's end, and the requests it received.
async fn sms_gateway() -> (String, Arc<Mutex<Vec<(String, Value)>>>) {
    type Heard = Arc<Mutex<Vec<(String, Value)>>>;
    async fn take(
        State(heard): State<Heard>,
        headers: HeaderMap,
        Json(body): Json<Value>,
    ) -> StatusCode {
        let to = body["to"].as_str().unwrap_or("").to_owned();
        let token = headers["authorization"].to_str().unwrap().to_owned();
        heard.lock().unwrap().push((token, body));
        let status = to[to.len() - 3..].parse().unwrap_or(200);
        StatusCode::from_u16(status).unwrap_or(StatusCode::OK)
    }
    let heard = Heard::default();
    let router = Router::new().route("/send", post(take));
    let router = router.with_state(heard.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/send", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, heard)
}

fn by_sms(url: &str) -> Notifier {
    let sms = Some(SmsConfig {
        url: url.to_owned(),
        token: "open-sesame".into(),
        templates: SmsTemplates {
            otp: Some("1107160000000000000".to_owned()),
            booked: Some("1107160000000000001".to_owned()),
            pickup: Some("1107160000000000002".to_owned()),
            out_for_delivery: Some("1107160000000000003".to_owned()),
        },
    });
    notifier(&NotifyConfig { mail: None, sms })
}

#[test]
fn an_sms_is_posted_with_its_token_and_template() {
    block_on(async {
        let (url, heard) = sms_gateway().await;
        let notifier = by_sms(&url);
        let to = |to| OutgoingMessage { to, ..LETTER };
        notifier.send(Channel::Sms, to("+919876543202")).await.unwrap();
        let body = json!({
            "to": "+919876543202", "text": LETTER.text, "template_id": "1107160000000000000",
        });
        let token = "Bearer open-sesame".to_owned();
        assert_eq!(*heard.lock().unwrap(), [(token, body)]);
        for (template, id) in [
            (Template::Booked, "1107160000000000001"),
            (Template::Pickup, "1107160000000000002"),
            (Template::OutForDelivery, "1107160000000000003"),
        ] {
            let to_receiver = OutgoingMessage { template, ..to("+919876543202") };
            notifier.send(Channel::Sms, to_receiver).await.unwrap();
            let last = heard.lock().unwrap().last().unwrap().1.clone();
            assert_eq!(last["template_id"], id);
        }

        for (number, status) in [("+919876543400", "400"), ("+919876543404", "404")] {
            let refused = Err(NotSent::Refused(format!("HTTP {status}")));
            assert_eq!(notifier.send(Channel::Sms, to(number)).await, refused);
        }
        for (number, status) in [("+919876543429", "429"), ("+919876543503", "503")] {
            let reason = unavailable(notifier.send(Channel::Sms, to(number)).await);
            assert_eq!(reason, format!("HTTP {status}"));
        }
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/send", silent.local_addr().unwrap());
        let Err(NotSent::Lost(reason)) = by_sms(&url).send(Channel::Sms, LETTER).await else {
            panic!("nobody knows whether it was sent");
        };
        assert!(reason.starts_with("sent, but not answered"), "{reason}");
        assert!(!reason.contains("482913"));
    });
}

#[test]
fn the_sandbox_shows_what_it_did_not_send() {
    block_on(async {
        let app = TestApp::start().await;
        let sandbox = Actor::at(&app.app.sandbox.as_ref().unwrap().base_url);
        let page = async || sandbox.get("/__sim/inbox").await.expect(200).text().to_owned();
        assert!(page().await.contains("Nothing was sent yet."));
        let text = "<b>482913</b> is the OTP.";
        let letter = OutgoingMessage { text, ..LETTER };
        let kept = &app.app.sandbox.as_ref().unwrap().inbox;
        kept.put(Channel::Email, letter);
        let sms = OutgoingMessage {
            to: "+919876543210",
            subject: "never shown",
            text,
            ..OutgoingMessage::default()
        };
        kept.put(Channel::Sms, sms);
        let shown = page().await;
        assert!(shown.contains("&lt;b&gt;482913&lt;/b&gt; is the OTP."), "{shown}");
        assert!(!shown.contains("<b>482913"));
        let (sms, email) = (shown.find("SMS to +919876543210"), shown.find("Email to asha@"));
        assert!(sms.is_some() && sms < email, "the newest first: {shown}");

        let json = sandbox.get("/__sim/inbox?format=json").await.expect(200).json();
        assert_eq!(json[1]["subject"], "OTP for your courier booking");
        assert_eq!(json[0]["channel"], "sms");
        assert_eq!(json[0]["subject"], "");
        let emptied = sandbox.send(Method::DELETE, "/__sim/inbox", &[], None).await;
        emptied.expect(204);
        assert!(page().await.contains("Nothing was sent yet."));
    });
}
