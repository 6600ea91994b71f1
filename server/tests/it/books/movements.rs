//! What operators move: between the right accounts, once, and first as a rehearsal.

use dakiya::error::Error;
use dakiya::model::money::paise::Paise;
use dakiya::services::books::movements::{
    adjust, bill_differs, chargeback, chargeback_won, goodwill, settle_courier, settle_gateway,
};
use dakiya::services::books::{Instruction, Moved};
use dakiya::store::Conn;
use dakiya::store::ledger::Posted;
use futures_util::future::BoxFuture;

use super::{accounts, by, customer, text};
use crate::app::{TestApp, block_on};

/// Rehearses, does and repeats an instruction; what it did, in words without the customer's id.
async fn done<W>(app: &TestApp, id: &str, work: W) -> String
where
    W: for<'c> Fn(&'c mut Conn, Instruction) -> BoxFuture<'c, dakiya::error::Result<Posted>>
        + Clone
        + Send
        + 'static,
{
    let run = async |rehearsal: bool| -> Moved {
        let (work, by) = (work.clone(), by(app, id));
        let moved = app.app.web.books.run(rehearsal, move |conn| work(conn, by));
        moved.await.expect("moved")
    };
    let before = accounts(app).await;
    let rehearsed = run(true).await;
    assert_eq!(accounts(app).await, before, "a rehearsal leaves nothing");
    let moved = run(false).await;
    assert_eq!(moved, rehearsed);
    let again = run(false).await;
    let nothing = Moved {
        posted: Posted::Already,
        entries: Vec::new(),
    };
    assert!(
        again == nothing || moved.posted == Posted::Refused,
        "{again:?}"
    );
    app.audit().await;
    let told = moved.entries.iter();
    let told: Vec<String> = told
        .map(|(account, by)| {
            let (kind, _) = account.split_once(':').unwrap_or((account, ""));
            format!("{kind}{:+}", by.get())
        })
        .collect();
    told.join(" ")
}

macro_rules! done {
    ($app:expr, $id:literal, |$conn:ident, $by:ident| $work:expr) => {
        done(&$app, $id, move |$conn: &mut Conn, $by: Instruction| {
            Box::pin(async move { $work.await })
        })
        .await
    };
}

/// A customer's id, as long as the program runs, for closures that are used again.
async fn owner(app: &TestApp) -> &'static str {
    customer(app).await.leak()
}

#[test]
fn every_movement_is_rehearsed_done_once_and_explained() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(1_000).await;
        let asha_id = owner(&app).await;
        let rupees = Paise::rupees;
        assert_eq!(
            done!(app, "g", |conn, by| goodwill(
                conn,
                &by,
                asha_id,
                rupees(50),
                "AWB1"
            )),
            "available+5000 adjustments-5000"
        );
        assert_eq!(
            done!(app, "a", |conn, by| adjust(conn, &by, asha_id, rupees(-30))),
            "available-3000 adjustments+3000"
        );
        assert_eq!(
            done!(app, "c", |conn, by| settle_courier(
                conn,
                &by,
                "shiprocket",
                rupees(400)
            )),
            "courier_payable-40000 bank+40000"
        );
        assert_eq!(
            done!(app, "d", |conn, by| bill_differs(
                conn,
                &by,
                "shiprocket",
                rupees(-2)
            )),
            "revenue+200 courier_payable-200"
        );
        assert_eq!(
            done!(app, "s", |conn, by| settle_gateway(
                conn,
                &by,
                "UTR7",
                rupees(900),
                Paise::new(1_062)
            )),
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
        let asha_id = owner(&app).await;
        let order: &'static str = text(&app, "select merchant_order_id from payment_orders")
            .await
            .leak();
        let rupees = Paise::rupees;
        done!(app, "spent", |conn, by| adjust(
            conn,
            &by,
            asha_id,
            rupees(-700)
        ));
        assert_eq!(
            done!(app, "cb", |conn, by| chargeback(
                conn,
                &by,
                order,
                rupees(1_000)
            )),
            "available-30000 adjustments-70000 gateway_clearing+100000"
        );
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
        let more = by(&app, "more");
        let refused = app.app.web.books.run(false, move |conn| {
            Box::pin(async move { chargeback(conn, &more, order, Paise::new(1)).await })
        });
        let refused = refused.await.unwrap_err();
        assert!(matches!(
            refused,
            Error::Conflict {
                code: "more_than_paid",
                ..
            }
        ));
        assert_eq!(
            done!(app, "won", |conn, by| chargeback_won(conn, &by, "cb")),
            "gateway_clearing-100000 adjustments+70000 available+30000"
        );
        assert_eq!(app.balance(&asha).await, rupees(300));
        let statement = asha.get("/api/v1/wallet/transactions/").await.expect(200);
        for words in [
            "Recharge taken back by your bank",
            "Recharge confirmed by your bank",
        ] {
            assert!(statement.text().contains(words), "{}", statement.text());
        }
    });
}

#[test]
fn what_a_wallet_does_not_cover_is_refused_and_an_id_is_used_for_one_thing() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10).await;
        let asha_id = owner(&app).await;
        let all = "adjustments";
        assert_eq!(
            done!(app, "x", |conn, by| adjust(
                conn,
                &by,
                asha_id,
                Paise::rupees(-11)
            )),
            "",
            "{all}"
        );
        done!(app, "y", |conn, by| goodwill(
            conn,
            &by,
            asha_id,
            Paise::rupees(1),
            ""
        ));
        let other = by(&app, "y");
        let reused = app.app.web.books.run(false, move |conn| {
            Box::pin(async move { goodwill(conn, &other, asha_id, Paise::rupees(2), "").await })
        });
        assert!(matches!(reused.await.unwrap_err(), Error::KeyReused));
        assert_eq!(app.balance(&asha).await, Paise::rupees(11));
    });
}
