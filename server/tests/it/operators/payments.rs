//! Payments that do not match their order, and refunds to the payer.

use dakiya_core::limits;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::task::TaskKind;
use reqwest::Method;
use serde_json::{Value, json};

use super::{dakiya, letters, rows, sim, unchanged};
use crate::app::{Actor, TestApp, block_on, inbox};
use crate::patience::until;
use crate::payments::shop::{create, id, verify};

/// Makes a payment of ₹500 with another amount; returns its order.
pub async fn disputed(app: &TestApp, asha: &Actor, paise: i64) -> String {
    // The gateway's callbacks would interfere.
    sim(app, Method::PATCH, "settings", json!({"callbacks": "never"})).await;
    let order = id(&create(asha, 500).await);
    let pay = json!({"action": "pay", "amount": paise});
    sim(app, Method::POST, &format!("orders/{order}/act"), pay).await;
    assert_eq!(verify(asha, &order).await["status"], "PENDING");
    order
}

/// Waits for the gateway's callbacks about a payment, and handles them.
pub async fn called_back(app: &TestApp) {
    until("the gateway has called back", async || {
        let sent = sim(app, Method::GET, "callbacks", Value::Null).await;
        !sent.as_array().expect("callbacks").is_empty()
    })
    .await;
    app.sweep().await;
}

/// The newest payment that was credited.
pub async fn credited(asha: &Actor) -> String {
    let lines = asha.get("/api/v1/wallet/transactions/").await.expect(200).json();
    let link = lines["results"][0]["link"].as_str().expect("a link").to_owned();
    link.rsplit('=').next().expect("an order").to_owned()
}

/// Moves the clock, and runs all tasks that wait for the gateway.
async fn later(app: &TestApp, ms: i64) {
    app.app.core.clock.advance_ms(ms);
    sim(app, Method::POST, "clock", json!({"advance_ms": ms})).await;
    app.round(TaskKind::GatewayRefund).await;
}

/// A payment's refund requests that the gateway received.
async fn sent_back(app: &TestApp, order: &str) -> Vec<Value> {
    let path = format!("requests?operation=refund&contains={order}");
    let asked = sim(app, Method::GET, &path, Value::Null).await;
    asked.as_array().expect("a list").clone()
}

async fn shown(app: &TestApp, order: &str) -> Value {
    dakiya(app, &format!("payments show {order} --json")).json()
}

#[test]
fn a_disputed_payment_is_credited_with_what_was_paid_and_the_customer_is_told() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let order = disputed(&app, &asha, 49_900).await;
        let listed = dakiya(&app, "payments disputes --json").json();
        assert_eq!(listed[0]["order"], order.as_str());
        let seen = shown(&app, &order).await;
        assert_eq!([&seen["amount"], &seen["disputed_paid"]], [&json!(500.0), &json!(499.0)]);

        let line = format!("payments settle-dispute {order} --credit --reason less --as ravi");
        let before = rows(&app).await;
        let dry = dakiya(&app, &format!("{line} --dry-run --json")).json();
        assert_eq!([&dry["dry_run"], &dry["action"]], [&json!(true), &Value::Null]);
        let entries = dry["entries"].as_array().expect("entries");
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[0]["account"], "gateway_clearing");
        assert_eq!(entries[0]["amount"], json!(-499.0));
        unchanged(&app, &before).await;

        let done = dakiya(&app, &format!("{line} --json")).json();
        assert_eq!(done["entries"], dry["entries"]);
        assert_eq!(app.balance(&asha).await, Paise::new(49_900));
        let verified = verify(&asha, &order).await;
        assert_eq!(
            [&verified["status"], &verified["amount"]],
            [&json!("COMPLETED"), &json!(499.0)]
        );
        assert_eq!(
            letters(&app, TaskKind::PaymentLetter).await[0],
            "Your payment is in your wallet"
        );
        dakiya(&app, &line).refused("This payment is not disputed.");
        app.app.core.clock.advance_ms(10 * 60_000);
        app.sweep().await;
        assert_eq!(app.balance(&asha).await, Paise::new(49_900), "once");
        app.audit().await;
    });
}

