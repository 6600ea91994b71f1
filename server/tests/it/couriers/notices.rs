//! Email notices of bookings: every change is sent once, even if its event arrives twice.

use dakiya_core::limits;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::model::task::TaskKind;
use dakiya_core::providers::notify::inbox::InboxMessage;
use dakiya_core::services::bookings::tracking;
use dakiya_core::store;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use std::net::TcpListener;

use super::{Rig, item, scan};
use crate::app::{Actor, TestApp, block_on, inbox};
use crate::bookings::{confirm, form, quote};
use crate::notify::mail_server::{MailServer, Manner};
use crate::operators::dakiya;
use crate::patience::until;

/// Books with our own courier; returns the AWB and the booking's id.
async fn book(asha: &Actor) -> (String, String) {
    let booked = confirm(asha, "to-be-told-of", &form(&quote(asha).await)).await;
    let booked = item(&booked.expect(200));
    let text = |name: &str| booked[name].as_str().expect("a text").to_owned();
    (text("airwaybilno"), text("booking_id"))
}

/// Runs the notices task and returns all messages, oldest first.
async fn told(app: &TestApp) -> Vec<InboxMessage> {
    app.round(TaskKind::Notices).await;
    let mut kept = inbox(&app.app);
    kept.reverse();
    kept
}

async fn subjects(app: &TestApp) -> Vec<String> {
    let told = told(app).await;
    told.into_iter().map(|letter| letter.subject).collect()
}

async fn record(app: &TestApp, awb: &str, stages: &[ShipmentStatus]) {
    let now_ms = app.app.core.clock.now_ms();
    for (order, stage) in (1..).zip(stages) {
        let scans = vec![scan(*stage, now_ms + order)];
        let recorded = tracking::record(&app.app.core.store, awb, scans, now_ms).await;
        recorded.expect("a scan");
    }
}

#[test]
fn every_change_of_a_booking_is_told_once_by_email() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let (awb, _) = book(&asha).await;
        let first = told(&app).await;
        assert_eq!(first.len(), 1, "{first:?}");
        let letter = &first[0];
        assert_eq!(letter.channel, "email");
        assert_eq!(letter.to, format!("{}@example.in", asha.username));
        assert_eq!(letter.subject, format!("{awb}: Booked"));
        let link = format!("{}/track/{awb}", app.app.web.config.public_url);
        assert!(letter.text.contains(&link), "{}", letter.text);
        for personal in ["Asha", "Rao", "Kumar", "9876543210", "Janpath", "560001"] {
            assert!(!letter.text.contains(personal), "{personal}: {}", letter.text);
        }
        let way = [
            ShipmentStatus::PickedUp,
            ShipmentStatus::InTransit,
            ShipmentStatus::OnHold,
            ShipmentStatus::OutForDelivery,
            ShipmentStatus::Delivered,
        ];
        let mut expected = vec![format!("{awb}: Booked")];
        for stage in way {
            record(&app, &awb, &[stage]).await;
            expected.push(format!("{awb}: {}", stage.label()));
            assert_eq!(subjects(&app).await, expected);
        }
        // The parcel has arrived: later events that do not take that back change nothing.
        record(&app, &awb, &[ShipmentStatus::PickedUp, ShipmentStatus::OutForDelivery]).await;
        assert_eq!(subjects(&app).await, expected);
    });
}

#[test]
fn what_happens_twice_is_told_once_and_what_comes_together_is_told_as_one() {
    block_on(async {
        let (mut app, _, asha) = TestApp::with_money(5_000).await;
        let (awb, _) = book(&asha).await;
        let now_ms = app.app.core.clock.now_ms();
        let twice = vec![
            scan(ShipmentStatus::PickedUp, now_ms),
            scan(ShipmentStatus::InTransit, now_ms + 1),
        ];
        for _ in 0..2 {
            let scans = twice.clone();
            let recorded = tracking::record(&app.app.core.store, &awb, scans, now_ms).await;
            recorded.expect("scans");
        }
        let moved = [format!("{awb}: Booked"), format!("{awb}: In transit")];
        assert_eq!(subjects(&app).await, moved);
        // Out for delivery, back to the hub, and out again.
        let again = [
            ShipmentStatus::OutForDelivery,
            ShipmentStatus::InTransit,
            ShipmentStatus::OutForDelivery,
        ];
        record(&app, &awb, &again).await;
        let told = subjects(&app).await;
        assert_eq!(told[2..], [format!("{awb}: Out for delivery")]);
        app.restart().await;
        assert!(subjects(&app).await.is_empty(), "told before the restart");
    });
}

