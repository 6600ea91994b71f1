//! The Karrio adapter against a real Karrio server, which `./build.sh prove karrio` installs and
//! starts. Its own carrier needs no network: it has a price, draws labels and tracks nothing.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::bodies::{End, by_one_customer};
use super::{Rig, item, of_partners, parcel};
use crate::app::{TestApp, block_on};
use crate::bookings::{confirm, form};
use crate::faults::{Proof, runs};
use crate::gateway::client;
use crate::patience::until;

/// The server and its key, as `URL KEY` in `DAKIYA_KARRIO_REAL`.
struct Karrio {
    url: String,
    key: String,
}

impl Karrio {
    async fn ask(&self, method: Method, path: &str, body: Value) -> Value {
        let request = client().request(method, format!("{}{path}", self.url));
        let request = request.header("authorization", format!("Token {}", self.key));
        let answer = request.json(&body).send().await.expect("a Karrio server");
        let text = answer.text().await.expect("a body");
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {text}"))
    }

    /// Karrio's shipments with this AWB.
    async fn shipments(&self, awb: &str) -> Vec<Value> {
        let found = self.ask(Method::GET, "/v1/shipments", json!({})).await;
        let all = found["results"].as_array().expect("shipments").clone();
        let has = |it: &Value| {
            let number = it["tracking_number"].as_str();
            number.is_some_and(|number| number.eq_ignore_ascii_case(awb))
        };
        all.into_iter().filter(has).collect()
    }
}

/// A customer of a server that uses this Karrio, and the id of its webhook.
async fn rig(karrio: &Karrio) -> (Rig, String) {
    // Karrio generates the hook's secret, which is needed before our address is known.
    let hook = json!({"url": "http://127.0.0.1:9", "enabled_events": ["all"]});
    let hook = karrio.ask(Method::POST, "/v1/webhooks", hook).await;
    let text = |name: &str| hook[name].as_str().expect("a hook").to_owned();
    let app = TestApp::start_with(&[
        ("DAKIYA_COURIERS", "house,karrio"),
        ("DAKIYA_KARRIO_URL", &karrio.url),
        ("DAKIYA_KARRIO_TOKEN", &karrio.key),
        ("DAKIYA_KARRIO_WITHIN_INDIA", "1"),
        ("DAKIYA_KARRIO_CALLBACK_SECRET", &text("secret")),
    ])
    .await;
    let address = json!({"url": format!("{}/api/v1/couriers/karrio/callback", app.url)});
    let path = format!("/v1/webhooks/{}", text("id"));
    karrio.ask(Method::PATCH, &path, address).await;
    let asha = app.user("asha").await;
    app.recharge(&asha, 50_000).await;
    let rig = Rig { app: Arc::new(app), asha, control: client() };
    (rig, path)
}

#[test]
#[ignore = "needs a Karrio server: ./build.sh prove karrio"]
fn a_real_karrio_prices_books_labels_calls_back_and_cancels() {
    let Ok(real) = std::env::var("DAKIYA_KARRIO_REAL") else {
        println!("no Karrio server is named");
        return;
    };
    let (url, key) = real.split_once(' ').expect("URL KEY");
    let [url, key] = [url, key].map(str::to_owned);
    block_on(async {
        let karrio = Karrio { url, key };
        let (rig, hook) = rig(&karrio).await;
        let before = rig.app.balance(&rig.asha).await;
        let booked = confirm(&rig.asha, "a-real-karrio", &rig.form("karrio").await).await;
        let booked = item(&booked.expect(200));
        let text = |name: &str| booked[name].as_str().expect("a text").to_owned();
        let (awb, id) = (text("airwaybilno"), text("booking_id"));
        assert!(rig.app.balance(&rig.asha).await < before);
        assert_eq!(karrio.shipments(&awb).await[0]["status"], "created");
        let label = rig.asha.get(&format!("/bookings/{id}/label.pdf")).await;
        assert!(label.expect(200).body.starts_with(b"%PDF-"));
        until("a callback was sent and taken", async || {
            let told = karrio.ask(Method::GET, &hook, json!({})).await;
            told["last_event_at"].is_string()
        })
        .await;
        let cancel = format!("/api/v1/shipping/booking/{id}/cancel/");
        for _ in 0..2 {
            rig.asha.post(&cancel, json!({})).await.expect(200);
        }
        assert_eq!(karrio.shipments(&awb).await[0]["status"], "cancelled");
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        book_within_india(&karrio, &rig).await;
        book_at_random(&rig).await;
        find_what_was_lost(&karrio, &rig).await;
        rig.app.audit().await;
    });
}

/// A parcel that needs no customs, at the price for India.
async fn book_within_india(karrio: &Karrio, rig: &Rig) {
    let services = of_partners(&rig.rates(parcel("2.5")).await.json());
    let [service] = &services[..] else { panic!("{services:?}") };
    let name = service["product_name"].as_str();
    assert!(name.is_some_and(|name| name.contains("India")), "{service}");
    let answer = confirm(&rig.asha, "within-india", &form(service)).await.expect(200);
    let awb = item(&answer)["airwaybilno"].clone();
    let shipments = karrio.shipments(awb.as_str().expect("an AWB")).await;
    let [shipment] = &shipments[..] else { panic!("{shipments:?}") };
    assert_eq!(shipment["status"], "created");
    assert_eq!(shipment["selected_rate"]["total_charge"], json!(95.25));
    assert_eq!(shipment["recipient"]["postal_code"], "560001");
    assert!(shipment["customs"]["commodities"].is_null(), "{shipment}");
}

/// Random bookings, abroad and within India, which Karrio takes as the sandbox does.
async fn book_at_random(rig: &Rig) {
    let mut proof = Proof::begin("bodies at a real Karrio");
    let bookings = runs(4, 20);
    let ends = by_one_customer(&proof, rig, 0..bookings, false).await;
    let booked = ends.iter().filter(|(_, end)| matches!(end, End::Booked { .. })).count();
    proof.holds(2 * booked >= bookings, || format!("only {booked} of {bookings} booked"));
    proof.add_runs(bookings);
    proof.end();
}

/// A caller that dies when Karrio has answered; the shipment is found again by our reference.
async fn find_what_was_lost(karrio: &Karrio, rig: &Rig) {
    let strike = dakiya_core::failpoints::FailAction::Panic;
    dakiya_core::failpoints::arm("called", &rig.user_id().await, strike);
    let form = rig.form("karrio").await;
    let asked = confirm(&rig.asha, "a-lost-answer", &form);
    let asked = timeout(Duration::from_secs(5), asked).await;
    let told = asked.is_ok_and(|answer| answer.status == 200);
    assert!(!told, "nobody is left who knows");
    // In the first minute the courier might still be answering.
    for _ in 0..2 {
        rig.sweep_a_minute_later().await;
    }
    let booked = confirm(&rig.asha, "a-lost-answer", &form).await.expect(200);
    let awb = item(&booked)["airwaybilno"].clone();
    let awb = awb.as_str().expect("an AWB");
    assert_eq!(karrio.shipments(awb).await.len(), 1);
}
