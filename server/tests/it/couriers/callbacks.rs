//! Partners' callbacks about shipments: they only trigger a request to the partner.

use std::time::Duration;

use dakiya::jobs;
use dakiya_core::limits;
use dakiya_core::model::task::TaskKind;
use reqwest::Method;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{ALL, Rig, item};
use crate::app::{Answer, TestApp, block_on};
use crate::bookings::confirm;
use crate::patience::eventually;

const KARRIO: &str = "/api/v1/couriers/karrio/callback/";
const SHIPROCKET: &str = "/api/v1/couriers/domestic/callback/";

/// The callback secret of the sandbox's couriers.
const SECRET: &str = "sandbox-callbacks";

/// Books with a partner and moves the clock; returns the AWB.
async fn booked(rig: &Rig, partner: &str) -> String {
    let answer = confirm(&rig.asha, "to-be-followed", &rig.form(partner).await).await;
    let awb = item(&answer.expect(200))["airwaybilno"].clone();
    let span = json!({"advance_ms": 10 * 60_000});
    rig.sim(Method::POST, "clock", span).await;
    rig.app.app.core.clock.advance_ms(10 * 60_000);
    awb.as_str().expect("an AWB").to_owned()
}

async fn status(rig: &Rig) -> String {
    let history = rig.asha.get("/api/v1/shipping/history/").await;
    let history = history.expect(200).json();
    let status = history["results"][0]["status"].as_str();
    status.expect("a status").to_owned()
}

async fn scan(rig: &Rig, partner: &str, awb: &str, scan: Value) {
    let path = format!("{partner}/shipments/{awb}/scan");
    rig.sim(Method::POST, &path, scan).await;
}

/// The statuses with which this many callbacks were answered.
async fn answered(rig: &Rig, partner: &str, count: usize) -> Vec<Value> {
    let path = format!("{partner}/callbacks");
    eventually(async || {
        let sent = rig.sim(Method::GET, &path, Value::Null).await;
        let sent = sent.as_array().expect("callbacks");
        let statuses = sent.iter().map(|it| it["status"].clone());
        (sent.len() >= count).then(|| statuses.collect())
    })
    .await
}

async fn call(app: &TestApp, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let anybody = app.anon();
    let body = Some(body.to_owned());
    anybody.send(Method::POST, path, headers, body).await
}

#[test]
fn a_partner_that_calls_back_is_asked_at_once() {
    block_on(async {
        for (partner, word) in [("karrio", "picked_up"), ("shiprocket", "PICKED UP")] {
            let rig = Rig::start().await;
            let awb = booked(&rig, partner).await;
            let stop = CancellationToken::new();
            let sweeps = tokio::spawn(jobs::run(rig.app.app.clone(), stop.clone(), stop.clone()));
            tokio::time::sleep(Duration::from_millis(300)).await;
            assert_eq!(rig.asked(partner, "track").await, 0, "it is not due");
            scan(&rig, partner, &awb, json!({"status": word})).await;
            let seen = eventually(async || Some(status(&rig).await).filter(|it| it != "booked"));
            assert_eq!(seen.await, "shipped", "{partner}");
            stop.cancel();
            sweeps.await.expect("a stop");
        }
    });
}

#[test]
fn a_partner_that_calls_back_is_asked_less_often_of_a_shipment_that_stands_still() {
    block_on(async {
        let rig = Rig::start_quiet().await;
        booked(&rig, "karrio").await;
        let mut asked = Vec::new();
        for _ in 0..4 {
            let before = rig.asked("karrio", "track").await;
            for _ in 0..12 {
                rig.sweep_later(limits::TRACK_EVERY_MS + 1_000).await;
            }
            asked.push(rig.asked("karrio", "track").await - before);
        }
        // In six hours each: twelve times half an hour at first, and at last every four hours.
        assert!((3..=8).contains(&asked[0]), "{asked:?}");
        assert!((1..=2).contains(&asked[3]), "{asked:?}");
    });
}

#[test]
fn what_a_callback_says_is_not_believed_and_who_says_it_must_know_the_secret() {
    block_on(async {
        for (partner, path, header) in
            [("karrio", KARRIO, "x-event-id"), ("shiprocket", SHIPROCKET, "x-api-key")]
        {
            let rig = Rig::start().await;
            let awb = booked(&rig, partner).await;
            let lie = json!({
                "awb": awb, "current_status": "DELIVERED", "scans": [],
                "event": "tracker_updated",
                "data": {"tracking_number": awb, "status": "delivered", "delivered": true},
            });
            let lie = lie.to_string();
            for headers in [
                &[][..],
                &[(header, "")],
                &[(header, "sandbox-callback")],
                &[(header, "sandbox-callbacks2")],
                &[("authorization", SECRET)],
            ] {
                let refused = call(&rig.app, path, headers, &lie).await.expect(401);
                assert!(refused.text().contains("not from the courier"));
            }
            rig.app.round(TaskKind::Tracking).await;
            assert_eq!(rig.asked(partner, "track").await, 0, "nobody knew the secret");
            let known = [(header, SECRET)];
            for _ in 0..3 {
                call(&rig.app, path, &known, &lie).await.expect(200);
            }
            rig.app.round(TaskKind::Tracking).await;
            assert_eq!(rig.asked(partner, "track").await, 1, "asked once for all three");
            assert_eq!(status(&rig).await, "booked", "the partner knows nothing of it");
        }
    });
}

