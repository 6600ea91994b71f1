//! Cancelling before pickup: the courier is informed, and the money is refunded once.

use std::time::Duration;

#[cfg(feature = "faults")]
use dakiya_core::failpoints::FailAction;
use dakiya_core::limits;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::model::task::TaskKind;
use dakiya_core::services::bookings::tracking;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Rig, item, scan};
use crate::app::{Actor, Answer, TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::operators::dakiya;
use crate::patience::until;

async fn cancel_it(actor: &Actor, id: &Value) -> Answer {
    let id = id.as_str().expect("an id");
    let path = format!("/api/v1/shipping/booking/{id}/cancel/");
    actor.post(&path, json!({})).await
}

#[test]
fn a_cancelled_booking_gives_everything_back_with_a_credit_note_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        let before = app.balance(&asha).await;
        let booked = confirm(&asha, "to-be-cancelled", &form(&quote(&asha).await)).await;
        let booked = item(&booked.expect(200));
        cancel_it(&ravi, &booked["booking_id"]).await.expect(404);
        let tries = (0..20).map(|_| cancel_it(&asha, &booked["booking_id"]));
        // A long write, so that all of them have read the booking's status before it ends.
        let writing = app.write_for(Duration::from_millis(200));
        let (_, answers) = tokio::join!(writing, join_all(tries));
        for answer in answers {
            let answer = answer.expect(200);
            assert!(answer.text().contains("The money is back in your wallet."));
        }
        assert_eq!(app.balance(&asha).await, before);
        let id = booked["booking_id"].as_str().unwrap();
        let note = asha.get(&format!("/bookings/{id}/credit-note.pdf")).await;
        assert!(note.expect(200).body.starts_with(b"%PDF"));
        let awb = booked["airwaybilno"].as_str().unwrap();
        let track = asha.get(&format!("/api/v1/shipping/track/{awb}/")).await;
        let told = track.text().matches("\"Cancelled\"").count();
        assert_eq!(told, 1, "{}", track.text());
        assert_eq!(status(&asha).await, "cancelled");
        app.audit().await;
    });
}

#[test]
fn a_partner_is_told_before_the_money_goes_back() {
    block_on(async {
        for partner in ["karrio", "shiprocket"] {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let booked = confirm(&rig.asha, "with-a-partner", &rig.form(partner).await).await;
            let booked = item(&booked.expect(200));
            let charged = rig.app.balance(&rig.asha).await;
            // One response is lost before the partner did anything, one after; then it responds.
            for when in ["before_work", "after_work"] {
                let lost = json!({"operation": "cancel", "kind": "drop", "when": when});
                rig.fault(partner, lost).await;
            }
            let silent = cancel_it(&rig.asha, &booked["booking_id"]).await.expect(202);
            assert!(silent.text().contains("We keep asking"), "{}", silent.text());
            assert_eq!(status(&rig.asha).await, "cancelling");
            sweep_cancellations(&rig.app, 0).await;
            assert_eq!(rig.asked(partner, "cancel").await, 1, "it is not due");
            for (shipment, stands) in [("cancelled", "cancelling"), ("cancelled", "cancelled")] {
                assert_eq!(rig.app.balance(&rig.asha).await, charged, "nobody agreed");
                sweep_cancellations(&rig.app, limits::CANCEL_AGAIN_MS).await;
                assert_eq!(rig.shipments(partner).await[0]["status"], shipment);
                assert_eq!(status(&rig.asha).await, stands, "{partner}");
            }
            sweep_cancellations(&rig.app, limits::CANCEL_AGAIN_MS).await;
            is_paid_back(&rig.app, &rig.asha, &booked["booking_id"], before).await;
        }
    });
}

