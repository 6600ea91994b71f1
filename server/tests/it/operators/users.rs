//! Viewing accounts, freezing them, logging them out.

use serde_json::json;

use super::{dakiya, rows, unchanged};
use crate::app::{PASSWORD, TestApp, block_on};
use crate::bookings::{confirm, form, quote};

const FROZEN: &str = "Your account is frozen: you cannot book or recharge. Please write to us.";

#[test]
fn an_account_is_shown_masked_and_in_full_only_with_a_line_in_the_record() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(300).await;
        let name = &asha.username;
        let before = rows(&app).await;
        let shown = dakiya(&app, &format!("users show {name} --as ravi --json")).json();
        assert_eq!(shown["name"], "A*** R***");
        assert_eq!(shown["phone"], "***210");
        assert_eq!(shown["email"], "a***@example.in");
        assert_eq!([&shown["available"], &shown["held"]], [&json!(300.0), &json!(0.0)]);
        assert_eq!([&shown["sessions"], &shown["frozen_at"]], [&json!(1), &json!(null)]);
        unchanged(&app, &before).await;
        let by = [name.clone(), format!("{name}@example.in"), shown["user"].to_string()];
        for by in by.map(|by| by.replace('"', "")) {
            let full = dakiya(&app, &format!("users show {by} --full --as ravi"));
            assert!(full.out.contains("9876543210") && full.out.contains("Asha Rao"), "{full:?}");
            for secret in ["argon2", PASSWORD, &asha.token.clone().unwrap()] {
                assert!(!full.out.contains(secret), "{full:?}");
            }
        }
        let record = dakiya(&app, "actions list --json").json();
        assert_eq!(record.as_array().unwrap().len(), 3);
        assert_eq!(record[0]["command"], "users show --full");
        assert_eq!(record[0]["reference"], shown["user"]);
        assert!(!record.to_string().contains("9876543210"));
    });
}

#[test]
fn a_frozen_customer_reads_everything_and_neither_books_nor_recharges() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let offer = form(&quote(&asha).await);
        let freeze = format!("users freeze {} --reason fraud --as ravi", asha.username);
        assert!(dakiya(&app, &freeze).out.contains("Frozen; 1 session ended."));
        asha.get("/api/v1/wallet/balance/").await.expect(401);
        asha.log_in().await;
        asha.get("/api/v1/shipping/history/").await.expect(200);
        let balance = app.balance(&asha).await;

        let refused = confirm(&asha, "while-frozen", &offer).await.expect(409);
        assert_eq!(refused.json()["message"], FROZEN);
        assert_eq!(refused.json()["code"], "account_frozen");
        let refused = asha.post("/api/v1/payment/phonepe/create/", json!({"amount": 100})).await;
        assert_eq!(refused.expect(409).json()["message"], FROZEN);
        let page = asha.form("/recharge", &[("amount", "100")]).await;
        assert!(page.text().contains(FROZEN), "{}", page.text());
        assert_eq!(app.balance(&asha).await, balance);
        dakiya(&app, &freeze).refused("This account is frozen already.");

        let unfreeze = freeze.replace("freeze", "unfreeze");
        assert!(dakiya(&app, &unfreeze).out.contains("Not frozen any more"));
        dakiya(&app, &unfreeze).refused("This account is not frozen.");
        confirm(&asha, "while-frozen", &offer).await.expect(200);
        app.recharge(&asha, 100).await;
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_freeze_that_does_not_stop_a_booking_is_noticed() {
    let test =
        "operators::users::a_frozen_customer_reads_everything_and_neither_books_nor_recharges";
    crate::faults::must_fail(test, "freeze-unheeded");
}

#[test]
fn what_a_customer_began_before_the_freeze_is_not_booked_after_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let paying = asha.post("/api/v1/payment/phonepe/create/", json!({"amount": 100})).await;
        let paying = paying.expect(200).json();
        let name = &asha.username;
        dakiya(&app, &format!("users freeze {name} --reason fraud --as ravi --json")).json();
        // A payment in progress is still credited to the customer.
        app.pay(&paying).await;
        app.app.core.clock.advance_ms(26_000);
        app.sweep().await;
        let shown = dakiya(&app, &format!("users show {name} --as ravi --json")).json();
        assert_eq!(shown["available"], json!(5_100.0));
        assert!(shown["frozen_at"].is_i64());
        app.audit().await;
    });
}

#[test]
fn an_operator_logs_a_customer_out_everywhere() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        let other = asha.clone();
        asha.log_in().await;
        let line = format!("users end-sessions {} --reason lost~phone --as ravi", asha.username);
        let ended = dakiya(&app, &format!("{line} --json")).json();
        assert_eq!(ended["outcome"], "Logged out; 2 sessions ended.");
        assert_eq!([&ended["sessions_ended"], &ended["frozen"]], [&json!(2), &json!(false)]);
        for actor in [&asha, &other] {
            actor.get("/api/v1/wallet/balance/").await.expect(401);
        }
        asha.log_in().await;
        asha.get("/api/v1/wallet/balance/").await.expect(200);
    });
}
