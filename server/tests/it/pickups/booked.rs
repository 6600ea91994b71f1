//! A pickup is part of its booking: planned with it, told in the same words everywhere as to the
//! drivers and partners, and cancelled with it. A parcel that is handed in sends nobody.

use dakiya_core::limits;
use dakiya_core::model::task::TaskKind;
use reqwest::Method;
use serde_json::{Value, json};

use super::partners::{BOTH, call_of, day, days, later};
use super::{choices, plan, seen, standing};
use crate::app::{Actor, TestApp, block_on, inbox};
use crate::bookings::{confirm, form, quote};
use crate::couriers::{Rig, item};
use crate::documents::{book, number};
use crate::operators::dakiya;
use crate::rates::parcel;

const HAND_IN: &str =
    "Drop the parcel off at 12 Sample Marg, New Delhi 110001, until 7 pm (Mon to Sat, from 10 am).";

/// Books with our own courier; the changes say how the parcel reaches it. Returns the answer.
async fn booked(actor: &Actor, key: &str, changes: Value) -> Value {
    let mut order = form(&quote(actor).await);
    for (name, value) in changes.as_object().expect("changes") {
        order[name] = value.clone();
    }
    item(&confirm(actor, key, &order).await.expect(200))
}

/// The drivers' run sheet of a day such as `2026-11-30 10:00`.
fn run_sheet(app: &TestApp, when: &str) -> Value {
    let day = when.split(' ').next().expect("a day");
    dakiya(app, &format!("pickups --day {day} --as ravi --json")).json()
}

/// Checks that the sentence of the answer stands on every page, in the API and in the letter.
async fn is_said_everywhere(app: &TestApp, asha: &Actor, answer: &Value) {
    let sentence = answer["handover"].as_str().expect("a sentence");
    let (id, awb) = (answer["booking_id"].as_str(), answer["airwaybilno"].as_str());
    let (id, awb) = (id.expect("an id"), awb.expect("an AWB"));
    let details = asha.get(&format!("/api/v1/shipping/booking/{id}/details")).await;
    assert_eq!(details.expect(200).json()["handover"], sentence);
    let tracked = app.anon().get(&format!("/api/v1/shipping/track/{awb}")).await;
    assert_eq!(tracked.expect(200).json()["handover"], sentence);
    for page in [format!("/bookings/{id}"), format!("/track/{awb}")] {
        let text = seen(asha, &page).await;
        assert!(text.contains(sentence), "{page}: {sentence}");
    }
    app.round(TaskKind::Notices).await;
    let mut letters = inbox(&app.app).into_iter().filter(|it| it.channel == "email");
    // A letter breaks its lines.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_in_letter = |text: &str| text.contains(awb) && words(text).contains(sentence);
    assert!(letters.any(|it| is_in_letter(&it.text)), "{sentence}");
}

