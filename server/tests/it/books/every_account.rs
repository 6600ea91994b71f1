//! An attacker who can make valid hashes moves money by a balanced transaction: the rows of
//! charges, payments and movements still show it, for every account.

use dakiya_core::error::Result;
use dakiya_core::model::money::hash_chain::{ChainedEntry, ChainedTransaction};
use dakiya_core::model::money::movement::MovementKind::{
    CourierDifference, CourierSettlement, Goodwill,
};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::services::books::movements::{chargeback, record, settle_gateway};
use dakiya_core::store::{self, Conn};

use super::{by, customer, faults};
use crate::app::{TestApp, block_on};
use crate::ledger::charge;

/// A ledger in which every account has a balance.
async fn full_books() -> TestApp {
    let (app, _, _) = TestApp::with_money(5_000).await;
    let (user_id, order) = (
        customer(&app).await,
        super::text(&app, "select merchant_order_id from payment_orders").await,
    );
    let by = |id: &str| by(&app, id);
    let (give, pay, differ, payout, back) = (by("g"), by("c"), by("d"), by("s"), by("b"));
    let write = app.app.core.store.write(move |conn| {
        Box::pin(async move {
            for end in ["held", "captured", "called off"] {
                let charge = charge(&user_id, end, 10_000, 1_800);
                let held = store::charges::hold(conn, &charge).await?;
                held.posted.or_fail(end)?;
                if end != "held" {
                    store::charges::capture(conn, &user_id, end, 1).await?.or_fail(end)?;
                }
                if end == "called off" {
                    store::charges::call_off(conn, &user_id, end, "cancel", 1).await?;
                }
            }
            let rupees = Paise::rupees;
            for (by, kind, user_id, about, amount) in [
                (give, Goodwill, &*user_id, "AWB1", 9),
                (pay, CourierSettlement, "", "shiprocket", 7),
                (differ, CourierDifference, "", "shiprocket", 3),
            ] {
                let moved = record(conn, &by, kind, user_id, about, rupees(amount)).await?;
                moved.or_fail(about)?;
            }
            settle_gateway(conn, &payout, "UTR", rupees(800), rupees(2)).await?.or_fail("s")?;
            chargeback(conn, &back, &order, rupees(20)).await?.or_fail("b")
        })
    });
    write.await.unwrap();
    app.audit().await;
    app
}

/// The ids of all accounts in the ledger.
async fn all_accounts(app: &TestApp) -> Vec<String> {
    let mut conn = app.app.core.store.read().await.unwrap();
    let all = "select account_id from ledger_accounts order by 1";
    sqlx::query_scalar(all).fetch_all(&mut *conn).await.unwrap()
}

/// Adds a forged transaction between two accounts at the end of a wallet, numbered, chained and
/// waiting for its seal, as the program would.
async fn forge(conn: &mut Conn, user_id: &str, from: &str, to: &str, kind: &str) -> Result<()> {
    let (last, before): (i64, String) =
        sqlx::query_as("select seq, hash from ledger_heads where wallet = $1")
            .bind(user_id)
            .fetch_one(&mut *conn)
            .await?;
    let mut entries = Vec::new();
    for (line, account_id, by) in [(1, from, -13), (2, to, 13)] {
        let mut balance_after_paise = None;
        if account_id.contains(':') {
            let after: i64 = sqlx::query_scalar(
                "update ledger_accounts set balance_paise = balance_paise + $2
                 where account_id = $1 returning balance_paise",
            )
            .bind(account_id)
            .bind(by)
            .fetch_one(&mut *conn)
            .await?;
            balance_after_paise = Some(after);
        }
        let account_id = account_id.to_owned();
        entries.push(ChainedEntry { line, account_id, amount_paise: by, balance_after_paise });
    }
    let record = ChainedTransaction {
        wallet_seq: last + 1,
        transaction_id: "forged".into(),
        kind: kind.into(),
        idempotency_key: format!("{kind}:forged"),
        user_id: user_id.into(),
        reference: "captured".into(),
        description: "A gift".into(),
        created_ms: 2,
        entries,
    };
    let hash = record.hash(&before);
    let transaction = "insert into ledger_transactions (transaction_id, wallet_seq, kind,
          idempotency_key, user_id, reference, description, created_ms, hash)
        values ('forged', $1, $2, $3, $4, 'captured', 'A gift', 2, $5)";
    sqlx::query(transaction)
        .bind(record.wallet_seq)
        .bind(kind)
        .bind(&record.idempotency_key)
        .bind(user_id)
        .bind(&hash)
        .execute(&mut *conn)
        .await?;
    for entry in &record.entries {
        sqlx::query("insert into ledger_entries values ('forged', $1, $2, $3, $4)")
            .bind(entry.line)
            .bind(&entry.account_id)
            .bind(entry.amount_paise)
            .bind(entry.balance_after_paise)
            .execute(&mut *conn)
            .await?;
    }
    let head = "update ledger_heads set seq = $2, hash = $3 where wallet = $1";
    let head = sqlx::query(head).bind(user_id).bind(record.wallet_seq).bind(&hash);
    head.execute(&mut *conn).await?;
    let waits = "insert into ledger_unsealed (wallet_seq, transaction_id) values ($1, 'forged')";
    sqlx::query(waits).bind(record.wallet_seq).execute(conn).await?;
    Ok(())
}

