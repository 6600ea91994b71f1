//! Supplies to units in special economic zones.

use dakiya_core::random::random_id;
use serde_json::json;

use super::{book, document, in_books, register_gstin, text};
use crate::app::{TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::operators::dakiya;

/// Of our own state.
const UNIT: &str = "07AAACR5055K1Z9";

#[test]
fn a_confirmed_unit_pays_no_tax_under_an_undertaking_and_igst_without_one() {
    block_on(async {
        for (lut, tax, sentence) in [
            (
                "AD0704260001234",
                "IGST 0 %",
                "without payment of integrated tax. LUT AD0704260001234.",
            ),
            ("", "IGST 18 %", "on payment of integrated tax."),
        ] {
            let app = TestApp::start_with(&[("DAKIYA_LUT", lut)]).await;
            let asha = app.user("asha").await;
            app.recharge(&asha, 5_000).await;
            register_gstin(&asha, UNIT).await;
            let before = book(&asha, &json!({})).await;
            let invoice = text(&document(&asha, &before.invoice).await);
            assert!(invoice.contains("CGST 9 %") && !invoice.contains("SEZ"), "{invoice}");

            let name = &asha.username;
            let confirm = format!("users sez {name} --gstin {UNIT} --reason approved --as ravi");
            assert_eq!(dakiya(&app, &confirm).code, 0);
            let shown = dakiya(&app, &format!("users show {name} --as ravi --json")).json();
            assert_eq!(shown["sez"], json!(true));
            let account = asha.page("/account").await.expect(200);
            assert!(account.text().contains("Dakiya confirmed your GSTIN as an SEZ unit’s."));
            let booked = book(&asha, &json!({})).await;
            let invoice = text(&document(&asha, &booked.invoice).await);
            let words = invoice.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in [tax, sentence, "Supply meant for SEZ unit"] {
                assert!(words.contains(part), "{part} in {words}");
            }
            assert!(!words.contains("CGST"), "{words}");
            let page = app.anon().page("/login").await.expect(200);
            assert!(!page.text().contains("AD0704260001234"), "it is for invoices only");
            let is_taxed = in_books(&app, &booked, "gst_payable").await > 0;
            assert_eq!(is_taxed, lut.is_empty());

            // The number alone means nothing, in another account or in the form of a booking.
            let ravi = app.user("ravi").await;
            app.recharge(&ravi, 5_000).await;
            register_gstin(&ravi, UNIT).await;
            let other = book(&ravi, &json!({})).await;
            let invoice = text(&document(&ravi, &other.invoice).await);
            assert!(invoice.contains("CGST 9 %") && !invoice.contains("SEZ"), "{invoice}");

            let off = format!("users sez-off {name} --reason expired --as ravi");
            assert_eq!(dakiya(&app, &off).code, 0);
            let after = book(&asha, &json!({})).await;
            let invoice = text(&document(&asha, &after.invoice).await);
            assert!(invoice.contains("CGST 9 %"), "{invoice}");
            app.audit().await;
        }
    });
}

#[test]
fn a_price_from_before_a_unit_was_confirmed_or_withdrawn_is_shown_anew() {
    block_on(async {
        let app = TestApp::start_with(&[("DAKIYA_LUT", "AD0704260001234")]).await;
        let asha = app.user("asha").await;
        app.recharge(&asha, 5_000).await;
        register_gstin(&asha, UNIT).await;
        let name = &asha.username;
        for (change, tax) in [
            (format!("users sez {name} --gstin {UNIT}"), "IGST 0 %"),
            (format!("users sez-off {name}"), "CGST 9 %"),
        ] {
            let (old, before) = (quote(&asha).await, app.balance(&asha).await);
            assert_eq!(dakiya(&app, &format!("{change} --reason letter --as ravi")).code, 0);
            let refused = confirm(&asha, &random_id(), &form(&old)).await.expect(409).json();
            assert_eq!(refused["code"], "quote_changed", "{change}");
            let fresh = &refused["data"][0];
            let lines = fresh["breakdown"]["lines"].as_array().expect("lines");
            assert!(lines.iter().any(|line| line["label"] == tax), "{change}: {lines:?}");
            assert_eq!(app.balance(&asha).await, before, "{change}");
            confirm(&asha, &random_id(), &form(fresh)).await.expect(200);
        }
        app.audit().await;
    });
}

#[test]
fn only_a_gstin_can_be_confirmed_and_only_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let sez = |rest: &str| dakiya(&app, &format!("users {rest} --reason approved --as ravi"));
        let name = &asha.username;
        sez(&format!("sez {name} --gstin 07AAACR5055K1Z8")).refused("Check the GSTIN");
        sez(&format!("sez nobody --gstin {UNIT}")).refused("There is no such account.");
        sez(&format!("sez-off {name}")).refused("It stands so already.");
        assert_eq!(sez(&format!("sez {name} --gstin {UNIT}")).code, 0);
        sez(&format!("sez {name} --gstin {UNIT}")).refused("It stands so already.");
    });
}
