//! Differences between the gateway's report, our payments and the ledger are found.

use dakiya_core::model::calendar::date_in_india;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::services::operators::Mode;
use dakiya_core::services::operators::gateway::{self, DayReconciled};
use serde_json::{Value, json};

use super::{customer, desk};
use crate::app::{Actor, TestApp, block_on};
use crate::gateway::client;
use crate::ledger::recharge;
use crate::operators::dakiya;

/// The sandbox's report of today, as an operator downloads it.
pub async fn report(app: &TestApp) -> String {
    let sandbox = app.app.sandbox.as_ref().expect("a sandbox");
    let day = today(app);
    let url = format!("{}/__sim/report?day={day}", sandbox.base_url);
    let answer = reqwest::get(url).await.expect("the sandbox");
    answer.text().await.expect("a report")
}

pub fn today(app: &TestApp) -> time::Date {
    date_in_india(app.app.core.clock.now_ms())
}

async fn reconcile(app: &TestApp, report: &str) -> DayReconciled {
    let desk = desk(app, Mode::default());
    let done = desk.reconcile(today(app), report.as_bytes(), "daily").await;
    done.expect("a reconciliation").result
}

/// Kinds and orders of the open items.
fn open(done: &DayReconciled) -> Vec<(&str, &str)> {
    let open = done.open.iter();
    open.map(|it| (&*it.kind, &*it.order)).collect()
}

/// Creates an order and acts on it at the gateway, without a callback to us.
async fn order(app: &TestApp, asha: &Actor, act: Value) -> String {
    let created = asha.post("/api/v1/payment/phonepe/create/", json!({"amount": 300})).await;
    let created = created.expect(200).json();
    let id = created["payment_data"]["merchant_order_id"].as_str().expect("an id").to_owned();
    let sandbox = app.app.sandbox.as_ref().expect("a sandbox");
    let url = format!("{}/__sim/orders/{id}/act", sandbox.base_url);
    let acted = client().post(url).json(&act).send().await.expect("the sandbox");
    assert!(acted.status().is_success(), "{acted:?}");
    id
}

/// Credits an order in our ledger alone.
async fn credit(app: &TestApp, id: &str) {
    let (user_id, id) = (customer(app).await, id.to_owned());
    let now_ms = app.app.core.clock.now_ms();
    let write = app.app.core.store.write(move |conn| {
        Box::pin(async move {
            let amount = Paise::rupees(300);
            if dakiya_core::store::payments::find_any(conn, &id).await?.is_none() {
                return recharge(conn, &user_id, &id, amount).await.map(drop);
            }
            dakiya_core::store::payments::complete(conn, &id, "T", "UPI_INTENT", now_ms).await?;
            let credit = dakiya_core::model::money::ledger_transaction::LedgerTransaction::recharge(
                &user_id, &id, amount, now_ms,
            );
            dakiya_core::store::ledger::post(conn, &user_id, &credit).await?.or_fail(&id)
        })
    });
    write.await.expect("credited");
}

#[test]
fn a_day_on_which_all_agree_has_no_exceptions() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        app.recharge(&asha, 40).await;
        let done = reconcile(&app, &report(&app).await).await;
        assert_eq!((done.rows, done.paid), (2, Paise::rupees(540)));
        assert_eq!(done.credited, done.paid);
        assert_eq!(open(&done), []);
    });
}

