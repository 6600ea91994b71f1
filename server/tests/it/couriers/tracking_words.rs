//! Couriers' words about losses, returns, deliveries that did not happen, and times that nobody
//! told: each is seen, and none moves money by itself.

use dakiya_core::limits::{self, DAY_MS};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::model::task::TaskKind;
use dakiya_core::services::bookings::tracking;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Rig, item, scan};
use crate::app::{TestApp, block_on, inbox};
use crate::bookings::{confirm, form, quote};
use crate::books::text;
use crate::operators::dakiya;

/// A booking with a partner, and the balance before it.
struct Parcel {
    rig: Rig,
    partner: &'static str,
    awb: String,
    id: String,
    before: Paise,
}

impl Parcel {
    async fn booked(partner: &'static str) -> Parcel {
        let rig = Rig::start_quiet().await;
        let before = rig.app.balance(&rig.asha).await;
        let booked = confirm(&rig.asha, "to-be-lost", &rig.form(partner).await).await;
        let booked = item(&booked.expect(200));
        let text = |name: &str| booked[name].as_str().expect("a text").to_owned();
        let (awb, id) = (text("airwaybilno"), text("booking_id"));
        Parcel { rig, partner, awb, id, before }
    }

    /// The courier reports these one after the other, a minute apart, and is asked once.
    async fn reports(&self, scans: &[Value]) {
        for scan in scans {
            self.pass(60_000).await;
            let path = format!("{}/shipments/{}/scan", self.partner, self.awb);
            self.rig.sim(Method::POST, &path, scan.clone()).await;
        }
        self.asked().await;
    }

    /// Asks the courier when the next time has come.
    async fn asked(&self) {
        for _ in 0..2 {
            self.pass(limits::TRACK_EVERY_MS / 2 + 60_000).await;
        }
        self.rig.app.round(TaskKind::Tracking).await;
    }

    /// Moves both clocks, by less than a session lasts.
    async fn pass(&self, ms: i64) {
        self.rig.sim(Method::POST, "clock", json!({"advance_ms": ms})).await;
        self.rig.app.app.core.clock.advance_ms(ms);
        self.status().await;
    }

    async fn status(&self) -> String {
        let history = self.rig.asha.get("/api/v1/shipping/history/").await.expect(200).json();
        history["results"][0]["status"].as_str().expect("a status").to_owned()
    }

    /// The events that everybody sees, newest first.
    async fn events(&self) -> Vec<Value> {
        let path = format!("/api/v1/shipping/track/{}/", self.awb);
        let tracked = self.rig.app.anon().get(&path).await.expect(200).json();
        tracked["data"].as_array().expect("events").clone()
    }

    async fn labels(&self) -> Vec<String> {
        let label = |event: Value| event["status"].as_str().expect("a label").to_owned();
        self.events().await.into_iter().map(label).collect()
    }

    /// The open findings, each with its kind and detail.
    fn findings(&self) -> Vec<(String, String)> {
        let listed = dakiya(&self.rig.app, "track list --json").json();
        let text = |row: &Value, name: &str| row[name].as_str().expect("a text").to_owned();
        let rows = listed.as_array().expect("findings").iter();
        rows.map(|row| (text(row, "kind"), text(row, "detail"))).collect()
    }

    async fn is_paid_back(&self) -> bool {
        self.rig.app.audit().await;
        self.rig.app.balance(&self.rig.asha).await == self.before
    }

    async fn subjects(&self) -> Vec<String> {
        self.rig.app.round(TaskKind::Notices).await;
        let mut kept = inbox(&self.rig.app.app);
        kept.reverse();
        kept.into_iter().map(|letter| letter.subject).collect()
    }
}

fn found(kind: &str, detail: &str) -> (String, String) {
    (kind.to_owned(), detail.to_owned())
}

