//! Layout of letters: HTML and plain text with one content, in the reader's language.

use dakiya_core::model::task::TaskKind;
use dakiya_core::providers::notify::inbox::InboxMessage;
use serde_json::json;

use crate::app::{Actor, TestApp, block_on, inbox, registration};
use crate::documents::book;
use crate::passwords::{address, letters};
use crate::patience::eventually;

/// The newest letter whose subject has these words.
fn of(app: &TestApp, words: &str) -> InboxMessage {
    let all = inbox(&app.app);
    let subjects: Vec<&str> = all.iter().map(|it| &*it.subject).collect();
    let found = all.iter().find(|it| it.subject.contains(words));
    let found = found.unwrap_or_else(|| panic!("{words} in {subjects:?}"));
    found.clone()
}

fn html(letter: &InboxMessage) -> &str {
    letter.html.as_deref().expect("a drawn letter")
}

/// Where a line may break within a number.
const BREAK: &str = "<wbr/>";

/// The text of an HTML document, without its tags.
fn words(html: &str) -> String {
    let (_, body) = html.split_once("<body").expect("a body");
    let (_, body) = body.split_once('>').expect("its beginning");
    let tags = regex::Regex::new("<[^>]*>").unwrap();
    let body = body.replace(BREAK, "");
    let text = tags.replace_all(&body, " ");
    let text = text.replace("&amp;", "&").replace("&#x27;", "'");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn in_hindi(actor: &Actor) {
    actor.form("/account/language", &[("letter_language", "hi")]).await.expect(303);
}

#[test]
fn a_booking_is_told_with_its_price_its_label_and_its_day_in_both_parts() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        app.round(TaskKind::Notices).await;
        let letter = of(&app, "Booked");
        let url = &app.app.web.config.public_url;
        let shown = words(html(&letter));
        let label = format!("{url}/bookings/{}/label.pdf", booked.id);
        let invoice = format!("{url}/bookings/{}/invoice.pdf", booked.id);
        for address in [&label, &invoice, &format!("{url}/track/{}", booked.awb)] {
            assert!(letter.text.contains(address.as_str()), "{}", letter.text);
            assert!(html(&letter).contains(&format!("href=\"{address}\"")));
        }
        let view = asha
            .get(&format!("/api/v1/shipping/booking/{}/details/", booked.id))
            .await
            .expect(200)
            .json();
        let lines = view["price"]["lines"].as_array().expect("lines");
        assert!(lines.len() > 2);
        for line in lines {
            let label = line["label"].as_str().expect("a label");
            assert!(shown.contains(label), "{label}: {shown}");
            assert!(letter.text.contains(&format!("{label}: ₹")), "{}", letter.text);
        }
        for told in ["Paid from your wallet", "Expected", "about ", &booked.awb] {
            assert!(shown.contains(told) && letter.text.contains(told), "{told}: {shown}");
        }
        // Both parts have the same sentences.
        for line in letter.text.lines().filter(|it| !it.starts_with("http")) {
            let line = line.trim_end_matches(':').replace(": ", " ");
            assert!(shown.contains(line.trim()), "{line}: {shown}");
        }
    });
}

#[test]
fn a_letter_fetches_nothing_runs_nothing_and_is_small() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        asha.post(&cancel, json!({})).await.expect(200);
        app.round(TaskKind::Notices).await;
        app.round(TaskKind::PaymentLetter).await;
        let all = inbox(&app.app);
        assert!(all.len() >= 3, "{all:?}");
        for letter in &all {
            let html = html(letter);
            for fetched in ["<script", "<img", "<link", "src=", "url(", "@import", "<form"] {
                assert!(!html.contains(fetched), "{fetched}: {html}");
            }
            assert!(html.contains("prefers-color-scheme: dark") && html.contains("color-scheme"));
            assert!(html.len() < 12_000, "{} bytes", html.len());
        }
        let given_back = of(&app, "Cancelled");
        assert!(given_back.text.contains("Given back: ₹"), "{}", given_back.text);
        // Letters about money cannot be switched off.
        assert_eq!(given_back.unsubscribe, None);
        let receipt = of(&app, "Your wallet was recharged");
        assert!(receipt.text.contains("Amount: ₹5,000.00"), "{}", receipt.text);
        assert!(receipt.text.contains("/recharge/receipt/") && receipt.unsubscribe.is_none());
        let order = receipt.text.lines().find_map(|line| line.strip_prefix("Order: "));
        let order = order.expect("an order");
        assert!(words(html(&receipt)).contains(order), "{order}");
        let in_groups = [&order[..4], &order[4..8], &order[8..12]].join(BREAK);
        assert!(html(&receipt).contains(&in_groups), "{in_groups}: {}", html(&receipt));
        // A receipt is sent once.
        app.sweep().await;
        app.round(TaskKind::PaymentLetter).await;
        assert_eq!(inbox(&app.app).len(), all.len());
    });
}