#[test]
fn a_disputed_payment_is_sent_back_once_and_never_credited() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let order = disputed(&app, &asha, 49_900).await;
        let line = format!("payments settle-dispute {order} --refund --reason theirs --as ravi");
        let before = rows(&app).await;
        assert!(dakiya(&app, &format!("{line} --dry-run")).out.contains("₹499.00 is sent back"));
        unchanged(&app, &before).await;
        dakiya(&app, &format!("{line} --json")).json();
        dakiya(&app, &line).refused("This payment is not disputed.");
        let told = verify(&asha, &order).await;
        assert_eq!(
            [&told["status"], &told["error"]],
            ["FAILED", "Your payment was sent back to you."]
        );
        later(&app, 0).await;
        later(&app, limits::REFUND_ASK_MS).await;
        let refund = &shown(&app, &order).await["refunds"][0];
        assert_eq!(
            [&refund["state"], &refund["from_wallet"]],
            [&json!("completed"), &json!(false)]
        );
        assert_eq!(sent_back(&app, &order).await.len(), 1);
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        assert_eq!(letters(&app, TaskKind::PaymentLetter).await[0], "Your payment was sent back");
        app.audit().await;
    });
}

#[test]
fn a_credited_payment_leaves_the_wallet_at_once_and_goes_back_to_its_payer() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let order = credited(&asha).await;
        called_back(&app).await;
        let line = format!("payments refund {order} --reason asked --as ravi");
        let before = rows(&app).await;
        let dry = dakiya(&app, &format!("{line} --amount 200.50 --dry-run --json")).json();
        let amounts = |of: &Value| {
            let entries = of["entries"].as_array().expect("entries").iter();
            entries.map(|entry| entry["amount"].to_string()).collect::<Vec<_>>()
        };
        assert_eq!(amounts(&dry), ["-200.5", "200.5"]);
        unchanged(&app, &before).await;
        dakiya(&app, &format!("{line} --amount 500.01")).refused("Of this payment ₹500.00 is left");
        unchanged(&app, &before).await;

        dakiya(&app, &format!("{line} --amount 200.50 --json")).json();
        assert_eq!(app.balance(&asha).await, Paise::new(29_950), "at once");
        app.audit().await;
        later(&app, 0).await;
        later(&app, limits::REFUND_ASK_MS).await;
        assert_eq!(shown(&app, &order).await["refunds"][0]["state"], "completed");
        assert_eq!(app.balance(&asha).await, Paise::new(29_950));
        // The rest, of which the customer has spent nothing.
        let done = dakiya(&app, &format!("{line} --json")).json();
        assert_eq!(done["amount"], json!(299.5));
        dakiya(&app, &line).refused("₹0.00 is left");
        later(&app, 0).await;
        later(&app, limits::REFUND_ASK_MS).await;
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        assert_eq!(sent_back(&app, &order).await.len(), 2);
        app.audit().await;
    });
}

#[test]
fn what_the_customer_has_spent_is_not_sent_back() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let order = credited(&asha).await;
        called_back(&app).await;
        let quote = crate::bookings::quote(&asha).await;
        let form = crate::bookings::form(&quote);
        crate::bookings::confirm(&asha, "spent-by-then", &form).await.expect(200);
        let before = rows(&app).await;
        let line = format!("payments refund {order} --reason asked --as ravi");
        dakiya(&app, &line).refused("The wallet does not cover this refund.");
        unchanged(&app, &before).await;
    });
}

