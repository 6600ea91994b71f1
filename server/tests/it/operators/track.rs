//! Reports of shipments that operators enter.

use dakiya_core::error::Result;
use dakiya_core::limits;
use dakiya_core::model::courier::order::Scan;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::operator::ActResult;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::model::task::TaskKind;
use dakiya_core::services::operators::money::Adjustment;
use dakiya_core::services::operators::orders::ChargedAgain;
use dakiya_core::services::operators::{Mode, shipments};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::app::{Actor, TestApp, block_on, inbox};
use crate::books::{accounts, desk, faults};
#[cfg(feature = "faults")]
use crate::databases::texts_in;
use crate::documents::{Booked, book};
#[cfg(feature = "faults")]
use crate::operators::dakiya_with;

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
async fn found(app: &TestApp) -> Vec<(String, String)> {
    let open = shipments::findings(&app.app.core.store).await.expect("findings");
    open.into_iter().map(|it| (it.kind, it.detail)).collect()
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
            assert_eq!(found(&app).await, [("moved_cancelled".to_owned(), "shipped".to_owned())]);
        }
        let told = report(&app, &booked.awb, ShipmentStatus::Delivered, now_ms).await;
        assert!(told.contains(warned), "{told}");
        assert_eq!(found(&app).await, [("moved_cancelled".to_owned(), "delivered".to_owned())]);
        assert_eq!(status(&asha, &booked).await, "cancelled");
        assert_eq!(app.balance(&asha).await, before);
        app.audit().await;
    });
}

#[test]
fn a_parcel_carried_though_cancelled_is_charged_again_once_and_the_rest_is_owed() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let booked = book(&asha, &json!({})).await;
        let price = Paise::rupees(500).minus(app.balance(&asha).await);
        let again = async || desk(&app, Mode::default()).charge_again(&booked.awb, WHY).await;
        let code = |done: Result<ActResult<ChargedAgain>>| done.expect_err("refused").code();
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        asha.post(&cancel, json!({})).await.expect(200);
        assert_eq!(code(again().await), "not_carried");
        let now_ms = app.app.core.clock.now_ms();
        report(&app, &booked.awb, ShipmentStatus::PickedUp, now_ms).await;
        let spent = desk(&app, Mode::default());
        let spent = spent.adjust(&asha.username, Paise::rupees(-450), Adjustment::Correction, WHY);
        spent.await.expect("spent");
        let before = accounts(&app).await;

        let owed = price.minus(Paise::rupees(50));
        let (done, refused): (Vec<_>, Vec<_>) =
            join_all((0..8).map(|_| again())).await.into_iter().partition(Result::is_ok);
        assert!(refused.into_iter().all(|other| code(other) == "nothing_to_do"));
        let [Ok(done)] = &done[..] else { panic!("charged {} times", done.len()) };
        let done = &done.result;
        assert_eq!((done.amount, done.owed), (price, owed));
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        let earned = ["revenue", "gst_payable", "courier_payable"];
        let after = accounts(&app).await;
        let earned: i64 = earned.iter().map(|name| after[*name] - before[*name]).sum();
        assert_eq!(Paise::new(earned), price);
        let page = asha.page(&format!("/bookings/{}", booked.id)).await.expect(200);
        let note = format!("/bookings/{}/debit-note.pdf", booked.id);
        let sentence = "carried all the same: its price was charged again";
        assert!(page.text().contains(sentence) && page.text().contains(&note), "{}", page.text());
        assert!(asha.get(&note).await.expect(200).body.starts_with(b"%PDF"));
        app.round(TaskKind::Notices).await;
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let told = inbox(&app.app).into_iter();
        let told = told.filter(|it| words(&it.text).contains("was carried all the same"));
        assert_eq!(told.count(), 1);

        assert_eq!(code(again().await), "nothing_to_do");
        assert_eq!(accounts(&app).await, after);
        app.recharge(&asha, 500).await;
        assert_eq!(app.balance(&asha).await, Paise::rupees(500).minus(owed));
        app.audit().await;
        app.tamper("update bookings set status = 'booked'").await.expect("changed");
        let unfit = format!("charge carried:{} is of no cancelled booking", booked.id);
        let found = faults(&app).await;
        assert!(found.iter().any(|it| it.starts_with(&unfit)), "{found:?}");
    });
}

#[test]
fn a_parcel_charged_again_costs_what_its_cancellation_gave_back_after_a_part_refund() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        // The GST on the rest of the price is a paisa or two more or less than the rest of its GST.
        for early in [400, 700, 1_500] {
            let booked = book(&asha, &json!({})).await;
            let operator = desk(&app, Mode::default());
            operator.lower_price(&booked.awb, Paise::new(early), WHY).await.expect("lowered");
            let before = app.balance(&asha).await;
            let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
            asha.post(&cancel, json!({})).await.expect(200);
            let given_back = app.balance(&asha).await.minus(before);
            let now_ms = app.app.core.clock.now_ms();
            report(&app, &booked.awb, ShipmentStatus::PickedUp, now_ms).await;
            let again = desk(&app, Mode::default()).charge_again(&booked.awb, WHY).await;
            assert_eq!(again.expect("charged").result.amount, given_back, "{early}");
            assert_eq!(app.balance(&asha).await, before, "{early}");
        }
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

#[cfg(feature = "faults")]
#[test]
fn a_command_on_a_machine_whose_clock_is_wrong_takes_the_time_of_the_servers() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let wrong = |days: i64| (days * limits::DAY_MS).to_string();
        for (days, status, count) in [(-20, "shipped", 2), (20, "in_transit", 3)] {
            let line = format!("track add {} {status} --reason called --as ravi", booked.awb);
            let wrong = wrong(days);
            let done = dakiya_with(&app, &line, &[("DAKIYA_CLOCK_WRONG_MS", &*wrong)]);
            assert_eq!(done.code, 0, "{done:?}");
            let path = format!("/api/v1/shipping/track/{}", booked.awb);
            let told = app.anon().get(&path).await.expect(200).json();
            let events = told["data"].as_array().expect("events");
            let now_ms = app.app.core.clock.now_ms();
            let is_right = |event: &Value| {
                let date = event["date"].as_i64().expect("a time");
                (date - now_ms).abs() < limits::DAY_MS
            };
            assert!(events.len() == count && events.iter().all(is_right), "{days}: {told}");
        }
        for days in [0, 20] {
            let wrong = wrong(days);
            dakiya_with(&app, "pickups --as ravi", &[("DAKIYA_CLOCK_WRONG_MS", &*wrong)]);
        }
        let days = "select arguments from operator_actions where command = 'pickups'";
        let days = texts_in(&app.app.web.config.database_url, days).await;
        assert!(days.len() == 2 && days[0] == days[1], "{days:?}");
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_test_of_a_commands_clock_fails_when_it_is_not_corrected() {
    let test = "operators::track::\
        a_command_on_a_machine_whose_clock_is_wrong_takes_the_time_of_the_servers";
    crate::faults::must_fail(test, "clock-uncorrected");
}
