//! Limits per customer within a short time.

use dakiya_core::limits::{
    CLIENT_NAME_LOOKUPS, CLIENT_UNKNOWN_AWBS, CUSTOMER_BOOKINGS, CUSTOMER_CONFIRMATIONS,
    CUSTOMER_PAPERS, CUSTOMER_PAYMENT_ORDERS, CUSTOMER_QUOTES, CUSTOMER_UPLOADS, NETWORK_UPLOADS,
    OPEN_PAYMENT_ORDERS_MAX, PAYMENT_MS_MAX,
};
use reqwest::Method;
use reqwest::multipart::Form;
use serde_json::{Value, json};

use super::uploads::UPLOAD;
use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::rates::parcel;
use crate::{bookings, kyc};

const CREATE: &str = "/api/v1/payment/phonepe/create/";
const RATES: &str = "/api/v1/shipping/calculate-rate/";

async fn limited() -> (TestApp, Actor) {
    let app = TestApp::start_with(&[("DAKIYA_LIMIT_CLIENTS", "1")]).await;
    let asha = app.user("asha").await;
    (app, asha)
}

/// Repeats a request until it is refused, `most` times at most.
async fn until_refused(most: i64, ask: impl AsyncFn() -> Answer) -> (i64, Answer) {
    for done in 0..most {
        let answer = ask().await;
        if answer.status == 429 {
            return (done, answer);
        }
        assert!(answer.status.as_u16() < 500, "{}", answer.text());
    }
    panic!("nobody is slowed down");
}

#[test]
fn only_a_few_recharges_may_be_unpaid_at_one_time() {
    block_on(async {
        let (app, asha) = limited().await;
        let begin = async || asha.post(CREATE, json!({"amount": 100})).await;
        let mut first = Value::Null;
        for _ in 0..OPEN_PAYMENT_ORDERS_MAX {
            first = begin().await.expect(200).json();
        }
        let refused = begin().await.expect(429);
        assert!(refused.text().contains("not paid yet"), "{}", refused.text());
        let wait_s: i64 = refused.header("retry-after").parse().expect("seconds");
        assert!((1..=PAYMENT_MS_MAX / 1_000).contains(&wait_s), "{wait_s}");
        // Another customer has limits of their own, and a paid order makes room.
        let ravi = app.user("ravi").await;
        ravi.post(CREATE, json!({"amount": 100})).await.expect(200);
        app.pay(&first).await;
        let id = first["payment_data"]["merchant_order_id"].clone();
        let verify = json!({"merchant_order_id": id});
        let verified = asha.post("/api/v1/payment/phonepe/verify/", verify).await;
        assert_eq!(verified.expect(200).json()["status"], "COMPLETED");
        begin().await.expect(200);
        begin().await.expect(429);
        // Expired orders make room, too.
        app.app.core.clock.advance_ms(PAYMENT_MS_MAX + 1_000);
        begin().await.expect(200);
    });
}

#[test]
fn recharges_prices_and_bookings_have_a_pace() {
    block_on(async {
        let (app, asha) = limited().await;
        let most = 2 * CUSTOMER_QUOTES.at_once;
        let (done, refused) = until_refused(most, async || asha.post(RATES, parcel()).await).await;
        assert!(done >= CUSTOMER_QUOTES.at_once, "{done}");
        assert!(refused.text().contains("Too many price requests"), "{}", refused.text());
        let wrong = json!({"quote_id": "none"}).to_string();
        let most = 2 * CUSTOMER_BOOKINGS.at_once;
        let book = async || {
            let key = dakiya_core::random::random_id();
            let headers = [("idempotency-key", key.as_str())];
            let path = "/api/v1/shipping/create-booking/";
            let body = Some(wrong.clone());
            asha.send(Method::POST, path, &headers, body).await
        };
        let (done, refused) = until_refused(most, book).await;
        assert!(done >= CUSTOMER_BOOKINGS.at_once, "{done}");
        assert!(refused.text().contains("many bookings"), "{}", refused.text());
        let begin = async || asha.post(CREATE, json!({"amount": 100})).await;
        for _ in 0..CUSTOMER_PAYMENT_ORDERS.at_once {
            begin().await;
        }
        let refused = begin().await.expect(429);
        assert!(refused.text().contains("many recharges"), "{}", refused.text());
        let ravi = app.user("ravi").await;
        bookings::quote(&ravi).await;
    });
}

