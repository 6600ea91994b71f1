//! Documents downloaded by customers who read Hindi.

use serde_json::json;

use crate::app::{TestApp, block_on};
use crate::documents::{after, book, document, text};

/// A text without white space: poppler separates some letters from their vowels.
fn joined(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn receipt_and_statement_are_in_the_language_of_their_reader_and_the_tax_invoice_in_english() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        app.recharge(&asha, 1_234).await;
        let booked = book(&asha, &json!({})).await;
        let rows = asha.get("/api/v1/wallet/transactions/").await.expect(200);
        let rows = rows.json()["results"].clone();
        let mut links = rows.as_array().unwrap().iter();
        let receipt = links.find_map(|row| row["receipt"].as_str()).unwrap();

        let english = text(&document(&asha, receipt).await);
        assert!(english.contains("Amount received"), "{english}");
        asha.form("/account/language", &[("letter_language", "hi")]).await.expect(303);

        let paper = text(&document(&asha, receipt).await);
        for expected in ["रसीद", "प्राप्त राशि", "₹1,234.00"] {
            let found = joined(&paper).contains(&joined(expected));
            assert!(found, "{expected} in {paper}");
        }
        let words = joined("एक हज़ार दो सौ चौंतीस रुपये मात्र");
        assert!(joined(&paper).contains(&words), "{paper}");
        assert!(!paper.contains("Amount") && !paper.contains("Only"), "{paper}");

        let paper = text(&document(&asha, "/wallet/statement.pdf").await);
        for expected in ["वॉलेट", "विवरण", "जमा", "वॉलेट रिचार्ज"]
        {
            let found = joined(&paper).contains(&joined(expected));
            assert!(found, "{expected} in {paper}");
        }
        // Complete in its column: the day, the time and the description.
        let row = joined(&format!("कूरियर बुकिंग {}", booked.awb));
        assert!(joined(&paper).contains(&row), "{paper}");
        assert!(!paper.contains('…'), "{paper}");
        for english in ["Balance", "Courier booking", " am", " pm"] {
            assert!(!paper.contains(english), "{english} in {paper}");
        }

        // The wording of a tax invoice is fixed by the rules.
        let invoice = text(&document(&asha, &booked.paper("invoice")).await);
        assert!(invoice.contains("Tax invoice"), "{invoice}");
        assert!(after(&invoice, "Rupees").ends_with("Only"), "{invoice}");
        let label = text(&document(&asha, &booked.label).await);
        assert!(label.contains("Deliver to"), "{label}");
    });
}