#[test]
fn a_callback_of_something_else_is_taken_and_changes_nothing_and_garbage_is_refused() {
    block_on(async {
        let rig = Rig::start().await;
        let awb = booked(&rig, "shiprocket").await;
        let event = [("x-event-id", SECRET)];
        let key = [("x-api-key", SECRET)];
        for body in [
            json!({"event": "order_created", "data": {"id": "ord_1"}}),
            json!({"event": "tracker_updated", "data": {"tracking_number": "4271000000"}}),
            json!({"event": "tracker_updated", "data": {"tracking_number": "../../x"}}),
            // A shipment of the other partner.
            json!({"event": "tracker_updated", "data": {"tracking_number": awb}}),
            json!({}),
        ] {
            call(&rig.app, KARRIO, &event, &body.to_string()).await.expect(200);
        }
        for body in ["", "[]", "{", "null", "<xml/>", r#"{"awb": []}"#] {
            let refused = call(&rig.app, SHIPROCKET, &key, body).await.expect(400);
            let message = refused.json()["message"].clone();
            assert!(message.as_str().unwrap().contains("a JSON object"), "{message}");
        }
        let huge = limits::BODY_BYTES_MAX + 1;
        let refused = rig.asha.announce(SHIPROCKET, "application/json", huge).await;
        assert_eq!(refused, 413);
        rig.app.round(TaskKind::Tracking).await;
        assert_eq!(rig.asked("shiprocket", "track").await, 0);
        assert_eq!(rig.asked("karrio", "track").await, 0);
    });
}

#[test]
fn without_a_secret_no_callback_is_taken() {
    block_on(async {
        let variables =
            [ALL[0], ("DAKIYA_KARRIO_URL", "http://127.0.0.1:9"), ("DAKIYA_KARRIO_TOKEN", "key")];
        let app = TestApp::start_with(&variables).await;
        for headers in [&[][..], &[("x-event-id", "")], &[("x-event-id", SECRET)]] {
            call(&app, KARRIO, headers, "{}").await.expect(404);
        }
    });
}

#[test]
fn callbacks_may_be_doubled_late_out_of_order_forged_or_astray() {
    block_on(async {
        let rig = Rig::start().await;
        let awb = booked(&rig, "shiprocket").await;
        let mut told = 0;
        for (mode, word, ago, answers, stands) in [
            ("twice", "PICKED UP", 5, vec![200, 200], "shipped"),
            // An event received after the next one.
            ("late", "IN TRANSIT", 4, vec![], "shipped"),
            ("once", "OUT FOR DELIVERY", 2, vec![200, 200], "out_for_delivery"),
            // An older event does not move the status back.
            ("once", "IN TRANSIT", 3, vec![200], "out_for_delivery"),
            ("forged", "DELIVERED", 1, vec![401], "out_for_delivery"),
            ("astray", "DELIVERED", 1, vec![200], "out_for_delivery"),
            ("once", "DELIVERED", 1, vec![200], "delivered"),
            ("once", "IN TRANSIT", 0, vec![200], "delivered"),
        ] {
            let settings = json!({"callbacks": mode, "callback_delay_ms": 300});
            rig.set("shiprocket", settings).await;
            scan(&rig, "shiprocket", &awb, json!({"status": word, "minutes_ago": ago})).await;
            told += answers.len();
            let seen = answered(&rig, "shiprocket", told).await;
            assert_eq!(json!(seen[told - answers.len()..]), json!(answers), "{mode} {word}");
            rig.app.round(TaskKind::Tracking).await;
            assert_eq!(status(&rig).await, stands, "{mode} {word}");
        }
        let track = rig.asha.get(&format!("/api/v1/shipping/track/{awb}/")).await;
        let twice = track.expect(200).text().matches("\"Picked up\"").count();
        assert_eq!(twice, 1, "told twice is listed once");
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_callback_that_anybody_can_send_is_noticed() {
    let test = "couriers::callbacks::\
        what_a_callback_says_is_not_believed_and_who_says_it_must_know_the_secret";
    crate::faults::must_fail(test, "courier-callback-unchecked");
}
