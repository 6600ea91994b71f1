//! Debts: what a chargeback could not take is owed, and every later credit pays it first.

use dakiya_core::model::booking::order::cancellation::PAID_DEBT;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::task::TaskKind;
use dakiya_core::services::operators::Mode;
use dakiya_core::services::operators::money::Adjustment;
use dakiya_core::store::debts;
use futures_util::future::join_all;
use serde_json::json;

use super::{customer, desk, faults, text};
use crate::app::{Actor, PASSWORD, TestApp, block_on, inbox, rupees};
use crate::bookings::PRICE;
use crate::documents::book;
use crate::operators::dakiya;
use crate::operators::payments::{called_back, credited};

/// The customer's available balance and debt, as the API tells them.
async fn wallet(actor: &Actor) -> (Paise, Paise) {
    let answer = actor.get("/api/v1/wallet/balance/").await.expect(200);
    let owed = answer.json().get("owed").map_or(Paise::ZERO, |_| rupees(answer.text(), "owed"));
    (rupees(answer.text(), "balance"), owed)
}

/// Runs a command of an operator that must succeed.
fn run(app: &TestApp, line: &str) -> String {
    let done = dakiya(app, &format!("{line} --reason why --as ravi"));
    assert_eq!(done.code, 0, "{done:?}");
    done.out
}

#[test]
fn a_payment_that_was_spent_and_charged_back_is_not_spendable_again_by_cancelling() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(500).await;
        let order = credited(&asha).await;
        called_back(&app).await;
        let booked = book(&asha, &json!({})).await;
        let left = app.balance(&asha).await;
        let price = Paise::rupees(500).minus(left);
        let line = format!("payments chargeback {order} --reference CB1");
        let told = run(&app, &line);
        assert!(told.contains(&format!("the customer owes {price}; the account is frozen")));
        asha.get("/api/v1/wallet/balance/").await.expect(401);
        asha.log_in().await;
        assert_eq!(wallet(&asha).await, (Paise::ZERO, price));
        for page in ["/recharge", "/dashboard?tab=transactions"] {
            let page = asha.page(page).await.expect(200);
            let words = format!("You owe us {price}.");
            assert!(page.text().contains(&words), "{}", page.text());
        }
        run(&app, &format!("track add {} cancelled", booked.awb));
        assert_eq!(wallet(&asha).await, (Paise::ZERO, Paise::ZERO));
        let statement = asha.get("/api/v1/wallet/transactions/").await.expect(200);
        assert!(statement.text().contains("Paid towards what you owed us"));
        app.audit().await;
    });
}

#[test]
fn a_cancellation_says_how_much_of_its_money_paid_a_debt() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let order = credited(&asha).await;
        called_back(&app).await;
        let booked = book(&asha, &json!({})).await;
        app.recharge(&asha, 100).await;
        run(&app, &format!("payments chargeback {order} --reference CB1 --no-freeze"));
        let price = Paise::new(PRICE);
        let debt = price.minus(Paise::rupees(100));
        assert_eq!(wallet(&asha).await, (Paise::ZERO, debt));

        let form = format!("/bookings/{}/cancel?from=booking", booked.id);
        let done = asha.form(&form, &[]).await.expect(303);
        let there = format!("/bookings/{}?cancelled=owed", booked.id);
        assert_eq!(done.header("location"), there);
        assert_eq!(wallet(&asha).await, (Paise::rupees(100), Paise::ZERO));
        let sentence = format!(
            "Cancelled. {debt} of the {price} given back was paid towards what you owed us."
        );
        let ticked = format!("booking-{}", booked.id);
        let chosen = [(ticked.as_str(), "on"), ("do", "cancel-now")];
        for page in [asha.page(&there).await, asha.form("/bookings", &chosen).await] {
            let page = page.expect(200);
            assert!(page.text().contains(&sentence), "{}", page.text());
            assert!(!page.text().contains("back in your wallet"), "{}", page.text());
        }
        assert!(asha.page(&there).await.text().contains(PAID_DEBT));
        let again = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        let again = asha.post(&again, json!({})).await.expect(200);
        assert_eq!(again.json()["message"], PAID_DEBT);
        assert_eq!(rupees(again.text(), "debt_paid"), debt);

        app.round(TaskKind::Notices).await;
        let told = inbox(&app.app);
        let is_told = |text: &str| {
            text.contains("what you paid was given back.")
                && text.contains(&format!("{debt} of it was paid towards what you owed us."))
        };
        assert!(told.iter().any(|it| is_told(&it.text)), "{told:?}");
        app.audit().await;
    });
}