#[test]
fn a_wanted_pickup_is_planned_with_its_booking_and_the_drivers_get_it_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let wanted = json!({
            "pickup_required": "1", "pickup_ready_start_time": "10:00",
            "pickup_ready_end_time": "13:00", "tell_receiver": "1",
            "consignee_mobile": "91234 56780",
        });
        let mut order = form(&quote(&asha).await);
        for (name, value) in wanted.as_object().expect("changes") {
            order[name] = value.clone();
        }
        let first = confirm(&asha, "wants-a-pickup", &order).await.expect(200);
        let again = confirm(&asha, "wants-a-pickup", &order).await.expect(200);
        assert_eq!(again.body, first.body);
        assert_eq!(number(&app, "select count(*) from pickups".to_owned()).await, 1);
        let answer = item(&first);
        let sentence = answer["handover"].as_str().expect("a sentence").to_owned();
        assert!(sentence.starts_with("Dakiya comes "), "{sentence}");
        assert!(sentence.ends_with(", 10 am to 1 pm."), "{sentence}");
        let id = answer["booking_id"].as_str().expect("an id");
        assert_eq!(standing(&asha, id).await, "confirmed");
        is_said_everywhere(&app, &asha, &answer).await;
        let sms = inbox(&app.app).into_iter().filter(|it| it.channel == "sms");
        let told = sentence.replace("Dakiya comes ", " Pickup: ");
        assert!(sms.map(|it| it.text).any(|text| text.contains(&told)));

        let details = asha.get(&format!("/api/v1/shipping/booking/{id}/details")).await.json();
        let from_ms = details["planned_pickup"]["time"]["from_at"].as_i64().expect("a time");
        let comes = dakiya_core::model::calendar::date_in_india(from_ms).to_string();
        let sheet = run_sheet(&app, &comes);
        assert_eq!(sheet[0]["awb"], answer["airwaybilno"]);
        assert_eq!(sheet[0]["pickup"], answer["pickup_id"]);
        assert_eq!((&sheet[0]["from"], &sheet[0]["until"]), (&json!("10:00"), &json!("13:00")));
        assert_eq!(sheet[0]["ready_from"], "10:00");

        // It is cancelled with the booking.
        let path = format!("/api/v1/shipping/booking/{id}/cancel/");
        asha.post(&path, json!({})).await.expect(200);
        app.round(TaskKind::Pickup).await;
        assert_eq!(run_sheet(&app, &comes), json!([]));
        let off = "select count(*) from pickups where state = 'called_off'";
        assert_eq!(number(&app, off.to_owned()).await, 1);
        app.audit().await;
    });
}

#[test]
fn a_chosen_time_is_planned_and_one_that_is_over_is_refused_at_its_field() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let other = book(&asha, &json!({})).await;
        let times = choices(&asha, &other.id).await;
        let before = app.balance(&asha).await;
        for (field, changes) in [
            ("pickup_when", json!({"pickup_when": "2020-01-01 10:00"})),
            ("pickup_when", json!({"pickup_when": "next week"})),
            ("pickup_ready_start_time", json!({"pickup_ready_start_time": "22:00"})),
        ] {
            let mut order = form(&quote(&asha).await);
            order["pickup_required"] = json!("1");
            for (name, value) in changes.as_object().expect("changes") {
                order[name] = value.clone();
            }
            let refused = confirm(&asha, "not-possible", &order).await.expect(400);
            assert_eq!(refused.wrong_fields(), [field], "{changes}");
        }
        assert_eq!(app.balance(&asha).await, before);
        let wanted = json!({"pickup_required": "1", "pickup_when": times[4]});
        let answer = booked(&asha, "at-a-chosen-time", wanted).await;
        let sheet = run_sheet(&app, &times[4]);
        assert_eq!(sheet[0]["awb"], answer["airwaybilno"]);
        assert_eq!(json!(times[4].split(' ').nth(1)), sheet[0]["from"]);
        is_said_everywhere(&app, &asha, &answer).await;
    });
}

#[test]
fn who_hands_a_parcel_in_reads_where_and_until_when_and_nobody_is_sent() {
    block_on(async {
        let rig = Rig::start().await;
        assert_eq!(quote(&rig.asha).await["hand_in"], HAND_IN);
        for (key, changes) in
            [("no-pickup", json!({"pickup_required": "2"})), ("not-chosen", json!({}))]
        {
            let answer = booked(&rig.asha, key, changes).await;
            assert_eq!((&answer["handover"], &answer["pickup_id"]), (&json!(HAND_IN), &json!("")));
            is_said_everywhere(&rig.app, &rig.asha, &answer).await;
        }
        for partner in BOTH {
            let mut order = rig.form(partner).await;
            order["pickup_required"] = json!("2");
            let answer = confirm(&rig.asha, &format!("no-{partner}"), &order).await.expect(200);
            let answer = item(&answer);
            assert_eq!(answer["pickup_id"], "");
            let sentence = answer["handover"].as_str().expect("a sentence");
            assert!(sentence.starts_with("Drop the parcel off at the nearest "), "{sentence}");
            assert!(sentence.ends_with(" counter."), "{sentence}");
            is_said_everywhere(&rig.app, &rig.asha, &answer).await;
            assert_eq!(rig.asked(partner, call_of(partner)).await, 0, "{partner}");
        }
        assert_eq!(rig.shipments("shiprocket").await[0]["pickup_requests"], 0);
        assert_eq!(number(&rig.app, "select count(*) from pickups".to_owned()).await, 0);
    });
}

