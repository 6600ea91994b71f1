//! Money moved by operators: between the right accounts, once, and first as a dry run.

use dakiya_core::error::{Error, Result};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::operator::{ActResult, PostedEntry};
use dakiya_core::services::operators::money::Adjustment::{Correction, Goodwill};
use dakiya_core::services::operators::{Mode, Operators};
use futures_util::future::join_all;

use super::{accounts, desk, text};
use crate::app::{TestApp, block_on};

const WHY: &str = "a test";

/// Does an act as a dry run, for real and again; returns its entries as text without the customer's
/// id.
async fn done<T>(app: &TestApp, act: impl AsyncFn(Operators) -> Result<ActResult<T>>) -> String {
    let run = async |dry_run: bool| {
        let mode = Mode { dry_run, again: false };
        act(desk(app, mode)).await
    };
    let before = accounts(app).await;
    let rehearsed = told(&run(true).await.map_err(drop).expect("a rehearsal").entries);
    assert_eq!(accounts(app).await, before, "a rehearsal leaves nothing");
    let moved = told(&run(false).await.map_err(drop).expect("done").entries);
    assert_eq!(moved, rehearsed);
    let after = accounts(app).await;
    let again = run(false).await.err().expect("it was done before");
    assert_eq!(again.status(), 409, "{again:?}");
    assert_eq!(accounts(app).await, after, "once");
    app.audit().await;
    moved
}

fn told(entries: &[PostedEntry]) -> String {
    let entry = |entry: &PostedEntry| {
        let (kind, _) = entry.account.split_once(':').unwrap_or((&entry.account, ""));
        format!("{kind}{:+}", entry.amount.get())
    };
    entries.iter().map(entry).collect::<Vec<_>>().join(" ")
}

/// The error code of a refused act.
fn code<T>(done: Result<ActResult<T>>) -> &'static str {
    done.err().expect("a refusal").code()
}

#[test]
fn every_movement_is_rehearsed_done_once_and_explained() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(1_000).await;
        let name = &*asha.username;
        let rupees = Paise::rupees;
        assert_eq!(
            done(&app, async |desk| {
                let goodwill = Goodwill("AWB1".to_owned());
                desk.adjust(name, rupees(50), goodwill, WHY).await
            })
            .await,
            "available+5000 adjustments-5000"
        );
        assert_eq!(
            done(&app, async |desk| { desk.adjust(name, rupees(-30), Correction, WHY).await })
                .await,
            "available-3000 adjustments+3000"
        );
        assert_eq!(
            done(&app, async |desk| {
                desk.settle_courier("house", rupees(400), "UTR1", WHY).await
            })
            .await,
            "courier_payable-40000 bank+40000"
        );
        assert_eq!(
            done(&app, async |desk| { desk.bill_differs("house", rupees(-2), "77", WHY).await })
                .await,
            "revenue+200 courier_payable-200"
        );
        assert_eq!(
            done(&app, async |desk| {
                desk.record_payout(rupees(900), Paise::new(1_062), "UTR7", WHY).await
            })
            .await,
            "gateway_clearing+90000 bank-88938 gateway_fees-1062"
        );
        assert_eq!(app.balance(&asha).await, rupees(1_020));
        let statement = asha.get("/api/v1/wallet/transactions/").await.expect(200);
        for words in ["Goodwill credit for AWB1", "Correction of your balance"] {
            assert!(statement.text().contains(words), "{}", statement.text());
        }
    });
}

#[test]
fn a_chargeback_takes_what_the_wallet_has_and_gives_it_back_when_it_is_won() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(1_000).await;
        let order = text(&app, "select merchant_order_id from payment_orders").await;
        let order = &*order;
        let rupees = Paise::rupees;
        let spent = desk(&app, Mode::default());
        let spent = spent.adjust(&asha.username, rupees(-700), Correction, "spent");
        spent.await.expect("spent");
        assert_eq!(
            done(&app, async |desk| { desk.charge_back(order, None, "CB1", false, WHY).await })
                .await,
            "available-30000 receivable-70000 gateway_clearing+100000"
        );
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        let more = desk(&app, Mode::default());
        let more = more.charge_back(order, Some(Paise::new(1)), "CB2", false, WHY);
        assert_eq!(code(more.await), "more_than_paid");
        let all = desk(&app, Mode::default());
        let all = all.charge_back(order, None, "CB2", false, WHY).await;
        assert_eq!(code(all), "nothing_to_do");
        assert_eq!(
            done(&app, async |desk| desk.chargeback_won("cb1", WHY).await).await,
            "gateway_clearing-100000 available+100000 available-70000 receivable+70000"
        );
        assert_eq!(app.balance(&asha).await, rupees(300));
        let statement = asha.get("/api/v1/wallet/transactions/").await.expect(200);
        for words in [
            "Recharge taken back by your bank",
            "Recharge confirmed by your bank",
            "Paid towards what you owed us",
        ] {
            assert!(statement.text().contains(words), "{}", statement.text());
        }
    });
}

