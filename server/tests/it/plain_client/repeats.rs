//! Without an idempotency key equal bodies are one booking for two minutes, and without a quote the
//! current price is fixed and charged.

use dakiya_core::limits::BODY_KEY_MS;
use dakiya_core::model::money::paise::Paise;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{CREATE, payload, rate, rate_request};
use crate::app::{Actor, Answer, TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::couriers::Rig;
use crate::faults::{Proof, runs};
use crate::patience::patient;

async fn parcel(actor: &Actor) -> Value {
    let rate = rate(actor, rate_request(true, false), "dakiya").await;
    payload(true, false, &rate)
}

async fn bookings(actor: &Actor) -> i64 {
    let history = actor.get("/api/v1/shipping/history/").await.expect(200);
    history.json()["count"].as_i64().unwrap()
}

fn paid(answer: &Answer) -> Paise {
    crate::app::rupees(answer.text(), "amount")
}

#[test]
fn the_same_body_at_once_is_one_booking_charged_once() {
    block_on(async {
        let mut proof = Proof::begin("M10 without keys");
        let (app, _, _) = TestApp::with_user().await;
        for run in 0..runs(3, 100) {
            let asha = app.user("asha").await;
            app.recharge(&asha, 5_000).await;
            let body = parcel(&asha).await;
            let twins = 2 + proof.dice(run).below(14);
            let answers = join_all((0..twins).map(|_| asha.post(CREATE, body.clone()))).await;
            let told: Vec<String> = answers.iter().map(|it| it.text().to_owned()).collect();
            proof.holds(answers.iter().all(|it| it.status == 200), || told.join("\n"));
            let first: Vec<&Answer> =
                answers.iter().filter(|it| it.json()["repeated"] == Value::Null).collect();
            proof.holds(first.len() == 1, || told.join("\n"));
            let one = |it: &Answer| it.json()["data"][0]["airwaybilno"].clone();
            let same = answers.iter().all(|it| one(it) == one(&answers[0]));
            proof.holds(same, || told.join("\n"));
            let left = Paise::rupees(5_000).checked_sub(paid(&answers[0]));
            let balance = app.balance(&asha).await;
            proof.holds(left == Some(balance), || format!("{balance} is left"));
            let count = bookings(&asha).await;
            proof.holds(count == 1, || format!("{count} bookings"));
        }
        app.audit().await;
        proof.add_runs(runs(3, 100));
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_body_that_is_booked_by_each_of_its_twins_is_noticed() {
    let test = "plain_client::repeats::the_same_body_at_once_is_one_booking_charged_once";
    crate::faults::must_fail(test, "body-claimed-twice");
}

#[test]
fn the_same_body_is_the_same_booking_for_two_minutes_and_the_answer_says_so() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        app.recharge(&ravi, 5_000).await;
        let body = parcel(&asha).await;
        let first = asha.post(CREATE, body.clone()).await.expect(200);
        assert_eq!(first.json()["repeated"], Value::Null);
        let price = paid(&first);
        let after_one = Paise::rupees(5_000).checked_sub(price).unwrap();
        app.app.core.clock.advance_ms(BODY_KEY_MS / 2);
        let again = asha.post(CREATE, body.clone()).await.expect(200);
        assert_eq!(again.json()["repeated"], true);
        assert_eq!(again.json()["data"], first.json()["data"]);
        let said = again.json()["message"].as_str().unwrap().to_owned();
        assert!(said.contains("was not booked or charged again"), "{said}");
        assert_eq!(app.balance(&asha).await, after_one);
        // Another body, another customer, or a key makes another booking.
        let mut other = body.clone();
        other["consignee_name"] = json!("Meera Iyer");
        let booked = asha.post(CREATE, other).await.expect(200);
        assert_eq!(booked.json()["repeated"], Value::Null);
        ravi.post(CREATE, body.clone()).await.expect(200);
        confirm(&asha, "with-a-key-of-its-own", &body).await.expect(200);
        assert_eq!(bookings(&asha).await, 3);
        app.app.core.clock.advance_ms(BODY_KEY_MS / 2);
        let late = asha.post(CREATE, body.clone()).await.expect(200);
        assert_eq!(late.json()["repeated"], Value::Null);
        assert_ne!(late.json()["data"], first.json()["data"]);
        assert_eq!(bookings(&asha).await, 4);
        app.audit().await;
    });
}

#[test]
fn a_body_whose_courier_refused_is_tried_again_and_one_under_way_is_not() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let mut body = rig.form("shiprocket").await;
        body.as_object_mut().unwrap().remove("quote_id");
        let refuse = json!({"operation": "assign", "kind": "reject"});
        rig.fault("shiprocket", refuse).await;
        let refused = rig.asha.post(CREATE, body.clone()).await.expect(409);
        assert_eq!(refused.json()["code"], "courier_refused");
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        let booked = rig.asha.post(CREATE, body.clone()).await.expect(200);
        assert_eq!(booked.json()["repeated"], Value::Null);
        let price = paid(&booked);

        // The next booking's response is lost: it is not booked again, however long that lasts.
        body["remark"] = json!("the second");
        for operation in ["assign", "find"] {
            let lose = json!({"operation": operation, "kind": "drop", "times": 50});
            rig.fault("shiprocket", lose).await;
        }
        let asked = rig.asked("shiprocket", "assign").await;
        for _ in 0..2 {
            let patience = patient(3_000);
            let _ = timeout(patience, rig.asha.post(CREATE, body.clone())).await;
            rig.app.app.core.clock.advance_ms(2 * BODY_KEY_MS);
        }
        assert_eq!(rig.asked("shiprocket", "assign").await, asked + 1);
        let twice = before.checked_sub(price).unwrap().checked_sub(price);
        assert_eq!(Some(rig.app.balance(&rig.asha).await), twice);
        rig.app.audit().await;
    });
}

