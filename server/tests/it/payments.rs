//! Recharging the wallet through the sandbox gateway.

use serde_json::{Value, json};

use crate::app::{Actor, TestApp, block_on};
use dakiya::domain::money::Paise;

async fn create(actor: &Actor, rupees: i64) -> Value {
    let body = json!({"amount": rupees});
    actor
        .post("/api/v1/payment/phonepe/create/", body)
        .await
        .expect(200)
        .json()
}

fn id(created: &Value) -> String {
    created["payment_data"]["merchant_order_id"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn verify(actor: &Actor, id: &str) -> Value {
    let body = json!({"merchant_order_id": id});
    actor
        .post("/api/v1/payment/phonepe/verify/", body)
        .await
        .expect(200)
        .json()
}

#[test]
fn a_paid_recharge_is_credited_once_however_often_it_is_verified() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let created = create(&asha, 5_000).await;
        assert_eq!(created["success"], true);
        assert_eq!(verify(&asha, &id(&created)).await["status"], "PENDING");
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        app.pay(&created).await;
        app.app.clock.advance_ms(3_000);
        let id = id(&created);
        let verifies = (0..8).map(|_| verify(&asha, &id));
        futures_util::future::join_all(verifies).await;
        let verified = verify(&asha, &id).await;
        assert_eq!(verified["payment_status"], "COMPLETED");
        assert_eq!(
            verified["message"],
            "Payment successful! Your wallet has been recharged."
        );
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        let path = "/api/v1/wallet/transactions/";
        let statement = asha.get(path).await.expect(200).json();
        assert_eq!(statement["count"], 1);
        assert_eq!(statement["results"][0]["transaction_type"], "credit");
        app.audit().await;
    });
}

#[test]
fn a_declined_recharge_says_why_and_credits_nothing() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let created = create(&asha, 500).await;
        let decline = [("do", "decline"), ("code", "ZM")];
        app.at_gateway(&created, &decline).await;
        let verified = verify(&asha, &id(&created)).await;
        assert_eq!(verified["payment_status"], "FAILED");
        assert_eq!(verified["success"], false);
        let why = verified["error_context"]["description"].as_str().unwrap();
        assert!(!why.is_empty());
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
    });
}

#[test]
fn a_closed_browser_still_gets_its_money_through_the_sweep() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let created = create(&asha, 750).await;
        app.pay(&created).await;
        assert_eq!(
            dakiya::domain::payment::sweep(&app.app).await.unwrap(),
            0,
            "not due yet"
        );
        app.app.clock.advance_ms(26_000);
        dakiya::domain::payment::sweep(&app.app).await.unwrap();
        assert_eq!(app.balance(&asha).await, Paise::rupees(750));
        dakiya::domain::payment::sweep(&app.app).await.unwrap();
        app.audit().await;
    });
}

#[test]
fn amounts_out_of_range_are_refused_in_the_words_of_the_specification() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for (amount, message) in [
            (json!(9), "Minimum recharge amount is ₹10"),
            (json!("9.99"), "Please enter an amount in whole rupees."),
            (json!("12.50"), "Please enter an amount in whole rupees."),
            (json!(""), "Please enter an amount in whole rupees."),
            (json!(-500), "Please enter an amount in whole rupees."),
            (json!("५००"), "Please enter an amount in whole rupees."),
            (json!(200_001), "Maximum recharge amount is ₹2,00,000.00"),
        ] {
            let body = json!({"amount": amount});
            let answer = asha
                .post("/api/v1/payment/phonepe/create/", body)
                .await
                .expect(400);
            assert_eq!(answer.json()["message"], message);
            assert_eq!(answer.wrong_fields(), ["amount"]);
        }
    });
}

#[test]
fn another_users_payment_does_not_exist() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let created = create(&asha, 100).await;
        app.pay(&created).await;
        let body = json!({"merchant_order_id": id(&created)});
        ravi.post("/api/v1/payment/phonepe/verify/", body)
            .await
            .expect(404);
        let path = format!("/api/v1/payment/phonepe/status/{}/", id(&created));
        ravi.get(&path).await.expect(404);
        assert_eq!(app.balance(&ravi).await, Paise::ZERO);
        assert_eq!(
            asha.get(&path).await.expect(200).json()["status"],
            "PENDING"
        );
    });
}

#[test]
fn a_callback_with_a_wrong_hash_is_refused() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let created = create(&asha, 100).await;
        let forged = json!({
            "event": "checkout.order.completed",
            "payload": {"merchantOrderId": id(&created), "state": "COMPLETED", "amount": 10_000},
        });
        anon.post("/api/v1/payment/phonepe/callback/", forged)
            .await
            .expect(401);
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
    });
}