#[test]
fn a_number_of_the_bank_or_a_courier_is_in_the_books_once_whatever_is_said_of_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(1_000).await;
        let order = text(&app, "select merchant_order_id from payment_orders").await;
        let order = &*order;
        let (five, six) = (Paise::rupees(5), Paise::rupees(6));
        let desk = || desk(&app, Mode::default());
        let settle = async |amount, why| desk().settle_courier("house", amount, "utr 7", why).await;
        assert_eq!(code(settle(five, WHY).await), "invalid_fields", "no number");
        let settle = async |amount, why| desk().settle_courier("house", amount, "utr7", why).await;
        let differs = async |amount, why| desk().bill_differs("house", amount, "utr7", why).await;
        let paid = async |amount, why| desk().record_payout(amount, Paise::ZERO, "UTR7", why).await;
        let back =
            async |amount, why| desk().charge_back(order, Some(amount), "utr7", false, why).await;
        settle(five, WHY).await.expect("settled");
        differs(five, WHY).await.expect("another thing of this number");
        paid(five, WHY).await.expect("paid out");
        back(five, WHY).await.expect("charged back");
        let before = accounts(&app).await;
        let balance = app.balance(&asha).await;
        let again = "in other words";
        assert_eq!(code(settle(five, again).await), "nothing_to_do");
        assert_eq!(code(differs(five, again).await), "nothing_to_do");
        assert_eq!(code(paid(five, again).await), "nothing_to_do");
        assert_eq!(code(back(five, again).await), "nothing_to_do");
        assert_eq!(code(settle(six, WHY).await), "number_used");
        assert_eq!(code(differs(six, WHY).await), "number_used");
        assert_eq!(code(paid(six, WHY).await), "number_used");
        assert_eq!(code(back(six, WHY).await), "number_used");
        assert_eq!(accounts(&app).await, before);
        assert_eq!(app.balance(&asha).await, balance);
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_proof_of_numbers_that_cannot_fail_is_noticed() {
    let test = "books::movements::\
        a_number_of_the_bank_or_a_courier_is_in_the_books_once_whatever_is_said_of_it";
    crate::faults::must_fail(test, "number-forgotten");
}

#[test]
fn of_the_same_act_at_the_same_time_one_moves_money() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let five = Paise::rupees(5);
        let desks = || (0..6).map(|_| desk(&app, Mode::default()));
        let goodwill = desks().map(async |desk| {
            let given = desk.adjust(&asha.username, five, Goodwill(String::new()), WHY);
            given.await.is_ok()
        });
        let paid = desks().map(async |desk| {
            let paid = desk.settle_courier("house", five, "UTR1", WHY);
            paid.await.is_ok()
        });
        let (goodwill, paid) = tokio::join!(join_all(goodwill), join_all(paid));
        for done in [goodwill, paid] {
            assert_eq!(done.into_iter().filter(|done| *done).count(), 1);
        }
        assert_eq!(app.balance(&asha).await, Paise::rupees(105));
        assert_eq!(accounts(&app).await["bank"], 500);
        app.audit().await;
    });
}

#[test]
fn what_a_wallet_does_not_cover_is_refused() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10).await;
        let desk = desk(&app, Mode::default());
        let taken = desk.adjust(&asha.username, Paise::rupees(-11), Correction, WHY);
        assert!(matches!(taken.await, Err(Error::ShortOfMoney(_))));
        assert_eq!(app.balance(&asha).await, Paise::rupees(10));
    });
}