#[test]
fn the_history_stays_true_whether_a_parcel_is_fetched_or_handed_in() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let expected = "The courier expects the parcel.";
        for (key, wanted, is_planned_later) in [
            ("is-fetched-at-once", "1", false),
            ("is-handed-in-itself", "2", false),
            ("is-fetched-at-last", "2", true),
        ] {
            let answer = booked(&asha, key, json!({"pickup_required": wanted})).await;
            let (id, awb) = (answer["booking_id"].as_str(), answer["airwaybilno"].as_str());
            let (id, track) = (id.expect("an id"), format!("/track/{}", awb.expect("an AWB")));
            assert_eq!(remarks(&app, &track).await, [expected], "{key}");
            if is_planned_later {
                let times = choices(&asha, id).await;
                plan(&asha, id, &times[3]).await.expect(200);
                assert_eq!(remarks(&app, &track).await, [expected], "{key}");
            }
            let path = format!("/api/v1/shipping/booking/{id}/cancel/");
            asha.post(&path, json!({})).await.expect(200);
            assert_eq!(remarks(&app, &track).await, ["Cancelled by the sender", expected], "{key}");
            for page in [track, format!("/bookings/{id}")] {
                let text = seen(&asha, &page).await;
                assert!(text.contains("Cancelled by the sender<"), "{key}: {page}");
            }
        }
    });
}

/// The remarks of a shipment's events for everybody who has its AWB, newest first.
async fn remarks(app: &TestApp, track: &str) -> Vec<String> {
    let tracked = app.anon().get(&format!("/api/v1/shipping{track}")).await.expect(200).json();
    let events = tracked["data"].as_array().expect("events").iter();
    events.map(|it| it["remarks"].as_str().expect("a remark").to_owned()).collect()
}

#[test]
fn a_courier_without_counters_always_fetches_and_no_is_refused() {
    block_on(async {
        let rig = Rig::start().await;
        let rates = rig.rates(crate::couriers::parcel("2.5")).await.json();
        let services = rates["data"].as_array().expect("rates").iter();
        let (always, others): (Vec<_>, Vec<_>) =
            services.partition(|rate| rate["always_fetched"] == true);
        assert_eq!(always.len(), 1, "{always:?}");
        assert!(others.iter().all(|rate| rate["always_fetched"].is_null()));
        let mut order = form(always[0]);
        order["pickup_required"] = json!("2");
        let refused = confirm(&rig.asha, "is-handed-in", &order).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["pickup_required"]);
        order["pickup_required"] = Value::Null;
        let answer = item(&confirm(&rig.asha, "is-fetched", &order).await.expect(200));
        let sentence = answer["handover"].as_str().expect("a sentence");
        assert!(sentence.starts_with("Xpressbees comes "), "{sentence}");
        assert_eq!(rig.shipments("shiprocket").await[0]["pickup_requests"], 1);
        assert_ne!(answer["pickup_id"], "");
    });
}