#[test]
fn two_sweeps_at_the_same_time_tell_it_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let (awb, _) = book(&asha).await;
        record(&app, &awb, &[ShipmentStatus::PickedUp]).await;
        join_all((0..8).map(|_| app.round(TaskKind::Notices))).await;
        assert_eq!(subjects(&app).await.len(), 2);
    });
}

#[test]
fn an_operator_at_the_terminal_a_partner_and_a_cancellation_are_told_too() {
    block_on(async {
        let rig = Rig::start().await;
        let app = &rig.app;
        let (awb, id) = book(&rig.asha).await;
        let line = format!("track add {awb} shipped --reason called --as ravi --json");
        dakiya(app, &line).json();
        let ours = [format!("{awb}: Booked"), format!("{awb}: Picked up")];
        assert_eq!(subjects(app).await, ours);
        let late = format!("/api/v1/shipping/booking/{id}/cancel/");
        rig.asha.post(&late, json!({})).await.expect(409);

        let booked = confirm(&rig.asha, "by-a-partner", &rig.form("karrio").await).await;
        let booked = item(&booked.expect(200));
        let (awb, id) = (&booked["airwaybilno"], &booked["booking_id"]);
        let [awb, id] = [awb, id].map(|it| it.as_str().expect("a text").to_owned());
        pass_half_an_hour(&rig).await;
        let path = format!("karrio/shipments/{awb}/scan");
        let scan = json!({"status": "pending"});
        rig.sim(Method::POST, &path, scan).await;
        app.round(TaskKind::Tracking).await;
        assert_eq!(subjects(app).await[2..], [format!("{awb}: Booked")]);
        let cancel = format!("/api/v1/shipping/booking/{id}/cancel/");
        for _ in 0..2 {
            rig.asha.post(&cancel, json!({})).await.expect(200);
        }
        assert_eq!(subjects(app).await[3..], [format!("{awb}: Cancelled")]);

        let booked = confirm(&rig.asha, "by-another", &rig.form("shiprocket").await).await;
        let awb = item(&booked.expect(200))["airwaybilno"].clone();
        let awb = awb.as_str().expect("an AWB");
        pass_half_an_hour(&rig).await;
        let path = format!("shiprocket/shipments/{awb}/scan");
        let scan = json!({"status": "OUT FOR DELIVERY"});
        rig.sim(Method::POST, &path, scan).await;
        app.round(TaskKind::Tracking).await;
        let partners = [format!("{awb}: Booked"), format!("{awb}: Out for delivery")];
        assert_eq!(subjects(app).await[4..], partners);
    });
}

/// Moves our clock and the partners' clock, in steps that keep the session valid.
async fn pass_half_an_hour(rig: &Rig) {
    for _ in 0..2 {
        let span = json!({"advance_ms": limits::TRACK_EVERY_MS / 2 + 1_000});
        rig.sim(Method::POST, "clock", span).await;
        rig.app.app.core.clock.advance_ms(limits::TRACK_EVERY_MS / 2 + 1_000);
        rig.asha.get("/api/v1/wallet/balance/").await.expect(200);
    }
}

/// A server that sends its mail to this port.
async fn by_mail(port: u16) -> (TestApp, Actor) {
    let url = format!("smtp://127.0.0.1:{port}");
    let from = ("DAKIYA_MAIL_FROM", "Dakiya <post@dakiya.example>");
    let app = TestApp::start_with(&[("DAKIYA_SMTP_URL", &url), from]).await;
    let asha = app.user("asha").await;
    app.recharge(&asha, 5_000).await;
    (app, asha)
}

