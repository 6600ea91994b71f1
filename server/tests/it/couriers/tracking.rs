//! Tracking: entered by operators, requested from partners, shown to anyone with the AWB.

use dakiya_core::model::courier::order::Scan;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::model::task::TaskKind;
use dakiya_core::services::bookings::tracking;
use serde_json::json;

use super::{Rig, item, scan};
use crate::app::{TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::operators::{dakiya, rows, unchanged};

#[test]
fn scans_move_a_booking_on_and_never_back() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let booked = confirm(&asha, "scans-in-any-order", &form(&quote(&asha).await)).await;
        let awb = item(&booked.expect(200))["airwaybilno"].as_str().unwrap().to_owned();
        let now_ms = app.app.core.clock.now_ms();
        let record = async |scans: Vec<Scan>| {
            tracking::record(&app.app.core.store, &awb, scans, now_ms).await.expect("scans");
            let history = asha.get("/api/v1/shipping/history/").await.expect(200).json();
            history["results"][0]["status"].as_str().unwrap().to_owned()
        };
        assert_eq!(record(vec![scan(ShipmentStatus::PickedUp, now_ms + 1_000)]).await, "shipped");
        assert_eq!(
            record(vec![scan(ShipmentStatus::InTransit, now_ms + 3_000)]).await,
            "in_transit"
        );
        // An older event comes late; the newest counts.
        let late = scan(ShipmentStatus::OnHold, now_ms + 2_000);
        assert_eq!(record(vec![late.clone(), late]).await, "in_transit");
        assert_eq!(
            record(vec![scan(ShipmentStatus::Delivered, now_ms + 4_000)]).await,
            "delivered"
        );
        assert_eq!(
            record(vec![scan(ShipmentStatus::InTransit, now_ms + 9_000)]).await,
            "delivered"
        );
        let track = anon.get(&format!("/api/v1/shipping/track/{awb}/")).await.expect(200);
        let events = track.json()["data"].as_array().expect("events").clone();
        assert_eq!(events.len(), 6, "told twice is listed once: {events:?}");
        let times: Vec<i64> = events.iter().map(|it| it["date"].as_i64().unwrap()).collect();
        assert!(times.is_sorted_by(|one, next| one >= next), "newest first: {times:?}");
        for personal in ["Asha", "Kumar", "9876543210", "Janpath"] {
            assert!(!track.text().contains(personal), "{personal}");
        }
    });
}

#[test]
fn a_stranger_learns_the_courier_the_place_and_the_day_and_nobodys_name() {
    block_on(async {
        const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
        let rig = Rig::start().await;
        let ours = form(&quote(&rig.asha).await);
        for (key, form, courier) in [
            ("our-own-courier", ours, "Dakiya"),
            ("of-a-partner", rig.form("shiprocket").await, ""),
        ] {
            let booked = confirm(&rig.asha, key, &form).await.expect(200);
            let awb = item(&booked)["airwaybilno"].as_str().unwrap().to_owned();
            let anon = rig.app.anon();
            let track = async || {
                let path = format!("/api/v1/shipping/track/{awb}/");
                anon.get(&path).await.expect(200)
            };
            let answer = track().await;
            let shipment = answer.json()["shipment"].clone();
            let name = shipment["courier"].as_str().expect("a name");
            let service = shipment["service"].as_str().expect("a service");
            assert!(service.starts_with(name), "{name} of {service}");
            assert!(name.starts_with(char::is_uppercase), "{name}");
            assert!(courier.is_empty() || name == courier, "{name}");
            assert_eq!(shipment["destination"], "Bengaluru");
            assert_eq!(shipment["status"], "booked");
            let expected = shipment["expected_at"].as_i64().expect("a day");
            // The estimate is computed again at pickup.
            let later_ms = rig.app.app.core.clock.now_ms() + 2 * DAY_MS;
            let scans = vec![scan(ShipmentStatus::PickedUp, later_ms)];
            let store = &rig.app.app.core.store;
            tracking::record(store, &awb, scans, later_ms).await.expect("a scan");
            let later = track().await.json();
            let moved = later["shipment"]["expected_at"].as_i64().expect("a day") - expected;
            assert!((2 * DAY_MS..3 * DAY_MS).contains(&moved), "{moved}");
            assert_eq!(later["shipment"]["status"], "shipped");
            let codes = later["data"].as_array().expect("events").iter();
            let codes: Vec<_> = codes.map(|event| event["courier_code"].clone()).collect();
            assert!(codes.iter().all(|code| *code == codes[0]), "{codes:?}");
            let page = anon.get(&format!("/track/{awb}")).await.expect(200);
            for (what, text) in [("API", answer.text()), ("page", page.text())] {
                assert!(text.contains("Bengaluru"), "{what}");
                for personal in ["Asha", "Kumar", "9876543210", "Janpath", "560001"] {
                    assert!(!text.contains(personal), "{what}: {personal}");
                }
            }
            let scans = vec![scan(ShipmentStatus::Delivered, later_ms + DAY_MS)];
            tracking::record(store, &awb, scans, later_ms + DAY_MS).await.expect("a scan");
            let over = track().await.json();
            assert_eq!(over["shipment"]["expected_at"], json!(null));
        }
    });
}