#[test]
fn a_lost_parcel_is_told_to_its_customer_and_to_operators_and_moves_no_money() {
    block_on(async {
        for (partner, moved, lost, label) in [
            ("shiprocket", "PICKED UP", json!({"status": "LOST"}), "Lost"),
            (
                "karrio",
                "picked_up",
                json!({"status": "on_hold", "reason": "carrier_damaged_parcel"}),
                "Damaged",
            ),
        ] {
            let parcel = Parcel::booked(partner).await;
            parcel.reports(&[json!({"status": moved}), lost]).await;
            assert_eq!(parcel.status().await, "exception", "{partner}");
            assert_eq!(parcel.labels().await[0], label);
            let detail = label.to_lowercase();
            assert_eq!(parcel.findings(), [found("exception", &detail)]);
            let told = parcel.subjects().await;
            assert_eq!(told.last(), Some(&format!("{}: {label}", parcel.awb)));
            let letter = inbox(&parcel.rig.app.app).remove(0);
            assert!(letter.text.contains("/help") && letter.text.contains("claim"), "{letter:?}");
            let anon = parcel.rig.app.anon();
            let page = anon.get(&format!("/track/{}", parcel.awb)).await.expect(200);
            assert!(page.text().contains("lost, damaged or destroyed"), "{partner}");
            let page = parcel.rig.asha.get(&format!("/bookings/{}", parcel.id)).await.expect(200);
            assert!(page.text().contains("lost, damaged or destroyed"), "{partner}");
            // Told again it is the same finding, and no letter more.
            parcel.asked().await;
            assert_eq!(parcel.findings().len(), 1);
            assert_eq!(parcel.subjects().await.len(), told.len());
            assert!(!parcel.is_paid_back().await, "an operator decides");
        }
    });
}

#[test]
fn a_cancellation_after_a_loss_or_a_movement_refunds_nothing_by_itself() {
    block_on(async {
        for (words, stands, findings) in [
            (["PICKED UP", "LOST", "CANCELLED"], "exception", &["cancelled_late", "exception"][..]),
            (["CANCELLED", "PICKED UP", "IN TRANSIT"], "in_transit", &[]),
            (["CANCELLED", "PICKED UP", "CANCELLED"], "shipped", &["cancelled_late"]),
            (["PICKED UP", "IN TRANSIT", "CANCELLED"], "in_transit", &["cancelled_late"]),
        ] {
            let parcel = Parcel::booked("shiprocket").await;
            parcel.reports(&words.map(|word| json!({"status": word}))).await;
            assert_eq!(parcel.status().await, stands, "{words:?}");
            assert!(!parcel.is_paid_back().await, "{words:?}");
            let mut kinds: Vec<String> = parcel.findings().into_iter().map(|it| it.0).collect();
            kinds.sort();
            assert_eq!(kinds, findings, "{words:?}");
            parcel.asked().await;
            assert_eq!(parcel.findings().len(), findings.len(), "told again: {words:?}");
            assert!(!parcel.is_paid_back().await, "{words:?}");
        }
    });
}

#[test]
fn an_operators_word_pays_a_lost_parcel_back_once_and_a_finding_is_settled_once() {
    block_on(async {
        let parcel = Parcel::booked("shiprocket").await;
        parcel.reports(&[json!({"status": "PICKED UP"})]).await;
        parcel.reports(&[json!({"status": "LOST"})]).await;
        let app = &parcel.rig.app;
        let listed = dakiya(app, "track list --json").json();
        let finding = listed[0]["finding"].as_str().expect("an id").to_owned();
        assert_eq!(listed[0]["awb"], parcel.awb);
        let settle = format!("track settle {finding} --reason claimed --as ravi");
        let dry = dakiya(app, &format!("{settle} --dry-run"));
        assert_eq!((dry.code, parcel.findings().len()), (0, 1));
        assert_eq!(dakiya(app, &settle).code, 0);
        assert!(parcel.findings().is_empty());
        dakiya(app, &settle).refused("no such open finding");
        assert!(!parcel.is_paid_back().await, "settling moves no money");
        parcel.pass(60_000).await;
        let cancel = format!("track add {} cancelled --reason lost --as ravi", parcel.awb);
        assert_eq!(dakiya(app, &cancel).code, 0);
        assert_eq!(parcel.status().await, "cancelled");
        assert!(parcel.is_paid_back().await);
        parcel.reports(&[json!({"status": "CANCELLED"})]).await;
        assert!(parcel.is_paid_back().await, "once");
    });
}