#[test]
fn a_refund_whose_answer_is_lost_is_made_once_and_one_that_never_arrived_is_sent_again() {
    block_on(async {
        for when in ["before_work", "after_work"] {
            let (app, _, asha) = TestApp::with_money(500).await;
            let order = credited(&asha).await;
            for operation in ["refund", "refund_status"] {
                let lost = json!({"operation": operation, "kind": "drop", "when": when});
                sim(&app, Method::POST, "faults", lost).await;
            }
            let line = format!("payments refund {order} --reason asked --as ravi --json");
            let refund = dakiya(&app, &line).json()["refund"].clone();
            later(&app, 0).await;
            assert_eq!(app.balance(&asha).await, Paise::ZERO, "{when}: its fate is not known");
            for _ in 0..20 {
                later(&app, limits::REFUND_ASK_MS).await;
            }
            let seen = &shown(&app, &order).await["refunds"];
            assert_eq!(seen.as_array().expect("refunds").len(), 1);
            assert_eq!([&seen[0]["refund"], &seen[0]["state"]], [&refund, &json!("completed")]);
            let asked = sent_back(&app, &order).await.len();
            assert_eq!(asked, if when == "before_work" { 2 } else { 1 }, "{when}");
            assert_eq!(app.balance(&asha).await, Paise::ZERO);
            app.audit().await;
        }
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_proof_of_refunds_that_cannot_fail_is_noticed() {
    let test = "operators::payments::\
        a_refund_whose_answer_is_lost_is_made_once_and_one_that_never_arrived_is_sent_again";
    crate::faults::must_fail(test, "refund-lost-is-failed");
}

#[test]
fn what_a_bank_does_not_take_pays_a_debt_first_and_the_letter_says_so() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let order = credited(&asha).await;
        called_back(&app).await;
        sim(&app, Method::PATCH, "settings", json!({"refunds_fail": true})).await;
        let line = format!("payments refund {order} --amount 300 --reason asked --as ravi --json");
        dakiya(&app, &line).json();
        let (name, why) = (&asha.username, "--reason why --as ravi --json");
        dakiya(&app, &format!("wallet adjust {name} -200 --correction {why}")).json();
        let taken = "--amount 120 --reference CB1 --no-freeze";
        dakiya(&app, &format!("payments chargeback {order} {taken} {why}")).json();
        later(&app, 0).await;
        later(&app, limits::REFUND_ASK_MS).await;
        assert_eq!(shown(&app, &order).await["refunds"][0]["state"], "failed");
        assert_eq!(app.balance(&asha).await, Paise::rupees(180));
        app.round(TaskKind::PaymentLetter).await;
        let told = inbox(&app.app);
        let is_told =
            |text: &str| text.contains("₹120.00 of it was paid towards what you owed us.");
        assert!(told.iter().any(|it| is_told(&it.text)), "{told:?}");
        app.audit().await;
    });
}

#[test]
fn what_a_bank_does_not_take_is_in_the_wallet_again_and_the_customer_is_told() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let order = credited(&asha).await;
        sim(&app, Method::PATCH, "settings", json!({"refunds_fail": true})).await;
        let line = format!("payments refund {order} --reason asked --as ravi --json");
        dakiya(&app, &line).json();
        later(&app, 0).await;
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        later(&app, limits::REFUND_ASK_MS).await;
        assert_eq!(shown(&app, &order).await["refunds"][0]["state"], "failed");
        assert_eq!(app.balance(&asha).await, Paise::rupees(500));
        let told = letters(&app, TaskKind::PaymentLetter).await;
        let failed = "Your payment could not be sent back";
        assert!(told.iter().any(|it| it == failed), "{told:?}");
        app.audit().await;
        // It may be tried again, as another refund.
        sim(&app, Method::PATCH, "settings", json!({"refunds_fail": false})).await;
        dakiya(&app, &line).refused("Add --again");
        dakiya(&app, &format!("{line} --again")).json();
        later(&app, 0).await;
        later(&app, limits::REFUND_ASK_MS).await;
        assert_eq!(shown(&app, &order).await["refunds"][1]["state"], "completed");
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        app.audit().await;
    });
}