#[test]
fn only_the_sender_reads_what_a_courier_writes() {
    block_on(async {
        for (partner, word) in [("karrio", "delivered"), ("shiprocket", "DELIVERED")] {
            let rig = Rig::start().await;
            let booked = confirm(&rig.asha, "written-freely", &rig.form(partner).await).await;
            let awb = item(&booked.expect(200))["airwaybilno"].as_str().unwrap().to_owned();
            let now_ms = rig.app.app.core.clock.now_ms();
            let written = Scan {
                location: "Ramesh Verma 98111 22333, NAGPUR HUB".to_owned(),
                remarks: "Spoke to Ramesh Verma, 98111 22333".to_owned(),
                comments: "OTP given by his wife".to_owned(),
                ..scan(ShipmentStatus::OnHold, now_ms + 1_000)
            };
            let store = &rig.app.app.core.store;
            tracking::record(store, &awb, vec![written], now_ms).await.expect("a scan");
            for _ in 0..2 {
                let span = json!({"advance_ms": 16 * 60_000});
                rig.sim(reqwest::Method::POST, "clock", span).await;
                rig.app.app.core.clock.advance_ms(16 * 60_000);
                rig.asha.get("/api/v1/auth/profile/").await.expect(200);
            }
            let told = json!({"status": word, "location": "Ramesh Verma",
                "remarks": "Delivered to Ramesh Verma, 98111 22333"});
            let path = format!("{partner}/shipments/{awb}/scan");
            rig.sim(reqwest::Method::POST, &path, told).await;
            rig.app.round(TaskKind::Tracking).await;

            let (api, page) = (format!("/api/v1/shipping/track/{awb}/"), format!("/track/{awb}"));
            let bela = rig.app.user("bela").await;
            for stranger in [&rig.app.anon(), &bela] {
                let answer = stranger.get(&api).await.expect(200);
                let events = answer.json()["data"].clone();
                let shown = |at: usize| {
                    ["status", "remarks", "update_location", "comments"]
                        .map(|name| events[at][name].as_str().expect("a text").to_owned())
                };
                assert_eq!(shown(0), ["Delivered", "It has arrived.", "", ""]);
                let held = "It is held up, or could not be delivered yet.";
                assert_eq!(shown(1), ["On hold", held, "Nagpur", ""]);
                let as_json = [("accept", "application/json")];
                let page_json = stranger.send(reqwest::Method::GET, &page, &as_json, None).await;
                for answer in [answer, stranger.get(&page).await, page_json] {
                    let answer = answer.expect(200);
                    for word in ["Verma", "98111 22333", "his wife"] {
                        assert!(!answer.text().contains(word), "{partner}: {word}");
                    }
                }
            }
            let own = format!("/bookings/{awb}");
            for path in [&api, &page, &own] {
                let answer = rig.asha.get(path).await.expect(200);
                for words in ["Spoke to Ramesh Verma", "Delivered to Ramesh Verma", "his wife"] {
                    assert!(answer.text().contains(words), "{partner}: {path}: {words}");
                }
            }
        }
    });
}

#[test]
fn an_operator_tells_at_the_terminal_where_a_shipment_is() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = confirm(&asha, "told-at-a-terminal", &form(&quote(&asha).await)).await;
        let awb = item(&booked.expect(200))["airwaybilno"].as_str().unwrap().to_owned();
        let run = |rest: &str| {
            let line = format!("track add {rest} --reason called --as ravi");
            dakiya(&app, &line)
        };
        let told = run(&format!("{awb} in_transit --at Nagpur --remarks On~its~way --json"));
        assert_eq!(told.json()["outcome"], format!("{awb}: In transit."));
        let track = asha.get(&format!("/api/v1/shipping/track/{awb}/")).await.expect(200);
        let event = track.json()["data"][0].clone();
        assert_eq!(
            (&event["status"], &event["update_location"]),
            (&json!("In transit"), &json!("Nagpur"))
        );
        let before = rows(&app).await;
        let unknown = "vanished is none of booked, shipped, in_transit, out_for_delivery, \
                       on_hold, exception, delivered, returning, returned, cancelled, lost, \
                       damaged, destroyed, disposed_of, untraceable";
        for (code, rest, said) in [
            (1, format!("{awb} vanished"), unknown),
            (1, "DK17950000000000 shipped".to_owned(), "no shipment"),
            (1, format!("{awb} shipped --when yesterday"), "2026-11-21 16:05"),
            (2, format!("{awb} shipped --who me"), "unexpected"),
        ] {
            let ran = run(&rest);
            assert_eq!(ran.code, code, "{rest}: {ran:?}");
            assert!(ran.err.contains(said) && ran.out.is_empty(), "{rest}: {ran:?}");
        }
        unchanged(&app, &before).await;
    });
}

