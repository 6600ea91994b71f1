//! E-invoices: the file for the portal, its answers, and what documents show of them.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{REGISTERED, book, document, run, text, with_registered};
use crate::app::{TestApp, block_on};
use crate::operators::{Ran, dakiya, dakiya_with};

const IRN: &str = "a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90";

fn with_e_invoices(app: &TestApp, line: &str) -> Ran {
    dakiya_with(app, line, &[("DAKIYA_E_INVOICE", "on")])
}

/// A signed text as long as the portal's.
fn signed_qr() -> String {
    format!("eyJhbGciOiJSUzI1NiJ9.{}.{}", "eyJkYXRh".repeat(50), "c2lnbmVk".repeat(42))
}

fn answer(number: &str, irn: &str) -> Value {
    json!({
        "DocNo": number, "Irn": irn, "AckNo": 112_610_000_000_001_i64,
        "AckDt": "2026-11-21 15:31:05", "SignedQRCode": signed_qr(), "Status": "ACT",
    })
}

#[test]
fn a_registered_document_shows_its_number_and_the_signed_code_of_the_portal() {
    block_on(async {
        let (app, [asha, ravi]) = with_registered().await;
        let booked = book(&asha, &json!({})).await;
        book(&asha, &json!({})).await;
        book(&ravi, &json!({})).await;
        let refund = format!("orders refund {} 50 --reason late --as ravi", booked.awb);
        assert_eq!(dakiya(&app, &refund).code, 0);

        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        let write = |name: &str| format!("e-invoices write --to {} --as ravi --json", path(name));
        dakiya(&app, &write("off.json").replace(" --json", "")).refused("E-invoices are off here");
        let written = with_e_invoices(&app, &write("first.json")).json();
        assert_eq!(written["documents"], json!(3), "those of the registered buyer");
        let file: Value =
            serde_json::from_str(&std::fs::read_to_string(path("first.json")).expect("a file"))
                .expect("JSON");
        let [invoice, note] = ["INV", "CRN"].map(|kind| {
            let mut documents = file.as_array().expect("a list").iter();
            documents.find(|it| it["DocDtls"]["Typ"] == kind).expect(kind).clone()
        });
        assert_eq!(invoice["Version"], "1.1");
        assert_eq!(invoice["BuyerDtls"]["Gstin"], REGISTERED);
        assert_eq!(
            (&invoice["SellerDtls"]["Stcd"], &invoice["BuyerDtls"]["Pos"]),
            (&json!("07"), &json!("29"))
        );
        assert_eq!(invoice["ItemList"][0]["HsnCd"], "996812");
        assert_eq!(note["RefDtls"]["PrecDocDtls"][0]["InvNo"], invoice["DocDtls"]["No"]);
        assert_eq!(note["ValDtls"]["TotInvVal"], json!(50.0));

        let number = invoice["DocDtls"]["No"].as_str().expect("a number");
        let store = |name: &str, answers: Value| {
            std::fs::write(path(name), answers.to_string()).expect("written");
            with_e_invoices(
                &app,
                &format!("e-invoices store {} --reason upload --as ravi", path(name)),
            )
        };
        let unknown = json!([answer(number, IRN), answer("DK/27A/999999", &"0".repeat(64))]);
        store("unknown.json", unknown).refused("There is no document DK/27A/999999");
        let short = json!([answer(number, "12")]);
        store("short.json", short).refused("Irn must have 64 hexadecimal characters.");
        let before = text(&document(&asha, &booked.invoice).await);
        assert!(!before.contains("IRN"), "nothing of a refused file is stored: {before}");

        let good = json!([answer(number, IRN)]);
        assert!(store("good.json", good.clone()).out.contains("1 answer stored."));
        assert!(store("again.json", good).out.contains("0 answers stored."));
        let other = json!([answer(number, &"0".repeat(64))]);
        store("other.json", other).refused("has another IRN");
        let pdf = document(&asha, &booked.invoice).await;
        let printed = text(&pdf);
        let words = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["Invoice reference number (IRN)", "112610000000001", "2026-11-21 15:31:05"] {
            assert!(words.contains(part), "{part} in {words}");
        }
        assert!(words.replace(' ', "").contains(IRN), "{words}");
        let decode = "pdftoppm -r 300 -gray document.pdf page && MAGICK_THREAD_LIMIT=1 \
                      zbarimg --quiet --raw -Sdisable -Sqrcode.enable page*.pgm";
        assert_eq!(run(&pdf, decode).trim(), signed_qr());

        let rest = with_e_invoices(&app, &write("rest.json")).json();
        assert_eq!(rest["documents"], json!(2));
        for change in ["update e_invoices set irn = 'x'", "delete from e_invoices"] {
            assert!(app.tamper(change).await.is_err(), "{change}");
        }
        app.audit().await;
    });
}
