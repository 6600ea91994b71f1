use dakiya_core::model::money::amount_in_words::in_words;
use dakiya_core::model::money::paise::Paise;
use serde_json::json;

use super::{Booked, after, book, document, in_books, register_gstin, text};
use crate::app::{TestApp, block_on};

/// The paise of an amount printed after a name.
fn paise(printed: &str, name: &str) -> i64 {
    let amount = after(printed, name);
    let digits = amount.trim_start_matches('₹').replace(',', "");
    Paise::parse_rupees(&digits).unwrap_or_else(|_| panic!("{name}: {amount}")).get()
}

/// Asserts that an invoice agrees with the ledger to the paisa, tax by tax.
async fn agrees(app: &TestApp, booked: &Booked, printed: &str, taxes: &[&str]) {
    let total = paise(printed, "Total ");
    let taxable = paise(printed, "Taxable value");
    let gst: Vec<i64> = taxes.iter().map(|tax| paise(printed, tax)).collect();
    assert_eq!(taxable + gst.iter().sum::<i64>(), total);
    assert!(gst.iter().all(|tax| *tax == gst[0]), "{gst:?}");
    assert_eq!(total, -in_books(app, booked, "available:").await);
    assert_eq!(gst.iter().sum::<i64>(), in_books(app, booked, "gst_payable").await);
    assert_eq!(taxable, in_books(app, booked, "revenue").await);
    for tax in ["CGST", "SGST", "IGST"] {
        let expected = taxes.iter().any(|name| name.starts_with(tax));
        assert_eq!(printed.contains(tax), expected, "{tax} in {printed}");
    }
    let words = in_words(Paise::new(total));
    assert!(printed.contains(&words), "{words} in {printed}");
}

#[test]
fn an_invoice_says_to_the_paisa_what_the_ledger_says() {
    const WITHIN: [&str; 2] = ["CGST 9 %", "SGST 9 %"];
    const BETWEEN: [&str; 1] = ["IGST 18 %"];
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        // Our own state is Delhi, 07. Without a GSTIN the state of pickup counts.
        for (gstin, from, to, place, taxes) in [
            ("", "110001", "560001", "Delhi (07)", &WITHIN[..]),
            ("", "560001", "110001", "Karnataka (29)", &BETWEEN[..]),
            ("07AAACR5055K1Z9", "560001", "110001", "Delhi (07)", &WITHIN[..]),
            ("29AAACR5055K1Z3", "110001", "560001", "Karnataka (29)", &BETWEEN[..]),
            ("29AAACR5055K1Z3", "400001", "600001", "Karnataka (29)", &BETWEEN[..]),
        ] {
            register_gstin(&asha, gstin).await;
            let changes = json!({
                "origin_pincode": from, "destination_pincode": to, "weight": 7.3,
                "consigner_city": "Old Town",
            });
            let booked = book(&asha, &changes).await;
            assert_eq!(booked.invoice, booked.paper("invoice"));
            let printed = text(&document(&asha, &booked.invoice).await);
            agrees(&app, &booked, &printed, taxes).await;
            for part in [
                "Tax invoice",
                "Original for recipient",
                "Dakiya Sample Couriers Private Limited",
                "GSTIN 07AAACD1234E1ZB",
                "Asha Rao",
                "996812",
                "Freight",
                "Fuel surcharge",
                "Reverse charge",
                "it needs no signature",
                "Sandbox: no real money",
                place,
                &booked.awb,
                from,
                to,
            ] {
                assert!(printed.contains(part), "{part} in {printed}");
            }
            // A registered buyer's GSTIN and address are on it; others need none.
            assert_eq!(printed.matches("GSTIN").count(), if gstin.is_empty() { 1 } else { 2 });
            assert!(printed.contains(gstin), "{printed}");
            assert_eq!(printed.contains("12 Janpath, Old Town"), !gstin.is_empty());
        }
        app.audit().await;
    });
}

#[test]
fn an_invoice_stays_as_it_was_issued() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let issued = document(&asha, &booked.invoice).await;
        register_gstin(&asha, "29AAACR5055K1Z3").await;
        let marry = json!({"last_name": "Kumar", "company_name": "Kumar & Rao"});
        let saved = asha.post("/api/v1/auth/profile/", marry).await;
        saved.expect(200);
        assert_eq!(text(&document(&asha, &booked.invoice).await), text(&issued));
        let change = "update invoices set taxable_paise = 1";
        assert!(app.tamper(change).await.is_err(), "nobody changes an invoice");
        assert!(app.tamper("delete from invoices").await.is_err());
    });
}

#[test]
fn a_booking_without_invoice_is_told_so_and_found_by_the_audit() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        app.disarm("invoices").await;
        app.tamper("delete from invoices").await.unwrap();
        let missing = asha.page(&booked.invoice).await.expect(404);
        assert!(missing.text().contains("This booking has no tax invoice"));
        let faults = || async { app.app.core.store.audit(None).await.unwrap().faults };
        let said: Vec<String> = faults().await.into_iter().map(|fault| fault.text).collect();
        assert!(said[0].ends_with("has no invoice of its amount"), "{said:?}");
        assert!(said[1].ends_with("has a gap"), "{said:?}");
        // The label does not need the invoice number.
        document(&asha, &booked.label).await;
    });
}