#[test]
fn partners_are_asked_where_their_shipments_are() {
    block_on(async {
        for (partner, words) in [
            ("karrio", ["picked_up", "in_transit", "delivered", "beamed_up"]),
            ("shiprocket", ["PICKED UP", "IN TRANSIT", "DELIVERED", "BEAMED UP"]),
        ] {
            let rig = Rig::start_quiet().await;
            let booked = confirm(&rig.asha, "with-a-partner", &rig.form(partner).await).await;
            let awb = item(&booked.expect(200))["airwaybilno"].as_str().unwrap().to_owned();
            let status = async || {
                let history = rig.asha.get("/api/v1/shipping/history/").await.expect(200).json();
                history["results"][0]["status"].as_str().unwrap().to_owned()
            };
            // Half an hour on both clocks, in steps that keep the session valid.
            let pass = async || {
                for _ in 0..2 {
                    let span = json!({"advance_ms": 16 * 60_000});
                    rig.sim(reqwest::Method::POST, "clock", span).await;
                    rig.app.app.core.clock.advance_ms(16 * 60_000);
                    status().await;
                }
            };
            for (word, stands) in [
                (words[0], "shipped"),
                (words[3], "in_transit"),
                (words[1], "in_transit"),
                (words[2], "delivered"),
            ] {
                pass().await;
                let path = format!("{partner}/shipments/{awb}/scan");
                let scan = json!({"status": word, "location": "Hub"});
                rig.sim(reqwest::Method::POST, &path, scan).await;
                rig.app.round(TaskKind::Tracking).await;
                assert_eq!(status().await, stands, "{partner} {word}");
            }
            let asked = rig.asked(partner, "track").await;
            pass().await;
            rig.app.round(TaskKind::Tracking).await;
            assert_eq!(rig.asked(partner, "track").await, asked, "it has arrived");
        }
    });
}

#[test]
fn a_report_without_a_stage_is_listed_once_however_often_it_is_told() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = confirm(&asha, "told-again-and-again", &form(&quote(&asha).await)).await;
        let booked = item(&booked.expect(200));
        let awb = booked["airwaybilno"].as_str().expect("an AWB").to_owned();
        let now_ms = app.app.core.clock.now_ms();
        let strange = Scan {
            stage: None,
            remarks: "Misrouted".to_owned(),
            ..scan(ShipmentStatus::Booked, now_ms + 1_000)
        };
        let picked_up = scan(ShipmentStatus::PickedUp, now_ms + 2_000);
        // At the second poll it is in transit, and the first report would be, too.
        for scans in [vec![strange.clone()], vec![picked_up.clone(), strange.clone()]] {
            for _ in 0..3 {
                let recorded = tracking::record(&app.app.core.store, &awb, scans.clone(), now_ms);
                recorded.await.expect("scans");
            }
        }
        let track = asha.get(&format!("/api/v1/shipping/track/{awb}/")).await;
        let events = track.expect(200).json()["data"].clone();
        let told = events.as_array().expect("events").iter();
        let told = told.filter(|event| event["remarks"] == "Misrouted").count();
        assert_eq!(told, 1, "{events}");
    });
}

#[test]
fn a_shipment_with_more_reports_than_are_kept_is_delivered_all_the_same() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let booked = confirm(&asha, "a-long-journey", &form(&quote(&asha).await)).await;
        let booked = item(&booked.expect(200));
        let awb = booked["airwaybilno"].as_str().expect("an AWB").to_owned();
        let now_ms = app.app.core.clock.now_ms();
        let mut scans = vec![scan(ShipmentStatus::PickedUp, now_ms + 1)];
        scans.extend((2..260).map(|at| scan(ShipmentStatus::InTransit, now_ms + at)));
        let store = &app.app.core.store;
        tracking::record(store, &awb, scans.clone(), now_ms).await.expect("scans");
        scans.push(scan(ShipmentStatus::Delivered, now_ms + 300));
        for _ in 0..2 {
            tracking::record(store, &awb, scans.clone(), now_ms).await.expect("scans");
            let history = asha.get("/api/v1/shipping/history/").await.expect(200);
            assert_eq!(history.json()["results"][0]["status"], "delivered");
            let track = anon.get(&format!("/api/v1/shipping/track/{awb}/")).await;
            let events = track.expect(200).json()["data"].clone();
            let events = events.as_array().expect("events");
            assert_eq!(events.len(), dakiya_core::limits::TRACK_EVENTS_MAX);
            assert_eq!(events[0]["status"], "Delivered");
            assert_eq!(events[1]["date"], json!(now_ms + 259));
            let labels: Vec<_> = events.iter().map(|event| &event["status"]).collect();
            let first = [ShipmentStatus::Booked, ShipmentStatus::PickedUp];
            for stage in first.map(ShipmentStatus::label) {
                assert!(labels.contains(&&json!(stage)), "{stage} is kept");
            }
        }
    });
}