#[test]
fn an_operators_other_word_does_not_confirm_a_couriers_cancellation() {
    block_on(async {
        let parcel = Parcel::booked("shiprocket").await;
        let words = ["PICKED UP", "LOST", "CANCELLED"];
        parcel.reports(&words.map(|word| json!({"status": word}))).await;
        let seen = "in_transit --when 2020-01-01~10:00 --reason slip --as ravi";
        assert_eq!(dakiya(&parcel.rig.app, &format!("track add {} {seen}", parcel.awb)).code, 0);
        assert_eq!(parcel.status().await, "exception");
        assert!(!parcel.is_paid_back().await, "nobody has decided to pay it back");
    });
}

#[test]
fn a_parcel_that_its_courier_agreed_to_cancel_and_carries_is_found() {
    block_on(async {
        for (partner, word) in [("shiprocket", "PICKED UP"), ("karrio", "picked_up")] {
            let parcel = Parcel::booked(partner).await;
            let path = format!("/api/v1/shipping/booking/{}/cancel/", parcel.id);
            parcel.rig.asha.post(&path, json!({})).await.expect(200);
            assert!(parcel.is_paid_back().await, "{partner}");
            parcel.asked().await;
            assert!(parcel.findings().is_empty(), "{partner}");
            for _ in 0..24 {
                parcel.pass(limits::TRACK_EVERY_MS / 2).await;
            }
            parcel.reports(&[json!({"status": word})]).await;
            assert_eq!(parcel.findings(), [found("moved_cancelled", "shipped")], "{partner}");
            assert_eq!(parcel.status().await, "cancelled", "{partner}");
            assert!(parcel.is_paid_back().await, "{partner}: nothing moves by itself");
        }
    });
}

#[test]
fn a_return_ends_with_its_sender() {
    block_on(async {
        for (partner, words) in [
            ("karrio", ["picked_up", "return_to_sender", "in_transit", "delivered"]),
            ("shiprocket", ["PICKED UP", "RTO INITIATED", "RTO IN TRANSIT", "RTO DELIVERED"]),
        ] {
            let parcel = Parcel::booked(partner).await;
            for (word, stands) in
                words.into_iter().zip(["shipped", "returning", "returning", "returned"])
            {
                parcel.reports(&[json!({"status": word})]).await;
                assert_eq!(parcel.status().await, stands, "{partner} {word}");
            }
            assert!(!parcel.is_paid_back().await);
        }
    });
}

#[test]
fn a_delivery_that_its_courier_takes_back_is_seen_told_and_listed() {
    block_on(async {
        for (partner, words) in [
            ("karrio", ["picked_up", "delivered", "return_to_sender"]),
            ("shiprocket", ["PICKED UP", "DELIVERED", "RTO INITIATED"]),
        ] {
            let parcel = Parcel::booked(partner).await;
            parcel.reports(&[json!({"status": words[0]})]).await;
            parcel.reports(&[json!({"status": words[1]})]).await;
            assert_eq!(parcel.status().await, "delivered");
            parcel.subjects().await;
            let path = format!("{partner}/shipments/{}/scan", parcel.awb);
            parcel.pass(60_000).await;
            parcel.rig.sim(Method::POST, &path, json!({"status": words[2]})).await;
            // A shipment that has arrived is asked for less often.
            parcel.asked().await;
            assert_eq!(parcel.status().await, "delivered");
            let step_ms = 15 * 60_000;
            for _ in 0..limits::TRACK_ARRIVED_EVERY_MS / step_ms {
                parcel.pass(step_ms).await;
            }
            parcel.rig.app.round(TaskKind::Tracking).await;
            assert_eq!(parcel.status().await, "returning", "{partner}");
            let told = parcel.subjects().await;
            let correction = format!("{}: It was not delivered after all", parcel.awb);
            assert!(told.contains(&correction), "{told:?}");
            assert_eq!(parcel.findings(), [found("delivery_withdrawn", "returning")]);
            assert!(!parcel.is_paid_back().await);
            // The courier carried it there: its cancellation after that is for an operator.
            if partner == "karrio" {
                continue;
            }
            parcel.reports(&[json!({"status": "CANCELLED"})]).await;
            assert_eq!(parcel.status().await, "returning", "{partner}");
            assert!(parcel.findings().contains(&found("cancelled_late", "returning")));
            assert!(!parcel.is_paid_back().await, "{partner}");
        }
    });
}