#[test]
fn whoever_chose_hindi_is_written_to_in_hindi() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        in_hindi(&asha).await;
        let booked = book(&asha, &json!({})).await;
        app.round(TaskKind::Notices).await;
        let letter = of(&app, &booked.awb);
        assert_eq!(letter.subject, format!("{}: बुक हुआ", booked.awb));
        let shown = words(html(&letter));
        for told in ["लेबल छापें", "भाड़ा", "ईंधन अधिभार", "आपके वॉलेट से", "लगभग "]
        {
            assert!(shown.contains(told) && letter.text.contains(told), "{told}: {shown}");
        }
        assert!(html(&letter).contains("<html lang=\"hi-IN\">"));
        let english = "Your booking is confirmed";
        assert!(!letter.text.contains(english) && !shown.contains(english));

        // The registration letter is in the language of the browser's `Accept-Language`.
        let name = format!("ravi-{}", dakiya_core::random::random_id());
        let headers = [("accept-language", "hi-IN,hi;q=0.9"), ("content-type", "application/json")];
        let body = Some(registration(&name).to_string());
        let path = "/api/v1/auth/register/";
        let answer = app.anon().send(reqwest::Method::POST, path, &headers, body).await;
        answer.expect(201);
        let to = format!("{name}@example.in");
        let confirm = "Dakiya के लिए अपना ई-मेल पता पक्का करें";
        let first = letters(&app, &to, 1).await;
        assert_eq!(first[0].subject, confirm);
    });
}

#[test]
fn a_letter_leaves_as_plain_text_when_no_engine_draws_it() {
    block_on(async {
        let broken = "globalThis.render = () => { throw new Error('no ink'); };";
        let app = TestApp::start_drawing(broken).await;
        let asha = app.user("asha").await;
        app.recharge(&asha, 1_000).await;
        let booked = book(&asha, &json!({})).await;
        app.round(TaskKind::Notices).await;
        let letter = of(&app, "Booked");
        assert_eq!(letter.html, None);
        assert!(letter.text.contains(&format!("/bookings/{}/label.pdf", booked.id)));
        assert!(letter.unsubscribe.is_some());
    });
}

#[test]
fn a_first_confirmed_address_is_welcomed_and_freely_chosen_names_are_in_no_letter() {
    block_on(async {
        let app = TestApp::start().await;
        let mut asha = app.anon();
        asha.username = format!("www.casino.example-{}", dakiya_core::random::random_id());
        let mut body = registration(&asha.username);
        body["first_name"] = json!("Win at");
        body["last_name"] = json!("casino.example");
        asha.post("/api/v1/auth/register/", body).await.expect(201);
        asha.log_in().await;
        let to = address(&asha);
        let sandbox = app.app.sandbox.as_ref().expect("a sandbox");
        let kept = || sandbox.inbox.read().into_iter();
        let confirm = eventually(async || kept().find(|it| it.to == to)).await;
        // Letters to an unconfirmed address do not contain the username.
        let parts = format!("{}{}", confirm.text, html(&confirm));
        assert!(!parts.contains("casino"), "{parts}");
        let (_, token) = confirm.text.split_once("?confirm=").expect("a link");
        let token = token.split_whitespace().next().expect("a token");
        let opened = asha.page(&format!("/account?confirm={token}")).await;
        opened.expect(303);
        let welcome = letters(&app, &to, 1).await[0].clone();
        assert_eq!(welcome.subject, "Welcome to Dakiya");
        let parts = format!("{}{}", welcome.text, html(&welcome));
        assert!(!parts.contains("casino") && parts.contains("/calculate"), "{parts}");
    });
}