#[test]
fn a_partner_is_asked_once_for_the_chosen_day_and_at_the_chosen_place() {
    block_on(async {
        for partner in BOTH {
            let rig = Rig::start().await;
            let mut order = rig.form(partner).await;
            let other = item(&confirm(&rig.asha, "to-see-the-days", &order).await.expect(200));
            let times = choices(&rig.asha, other["booking_id"].as_str().expect("an id")).await;
            let elsewhere = json!({
                "pickup_required": "1", "pickup_location": "2", "pickup_when": times[1],
                "pickup_name": "Stock room", "pickup_pincode": "110001",
                "pickup_city": "New Delhi", "pickup_state": "Delhi",
                "pickup_address_1": "14 Okhla Road", "consignee_name": "Another",
            });
            order["quote_id"] = Value::Null;
            for (name, value) in elsewhere.as_object().expect("changes") {
                order[name] = value.clone();
            }
            let answer = item(&confirm(&rig.asha, "fetched-elsewhere", &order).await.expect(200));
            assert_ne!(answer["pickup_id"], "", "{partner}");
            later(&rig, limits::PICKUP_TASKS.pauses_ms[0]).await;
            let id = answer["booking_id"].as_str().expect("an id");
            assert_eq!(standing(&rig.asha, id).await, "confirmed", "{partner}");
            assert_eq!(days(&rig, partner).await, [day(&times[1])], "{partner}");
            assert_eq!(rig.asked(partner, call_of(partner)).await, 1, "{partner}");
            let page = seen(&rig.asha, &format!("/bookings/{id}")).await;
            assert!(page.contains(" comes "), "{page}");
            let asked = match partner {
                "karrio" => rig.sim(Method::GET, "karrio/pickups", Value::Null).await,
                _ => rig.sim(Method::GET, "shiprocket/places", Value::Null).await,
            };
            assert!(asked.to_string().contains("14 Okhla Road"), "{asked}");
            if partner == "karrio" {
                let hour = times[1].split(' ').nth(1).expect("an hour");
                assert_eq!(asked[0]["asked"]["ready_time"], hour);
                assert_eq!(
                    rig.shipments(partner).await[1]["asked"]["shipper"]["person_name"],
                    "Stock room"
                );
            }
        }
    });
}

#[test]
fn a_parcel_that_is_fetched_elsewhere_is_priced_from_there_and_the_customer_sees_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let quoted = quote(&asha).await;
        let mut order = form(&quoted);
        let elsewhere = json!({
            "pickup_required": "1", "pickup_location": "2", "pickup_name": "Shop",
            "pickup_pincode": "560002", "pickup_city": "Bengaluru",
            "pickup_state": "Karnataka", "pickup_address_1": "7 Brigade Road",
        });
        for (name, value) in elsewhere.as_object().expect("changes") {
            order[name] = value.clone();
        }
        let changed = confirm(&asha, "from-another-zone", &order).await.expect(409).json();
        let now = &changed["data"][0];
        let mut asked = parcel();
        (asked["length"], asked["width"], asked["height"]) = (json!(30), json!(20), json!(10));
        asked["pickup_pincode"] = json!("560002");
        let rates = asha.post("/api/v1/shipping/calculate-rate/", asked).await.expect(200).json();
        let mut rates = rates["data"].as_array().expect("rates").iter();
        let from_there = rates.find(|rate| rate["product_id"] == quoted["product_id"]);
        let total = &from_there.expect("a price")["grand_total_with_gst"];
        assert_eq!(&now["grand_total_with_gst"], total);
        assert_ne!(&quoted["grand_total_with_gst"], total);

        order["quote_id"] = now["quote_id"].clone();
        let answer = item(&confirm(&asha, "at-the-new-price", &order).await.expect(200));
        assert_eq!(&answer["amount"], total);
        let path = format!("/bookings/{}", answer["booking_id"].as_str().unwrap());
        let page = seen(&asha, &path).await;
        for part in ["New Delhi 110001", "7 Brigade Road"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        app.audit().await;
    });
}