#[test]
fn a_report_stands_where_its_courier_puts_it_and_shows_only_the_time_that_was_told() {
    block_on(async {
        for (partner, words) in [
            ("karrio", ["picked_up", "in_transit", "delivered"]),
            ("shiprocket", ["PICKED UP", "IN TRANSIT", "DELIVERED"]),
        ] {
            let parcel = Parcel::booked(partner).await;
            let scans = [
                json!({"status": words[0]}),
                json!({"status": words[1], "told": "day"}),
                json!({"status": words[2], "told": "nothing"}),
            ];
            parcel.reports(&scans).await;
            assert_eq!(parcel.status().await, "delivered", "{partner}");
            let labels = ["Delivered", "In transit", "Picked up"];
            let events = parcel.events().await;
            let shown: Vec<&Value> = events.iter().take(3).map(|event| &event["status"]).collect();
            assert_eq!(shown, labels, "{partner}: {events:?}");
            let days: Vec<bool> = events.iter().map(|it| it["day_only"] == true).collect();
            assert_eq!(days[..3], [true, true, false], "{partner}");
        }
    });
}

#[test]
fn a_status_without_events_counts() {
    block_on(async {
        for (partner, word) in [("karrio", "delivered"), ("shiprocket", "DELIVERED")] {
            let parcel = Parcel::booked(partner).await;
            parcel.rig.set(partner, json!({"hides_events": true})).await;
            parcel.reports(&[json!({"status": word})]).await;
            assert_eq!(parcel.status().await, "delivered", "{partner}");
            parcel.asked().await;
            let count = parcel.labels().await.iter().filter(|it| *it == "Delivered").count();
            assert_eq!(count, 1, "{partner}");
        }
    });
}

#[test]
fn an_unknown_word_is_one_row_however_often_it_is_told() {
    block_on(async {
        for (partner, word, detail) in [
            ("karrio", json!({"status": "beamed_up"}), "beamed_up"),
            ("karrio", json!({"status": "in_transit", "code": "Q7"}), "fedex Q7"),
            ("shiprocket", json!({"status": "BEAMED\u{7} UP"}), "BEAMED UP"),
        ] {
            let parcel = Parcel::booked(partner).await;
            parcel.reports(std::slice::from_ref(&word)).await;
            let findings = parcel.findings();
            assert_eq!(findings.len(), 1, "{partner}");
            assert_eq!(findings[0].0, "unknown_word");
            let (carrier, code) = detail.split_once(' ').unwrap_or(("", detail));
            let is_it = findings[0].1 == detail
                || (carrier == "fedex" && findings[0].1.ends_with(&format!(" {code}")));
            assert!(is_it, "{findings:?}");
            parcel.asked().await;
            parcel.reports(&[word]).await;
            let listed = dakiya(&parcel.rig.app, "track list --json").json();
            assert_eq!([&listed[0]["reports"], &listed[1]], [&json!(2), &Value::Null]);
            assert_eq!(listed[0]["awb"], parcel.awb);
        }
    });
}