#[test]
fn what_its_courier_has_not_confirmed_yet_is_cancelled_as_soon_as_it_has_or_was_never_booked() {
    block_on(async {
        for took_it in [true, false] {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let form = rig.form("shiprocket").await;
            let when = if took_it { "after_work" } else { "before_work" };
            let lost = json!({"operation": "assign", "kind": "drop", "when": when});
            rig.fault("shiprocket", lost).await;
            let gone = json!({"operation": "read", "kind": "drop", "times": 3});
            rig.fault("shiprocket", gone).await;
            rig.hangs_up("not-wanted-any-more", &form, ("shiprocket", "read", 1)).await;
            assert_eq!(status(&rig.asha).await, "pending");
            let history = rig.asha.get("/api/v1/shipping/history/").await;
            let id = history.json()["results"][0]["id"].clone();
            for _ in 0..2 {
                cancel_it(&rig.asha, &id).await.expect(202);
            }
            assert_eq!(status(&rig.asha).await, "pending");
            assert_eq!(rig.asked("shiprocket", "cancel").await, 0);
            for _ in 0..8 {
                rig.sweep_a_minute_later().await;
            }
            sweep_cancellations(&rig.app, 0).await;
            assert_eq!(rig.shipments("shiprocket").await[0]["status"], "cancelled");
            match took_it {
                true => is_paid_back(&rig.app, &rig.asha, &id, before).await,
                false => {
                    assert_eq!(rig.app.balance(&rig.asha).await, before);
                    rig.app.audit().await;
                }
            }
        }
    });
}

/// Moves the clock and runs the cancellation tasks.
async fn sweep_cancellations(app: &TestApp, later_ms: i64) {
    app.app.core.clock.advance_ms(later_ms);
    app.round(TaskKind::Cancellation).await;
}

async fn status(asha: &Actor) -> String {
    let history = asha.get("/api/v1/shipping/history/").await.expect(200);
    let status = history.json()["results"][0]["status"].clone();
    status.as_str().expect("a status").to_owned()
}

