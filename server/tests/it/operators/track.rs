//! Reports of shipments that operators enter.

use dakiya::limits;
use dakiya::model::courier::order::Scan;
use dakiya::model::shipping::status::ShipmentStatus;
use dakiya::services::operators::Mode;
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