#[test]
fn a_pickup_of_a_booking_that_its_courier_refused_ends_with_it() {
    block_on(async {
        for partner in BOTH {
            let rig = Rig::start().await;
            let mut order = rig.form(partner).await;
            order["pickup_required"] = json!("1");
            rig.fault(partner, json!({"operation": "create", "kind": "reject"})).await;
            confirm(&rig.asha, "refused-there", &order).await.expect(409);
            let open = "select count(*) from pickups where state <> 'called_off'";
            assert_eq!(number(&rig.app, open.to_owned()).await, 0, "{partner}");
            let waiting = "select count(*) from pickup_parcels where state = 'waiting'";
            assert_eq!(number(&rig.app, waiting.to_owned()).await, 0, "{partner}");
            later(&rig, 61_000).await;
            assert_eq!(rig.asked(partner, call_of(partner)).await, 0, "{partner}");
            rig.app.audit().await;
        }
    });
}

#[test]
fn an_address_that_a_partner_does_not_collect_at_is_told_at_its_field_before_money_moves() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let long = "14 Okhla Road, ".repeat(12);
        for (field, changes) in [
            ("consigner_address_1", json!({"consigner_address_1": "Janpath"})),
            ("consigner_address_1", json!({"consigner_address_1": long.clone()})),
            ("pickup_address_1", json!({"pickup_required": "1", "pickup_address_1": "Okhla"})),
            ("pickup_address_1", json!({"pickup_required": "1", "pickup_address_1": long})),
        ] {
            let mut order = rig.form("shiprocket").await;
            let elsewhere = json!({
                "pickup_location": "2", "pickup_name": "Shop", "pickup_pincode": "110001",
                "pickup_city": "New Delhi", "pickup_state": "Delhi", "pickup_address_1": "1 A",
            });
            for (name, value) in elsewhere.as_object().into_iter().flatten() {
                order[name] = value.clone();
            }
            for (name, value) in changes.as_object().expect("changes") {
                order[name] = value.clone();
            }
            let refused = confirm(&rig.asha, "no-number", &order).await.expect(400);
            assert_eq!(refused.wrong_fields(), [field], "{changes}");
        }
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        assert_eq!(rig.asked("shiprocket", "add_place").await, 0);
        // A refusal of its own is told at the field, too, and for each question under the key.
        rig.fault("shiprocket", json!({"operation": "add_place", "kind": "reject"})).await;
        let order = rig.form("shiprocket").await;
        for _ in 0..2 {
            let refused = confirm(&rig.asha, "refused-there", &order).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["consigner_address_1"]);
        }
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        assert_eq!(rig.asked("shiprocket", "create").await, 0);
        // Our own drivers find a house by its name.
        let ours = booked(&rig.asha, "by-its-name", json!({"consigner_address_1": "Rose House"}));
        assert_ne!(ours.await["airwaybilno"], "");
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_booking_and_its_pickup_are_stored_together_or_not_at_all() {
    block_on(async {
        for (point, partner) in [("booking", ""), ("holding", "shiprocket")] {
            let rig = Rig::start().await;
            let mut order = match partner {
                "" => form(&quote(&rig.asha).await),
                partner => rig.form(partner).await,
            };
            order["pickup_required"] = json!("1");
            let strike = dakiya_core::failpoints::FailAction::Panic;
            dakiya_core::failpoints::arm(point, &rig.user_id().await, strike);
            let failed = confirm(&rig.asha, "struck-between", &order).await;
            assert!(failed.status.is_server_error(), "{point}: {}", failed.text());
            for table in ["bookings", "pickups", "pickup_parcels"] {
                let count = format!("select count(*) from {table}");
                assert_eq!(number(&rig.app, count).await, 0, "{point} {table}");
            }
            confirm(&rig.asha, "struck-between", &order).await.expect(200);
            let both = "select count(*) from bookings b join pickup_parcels p
                        on p.booking_id = b.booking_id join pickups k on k.pickup_id = p.pickup_id";
            assert_eq!(number(&rig.app, both.to_owned()).await, 1, "{point}");
            rig.app.audit().await;
        }
    });
}