#[test]
fn a_courier_that_does_not_let_go_has_its_booking_back() {
    block_on(async {
        let rig = Rig::start().await;
        let form = rig.form("shiprocket").await;
        let booked = item(&confirm(&rig.asha, "kept-by-them", &form).await.expect(200));
        let charged = rig.app.balance(&rig.asha).await;
        for kind in ["drop", "reject"] {
            rig.fault("shiprocket", json!({"operation": "cancel", "kind": kind})).await;
        }
        cancel_it(&rig.asha, &booked["booking_id"]).await.expect(202);
        let page = rig.asha.page("/dashboard?tab=bookings").await.expect(200);
        assert!(page.text().contains(">Cancelling<"));
        let label = format!("/bookings/{}/label.pdf", booked["booking_id"].as_str().unwrap());
        rig.asha.page(&label).await.expect(409);
        // A scan with the status "booked" changes nothing.
        let now_ms = rig.app.app.core.clock.now_ms();
        let awb = booked["airwaybilno"].as_str().unwrap();
        let scans = vec![scan(ShipmentStatus::Booked, now_ms)];
        tracking::record(&rig.app.app.core.store, awb, scans, now_ms).await.expect("a scan");
        assert_eq!(status(&rig.asha).await, "cancelling");
        sweep_cancellations(&rig.app, limits::CANCEL_AGAIN_MS).await;
        assert_eq!(status(&rig.asha).await, "booked");
        assert_eq!(rig.app.balance(&rig.asha).await, charged);
        // The customer, who was promised further tries, is informed by letter and on the page.
        let track = rig.asha.page(&format!("/track/{awb}")).await.expect(200);
        assert!(track.text().contains("The courier did not agree to cancel it"));
        rig.app.round(TaskKind::Notices).await;
        let letters = rig.app.app.sandbox.as_ref().expect("a sandbox").inbox.read();
        let letters = letters.iter().filter(|it| it.text.contains("did not agree"));
        let letters: Vec<&str> = letters.map(|it| it.text.as_str()).collect();
        assert_eq!(letters.len(), 1, "{letters:?}");
        assert!(letters[0].contains("nothing is given back"), "{}", letters[0]);
        rig.app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_cancellation_that_dies_on_its_way_is_ended_by_the_next_round() {
    block_on(async {
        for point in ["cancelling", "called off"] {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let form = rig.form("shiprocket").await;
            let booked = item(&confirm(&rig.asha, "struck-half-way", &form).await.expect(200));
            dakiya_core::failpoints::arm(point, &rig.user_id().await, FailAction::Stall(60_000));
            let (asha, id) = (rig.asha.clone(), booked["booking_id"].clone());
            let gone = tokio::spawn(async move { cancel_it(&asha, &id).await });
            until(point, async || !dakiya_core::failpoints::armed(point)).await;
            // The customer hangs up.
            gone.abort();
            assert_eq!(status(&rig.asha).await, "cancelling");
            sweep_cancellations(&rig.app, limits::CANCEL_AGAIN_MS).await;
            is_paid_back(&rig.app, &rig.asha, &booked["booking_id"], before).await;
        }
    });
}

/// Makes the partner report that it does not carry this shipment.
async fn called_off(rig: &Rig, partner: &str, awb: &str) {
    let path = format!("{partner}/shipments/{awb}/scan");
    let word = match partner {
        "karrio" => "cancelled",
        _ => "CANCELLED",
    };
    let scan = json!({"status": word, "location": "Hub"});
    rig.sim(Method::POST, &path, scan).await;
    // Steps short enough that the session does not expire.
    for _ in 0..2 {
        rig.app.app.core.clock.advance_ms(limits::TRACK_EVERY_MS / 2 + 60_000);
        rig.asha.get("/api/v1/shipping/history/").await.expect(200);
    }
}

/// Asserts that the booking is cancelled, refunded once, and has a credit note.
async fn is_paid_back(app: &TestApp, asha: &Actor, id: &Value, before: Paise) {
    assert_eq!(status(asha).await, "cancelled");
    assert_eq!(app.balance(asha).await, before);
    let id = id.as_str().expect("an id");
    let note = asha.get(&format!("/bookings/{id}/credit-note.pdf")).await;
    assert!(note.expect(200).body.starts_with(b"%PDF"));
    app.audit().await;
}

#[test]
fn a_shipment_that_its_courier_cancels_is_paid_back_once_with_a_credit_note() {
    block_on(async {
        for partner in ["karrio", "shiprocket"] {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let booked = confirm(&rig.asha, "cancelled-there", &rig.form(partner).await).await;
            let booked = item(&booked.expect(200));
            called_off(&rig, partner, booked["airwaybilno"].as_str().unwrap()).await;
            for _ in 0..2 {
                rig.app.round(TaskKind::Tracking).await;
                is_paid_back(&rig.app, &rig.asha, &booked["booking_id"], before).await;
            }
            cancel_it(&rig.asha, &booked["booking_id"]).await.expect(200);
            is_paid_back(&rig.app, &rig.asha, &booked["booking_id"], before).await;
        }
    });
}

#[test]
fn a_courier_that_said_no_and_cancels_all_the_same_is_found_out_and_pays_back() {
    block_on(async {
        // Shiprocket lists the shipment as to be cancelled; Karrio, for a while, as booked.
        for (partner, told) in [("karrio", 409), ("shiprocket", 202)] {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let booked = confirm(&rig.asha, "said-no-there", &rig.form(partner).await).await;
            let booked = item(&booked.expect(200));
            rig.set(partner, json!({"cancel_lag_ms": 90_000})).await;
            let fault = json!({"operation": "cancel", "kind": "reject", "when": "after_work"});
            rig.fault(partner, fault).await;
            cancel_it(&rig.asha, &booked["booking_id"]).await.expect(told);
            // Steps short enough that the session does not expire.
            for _ in 0..3 {
                rig.sweep_later(limits::TRACK_EVERY_MS / 2 + 60_000).await;
                rig.asha.get("/api/v1/shipping/history/").await.expect(200);
            }
            is_paid_back(&rig.app, &rig.asha, &booked["booking_id"], before).await;
        }
    });
}

#[test]
fn a_courier_that_cancels_together_with_its_customer_pays_back_once() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let form = rig.form("shiprocket").await;
        let booked = item(&confirm(&rig.asha, "at-the-same-time", &form).await.expect(200));
        // The courier cancels and calls back, and its response is lost.
        let lost = json!({"operation": "cancel", "kind": "drop", "when": "after_work"});
        rig.fault("shiprocket", lost).await;
        cancel_it(&rig.asha, &booked["booking_id"]).await.expect(202);
        until("it is cancelled", async || {
            join_all((0..2).map(|_| rig.app.round(TaskKind::Tracking))).await;
            status(&rig.asha).await == "cancelled"
        })
        .await;
        is_paid_back(&rig.app, &rig.asha, &booked["booking_id"], before).await;
        let tries = (0..4).map(|_| cancel_it(&rig.asha, &booked["booking_id"]));
        for answer in join_all(tries).await {
            answer.expect(200);
        }
        sweep_cancellations(&rig.app, limits::CANCEL_AGAIN_MS).await;
        is_paid_back(&rig.app, &rig.asha, &booked["booking_id"], before).await;
    });
}

