//! Recharging the wallet through the sandbox gateway.

mod proof_amounts;
mod proof_hangups;
mod proof_kills;
mod proof_once;
mod proof_states;
mod proof_sweep;
mod script;
pub mod shop;

use dakiya::jobs;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::task::TaskKind;
use dakiya_core::store;
use serde_json::json;

use self::shop::{CALLBACK, Shop, call_back, create, id, paid, status, verify};
use crate::app::{Actor, TestApp, block_on};
use crate::patience::eventually;

#[test]
fn a_paid_recharge_is_credited_once_however_often_it_is_verified() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let created = create(&asha, 5_000).await;
        assert_eq!(created["success"], true);
        assert_eq!(verify(&asha, &id(&created)).await["status"], "PENDING");
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        app.pay(&created).await;
        app.app.core.clock.advance_ms(3_000);
        let id = id(&created);
        let verifies = (0..8).map(|_| verify(&asha, &id));
        futures_util::future::join_all(verifies).await;
        let verified = verify(&asha, &id).await;
        assert_eq!(verified["payment_status"], "COMPLETED");
        assert_eq!(verified["message"], "Payment successful! Your wallet has been recharged.");
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        let path = "/api/v1/wallet/transactions/";
        let statement = asha.get(path).await.expect(200).json();
        assert_eq!(statement["count"], 1);
        assert_eq!(statement["results"][0]["transaction_type"], "credit");
        app.audit().await;
    });
}

#[test]
fn the_recharge_page_says_for_a_while_what_arrived() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        app.recharge(&asha, 1_100).await;
        let page = asha.page("/recharge").await.expect(200);
        assert!(page.text().contains("₹1,100 arrived"), "{}", page.text());
        assert!(page.text().contains("/recharge/receipt/DKR"), "its receipt");
        let other = ravi.page("/recharge").await.expect(200);
        assert!(!other.text().contains("₹1,100"), "another customer's");
        app.app.core.clock.advance_ms(dakiya_core::limits::ARRIVED_SHOWN_MS + 1);
        let page = asha.page("/recharge").await.expect(200);
        assert!(!page.text().contains("₹1,100 arrived"));
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
        app.sweep().await;
        assert_eq!(app.balance(&asha).await, Paise::ZERO, "not due yet");
        app.app.core.clock.advance_ms(26_000);
        app.sweep().await;
        assert_eq!(app.balance(&asha).await, Paise::rupees(750));
        app.sweep().await;
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
            (json!("1,00"), "Please enter an amount in whole rupees."),
            (json!(200_001), "Maximum recharge amount is ₹2,00,000.00"),
        ] {
            let body = json!({"amount": amount});
            let answer = asha.post("/api/v1/payment/phonepe/create/", body).await.expect(400);
            assert_eq!(answer.json()["message"], message);
            assert_eq!(answer.wrong_fields(), ["amount"]);
        }
    });
}

#[test]
fn a_payment_that_was_put_away_is_off_the_list_and_still_credited() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let created = create(&asha, 500).await;
        let put_away = "/api/v1/payment/phonepe/dismiss/";
        let body = || json!({"merchant_order_id": id(&created)});
        let listed = async || {
            let list = asha.get("/api/v1/payment/phonepe/pending/").await;
            let list = list.expect(200).json();
            list["results"].as_array().expect("a list").len()
        };
        anon.post(put_away, body()).await.expect(401);
        ravi.post(put_away, body()).await.expect(404);
        let nothing = asha.post(put_away, json!({})).await.expect(400);
        assert_eq!(nothing.wrong_fields(), ["merchant_order_id"]);
        assert_eq!(listed().await, 1);
        for _ in 0..2 {
            let left = asha.post(put_away, body()).await.expect(200).json();
            assert_eq!(left["results"], json!([]));
        }
        assert_eq!(listed().await, 0);
        app.pay(&created).await;
        app.app.core.clock.advance_ms(26_000);
        app.sweep().await;
        assert_eq!(app.balance(&asha).await, Paise::rupees(500));
        app.audit().await;
    });
}

#[test]
fn the_success_page_takes_nothing_about_money_from_its_address() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let page = async |who: &Actor, order: &str| {
            let path = format!("/recharge/success?merchantTransactionId={order}&amount=99999");
            let page = who.get(&path).await.expect(200).text().to_owned();
            assert!(!page.contains("99,999"), "{page}");
            page
        };
        let paid = create(&asha, 500).await;
        app.pay(&paid).await;
        let shown = page(&asha, &id(&paid)).await;
        for told in ["Recharge Successful!", "₹500.00", "UPI", &id(&paid)] {
            assert!(shown.contains(told), "{told}");
        }
        assert!(!shown.contains("N/A"));
        let pending = create(&asha, 600).await;
        let declined = create(&asha, 700).await;
        let decline = [("do", "decline"), ("code", "ZM")];
        app.at_gateway(&declined, &decline).await;
        for (who, order, heading) in [
            (&asha, "NOPE", "Payment not found"),
            (&ravi, id(&paid).as_str(), "Payment not found"),
            (&asha, id(&pending).as_str(), "Processing Payment"),
            (&asha, id(&declined).as_str(), "Payment Failed"),
        ] {
            let shown = page(who, order).await;
            assert!(shown.contains(heading), "{heading}");
            assert!(!shown.contains("Recharge Successful!"), "{heading}");
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
        ravi.post("/api/v1/payment/phonepe/verify/", body).await.expect(404);
        let path = format!("/api/v1/payment/phonepe/status/{}/", id(&created));
        ravi.get(&path).await.expect(404);
        assert_eq!(app.balance(&ravi).await, Paise::ZERO);
        assert_eq!(asha.get(&path).await.expect(200).json()["status"], "PENDING");
    });
}