#[test]
fn a_mail_server_that_is_gone_holds_up_no_booking_and_hears_of_it_later_once() {
    block_on(async {
        let gone = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = gone.local_addr().expect("an address").port();
        drop(gone);
        let (app, asha) = by_mail(port).await;
        let (awb, _) = book(&asha).await;
        for _ in 0..3 {
            app.round(TaskKind::Notices).await;
        }
        let server = MailServer::at(port, Manner::Good).await;
        app.round(TaskKind::Notices).await;
        assert_eq!(server.letters(), 0, "not before its time");
        for _ in 0..3 {
            app.app.core.clock.advance_ms(limits::NOTICE_WAITS_MS[0]);
            app.round(TaskKind::Notices).await;
        }
        assert_eq!(server.letters(), 1);
        let subject = format!("Subject: {awb}: Booked");
        assert!(server.heard().contains(&subject), "{:?}", server.heard());
        app.audit().await;
    });
}

#[test]
fn a_letter_that_may_have_left_is_not_sent_again() {
    block_on(async {
        let server = MailServer::start(Manner::HangsUp).await;
        let (app, asha) = by_mail(server.port).await;
        // The registration letter.
        until("it was sent", async || server.letters() > 0).await;
        book(&asha).await;
        for _ in 0..3 {
            app.round(TaskKind::Notices).await;
            app.app.core.clock.advance_ms(limits::HOUR_MS);
        }
        assert_eq!(server.letters(), 2);
    });
}

#[test]
fn a_letter_is_given_up_after_some_tries_and_old_news_is_not_sent() {
    block_on(async {
        let server = MailServer::start(Manner::Busy).await;
        let (app, asha) = by_mail(server.port).await;
        let (awb, id) = book(&asha).await;
        for wait_ms in limits::NOTICE_WAITS_MS {
            app.round(TaskKind::Notices).await;
            assert_eq!(waiting(&app, &id).await, 0, "not before its time");
            app.app.core.clock.advance_ms(wait_ms);
            assert_eq!(waiting(&app, &id).await, 1);
        }
        app.round(TaskKind::Notices).await;
        app.app.core.clock.advance_ms(limits::HOUR_MS);
        assert_eq!(waiting(&app, &id).await, 0, "given up");
        record(&app, &awb, &[ShipmentStatus::PickedUp]).await;
        assert_eq!(waiting(&app, &id).await, 1);
        app.app.core.clock.advance_ms(limits::NOTICE_MS_MAX + 1);
        assert_eq!(waiting(&app, &id).await, 0, "no news");
    });
}

/// Counts the notices of a booking that are due now.
async fn waiting(app: &TestApp, id: &str) -> usize {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    let now_ms = app.app.core.clock.now_ms();
    let since_ms = now_ms - limits::NOTICE_MS_MAX;
    let is_due = store::tasks::is_due(&mut conn, TaskKind::Notices, now_ms).await;
    let open = store::notices::open(&mut conn, id, since_ms).await;
    match is_due.expect("an answer") {
        true => open.expect("notices").len(),
        false => 0,
    }
}

#[cfg(feature = "faults")]
#[test]
fn a_task_that_dies_after_a_letter_left_does_not_send_it_again() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let (awb, id) = book(&asha).await;
        dakiya_core::failpoints::arm("told", &id, dakiya_core::failpoints::FailAction::Panic);
        for _ in 0..3 {
            assert_eq!(subjects(&app).await, [format!("{awb}: Booked")]);
            app.app.core.clock.advance_ms(limits::HOUR_MS);
        }
        assert!(!dakiya_core::failpoints::armed("told"), "it never died");
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_customer_who_is_told_twice_is_noticed() {
    let test = "couriers::notices::\
        a_task_that_dies_after_a_letter_left_does_not_send_it_again";
    crate::faults::must_fail(test, "told-twice");
}
