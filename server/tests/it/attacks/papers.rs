//! Documents: a slow courier, a flood of downloads and labels of a thousand pages delay only their
//! own requests.

use std::time::Duration;

use dakiya_core::limits::CUSTOMER_PAPERS;
use futures_util::future::join_all;
use serde_json::json;

use crate::app::{TestApp, block_on};
use crate::couriers::{Rig, item};
use crate::faults::runs;
use crate::patience::until;
use crate::{bookings, documents, rates};

#[test]
fn sixteen_labels_of_a_silent_courier_keep_nobody_else_waiting() {
    block_on(async {
        let rig = Rig::start().await;
        let form = rig.form("shiprocket").await;
        let booked = bookings::confirm(&rig.asha, "a-label-please", &form).await;
        let id = item(&booked.expect(200))["booking_id"].clone();
        let path = format!("/bookings/{}/label.pdf", id.as_str().expect("an id"));
        let silent = json!({"operation": "label", "kind": "hang", "delay_ms": 60_000, "times": 99});
        rig.fault("shiprocket", silent).await;
        let (asha, label) = (rig.asha.clone(), path.clone());
        let downloads = tokio::spawn(async move {
            let ask = || async { asha.get(&label).await.status.as_u16() };
            join_all((0..16).map(|_| ask())).await
        });
        until("the courier is asked", async || rig.asked("shiprocket", "label").await > 0).await;
        let ravi = rig.app.user("ravi").await;
        for _ in 0..5 {
            rig.app.anon().get("/healthz").await.expect(200);
            ravi.get("/api/v1/wallet/balance/").await.expect(200);
            bookings::quote(&ravi).await;
        }
        assert!(!downloads.is_finished(), "the courier is silent");
        downloads.abort();
    });
}

#[test]
fn a_couriers_label_is_fetched_once_however_many_ask_for_it() {
    block_on(async {
        let rig = Rig::start().await;
        for partner in ["karrio", "shiprocket"] {
            let form = rig.form(partner).await;
            let key = format!("labels-of-{partner}");
            let booked = bookings::confirm(&rig.asha, &key, &form).await.expect(200);
            let id = item(&booked)["booking_id"].clone();
            let path = format!("/bookings/{}/label.pdf", id.as_str().expect("an id"));
            let slow = json!({"operation": "label", "kind": "slow", "delay_ms": 500});
            rig.fault(partner, slow).await;
            let ask = || async { rig.asha.get(&path).await.expect(200).body };
            let labels = join_all((0..8).map(|_| ask())).await;
            assert!(labels.iter().all(|label| label.starts_with(b"%PDF-")));
            assert_eq!(ask().await, labels[0]);
            assert_eq!(rig.asked(partner, "label").await, 1, "{partner}");
        }
    });
}

#[test]
fn a_flood_of_long_labels_waits_behind_a_single_one_of_somebody_else() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(200_000).await;
        let ravi = app.user("ravi").await;
        app.recharge(&ravi, 1_000).await;
        let (done, told) = rates::cards::import(&app, documents::ROAD_FREIGHT);
        assert!(done, "{told}");
        let long = documents::book_pieces(&asha, runs(60, 999)).await;
        let short = documents::book(&ravi, &json!({})).await;
        let flood = tokio::spawn(async move {
            let ask = || async { asha.page(&long.label).await.status.as_u16() };
            join_all((0..40).map(|_| ask())).await
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
        ravi.page(&short.label).await.expect(200);
        assert!(!flood.is_finished(), "the flood went first");
        let answers = flood.await.expect("answers");
        assert!(answers.contains(&200) && answers.contains(&429), "{answers:?}");
        // On a busy machine some requests reach the timeout.
        let known = |status: &u16| [200, 429, 503].contains(status);
        assert!(answers.iter().all(known), "{answers:?}");
    });
}

#[test]
fn who_downloads_without_end_is_asked_to_slow_down() {
    block_on(async {
        let app = TestApp::start_with(&[("DAKIYA_LIMIT_CLIENTS", "1")]).await;
        let asha = app.user("asha").await;
        // Requests for missing documents count, too.
        let ask = async || asha.page("/bookings/none/invoice.pdf").await;
        let mut refused = ask().await;
        for _ in 0..2 * CUSTOMER_PAPERS.at_once {
            if refused.status == 429 {
                break;
            }
            refused = ask().await;
        }
        let refused = refused.expect(429);
        assert!(refused.text().contains("Too many downloads"));
        assert!(!refused.header("retry-after").is_empty());
    });
}