#[test]
fn a_shipment_that_an_operator_cancels_on_its_way_is_paid_back() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let before = app.balance(&asha).await;
        let booked = confirm(&asha, "cancelled-under-way", &form(&quote(&asha).await)).await;
        let booked = item(&booked.expect(200));
        let awb = booked["airwaybilno"].as_str().unwrap().to_owned();
        for word in ["shipped", "cancelled"] {
            let line = format!("track add {awb} {word} --reason called --as ravi");
            assert_eq!(dakiya(&app, &line).code, 0, "{word}");
        }
        is_paid_back(&app, &asha, &booked["booking_id"], before).await;
    });
}

#[test]
fn the_audit_finds_a_cancelled_booking_that_was_not_paid_back() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = confirm(&asha, "cancelled-by-stealth", &form(&quote(&asha).await)).await;
        booked.expect(200);
        let change = "update bookings set status = 'cancelled'";
        app.tamper(change).await.expect("a change");
        let faults = app.app.core.store.audit(None).await.expect("an audit").faults;
        let found = |wrong: &str| faults.iter().filter(|it| it.text.ends_with(wrong)).count();
        assert_eq!(found("is cancelled, but not paid back"), 1, "{faults:?}");
        assert_eq!(found("are miscounted"), 2, "one less, one more: {faults:?}");
    });
}

#[test]
fn what_is_under_way_or_too_old_is_not_cancelled() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = confirm(&asha, "picked-up-now", &form(&quote(&asha).await)).await;
        let booked = item(&booked.expect(200));
        let awb = booked["airwaybilno"].as_str().unwrap().to_owned();
        let now_ms = app.app.core.clock.now_ms();
        let picked_up = vec![scan(ShipmentStatus::PickedUp, now_ms)];
        tracking::record(&app.app.core.store, &awb, picked_up, now_ms).await.expect("a scan");
        let charged = app.balance(&asha).await;
        let refused = cancel_it(&asha, &booked["booking_id"]).await.expect(409);
        assert_eq!(refused.json()["code"], "not_cancellable");
        assert_eq!(app.balance(&asha).await, charged);
        let form = asha
            .form(&format!("/bookings/{}/cancel", booked["booking_id"].as_str().unwrap()), &[])
            .await;
        assert_eq!(form.header("location"), "/dashboard?tab=bookings&cancelled=late");
        let page = asha.page(form.header("location")).await.expect(200);
        assert!(page.text().contains("cannot be cancelled any more"));
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_booking_that_is_cancelled_twice_is_noticed() {
    crate::faults::must_fail(
        "couriers::cancel::a_cancelled_booking_gives_everything_back_with_a_credit_note_once",
        "cancelled-twice",
    );
}

#[cfg(feature = "faults")]
#[test]
fn a_booking_whose_month_is_not_counted_again_is_noticed() {
    crate::faults::must_fail(
        "couriers::cancel::a_cancelled_booking_gives_everything_back_with_a_credit_note_once",
        "move-uncounted",
    );
}

#[cfg(feature = "faults")]
#[test]
fn a_courier_whose_cancellation_keeps_the_money_is_noticed() {
    crate::faults::must_fail(
        "couriers::cancel::\
         a_shipment_that_its_courier_cancels_is_paid_back_once_with_a_credit_note",
        "cancelled-unpaid",
    );
}
