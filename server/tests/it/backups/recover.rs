//! The deeds of couriers and of the gateway after the backup that was restored.

use std::fs;

use dakiya::app::{SANDBOX_KARRIO_TOKEN, SANDBOX_SHIPROCKET_EMAIL, SANDBOX_SHIPROCKET_PASSWORD};
use dakiya_core::limits;
use dakiya_core::model::calendar::moment_as_iso;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Place;
use crate::app::block_on;
use crate::bookings::confirm;
use crate::books::reconciliation;
use crate::couriers::Rig;
use crate::databases::run_sql;

const PARTNERS: [&str; 2] = ["karrio", "shiprocket"];

/// The variables of a server elsewhere that uses the partners of the rig.
fn partners(rig: &Rig) -> Vec<(&'static str, String)> {
    let sandbox = rig.app.app.sandbox.as_ref().expect("a sandbox");
    vec![
        ("DAKIYA_COURIERS", "house,karrio,shiprocket".to_owned()),
        ("DAKIYA_KARRIO_URL", sandbox.karrio_url()),
        ("DAKIYA_KARRIO_TOKEN", SANDBOX_KARRIO_TOKEN.to_owned()),
        ("DAKIYA_SHIPROCKET_URL", sandbox.shiprocket_url()),
        ("DAKIYA_SHIPROCKET_EMAIL", SANDBOX_SHIPROCKET_EMAIL.to_owned()),
        ("DAKIYA_SHIPROCKET_PASSWORD", SANDBOX_SHIPROCKET_PASSWORD.to_owned()),
    ]
}

async fn book(rig: &Rig, partner: &str, key: &str) {
    let form = rig.form(partner).await;
    confirm(&rig.asha, key, &form).await.expect(200);
}

/// The values of a field in a list.
fn all<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().expect("a list").iter().filter_map(|row| row[field].as_str()).collect()
}

#[test]
fn a_shipment_and_a_payment_after_the_backup_are_found() {
    block_on(async {
        let rig = Rig::start().await;
        let (folder, place) = (TempDir::new().expect("a folder"), Place::of(&rig.app));
        for partner in PARTNERS {
            book(&rig, partner, &format!("before-{partner}")).await;
        }
        let since = moment_as_iso(rig.app.app.core.clock.now_ms());
        let backup = folder.path().join("backup");
        place.back_up(&backup).await;
        for partner in PARTNERS {
            book(&rig, partner, &format!("after-{partner}")).await;
        }
        rig.app.recharge(&rig.asha, 700).await;
        let reports = folder.path().join("reports");
        fs::create_dir(&reports).expect("a folder");
        let day = reconciliation::today(&rig.app).to_string();
        let report = reports.join(format!("{day}.csv"));
        fs::write(&report, reconciliation::report(&rig.app).await).expect("written");

        let other = Place::empty(folder.path(), "other").await;
        other.bring_key(&place);
        other.restore(&backup, "").await.json();
        let mut variables = partners(&rig);
        variables.extend([
            ("DAKIYA_GATEWAY_REPORTS", reports.display().to_string()),
            // The report of a day comes on the next one.
            ("DAKIYA_CLOCK_AHEAD_MS", limits::DAY_MS.to_string()),
        ]);
        let line = format!("recover --since {since} --as ravi --json");
        for _ in 0..2 {
            let found = other.run_with(&line, variables.clone()).await.json();
            let of_partners = &found["partners"];
            assert_eq!(all(of_partners, "courier"), PARTNERS, "{found}");
            for partner in of_partners.as_array().expect("a list") {
                let without = partner["without_booking"].as_array().expect("a list");
                assert_eq!(without.len(), 1, "{found}");
            }
            assert_eq!((&found["silent"], &found["reports_missing"]), (&json!([]), &json!([])));
            assert_eq!(found["reports_read"], json!([day]));
        }
        let findings = other.run("track list --json").await.json();
        assert_eq!(all(&findings, "kind"), ["no_booking"; 2], "{findings}");
        assert!(all(&findings, "awb").iter().all(|awb| !awb.is_empty()), "{findings}");
        let open = other.run("reconciliation list --json").await.json();
        assert!(all(&open, "kind").contains(&"unknown_here"), "{open}");
        let actions = other.run("actions list --json").await.json();
        assert_eq!(actions[0]["command"], "recover");
    });
}

#[test]
fn an_order_that_was_sent_after_the_backup_is_looked_up_and_not_sent_again() {
    block_on(async {
        let rig = Rig::start().await;
        let (folder, place) = (TempDir::new().expect("a folder"), Place::of(&rig.app));
        for partner in PARTNERS {
            book(&rig, partner, &format!("booked-{partner}")).await;
        }
        let backup = folder.path().join("backup");
        place.back_up(&backup).await;
        let other = Place::empty(folder.path(), "other").await;
        other.bring_key(&place);
        other.restore(&backup, "").await.json();
        // As if the backup was made before they were sent.
        let held = "update courier_orders set state = 'held', called_ms = 0, awb = '',
                    courier_id = ''";
        run_sql(&other.url, held).await.expect("held");
        let since = moment_as_iso(rig.app.app.core.clock.now_ms() - limits::DAY_MS);
        let line = format!("recover --since {since} --as ravi --json");
        let found = other.run_with(&line, partners(&rig)).await.json();
        for partner in found["partners"].as_array().expect("a list") {
            assert_eq!(partner["without_booking"], json!([]), "{found}");
        }
        other.resume().await;
        let called = "select count(*) from courier_orders
                      where state = 'calling' and called_ms > 0";
        assert_eq!(other.count(called).await, 2);
    });
}

#[test]
fn a_partner_that_does_not_answer_and_a_report_that_is_missing_are_named() {
    block_on(async {
        let rig = Rig::start().await;
        let (folder, place) = (TempDir::new().expect("a folder"), Place::of(&rig.app));
        let mut variables = partners(&rig);
        variables.extend([
            ("DAKIYA_KARRIO_URL", "http://127.0.0.1:9".to_owned()),
            ("DAKIYA_GATEWAY_REPORTS", folder.path().display().to_string()),
            ("DAKIYA_CLOCK_AHEAD_MS", limits::DAY_MS.to_string()),
        ]);
        let since = moment_as_iso(rig.app.app.core.clock.now_ms());
        let line = format!("recover --since {since} --as ravi");
        let report = folder.path().join(format!("{}.csv", reconciliation::today(&rig.app)));
        let words = ["karrio did not list its orders", "The gateway's report of ", " is missing."];
        for text in [None, Some("this is no report")] {
            if let Some(text) = text {
                fs::write(&report, text).expect("written");
            }
            let ran = place.run_with(&line, variables.clone()).await;
            assert_eq!(ran.code, 1, "{ran:?}");
            assert!(words.iter().all(|words| ran.err.contains(words)), "{ran:?}");
        }
        for (since, words) in [
            ("yesterday", "--since takes 2026-11-30 02:00"),
            ("2020-01-01T00:00:00Z", "The time is in the last 90 days."),
        ] {
            let line = format!("recover --since {since} --as ravi");
            place.run_with(&line, variables.clone()).await.refused(words);
        }
    });
}