#[test]
fn a_cancellation_whose_money_pays_a_part_of_a_debt_does_not_say_that_all_is_paid() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let order = credited(&asha).await;
        called_back(&app).await;
        let booked = book(&asha, &json!({})).await;
        book(&asha, &json!({})).await;
        run(&app, &format!("payments chargeback {order} --reference CB1 --no-freeze"));
        let price = Paise::new(PRICE);
        assert_eq!(wallet(&asha).await, (Paise::ZERO, Paise::new(2 * PRICE)));
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        let done = asha.post(&cancel, json!({})).await.expect(200);
        assert_eq!(done.json()["message"], PAID_DEBT);
        assert!(PAID_DEBT.contains("less what you owed us"));
        assert_eq!(rupees(done.text(), "debt_paid"), price);
        assert_eq!(wallet(&asha).await, (Paise::ZERO, price));
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_credit_that_does_not_pay_a_debt_is_noticed() {
    let test = "books::debts::\
        a_payment_that_was_spent_and_charged_back_is_not_spendable_again_by_cancelling";
    crate::faults::must_fail(test, "debt-forgotten");
}

#[test]
fn every_credit_pays_a_debt_first_and_the_rest_can_be_spent() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let order = credited(&asha).await;
        called_back(&app).await;
        let name = asha.username.clone();
        run(&app, &format!("wallet adjust {name} -100 --correction"));
        run(&app, &format!("payments chargeback {order} --reference CB1 --no-freeze"));
        assert_eq!(wallet(&asha).await, (Paise::ZERO, Paise::rupees(100)));
        let close = [("current_password", PASSWORD)];
        let refused = asha.form("/account/close", &close).await.expect(409);
        assert!(refused.text().contains("You owe us ₹100.00."), "{}", refused.text());

        let told = run(&app, &format!("wallet adjust {name} 30 --goodwill"));
        assert!(told.contains("the wallet has ₹0.00, the customer owes ₹70.00"), "{told}");
        assert_eq!(wallet(&asha).await, (Paise::ZERO, Paise::rupees(70)));
        app.recharge(&asha, 90).await;
        assert_eq!(wallet(&asha).await, (Paise::rupees(20), Paise::ZERO));
        app.round(TaskKind::PaymentLetter).await;
        let told = inbox(&app.app);
        let is_told = |text: &str| text.contains("₹70.00 of it was paid towards what you owed us.");
        assert!(told.iter().any(|it| is_told(&it.text)), "{told:?}");
        // Decided for us: all that was taken or paid comes back.
        run(&app, "payments chargeback-won CB1");
        assert_eq!(wallet(&asha).await, (Paise::rupees(120), Paise::ZERO));
        app.audit().await;
    });
}

#[test]
fn of_credits_at_once_each_pays_the_debt_that_is_left() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let order = text(&app, "select merchant_order_id from payment_orders").await;
        let name = &*asha.username;
        run(&app, &format!("wallet adjust {name} -100 --correction"));
        run(&app, &format!("payments chargeback {order} --reference CB1 --no-freeze"));
        let books = &app;
        let credits = (0..16).map(|_| async move {
            let gift = Adjustment::Goodwill(String::new());
            let mode = Mode { again: true, ..Mode::default() };
            desk(books, mode).adjust(name, Paise::rupees(10), gift, "sorry").await
        });
        for credit in join_all(credits).await {
            credit.expect("given");
        }
        assert_eq!(wallet(&asha).await, (Paise::rupees(60), Paise::ZERO));
        let repaid = "select cast(count(*) as text) from movements where kind = 'debt_repaid'";
        assert_eq!(text(&app, repaid).await, "10");
        app.audit().await;
    });
}

#[test]
fn the_rows_explain_a_debt_and_the_audit_notices_one_that_was_not_paid() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let order = text(&app, "select merchant_order_id from payment_orders").await;
        let name = &asha.username;
        run(&app, &format!("wallet adjust {name} -60 --correction"));
        run(&app, &format!("payments chargeback {order} --reference CB1 --no-freeze"));
        run(&app, &format!("wallet adjust {name} 10 --goodwill"));
        let user_id = customer(&app).await;
        let mut conn = app.app.core.store.read().await.expect("a connection");
        assert_eq!(debts::owed(&mut conn, &user_id).await.unwrap(), Paise::rupees(50));
        drop(conn);
        app.audit().await;
        let audit = app.app.core.store.audit(None).await.expect("an audit");
        let owed = audit.trial_balance.iter().find(|line| line.account == "receivable");
        assert_eq!(owed.expect("a line").balance, Paise::rupees(-50));

        app.tamper("update movements set part_paise = 0 where kind = 'chargeback'").await.unwrap();
        let found = faults(&app).await;
        for account in ["available", "receivable"] {
            let named = format!("account {account}:{user_id}: ");
            assert!(found.iter().any(|it| it.starts_with(&named)), "{account}: {found:?}");
        }
        let paid = "update ledger_accounts set balance_paise = 1 where kind = 'receivable'";
        app.tamper(paid).await.expect_err("a debt is never above zero");
        let spendable = "update ledger_accounts set balance_paise = 1 where kind = 'available'";
        app.tamper(spendable).await.unwrap();
        let unpaid = format!("the debt of {user_id} stands while the wallet has money");
        assert!(faults(&app).await.contains(&unpaid));
    });
}
