//! The monthly return for the GST portal, from the command line.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use dakiya_core::model::calendar::{date_in_india, month};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{REGISTERED, book, number, with_registered};
use crate::app::{TestApp, block_on};
use crate::operators::dakiya;

fn this_month(app: &TestApp) -> String {
    month(date_in_india(app.app.core.clock.now_ms()))
}

/// Paise of an amount in JSON.
fn paise(value: &Value) -> i64 {
    (value.as_f64().unwrap_or_else(|| panic!("{value}")) * 100.0).round() as i64
}

/// Adds up the taxes and the taxable values of sections that have details of items.
fn sums<'a>(details: impl Iterator<Item = &'a Value>) -> [i64; 2] {
    details.fold([0, 0], |[taxable, gst], detail| {
        let taxes = ["iamt", "camt", "samt"].iter().filter(|name| !detail[**name].is_null());
        let taxes: i64 = taxes.map(|name| paise(&detail[*name])).sum();
        [taxable + paise(&detail["txval"]), gst + taxes]
    })
}

fn list(value: &Value) -> std::slice::Iter<'_, Value> {
    value.as_array().unwrap_or_else(|| panic!("{value}")).iter()
}

/// The details of the items of documents in a section, which are grouped by buyer.
fn details<'a>(section: &'a Value, documents: &str) -> Vec<&'a Value> {
    let documents = list(section).flat_map(|buyer| list(&buyer[documents])).collect::<Vec<_>>();
    documents.into_iter().flat_map(|it| list(&it["itms"])).map(|it| &it["itm_det"]).collect()
}

#[test]
fn the_return_of_a_month_agrees_with_the_ledger_in_every_section() {
    block_on(async {
        let (app, [asha, ravi]) = with_registered().await;
        let registered = book(&asha, &json!({"weight": 7.3})).await;
        book(&asha, &json!({})).await;
        let within = book(&ravi, &json!({})).await;
        book(&ravi, &json!({"origin_pincode": "560001", "destination_pincode": "110001"})).await;
        for (awb, amount) in [(&registered.awb, "33.33"), (&within.awb, "50")] {
            let line = format!("orders refund {awb} {amount} --reason late --as ravi");
            assert_eq!(dakiya(&app, &line).code, 0);
        }

        let folder = TempDir::new().expect("a folder");
        let to = folder.path().join("return");
        let month = this_month(&app);
        let line = format!("gst --month {month} --to {}", to.display());
        dakiya(&app, &line).refused("Say who you are");
        assert!(!to.exists());
        let figures = dakiya(&app, &format!("{line} --as ravi --json")).json();
        assert_eq!((&figures["month"], &figures["documents"]), (&json!(month), &json!(6)));
        let ledger = "select cast(sum(amount_paise) as bigint) from ledger_entries
                      where account_id = 'gst_payable'";
        let ledger = number(&app, ledger.to_owned()).await;
        let taxes: i64 = ["igst", "cgst", "sgst"].iter().map(|it| paise(&figures[*it])).sum();
        assert_eq!((paise(&figures["gst_payable"]), taxes), (ledger, ledger));
        assert_eq!(figures["cgst"], figures["sgst"]);

        let [period_year, period_month] = [&month[..4], &month[5..]];
        let name = format!("gstr1-{period_month}{period_year}");
        let read = |end: &str| std::fs::read_to_string(to.join(format!("{name}{end}"))).expect(end);
        let form: Value = serde_json::from_str(&read(".json")).expect("JSON");
        assert_eq!(form["gstin"], "07AAACD1234E1ZB");
        assert_eq!(form["fp"], format!("{period_month}{period_year}"));
        let invoices = details(&form["b2b"], "inv");
        let notes = details(&form["cdnr"], "nt");
        assert_eq!((form["b2b"][0]["ctin"].as_str(), invoices.len()), (Some(REGISTERED), 2));
        assert_eq!((&form["cdnr"][0]["nt"][0]["ntty"], notes.len()), (&json!("C"), 1));
        assert_eq!((list(&form["cdnur"]).len(), list(&form["b2cs"]).len()), (0, 2));
        let [invoices, notes, small] =
            [sums(invoices.into_iter()), sums(notes.into_iter()), sums(list(&form["b2cs"]))];
        let sections = [0, 1].map(|at| invoices[at] - notes[at] + small[at]);
        assert_eq!(sections, [paise(&figures["taxable"]), ledger]);
        let hsn = ["hsn_b2b", "hsn_b2c"].map(|part| sums(list(&form["hsn"][part])));
        assert_eq!([0, 1].map(|at| hsn[0][at] + hsn[1][at]), sections);
        assert_eq!(form["doc_issue"]["doc_det"][0]["docs"][0]["totnum"], json!(4));
        assert_eq!(form["doc_issue"]["doc_det"][1]["docs"][0]["totnum"], json!(2));

        assert_eq!(read("-b2b.csv").lines().count(), 3);
        assert!(read("-cdnr.csv").contains(REGISTERED));
        assert!(read("-b2cs.csv").contains("07-Delhi"));
        assert!(read("-docs.csv").contains("Invoices for outward supply,DK/"));
        let mode = |path: &Path| path.metadata().expect("a file").permissions().mode() & 0o777;
        for file in to.read_dir().expect("files") {
            assert_eq!(mode(&file.expect("a file").path()), 0o600);
        }
        let record = dakiya(&app, "actions list --json").json();
        assert_eq!(
            (&record[0]["command"], &record[0]["reference"]),
            (&json!("gst"), &json!(month))
        );
        dakiya(&app, &format!("{line} --as ravi")).refused("File exists");
    });
}

#[test]
fn a_month_without_documents_has_an_empty_return() {
    block_on(async {
        let app = TestApp::start().await;
        let folder = TempDir::new().expect("a folder");
        let line = format!("gst --month 2020-02 --to {} --as ravi --json", folder.path().display());
        let figures = dakiya(&app, &line).json();
        assert_eq!((&figures["documents"], &figures["gst_payable"]), (&json!(0), &json!(0.0)));
        for month in ["2020-13", "9999-12"] {
            dakiya(&app, &format!("gst --month {month} --to /tmp/none --as ravi"))
                .refused("--month takes 2026-11");
        }
    });
}