#[test]
fn uploads_are_charged_before_they_are_read_whatever_becomes_of_them() {
    block_on(async {
        let (app, asha) = limited().await;
        let mut newcomers = [app.anon(), app.anon()];
        for newcomer in &mut newcomers {
            newcomer.join("mallory").await;
        }
        let wrong = async |actor: &Actor| {
            let announced = actor.announce(UPLOAD, "text/plain", 3_000_000).await;
            assert!([400, 429].contains(&announced), "{announced}");
            announced == 400
        };
        let mut done = 0;
        while wrong(&asha).await {
            done += 1;
        }
        assert!(done >= CUSTOMER_UPLOADS.at_once, "{done}");
        let refused = asha.multipart(UPLOAD, Form::new()).await.expect(429);
        assert!(refused.text().contains("Too many uploads. Try again in"), "{}", refused.text());
        // Accounts that nobody knows yet share the uploads of their network.
        let mut of_network = 0;
        for newcomer in &newcomers {
            while wrong(newcomer).await {
                of_network += 1;
            }
        }
        assert!(of_network >= NETWORK_UPLOADS.at_once, "{of_network}");
        assert!(of_network < 2 * CUSTOMER_UPLOADS.at_once, "{of_network}");
        let refused = newcomers[1].multipart(UPLOAD, Form::new()).await.expect(429);
        assert!(refused.text().contains("from your network"), "{}", refused.text());
        let ravi = app.user("ravi").await;
        kyc::uploaded(&ravi).await;
        app.audit().await;
    });
}

#[test]
fn confirmations_and_downloads_are_charged_right_or_wrong() {
    block_on(async {
        let (app, asha) = limited().await;
        let right = json!({"current_password": PASSWORD});
        let end = async || asha.post("/api/v1/auth/sessions/end-others", right.clone()).await;
        let (done, refused) = until_refused(2 * CUSTOMER_CONFIRMATIONS.at_once, end).await;
        assert!(done >= CUSTOMER_CONFIRMATIONS.at_once, "{done}");
        assert!(refused.text().contains("Too many changes of your account."), "{}", refused.text());
        let paper = async || asha.get("/kyc/none").await;
        let (done, refused) = until_refused(2 * CUSTOMER_PAPERS.at_once, paper).await;
        assert!(done >= CUSTOMER_PAPERS.at_once, "{done}");
        assert!(refused.text().contains("Too many downloads."), "{}", refused.text());
        app.audit().await;
    });
}

#[test]
fn names_cannot_be_looked_up_without_end_by_registrations_with_mistakes() {
    block_on(async {
        let (app, _) = limited().await;
        let anon = app.anon();
        let free = json!({"username": "nobody-has-this-name", "password": "short"});
        let ask = async || anon.post("/api/v1/auth/register/", free.clone()).await;
        let (done, refused) = until_refused(2 * CLIENT_NAME_LOOKUPS.at_once, ask).await;
        assert!(done >= CLIENT_NAME_LOOKUPS.at_once, "{done}");
        assert!(refused.text().contains("from your network"), "{}", refused.text());
        // A form without mistakes is an account.
        let mut ravi = app.anon();
        ravi.join("ravi").await;
    });
}

#[test]
fn numbers_that_nobody_has_cannot_be_counted_through() {
    block_on(async {
        let (app, _) = limited().await;
        let anon = app.anon();
        let most = 2 * CLIENT_UNKNOWN_AWBS.at_once;
        let look = async || anon.get("/api/v1/shipping/track/DK0000000000").await;
        let (done, refused) = until_refused(most, look).await;
        assert!(done >= CLIENT_UNKNOWN_AWBS.at_once, "{done}");
        assert!(refused.text().contains("from your network"));
        let page = anon.get("/track/DK0000000000").await;
        assert!(page.text().contains("from your network"), "{}", page.status);
    });
}