#[test]
fn without_a_quote_the_service_is_named_and_its_price_of_the_moment_is_charged() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let rate = rate(&asha, rate_request(true, false), "dakiya").await;
        let with = |id: Value, name: Value| {
            let mut body = payload(true, false, &rate);
            (body["courier_id"], body["courier_name"]) = (id, name);
            body
        };
        for (id, name, wrong) in [
            (Value::Null, Value::Null, "courier_id"),
            (json!(999_999), Value::Null, "courier_id"),
            (Value::Null, json!("Pigeon Post"), "courier_name"),
            (json!(1), json!("Dakiya Air"), "courier_name"),
        ] {
            let refused = asha.post(CREATE, with(id, name)).await.expect(400);
            assert_eq!(refused.wrong_fields(), [wrong]);
        }
        // A service that accepts no parcels.
        let refused = asha.post(CREATE, with(json!(3), Value::Null)).await.expect(409);
        assert_eq!(refused.json()["code"], "service_not_offered");
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        let by_id = asha.post(CREATE, with(json!(1), Value::Null)).await.expect(200);
        let by_name = with(Value::Null, json!(" dakiya  SURFACE "));
        let by_name = asha.post(CREATE, by_name).await.expect(200);
        assert_eq!(paid(&by_id), paid(&by_name));
        // The booked size is priced, not the size in the rate request.
        let mut large = with(json!(1), Value::Null);
        large["shipment_dimensions"]["height"] = json!(60);
        let large = asha.post(CREATE, large).await.expect(200);
        assert!(paid(&large) > paid(&by_id));
        app.audit().await;
    });
}

#[test]
fn a_quote_whose_total_is_the_same_for_the_real_size_is_taken_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let own = quote(&asha).await;
        let mut smaller = form(&own);
        smaller["shipment_dimensions"][0]["height"] = json!(9);
        let booked = confirm(&asha, "same-total", &smaller).await.expect(200);
        let total = own["grand_total_with_gst"].clone();
        assert_eq!(booked.json()["data"][0]["amount"], total);
        // The quote is used up, like any other.
        let mut other = smaller.clone();
        other["shipment_dimensions"][0]["height"] = json!(8);
        let used = confirm(&asha, "another-key", &other).await.expect(409);
        assert_eq!(used.json()["code"], "quote_used");
        assert_eq!(bookings(&asha).await, 1);
        // Documents and courier get the booked size.
        let label = booked.json()["data"][0]["dispatch_url"].clone();
        let label = asha.page(label.as_str().unwrap()).await.expect(200);
        let printed = crate::documents::text(&label.body);
        assert!(printed.contains("30 × 20 × 9 cm"), "{printed}");
        app.audit().await;
    });
}

#[test]
fn a_refused_quote_says_what_is_the_matter_with_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        let said = async |form: &Value| {
            let refused = confirm(&asha, &dakiya_core::random::random_id(), form).await;
            let refused = refused.expect(409).json();
            assert_eq!(refused["code"], "quote_changed");
            let fresh = refused["data"][0]["quote_id"].as_str();
            assert!(fresh.is_some(), "{refused}");
            refused["message"].as_str().unwrap().to_owned()
        };
        let mut heavier = form(&quote(&asha).await);
        heavier["weight"] = json!(20);
        assert!(said(&heavier).await.starts_with("The price has changed"));
        let others = said(&form(&quote(&ravi).await)).await;
        assert!(others.starts_with("This price has expired"), "{others}");
        let late = form(&quote(&asha).await);
        app.app.core.clock.advance_ms(dakiya_core::limits::QUOTE_MS_MAX);
        let mut asha = asha.clone();
        asha.log_in().await;
        let refused = confirm(&asha, "half-an-hour-later", &late).await.expect(409);
        let late = refused.json()["message"].as_str().unwrap().to_owned();
        assert!(late.starts_with("This price has expired"), "{late}");
        // A quote of another service than the named one.
        let mut other = form(&quote(&asha).await);
        other["courier_id"] = json!(2);
        let refused = confirm(&asha, "another-service", &other).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["courier_id"]);
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_price_that_changes_unseen_is_noticed() {
    let test = "plain_client::repeats::a_refused_quote_says_what_is_the_matter_with_it";
    crate::faults::must_fail(test, "price-changes-unseen");
}

#[test]
fn dimensions_are_a_list_of_one_or_that_one() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let mut body = parcel(&asha).await;
        for wrong in [json!("20x15x10"), json!(7), json!([1]), json!([[]])] {
            body["shipment_dimensions"] = wrong;
            let refused = asha.post(CREATE, body.clone()).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["shipment_dimensions"]);
            let said = "shipment_dimensions must be a list of one entry, or that entry.";
            assert!(refused.text().contains(said), "{}", refused.text());
        }
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        // The error for a malformed body gives the position.
        let broken = Some("{\"booking_type\": 2,}".to_owned());
        let refused = asha.send(Method::POST, CREATE, &[], broken).await.expect(400);
        assert!(refused.text().contains("not valid JSON"), "{}", refused.text());
    });
}
