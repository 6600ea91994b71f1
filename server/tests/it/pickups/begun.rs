//! Once the hours of our own driver's pickup have begun, a customer's cancellation is a request,
//! and an operator decides: the driver may have the parcel.

use dakiya_core::model::booking::order::courier_order::StuckOrder;
use dakiya_core::model::courier::order::Scan;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::model::task::TaskKind;
use dakiya_core::services::operators::Mode;
use dakiya_core::services::operators::orders::{self, Fate};
use dakiya_core::store;
use serde_json::{Value, json};

use super::{call_off, choices, details, plan, seen};
use crate::app::{Actor, Answer, TestApp, block_on, inbox};
use crate::bookings::{confirm, form, quote};
use crate::books::desk;
use crate::couriers::item;

/// Books a pickup by our own driver; returns the booking's id and AWB.
async fn booked(asha: &Actor, key: &str) -> (String, String) {
    let mut order = form(&quote(asha).await);
    order["pickup_required"] = json!("1");
    let booked = item(&confirm(asha, key, &order).await.expect(200));
    let text = |name: &str| booked[name].as_str().expect("a text").to_owned();
    (text("booking_id"), text("airwaybilno"))
}

/// Moves the clock to a minute after the start of the booking's pickup.
async fn begin(app: &TestApp, asha: &mut Actor, id: &str) {
    let planned = details(asha, id).await["planned_pickup"]["time"].clone();
    let from_ms = planned["from_at"].as_i64().expect("a time");
    app.app.core.clock.advance_ms(from_ms + 60_000 - app.app.core.clock.now_ms());
    asha.log_in().await;
}

async fn cancel(asha: &Actor, id: &str) -> Answer {
    asha.post(&format!("/api/v1/shipping/booking/{id}/cancel/"), json!({})).await
}

async fn status(asha: &Actor, id: &str) -> Value {
    details(asha, id).await["booking"]["status"].clone()
}

/// The orders that wait for an operator.
async fn stuck(app: &TestApp) -> Vec<StuckOrder> {
    let now_ms = app.app.core.clock.now_ms();
    orders::stuck_orders(&app.app.core.store, now_ms).await.expect("a list")
}

#[test]
fn a_cancellation_after_the_start_of_the_hours_is_a_request_that_an_operator_decides() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let before = app.balance(&asha).await;
        let (fetched, _) = booked(&asha, "fetched-by-then").await;
        let with_one = app.balance(&asha).await;
        let (waits, _) = booked(&asha, "still-with-its-sender").await;
        let with_both = app.balance(&asha).await;
        assert_eq!(details(&asha, &waits).await["cancel_by_request"], Value::Null);
        begin(&app, &mut asha, &fetched).await;

        // It is said before.
        assert_eq!(details(&asha, &fetched).await["cancel_by_request"], true);
        let page = seen(&asha, &format!("/bookings/{fetched}")).await;
        assert!(page.contains("so this is a request") && page.contains("Ask to cancel"));
        let ticked = format!("booking-{waits}");
        let asked = asha.form("/bookings", &[("do", "cancel"), (ticked.as_str(), "on")]).await;
        assert!(asked.expect(200).text().contains("so this is a request"));

        for _ in 0..2 {
            let told = cancel(&asha, &fetched).await.expect(202);
            assert!(told.text().contains("Your cancellation is a request"), "{}", told.text());
        }
        let told = asha.form("/bookings", &[("do", "cancel-now"), (ticked.as_str(), "on")]).await;
        assert!(told.expect(200).text().contains("Requested: our driver may have fetched it"));
        let form = asha.form(&format!("/bookings/{fetched}/cancel"), &[]).await;
        assert!(form.header("location").ends_with("cancelled=requested"));
        let page = seen(&asha, form.header("location")).await;
        assert!(page.contains("Your cancellation is a request"));

        app.round(TaskKind::Notices).await;
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_told = |text: &str| words(text).contains("Your cancellation is a request");
        assert_eq!(inbox(&app.app).iter().filter(|it| is_told(&it.text)).count(), 2);

        // No task ends it, not even one that is tried again.
        let (id, now_ms) = (fetched.clone(), app.app.core.clock.now_ms());
        let retried = app.app.core.store.write(move |conn| {
            Box::pin(
                async move { store::tasks::retry(conn, TaskKind::Cancellation, &id, now_ms).await },
            )
        });
        assert!(retried.await.expect("an answer"));
        app.round(TaskKind::Cancellation).await;
        assert_eq!(app.balance(&asha).await, with_both);
        for id in [&fetched, &waits] {
            assert_eq!(status(&asha, id).await, "cancelling");
        }
        let listed = stuck(&app).await;
        let codes: Vec<&str> = listed.iter().map(|order| order.last_error.as_str()).collect();
        assert_eq!(codes, ["pickup_begun", "pickup_begun"]);

        for (id, fate) in [(&fetched, Fate::NotCancelled), (&waits, Fate::Cancelled)] {
            let desk = desk(&app, Mode::default());
            desk.resolve(id, fate, "asked the driver").await.expect("decided");
        }
        assert_eq!(status(&asha, &fetched).await, "booked");
        assert_eq!(status(&asha, &waits).await, "cancelled");
        assert_eq!(app.balance(&asha).await, with_one);
        assert!(with_one < before && stuck(&app).await.is_empty());
        app.audit().await;
    });
}