#[test]
fn a_courier_with_countless_words_fills_no_list() {
    block_on(async {
        let parcel = Parcel::booked("shiprocket").await;
        let store = &parcel.rig.app.app.core.store;
        let now_ms = parcel.rig.app.app.core.clock.now_ms();
        let word = |at: i64| dakiya_core::model::courier::order::Scan {
            stage: None,
            unknown_word: format!("WORD {at}"),
            ..scan(ShipmentStatus::Booked, now_ms + at)
        };
        let scans = (0..limits::UNKNOWN_WORDS_MAX + 50).map(word).collect();
        tracking::record(store, &parcel.awb, scans, now_ms).await.expect("reports");
        let rows = text(&parcel.rig.app, "select cast(count(*) as text) from tracking_findings");
        let rows: i64 = rows.await.parse().expect("a number");
        assert!(rows <= limits::UNKNOWN_WORDS_MAX, "{rows}");
        assert!(parcel.events().await.len() <= limits::TRACK_EVENTS_MAX);
    });
}

#[test]
fn a_parcel_that_never_arrives_is_not_forgotten() {
    block_on(async {
        let parcel = Parcel::booked("shiprocket").await;
        parcel.reports(&[json!({"status": "IN TRANSIT"})]).await;
        let rig = &parcel.rig;
        rig.sim(Method::POST, "clock", json!({"advance_ms": limits::TRACK_MS_MAX})).await;
        rig.app.app.core.clock.advance_ms(limits::TRACK_MS_MAX + DAY_MS);
        rig.app.round(TaskKind::Tracking).await;
        assert_eq!(parcel.findings(), [found("not_arrived", "in_transit")]);
        let events = parcel.events().await;
        let said = "The courier does not say any more where it is. Please write to us.";
        assert_eq!(events[0]["remarks"], said);
        let anon = rig.app.anon();
        let page = anon.get(&format!("/track/{}", parcel.awb)).await.expect(200);
        assert!(page.text().contains(said));
        let events = parcel.events().await.len();
        rig.app.app.core.clock.advance_ms(DAY_MS);
        rig.app.round(TaskKind::Tracking).await;
        assert_eq!(parcel.events().await.len(), events, "once");
    });
}

#[test]
fn our_own_courier_reports_a_loss_at_the_terminal() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = confirm(&asha, "lost-by-ourselves", &form(&quote(&asha).await)).await;
        let awb = item(&booked.expect(200))["airwaybilno"].as_str().unwrap().to_owned();
        let line = format!("track add {awb} damaged --reason called --as ravi --json");
        let told = dakiya(&app, &line).json();
        assert_eq!([&told["status"], &told["awb"]], [&json!("exception"), &json!(awb)]);
        let listed = dakiya(&app, "track list --json").json();
        assert_eq!([&listed[0]["kind"], &listed[0]["detail"]], ["exception", "damaged"]);
    });
}

#[test]
fn a_scan_abroad_is_of_the_clocks_there_and_stays_in_its_place() {
    block_on(async {
        let parcel = Parcel::booked("karrio").await;
        let scans = [
            json!({"status": "picked_up", "location": "Delhi, IN", "local": "2025-01-10 23:00"}),
            json!({"status": "in_transit", "location": "LEIPZIG - GERMANY",
                "local": "2025-01-10 20:00"}),
            json!({"status": "delivered", "location": "New York, NY, 10001, US",
                "local": "2025-01-10 22:00"}),
        ];
        parcel.reports(&scans).await;
        assert_eq!(parcel.status().await, "delivered");
        let mut events = parcel.events().await;
        events.retain(|event| event["status"] != "Booked");
        let labels: Vec<&Value> = events.iter().map(|event| &event["status"]).collect();
        assert_eq!(labels, ["Delivered", "In transit", "Picked up"], "{events:?}");
        let utc = |text: &str| dakiya_core::model::calendar::moment_of(text, 0).expect("a time");
        assert_eq!(events[1]["date"], utc("2025-01-10T19:00:00Z"), "eight in the evening there");
        // In a country with several zones the clock is shown as it was told.
        assert_eq!(events[0]["date"], utc("2025-01-10T16:30:00Z"));
    });
}
