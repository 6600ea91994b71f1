//! Words that a newer version has written beside this one: they are shown as unknown, and nothing
//! is decided on them.

use dakiya_core::model::money::paise::Paise;
use dakiya_core::store::Backend;
use serde_json::json;

use crate::app::{TestApp, block_on};
use crate::bookings::book_to;
use crate::operators::dakiya;

/// Makes a change as a newer version would, after it has widened the constraint of the table.
async fn plant(app: &TestApp, (table, constraint): (&str, &str), change: &str) {
    let widen = match app.app.core.store.backend() {
        Backend::Sqlite => "pragma ignore_check_constraints = on".to_owned(),
        Backend::Postgres => {
            format!("alter table {table} drop constraint if exists {constraint}")
        }
    };
    app.tamper(&format!("{widen}; {change}")).await.expect(change);
}

#[test]
fn a_booking_of_unknown_status_is_shown_and_left_to_the_newer_version() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let booked = book_to(&asha, "Ravi").await;
        let left = app.balance(&asha).await;
        let status = ("bookings", "booking_status");
        plant(&app, status, "update bookings set status = 'customs_check'").await;
        let counts = "update booking_counts set status = 'customs_check' where status = 'booked'";
        app.tamper(counts).await.expect("counts");

        let history = asha.get("/api/v1/shipping/history/").await.expect(200).json();
        assert_eq!(history["results"][0]["status"], "unknown");
        assert_eq!(history["results"][0]["awb_number"], booked.awb.as_str());
        assert_eq!(history["count"], 1);
        let found = asha.get("/api/v1/shipping/bookings/").await.expect(200).json();
        assert_eq!(found["results"][0]["status"], "unknown");
        let (one, track) = (format!("/bookings/{}", booked.id), format!("/track/{}", booked.awb));
        for path in ["/dashboard", "/bookings", &*one] {
            let page = asha.page(path).await.expect(200);
            assert!(path == "/dashboard" || page.text().contains("nknown"), "{path}");
        }
        assert!(anon.page(&track).await.status.as_u16() < 500);
        assert!(anon.get(&format!("/api/v1/shipping{track}/")).await.status.as_u16() < 500);

        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        let refused = asha.post(&cancel, json!({})).await.expect(409).json();
        assert_eq!(refused["code"], "not_cancellable");
        let line = format!("track add {} cancelled --reason why --as ravi", booked.awb);
        assert_eq!(dakiya(&app, &line).code, 1);
        assert_eq!(dakiya(&app, "orders list").code, 0);
        assert_eq!(app.balance(&asha).await, left);
        let now = asha.get("/api/v1/shipping/history/").await.expect(200).json();
        assert_eq!(now["results"][0]["status"], "unknown");
    });
}

#[test]
fn an_unknown_act_is_told_in_neutral_words() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let act = "insert into security_events
              (event_id, user_id, act, result, subject_id, address, device, created_ms)
            select 'of the future', user_id, 'danced', 'done', '', address, device, created_ms + 1
            from security_events where user_id is not null order by created_ms desc limit 1";
        app.tamper(act).await.expect("an act");
        let agreed = "insert into agreements
              (user_id, document, version, agreed_ms, address, device)
            select user_id, 'dancing', version, agreed_ms, address, device
            from agreements limit 1";
        plant(&app, ("agreements", "agreements_document"), agreed).await;
        let activity = asha.get("/api/v1/auth/activity/").await.expect(200).json();
        assert_eq!(activity["results"][0]["text"], "Something was done in your account.");
        assert!(activity["results"].as_array().expect("a list").len() > 1);
        asha.page("/account").await.expect(200);
    });
}

#[test]
fn a_payment_of_unknown_state_is_neither_credited_nor_lost() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let body = json!({"amount": 100});
        let created = asha.post("/api/v1/payment/phonepe/create/", body).await.expect(200).json();
        let state = ("payment_orders", "payment_state");
        plant(&app, state, "update payment_orders set state = 'frozen'").await;
        app.pay(&created).await;
        app.app.core.clock.advance_ms(60_000);
        app.sweep().await;
        let id = created["payment_data"]["merchant_order_id"].as_str().expect("an id");
        let status = format!("/api/v1/payment/phonepe/status/{id}/");
        let refused = asha.get(&status).await.expect(503).json();
        assert_eq!(refused["code"], "busy");
        asha.get("/api/v1/payment/phonepe/pending/").await.expect(200);
        asha.page("/recharge").await.expect(200);
        assert_eq!(app.balance(&asha).await, Paise::ZERO);

        plant(&app, state, "update payment_orders set state = 'pending'").await;
        app.app.core.clock.advance_ms(60_000);
        let verify = json!({"merchant_order_id": id});
        asha.post("/api/v1/payment/phonepe/verify/", verify).await.expect(200);
        assert_eq!(app.balance(&asha).await, Paise::rupees(100));
        app.audit().await;
    });
}

#[test]
fn a_weight_difference_of_unknown_state_is_shown_and_not_charged() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        book_to(&asha, "Ravi").await;
        let left = app.balance(&asha).await;
        let claim = "insert into weight_claims (claim_id, booking_id, user_id, courier,
              courier_reference, booked_grams, claimed_grams, taxable_paise, gst_paise,
              courier_paise, proof, state, dispute, decided_by, created_ms)
            select 'future', booking_id, user_id, 'house', 'r', 500, 900, 10000, 1800, 9000, '',
              'appealed', '', '', created_ms from bookings";
        plant(&app, ("weight_claims", "weight_claim_state"), claim).await;
        let list = asha.get("/api/v1/wallet/weight-differences/").await.expect(200).json();
        assert_eq!(list["results"][0]["state"], "unknown");
        let page = asha.page("/wallet/weight-differences").await.expect(200);
        assert!(page.text().contains("nknown"));
        let accept = "/api/v1/wallet/weight-differences/future/accept/";
        asha.post(accept, json!({})).await.expect(409);
        assert_eq!(app.balance(&asha).await, left);
    });
}

#[test]
fn operators_see_unknown_kinds_as_they_are() {
    block_on(async {
        let app = TestApp::start().await;
        let task = "insert into tasks (kind, subject, due_ms, lease_until_ms, leased_by, attempts,
              last_error, quarantined_ms, created_ms)
            values ('dance', 'somebody', 1, 0, '', 9, 'busy', 1, 1)";
        app.tamper(task).await.expect("a task");
        let finding = "insert into tracking_findings (finding_id, kind, subject, awb, courier,
              detail, reports, first_ms, last_ms)
            values ('future', 'eaten', 's', 'DK1', 'house', '', 1, 1, 1)";
        plant(&app, ("tracking_findings", "tracking_finding_kind"), finding).await;
        assert_eq!(dakiya(&app, "tasks list --json").json()[0]["kind"], "dance");
        assert_eq!(dakiya(&app, "track list --json").json()[0]["kind"], "eaten");
        app.operators().await.get("/healthz").await.expect(200);
    });
}