#[test]
fn a_callback_makes_the_sweep_ask_at_once_and_survives_a_crash_after_it() {
    block_on(async {
        let mut shop = Shop::open().await;
        let mut asha = shop.app.user("asha").await;
        let id = id(&create(&asha, 300).await);
        shop.rig.act(&id, json!({"action": "pay"})).await;
        let taken = call_back(&shop.app.anon(), true, paid(&id, 30_000)).await;
        taken.expect(200);
        assert_eq!(shop.questions(&id).await, 0, "taken, and nothing more");
        shop.app.restart().await;
        asha.url.clone_from(&shop.app.url);
        shop.app.sweep().await;
        assert_eq!(shop.questions(&id).await, 1);
        assert_eq!(shop.app.balance(&asha).await, Paise::rupees(300));
        shop.app.audit().await;
    });
}

#[test]
fn a_callback_from_anybody_else_or_without_sense_changes_nothing() {
    block_on(async {
        let shop = Shop::open().await;
        let (asha, anon) = (shop.app.user("asha").await, shop.app.anon());
        let id = id(&create(&asha, 100).await);
        call_back(&anon, false, paid(&id, 10_000)).await.expect(401);
        anon.post(CALLBACK, paid(&id, 10_000)).await.expect(401);
        for nonsense in [json!(null), json!([]), paid("../x", 1), paid("DKRnobody", 1)] {
            call_back(&anon, true, nonsense).await.expect(200);
        }
        let large = " ".repeat(dakiya_core::limits::BODY_BYTES_MAX + 1);
        call_back(&anon, true, large).await.expect(413);
        shop.app.sweep().await;
        assert_eq!(shop.questions(&id).await, 0);
        assert_eq!(shop.app.balance(&asha).await, Paise::ZERO);
    });
}

#[test]
fn an_order_the_gateway_refuses_fails_and_one_it_may_have_is_kept_for_the_sweep() {
    block_on(async {
        let shop = Shop::open().await;
        let asha = shop.app.user("asha").await;
        let (path, body) = ("/api/v1/payment/phonepe/create/", json!({"amount": 100}));
        let too_many = json!({"operation": "pay", "kind": "too_many"});
        let lost = json!({"operation": "pay", "kind": "drop", "when": "after_work"});
        for (fault, ends) in [(too_many, "FAILED"), (lost, "PENDING")] {
            shop.rig.fault(fault).await;
            let answer = asha.post(path, body.clone()).await.expect(502);
            assert_eq!(answer.json()["message"], "Failed to create payment order");
            let id = shop.newest_order().await;
            assert_eq!(status(&asha, &id).await, ends);
        }
        let id = shop.newest_order().await;
        shop.rig.act(&id, json!({"action": "pay"})).await;
        shop.app.app.core.clock.advance_ms(26_000);
        shop.app.sweep().await;
        assert_eq!(status(&asha, &id).await, "COMPLETED");
        assert_ne!(id, shop::id(&create(&asha, 100).await));
    });
}

#[test]
fn a_payment_of_another_amount_is_disputed_and_credits_nothing() {
    block_on(async {
        let shop = Shop::open().await;
        let asha = shop.app.user("asha").await;
        let id = id(&create(&asha, 500).await);
        shop.rig.act(&id, json!({"action": "pay", "amount": 49_900})).await;
        assert_eq!(verify(&asha, &id).await["status"], "PENDING");
        assert_eq!(shop.app.balance(&asha).await, Paise::ZERO);
        let mut conn = shop.app.app.core.store.read().await.unwrap();
        let disputes = store::disputes::list(&mut conn).await.unwrap();
        let reason = "ordered for ₹500.00, confirmed for ₹500.00, paid ₹499.00";
        assert_eq!(disputes, [(id, reason.to_owned())]);
    });
}

#[test]
fn one_slow_answer_holds_up_nobody_else() {
    block_on(async {
        let shop = Shop::open().await;
        let asha = shop.app.user("asha").await;
        for _ in 0..10 {
            let id = id(&create(&asha, 10).await);
            shop.rig.act(&id, json!({"action": "pay"})).await;
        }
        let slow = json!({"operation": "status", "kind": "slow", "delay_ms": 600_000});
        shop.rig.fault(slow).await;
        shop.app.app.core.clock.advance_ms(26_000);
        let app = shop.app.app.clone();
        let asking = tokio::spawn(async move { jobs::run_due(&app, TaskKind::Payment).await });
        let most = eventually(async || {
            let balance = shop.app.balance(&asha).await;
            (balance >= Paise::rupees(90)).then_some(balance)
        });
        assert_eq!(most.await, Paise::rupees(90));
        // The slow request times out, and the order is checked again.
        asking.await.expect("a round").expect("a round");
        assert_eq!(shop.app.balance(&asha).await, Paise::rupees(100));
    });
}

#[test]
fn a_clock_that_was_wrong_for_a_while_neither_blocks_nor_forgets_a_payment() {
    block_on(async {
        const YEAR_MS: i64 = 365 * 24 * 60 * 60 * 1_000;
        let shop = Shop::open().await;
        let asha = shop.app.user("asha").await;
        let clock = &shop.app.app.core.clock;
        for ahead_ms in [YEAR_MS, -YEAR_MS] {
            let id = id(&create(&asha, 100).await);
            clock.advance_ms(26_000 + ahead_ms);
            shop.app.sweep().await;
            clock.advance_ms(-ahead_ms);
            shop.rig.act(&id, json!({"action": "pay"})).await;
            clock.advance_ms(60_000);
            shop.app.sweep().await;
            let mut asha = asha.clone();
            asha.log_in().await;
            assert_eq!(status(&asha, &id).await, "COMPLETED", "{ahead_ms}");
        }
        shop.app.audit().await;
    });
}
