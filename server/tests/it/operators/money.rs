//! Goodwill, corrections, couriers' bills.

use dakiya_core::model::money::paise::Paise;
use serde_json::json;

use super::{dakiya, rows, unchanged};
use crate::app::{TestApp, block_on};

#[test]
fn a_wallet_is_adjusted_by_goodwill_and_corrections_never_below_zero() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let adjust = |rest: &str| {
            let name = &asha.username;
            dakiya(&app, &format!("wallet adjust {name} {rest} --reason because --as ravi"))
        };
        let before = rows(&app).await;
        let dry = adjust("50 --goodwill --awb 123456789012 --dry-run");
        assert!(dry.out.contains("dry_run") && dry.out.contains("150.00"), "{dry:?}");
        for refused in ["-100.01 --correction", "0 --correction", "-5 --goodwill"] {
            assert_eq!(adjust(refused).code, 1, "{refused}");
        }
        for senseless in ["5", "5 --goodwill --correction", "5.123 --correction", "x --goodwill"] {
            assert_eq!(adjust(senseless).code, 2, "{senseless}");
        }
        unchanged(&app, &before).await;

        let given = adjust("50 --goodwill --awb 123456789012 --json").json();
        assert_eq!([&given["available"], &given["amount"]], [&json!(150.0), &json!(50.0)]);
        adjust("-12.50 --correction --json").json();
        assert_eq!(app.balance(&asha).await, Paise::new(13_750));
        let statement = asha.get("/api/v1/wallet/transactions/").await.expect(200);
        assert!(statement.text().contains("Goodwill credit for 123456789012"));
        assert!(!statement.text().contains("because"), "the reason is not the customer's");
        let record = dakiya(&app, "actions list --json").json();
        assert_eq!(record[0]["command"], "wallet adjust");
        assert_eq!(record[0]["arguments"]["amount"], json!(-12.5));
        app.audit().await;
    });
}

#[test]
fn the_same_line_typed_twice_moves_money_once_unless_it_says_again() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let line = format!("wallet adjust {} 5 --goodwill --as", asha.username);
        let type_it = |rest: &str| dakiya(&app, &format!("{line} {rest}"));
        assert_eq!(type_it("ravi --reason late").code, 0);
        let before = rows(&app).await;
        for same in ["ravi --reason late", "meena --reason late --dry-run"] {
            type_it(same).refused("The very same was done before, as action 1. Add --again");
        }
        unchanged(&app, &before).await;
        assert_eq!(type_it("ravi --reason late --again").code, 0);
        assert_eq!(type_it("ravi --reason later").code, 0);
        assert_eq!(app.balance(&asha).await, Paise::rupees(115));
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_line_that_moves_money_twice_is_noticed() {
    let test = "operators::money::\
        the_same_line_typed_twice_moves_money_once_unless_it_says_again";
    crate::faults::must_fail(test, "line-forgotten");
}

#[test]
fn a_paid_bill_of_a_courier_is_written_down() {
    block_on(async {
        let app = TestApp::start().await;
        let line =
            "couriers settle house 250.60 --reference UTR7 --reason bill~77 --as ravi --json";
        let before = rows(&app).await;
        let dry = dakiya(&app, &format!("{line} --dry-run")).json();
        assert_eq!(dry["payable"], json!(-250.6));
        unchanged(&app, &before).await;
        let done = dakiya(&app, line).json();
        assert_eq!(done["entries"], dry["entries"]);
        assert_eq!(done["entries"][0]["account"], "courier_payable");
        assert_eq!(done["entries"][1]["account"], "bank");
        let unknown = line.replace("house", "nobody");
        dakiya(&app, &unknown).refused("There is no courier nobody.");
        app.audit().await;
    });
}
