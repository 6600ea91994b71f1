//! Reports of shipments that operators enter.

use dakiya::limits;
use dakiya::model::courier::order::Scan;
use dakiya::model::shipping::status::ShipmentStatus;
use dakiya::services::operators::{Mode, shipments};
use serde_json::{Value, json};

use crate::app::{Actor, TestApp, block_on};
use crate::books::desk;
use crate::documents::{Booked, book};

const WHY: &str = "the hub called";

/// Enters a report of a moment (UTC milliseconds). Returns the outcome.
async fn report(app: &TestApp, awb: &str, stage: ShipmentStatus, happened_ms: i64) -> String {
    let scan = Scan { stage: Some(stage), happened_ms, ..Scan::default() };
    let done = desk(app, Mode::default()).track(awb, scan, WHY).await;
    done.expect("reported").outcome
}

async fn status(asha: &Actor, booked: &Booked) -> Value {
    let path = format!("/api/v1/shipping/booking/{}", booked.id);
    asha.get(&path).await.expect(200).json()["status"].clone()
}

/// The open findings, each with its kind and detail.
async fn found(app: &TestApp) -> Vec<(&'static str, String)> {
    let open = shipments::findings(&app.app.core.store).await.expect("findings");
    open.into_iter().map(|it| (it.kind.word(), it.detail)).collect()
}

#[test]
fn a_report_that_a_cancelled_parcel_moved_is_kept_with_a_warning_and_opens_a_row() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let before = app.balance(&asha).await;
        let booked = book(&asha, &json!({})).await;
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        asha.post(&cancel, json!({})).await.expect(200);
        let now_ms = app.app.core.clock.now_ms();
        // Fetched before it was cancelled, and entered after that; told twice.
        let (fetched_ms, warned) = (now_ms - limits::HOUR_MS, "is carried all the same");
        for _ in 0..2 {
            let told = report(&app, &booked.awb, ShipmentStatus::PickedUp, fetched_ms).await;
            assert!(told.contains(warned), "{told}");
            assert_eq!(found(&app).await, [("moved_cancelled", "shipped".to_owned())]);
        }
        let told = report(&app, &booked.awb, ShipmentStatus::Delivered, now_ms).await;
        assert!(told.contains(warned), "{told}");
        assert_eq!(found(&app).await, [("moved_cancelled", "delivered".to_owned())]);
        assert_eq!(status(&asha, &booked).await, "cancelled");
        assert_eq!(app.balance(&asha).await, before);
        app.audit().await;
    });
}

#[test]
fn a_report_of_the_future_does_not_stop_later_ones() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let now_ms = || app.app.core.clock.now_ms();
        let far_ms = now_ms() + 300 * limits::DAY_MS;
        let at_most_ms = now_ms() + limits::SCAN_AHEAD_MS + 60_000;
        for _ in 0..2 {
            report(&app, &booked.awb, ShipmentStatus::InTransit, far_ms).await;
        }
        assert_eq!(status(&asha, &booked).await, "in_transit");
        let path = format!("/api/v1/shipping/track/{}", booked.awb);
        let told = app.anon().get(&path).await.expect(200).json();
        let events = told["data"].as_array().expect("events");
        assert_eq!(events.len(), 2, "reported twice, listed once: {told}");
        let date = events[0]["date"].as_i64().expect("a time");
        assert!(date <= at_most_ms, "{told}");

        app.app.core.clock.advance_ms(2 * limits::SCAN_AHEAD_MS);
        report(&app, &booked.awb, ShipmentStatus::Delivered, now_ms()).await;
        let told = app.anon().get(&path).await.expect(200).json();
        assert_eq!(told["shipment"]["status"], "delivered", "{told}");
    });
}