#[test]
fn everything_that_gateway_payments_and_books_do_not_agree_about_is_found_once_and_closed() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let settings =
            format!("{}/__sim/settings", app.app.sandbox.as_ref().expect("a sandbox").base_url);
        let silent = client().patch(settings).json(&json!({"callbacks": "never"}));
        silent.send().await.expect("the sandbox");
        let not_credited = order(&app, &asha, json!({"action": "pay"})).await;
        let differs = order(&app, &asha, json!({"action": "pay", "amount": 29_900})).await;
        let declined = json!({"action": "decline", "code": "ZM"});
        let not_paid = order(&app, &asha, declined).await;
        credit(&app, &not_paid).await;
        let ours = asha.post("/api/v1/payment/phonepe/create/", json!({"amount": 300})).await;
        let ours = ours.expect(200).json();
        let unknown_there = ours["payment_data"]["merchant_order_id"].as_str().unwrap().to_owned();
        credit(&app, &unknown_there).await;
        let mut text = report(&app).await;
        let paid = |order: &str, id: &str, kind: &str| {
            format!("M,{kind},{order},{order},OMO9,{id},300.00,2026-11-21 10:00:00,COMPLETED\n")
        };
        text.push_str(&paid("DKRforeign", "OM-foreign", "PAYMENT"));
        text.push_str(&paid(&not_paid, "OM-back", "CHARGEBACK"));
        let mut expected = [
            ("paid_not_credited", &*not_credited),
            ("amount_differs", &*differs),
            ("credited_not_paid", &*not_paid),
            ("unknown_there", &*unknown_there),
            ("unknown_here", "DKRforeign"),
            ("chargeback_unbooked", &*not_paid),
        ];
        expected.sort_unstable();
        for _ in 0..2 {
            let done = reconcile(&app, &text).await;
            let mut found = open(&done);
            found.sort_unstable();
            assert_eq!(found, expected);
        }
        // The sweep credits the payment: it is no longer a difference.
        app.app.core.clock.advance_ms(60_000);
        app.sweep().await;
        let done = reconcile(&app, &text).await;
        assert!(!open(&done).iter().any(|(kind, _)| *kind == "paid_not_credited"));
        assert_eq!(done.open.len(), 5);
        // An operator closes the rest, each with a note, and it stays closed.
        let desk = desk(&app, Mode::default());
        let first = &done.open[0].exception;
        desk.close_exception(first, " ").await.unwrap_err();
        for it in &done.open {
            let note = "asked PhonePe";
            desk.close_exception(&it.exception, note).await.unwrap();
            desk.close_exception(&it.exception, "again").await.unwrap_err();
        }
        assert_eq!(open(&reconcile(&app, &text).await), []);
        let listed = gateway::exceptions(&app.app.core.store).await.unwrap();
        assert!(listed.is_empty(), "{listed:?}");
    });
}

#[test]
fn what_seemed_to_be_in_order_for_a_while_is_open_again_with_its_amounts_of_now() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(500).await;
        let text = report(&app).await;
        for paise in ["500.01", "500.02"] {
            let done = reconcile(&app, &text.replace("500.00", paise)).await;
            assert_eq!(open(&done)[0].0, "amount_differs");
            assert_eq!(done.open[0].gateway.unwrap().decimal(), paise);
        }
        assert_eq!(open(&reconcile(&app, &text).await), []);
        let done = reconcile(&app, &text.replace("500.00", "500.01")).await;
        assert_eq!(open(&done)[0].0, "amount_differs");
        let desk = desk(&app, Mode::default());
        let closed = desk.close_exception(&done.open[0].exception, "their rounding");
        closed.await.expect("closed");
        let done = reconcile(&app, &text.replace("500.00", "500.02")).await;
        assert_eq!(open(&done), [], "an operator's word stands");
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_reconciliation_that_closes_what_is_still_so_is_noticed() {
    let test = "books::reconciliation::\
        everything_that_gateway_payments_and_books_do_not_agree_about_is_found_once_and_closed";
    crate::faults::must_fail(test, "still-so-closed");
}

#[test]
fn a_report_is_read_at_the_terminal_which_fails_while_anything_is_open() {
    block_on(async {
        let (app, _, _) = TestApp::with_money(500).await;
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("report.csv");
        let run = |text: &str| {
            std::fs::write(&file, text).expect("written");
            let (file, day) = (file.display(), today(&app));
            let line = format!("reconciliation day {file} --day {day} --reason daily --as ravi");
            dakiya(&app, &line)
        };
        let text = report(&app).await;
        let clean = run(&text);
        let told = "1 row, ₹500.00 paid, ₹500.00 credited, 0 open.";
        assert!(clean.code == 0 && clean.out.contains(told), "{clean:?}");
        let wrong = run(&text.replace("500.00", "500.01"));
        assert!(wrong.out.contains("amount_differs"), "{wrong:?}");
        assert_eq!((wrong.code, &*wrong.err), (1, "dakiya: 1 open\n"));
        let listed = dakiya(&app, "reconciliation list --json").json();
        let id = listed[0]["exception"].as_str().expect("an id");
        let close = format!("reconciliation close {id} --reason typo --as ravi");
        assert!(dakiya(&app, &close).out.contains("Closed."));
        dakiya(&app, &close).refused("No such exception is open.");
        assert_eq!(dakiya(&app, "reconciliation list --json").json(), json!([]));
        run("no report").refused("no column");
    });
}
