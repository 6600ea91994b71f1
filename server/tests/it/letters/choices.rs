//! Letter preferences: chosen in the account, or switched off with the link in a letter.

use dakiya_core::model::task::TaskKind;
use dakiya_core::providers::notify::inbox::InboxMessage;
use serde_json::json;

use crate::app::{Actor, TestApp, block_on, inbox};
use crate::documents::book;
use crate::gateway::client;
use crate::privacy::export;

const LETTERS: &str = "/api/v1/auth/letters/";
/// The form that mail programs send (RFC 8058, section 3.1).
const ONE_CLICK: [(&str, &str); 1] = [("List-Unsubscribe", "One-Click")];

async fn told(app: &TestApp) -> Vec<InboxMessage> {
    app.round(TaskKind::Notices).await;
    app.round(TaskKind::LowBalanceLetter).await;
    inbox(&app.app)
}

/// The path of a letter's unsubscribe link.
fn off(app: &TestApp, letter: &InboxMessage) -> String {
    let url = letter.unsubscribe.as_deref().expect("a link");
    let path = url.strip_prefix(&app.url).expect("to us");
    assert!(letter.text.contains(url), "{}", letter.text);
    path.to_owned()
}

/// Posts as a mail program does: without cookies or an origin.
async fn one_click(app: &TestApp, path: &str) -> (u16, String) {
    let request = client().post(format!("{}{path}", app.url)).form(&ONE_CLICK);
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    (status, answer.text().await.expect("a text"))
}

async fn is_on(actor: &Actor, topic: &str) -> bool {
    let choices = actor.get(LETTERS).await.expect(200).json();
    let topics = choices["topics"].as_array().expect("topics").clone();
    let found = topics.iter().find(|it| it["topic"] == topic);
    found.expect("the topic")["is_on"] == true
}

#[test]
fn letters_of_a_kind_end_with_one_click_and_those_of_others_go_on() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        book(&asha, &json!({})).await;
        let first = told(&app).await;
        assert_eq!(first.len(), 1, "{first:?}");
        let link = off(&app, &first[0]);
        assert!(!link.contains(&asha.username));

        // Programs open links before people do: no change yet.
        let page = anon.page(&link).await.expect(200);
        assert!(page.text().contains("When a booking is confirmed"));
        assert!(is_on(&asha, "booked").await);

        for path in [
            link.replace("of=booked", "of=progress"),
            link.replace("of=booked", "of=security"),
            format!("{link}A"),
            "/letters-off".to_owned(),
        ] {
            assert_eq!(one_click(&app, &path).await.0, 400);
            let status = if path.contains('?') { 404 } else { 200 };
            let page = anon.page(&path).await.expect(status);
            assert!(page.text().contains("This link is not complete."), "{path}");
        }
        assert!(is_on(&asha, "booked").await && is_on(&asha, "progress").await);

        let done = (200, "These emails are switched off.\n".to_owned());
        assert_eq!(one_click(&app, &link).await, done);
        assert_eq!(one_click(&app, &link).await, done);
        assert!(!is_on(&asha, "booked").await && is_on(&asha, "progress").await);
        let booked = book(&asha, &json!({"description": "Silk"})).await;
        assert_eq!(told(&app).await.len(), 1);
        // A cancellation concerns money: its letter is sent all the same.
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        asha.post(&cancel, json!({})).await.expect(200);
        assert_eq!(told(&app).await[0].subject, format!("{}: Cancelled", booked.awb));

        let file = export(&asha).await.expect(200).json();
        let declined = &file["letters_switched_off"];
        assert_eq!(declined[0]["topic"], "booked", "{declined}");
        assert_eq!(declined[0]["through"], "link");
        assert_eq!(declined.as_array().map(Vec::len), Some(1));
    });
}

#[test]
fn the_page_of_the_link_and_the_accounts_form_switch_letters_without_script() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        book(&asha, &json!({})).await;
        let link = off(&app, &told(&app).await[0]);
        let (_, query) = link.split_once('?').expect("a query");
        let fields: Vec<(&str, &str)> =
            query.split('&').map(|pair| pair.split_once('=').expect("a field")).collect();
        let sent = anon.form("/letters-off", &fields).await.expect(303);
        assert_eq!(sent.header("location"), "/letters-off?done=booked");
        let page = anon.page("/letters-off?done=booked").await.expect(200);
        assert!(page.text().contains("You get no more of these emails:"));
        let wrong = [("of", "booked"), ("account", "x"), ("seal", "y")];
        let page = anon.form("/letters-off", &wrong).await.expect(400);
        assert!(page.text().contains("This link is not complete."));

        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("action=\"/account/letters\""));
        let form = [("booked", "on"), ("low_balance", "on"), ("low_balance_below", "450.50")];
        anon.form("/account/letters", &form).await.expect(303);
        assert!(!is_on(&asha, "booked").await);
        let saved = asha.form("/account/letters", &form).await.expect(303);
        assert_eq!(saved.header("location"), "/account?saved=letters");
        let choices = asha.get(LETTERS).await.expect(200);
        assert!(choices.text().contains("\"low_balance_below\":450.50"), "{}", choices.text());
        for (topic, on) in
            [("booked", true), ("low_balance", true), ("progress", false), ("trouble", false)]
        {
            assert_eq!(is_on(&asha, topic).await, on, "{topic}");
        }
        for amount in ["", "0", "-5", "1e3", "100000.01"] {
            let form = [("low_balance", "on"), ("low_balance_below", amount)];
            let refused = asha.form("/account/letters", &form).await.expect(400);
            assert!(refused.text().contains("Please enter an amount from ₹1"), "{amount}");
        }
        assert!(is_on(&asha, "booked").await, "a refused form changed something");
        // No letters are sent any more.
        asha.form("/account/letters", &[]).await.expect(303);
        assert!(!is_on(&asha, "low_balance").await);
    });
}

#[test]
fn a_wallet_that_falls_below_the_customers_threshold_is_told_once_for_each_fall() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(1_000).await;
        let low = async || {
            let all = told(&app).await;
            let of = |it: &&InboxMessage| it.subject == "Your wallet is running low";
            all.iter().filter(of).count()
        };
        // One booking costs some ₹158.
        let form = json!({"low_balance": "on", "low_balance_below": "800"});
        asha.post(LETTERS, form).await.expect(200);
        let mut parcels = (1..).map(|number| json!({"description": format!("Silk {number}")}));
        let mut next = || parcels.next().expect("another");
        book(&asha, &next()).await;
        assert_eq!(low().await, 0);
        book(&asha, &next()).await;
        assert_eq!(low().await, 1);
        let letter = told(&app).await[0].clone();
        let balance = app.balance(&asha).await.to_string();
        assert!(letter.text.contains(&balance), "{}", letter.text);
        assert!(letter.text.contains("₹800.00") && letter.text.contains("/recharge"));
        // It is low already.
        book(&asha, &next()).await;
        assert_eq!(low().await, 1);
        // Recharged, and low again.
        app.recharge(&asha, 500).await;
        book(&asha, &next()).await;
        assert_eq!(low().await, 2);
        // Recharged before the letter was sent: no letter.
        app.recharge(&asha, 200).await;
        book(&asha, &next()).await;
        app.recharge(&asha, 1_000).await;
        assert_eq!(low().await, 2);
        app.audit().await;
    });
}