#[test]
fn a_pickup_moved_or_called_off_after_its_start_makes_no_cancellation_free() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let (moved, _) = booked(&asha, "moved-after-its-start").await;
        let (off, _) = booked(&asha, "called-off-after-its-start").await;
        let (missed, _) = booked(&asha, "missed-and-planned-again").await;
        begin(&app, &mut asha, &moved).await;
        let charged = app.balance(&asha).await;
        let last = choices(&asha, &moved).await.pop().expect("a time");
        plan(&asha, &moved, &last).await.expect(200);
        call_off(&asha, &off).await.expect(200);
        for id in [&moved, &off] {
            cancel(&asha, id).await.expect(202);
        }
        // Its time is over, and the customer plans another.
        app.app.core.clock.advance_ms(8 * dakiya_core::limits::HOUR_MS);
        asha.log_in().await;
        let last = choices(&asha, &missed).await.pop().expect("a time");
        plan(&asha, &missed, &last).await.expect(200);
        cancel(&asha, &missed).await.expect(202);
        assert_eq!(app.balance(&asha).await, charged);
        // One whose driver comes later is cancelled at once.
        let (later, _) = booked(&asha, "fetched-another-day").await;
        cancel(&asha, &later).await.expect(200);
        assert_eq!(app.balance(&asha).await, charged);
        app.audit().await;
    });
}

#[test]
fn a_report_that_it_is_cancelled_ends_the_request_too() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let before = app.balance(&asha).await;
        let (id, awb) = booked(&asha, "never-picked-up").await;
        begin(&app, &mut asha, &id).await;
        cancel(&asha, &id).await.expect(202);
        assert_eq!(stuck(&app).await.len(), 1);
        let happened_ms = app.app.core.clock.now_ms();
        let stage = Some(ShipmentStatus::Cancelled);
        let scan = Scan { stage, happened_ms, ..Scan::default() };
        desk(&app, Mode::default()).track(&awb, scan, "not picked up").await.expect("reported");
        assert_eq!(status(&asha, &id).await, "cancelled");
        assert!(stuck(&app).await.is_empty());
        assert_eq!(app.balance(&asha).await, before);
        app.audit().await;
    });
}

#[test]
fn a_parcel_that_the_driver_has_ends_the_request_and_its_customer_is_told() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let (id, awb) = booked(&asha, "with-the-driver").await;
        begin(&app, &mut asha, &id).await;
        let charged = app.balance(&asha).await;
        cancel(&asha, &id).await.expect(202);
        let happened_ms = app.app.core.clock.now_ms();
        let stage = Some(ShipmentStatus::PickedUp);
        let scan = Scan { stage, happened_ms, ..Scan::default() };
        desk(&app, Mode::default()).track(&awb, scan, "the driver").await.expect("reported");
        assert_eq!(status(&asha, &id).await, "shipped");
        assert!(stuck(&app).await.is_empty());
        assert_eq!(app.balance(&asha).await, charged);
        cancel(&asha, &id).await.expect(409);
        app.round(TaskKind::Notices).await;
        let told =
            inbox(&app.app).into_iter().filter(|it| it.text.contains("nothing is given back"));
        assert_eq!(told.count(), 1);
        app.audit().await;
    });
}
