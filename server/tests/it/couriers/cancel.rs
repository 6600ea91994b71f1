//! Cancelling before pickup: the courier is told, and everything comes back once.

use dakiya::domain::stage::Stage;
use dakiya::domain::tracking;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Rig, item, scan};
use crate::app::{Actor, Answer, TestApp, block_on};
use crate::bookings::{confirm, form, quote};

async fn cancel(actor: &Actor, id: &Value) -> Answer {
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
        cancel(&ravi, &booked["booking_id"]).await.expect(404);
        let tries = (0..20).map(|_| cancel(&asha, &booked["booking_id"]));
        for answer in join_all(tries).await {
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
        let history = asha
            .get("/api/v1/shipping/history/")
            .await
            .expect(200)
            .json();
        assert_eq!(history["results"][0]["status"], "cancelled");
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
            rig.fault(partner, json!({"operation": "cancel", "kind": "drop"}))
                .await;
            cancel(&rig.asha, &booked["booking_id"]).await.expect(502);
            assert_eq!(
                rig.app.balance(&rig.asha).await,
                charged,
                "nothing was changed"
            );
            cancel(&rig.asha, &booked["booking_id"]).await.expect(200);
            assert_eq!(rig.app.balance(&rig.asha).await, before);
            assert_eq!(rig.shipments(partner).await[0]["status"], "cancelled");
            rig.app.audit().await;
        }
    });
}

#[test]
fn what_is_under_way_or_too_old_is_not_cancelled() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = confirm(&asha, "picked-up-now", &form(&quote(&asha).await)).await;
        let booked = item(&booked.expect(200));
        let awb = booked["airwaybilno"].as_str().unwrap().to_owned();
        let now_ms = app.app.clock.now_ms();
        let picked_up = vec![scan(Stage::PickedUp, now_ms)];
        tracking::record(&app.app.store, &awb, "house", picked_up, now_ms)
            .await
            .expect("a scan");
        let charged = app.balance(&asha).await;
        let refused = cancel(&asha, &booked["booking_id"]).await.expect(409);
        assert_eq!(refused.json()["code"], "not_cancellable");
        assert_eq!(app.balance(&asha).await, charged);
        let form = asha
            .form(
                &format!(
                    "/bookings/{}/cancel",
                    booked["booking_id"].as_str().unwrap()
                ),
                &[],
            )
            .await;
        assert_eq!(
            form.header("location"),
            "/dashboard?tab=bookings&cancelled=late"
        );
        let page = asha.page(form.header("location")).await.expect(200);
        assert!(page.text().contains("cannot be cancelled any more"));
        app.audit().await;
    });
}

#[cfg(feature = "mutants")]
#[test]
fn a_booking_that_is_cancelled_twice_is_noticed() {
    crate::mutants::must_fail(
        "couriers::cancel::a_cancelled_booking_gives_everything_back_with_a_credit_note_once",
        "cancelled-twice",
    );
}