#[test]
fn money_moved_by_a_forged_transaction_is_found_in_every_account() {
    block_on(async {
        let app = full_books().await;
        let user_id = customer(&app).await;
        let all = all_accounts(&app).await;
        assert_eq!(all.len(), 9, "two of the customer, seven of the house: {all:?}");
        for account in &all {
            // Out of and into the account, with a known kind and with an unknown one.
            for (kind, out) in [("capture", true), ("goodwill", false), ("gift", false)] {
                let other = if account == "adjustments" { "revenue" } else { "adjustments" };
                let (from, to) = match out {
                    true => (account.clone(), other.to_owned()),
                    false => (other.to_owned(), account.clone()),
                };
                let (user_id, kind) = (user_id.clone(), kind.to_owned());
                let (tell, told) = tokio::sync::oneshot::channel();
                let write = app.app.core.store.write(move |conn| {
                    Box::pin(async move {
                        forge(conn, &user_id, &from, &to, &kind).await?;
                        let audit = store::audit::audit(conn, None).await?;
                        let _ = tell.send(audit.faults);
                        Err::<(), _>(dakiya_core::error::Error::WrongMethod)
                    })
                });
                write.await.expect_err("it is rolled back");
                let found = told.await.expect("an audit");
                let named = format!("account {account}: ");
                assert!(
                    found.iter().any(|fault| fault.text.starts_with(&named)),
                    "{account}: {found:?}"
                );
            }
        }
        app.audit().await;
    });
}

#[test]
fn a_row_that_is_missing_or_changed_is_found_in_every_account_that_it_explains() {
    block_on(async {
        let wallet = |app: &TestApp| {
            let app = app.app.core.store.clone();
            async move {
                let mut conn = app.read().await.unwrap();
                let id = "select user_id from users";
                let id: String = sqlx::query_scalar(id).fetch_one(&mut *conn).await.unwrap();
                id
            }
        };
        for (change, accounts) in [
            (
                "update payment_orders set amount_paise = amount_paise + 5",
                &["available", "gateway_clearing"][..],
            ),
            ("update payment_orders set state = 'failed'", &["available", "gateway_clearing"]),
            ("delete from charges where state = 'held'", &["available", "held"]),
            (
                "update charges set state = 'captured', ended_ms = 1 where state = 'held'",
                &["held", "revenue", "gst_payable", "courier_payable"],
            ),
            (
                "update charges set gst_paise = gst_paise + 4, taxable_paise = taxable_paise - 4
                 where charge_id = 'captured'",
                &["gst_payable", "revenue"],
            ),
            (
                "update charges set courier_paise = courier_paise - 6 where charge_id = 'captured'",
                &["courier_payable", "revenue"],
            ),
            (
                "update charges set courier_returned_paise = 0 where courier_returned_paise > 0",
                &["courier_payable", "revenue"],
            ),
            ("delete from movements where kind = 'goodwill'", &["available", "adjustments"]),
            (
                "delete from movements where kind = 'courier_settlement'",
                &["courier_payable", "bank"],
            ),
            (
                "delete from movements where kind = 'courier_difference'",
                &["courier_payable", "revenue"],
            ),
            (
                "update movements set part_paise = part_paise + 1
                 where kind = 'gateway_settlement'",
                &["bank", "gateway_fees"],
            ),
            (
                "delete from movements where kind = 'gateway_settlement'",
                &["gateway_clearing", "bank", "gateway_fees"],
            ),
            ("delete from movements where kind = 'chargeback'", &["available", "gateway_clearing"]),
        ] {
            let app = full_books().await;
            let user_id = wallet(&app).await;
            app.tamper(change).await.unwrap();
            let found = faults(&app).await;
            for account in accounts {
                let named = match *account {
                    "available" | "held" => format!("account {account}:{user_id}: "),
                    house => format!("account {house}: "),
                };
                assert!(
                    found.iter().any(|fault| fault.starts_with(&named)),
                    "{change}: {account} is not in {found:?}"
                );
            }
        }
    });
}

#[test]
fn the_audit_prints_a_trial_balance_that_adds_up_also_for_programs() {
    block_on(async {
        let app = full_books().await;
        let said = |arguments: &[&str]| {
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_dakiya"))
                .arg("audit")
                .args(arguments)
                .env("DATABASE_URL", &app.app.web.config.database_url)
                .output()
                .expect("the command runs");
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).expect("text")
        };
        let text = said(&[]);
        for line in ["gateway_clearing", "courier_payable", "bank", "gateway_fees", "Total"] {
            assert!(text.contains(line), "{line} in {text}");
        }
        let json: serde_json::Value = serde_json::from_str(&said(&["--json"])).expect("JSON");
        let lines = json["trial_balance"].as_array().expect("lines");
        assert_eq!(lines.len(), 9);
        let paise = lines.iter().map(|line| line["paise"].as_i64().expect("paise"));
        assert_eq!(paise.sum::<i64>(), 0);
        assert_eq!(json["faults"], serde_json::json!([]));
        assert!(json["head"].as_str().expect("a head").contains(':'));
    });
}
