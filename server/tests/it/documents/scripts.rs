//! Labels and invoices in the scripts that customers write.

use dakiya_core::random::random_id;
use serde_json::json;

use super::{barcodes, book, document, pages, text};
use crate::app::{TestApp, block_on};
use crate::bookings;

/// A name and an address in each script of India's currency note and in others that we ship to.
const SCRIPTS: &[(&str, &str, &str)] = &[
    ("Assamese", "ৰাজু বৰা", "গুৱাহাটী ক্লাব ৰোড"),
    ("Bengali", "রবি কুমার", "১২ পার্ক স্ট্রিট"),
    ("Devanagari", "आशा क्षत्रिय", "१२ लक्ष्मी रोड"),
    ("Gujarati", "હિતેશ પટેલ", "૧૨ આશ્રમ રોડ"),
    ("Kannada", "ಶ್ರೀನಿವಾಸ", "ಮಹಾತ್ಮ ಗಾಂಧಿ ರಸ್ತೆ"),
    ("Malayalam", "ശ്രീകുമാർ", "എം ജി റോഡ്"),
    ("Odia", "ସୁମିତ୍ରା ପଣ୍ଡା", "ଜନପଥ"),
    ("Punjabi", "ਸੁਖਵਿੰਦਰ ਸਿੰਘ", "ਮਾਲ ਰੋਡ"),
    ("Tamil", "முருகன்", "அண்ணா சாலை"),
    ("Telugu", "శ్రీనివాస్", "మహాత్మా గాంధీ రోడ్డు"),
    ("Urdu", "سلمیٰ بیگم", "حضرت گنج"),
    ("Greek", "Ελένη Παπαδοπούλου", "Οδός Ερμού"),
    ("Cyrillic", "Анна Петрова", "улица Ленина"),
    ("Vietnamese", "Nguyễn Thị Hường", "Đường Lê Lợi"),
    ("Chinese", "王小明", "臺北市信義路"),
    ("Japanese", "さくら", "東京都渋谷区"),
    ("Korean", "김민수", "서울특별시"),
    ("Thai", "สมชาย", "ถนนสุขุมวิท"),
];

/// The most bytes that a label or an invoice of one script takes.
const BYTES_MAX: usize = 60_000;

#[test]
fn label_and_invoice_are_legible_in_every_script() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(50_000).await;
        for (script, name, address) in SCRIPTS {
            let changes = json!({
                "consigner_name": name, "consigner_address_1": address,
                "consignee_name": name, "consignee_address_1": address,
            });
            let booked = book(&asha, &changes).await;
            for paper in ["label", "invoice"] {
                let pdf = document(&asha, &booked.paper(paper)).await;
                assert!(pdf.len() < BYTES_MAX, "{script}: {paper} has {} bytes", pdf.len());
                assert_eq!(pages(&pdf), 1);
                let printed = text(&pdf);
                assert!(!printed.contains('\u{fffd}'), "{script}: {printed}");
                if paper == "label" {
                    assert_eq!(barcodes(&pdf), [booked.awb.as_str()], "{script}");
                    let first = name.chars().next().unwrap();
                    assert!(printed.contains(first), "{script}: {printed}");
                }
            }
        }
    });
}

#[test]
fn what_no_font_can_print_is_refused_at_its_field_and_costs_nothing() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let quote = bookings::quote(&asha).await;
        let mut form = bookings::form(&quote);
        form["consignee_name"] = json!("Ravi \u{1f69a}");
        form["shipment_dimensions"][0]["item_description"] = json!("Books \u{1f4da}");
        let answer = bookings::confirm(&asha, &random_id(), &form).await.expect(400).json();
        for (at, path, sign) in [
            (0, "consignee_name", '\u{1f69a}'),
            (1, "shipment_dimensions.item_description", '\u{1f4da}'),
        ] {
            let message = format!("“{sign}” cannot be printed on labels. Please leave it out.");
            assert_eq!(answer["errors"][at], json!({"path": path, "message": message}));
        }
        let profile = json!({"first_name": "Asha \u{1f600}"});
        let answer = asha.post("/api/v1/auth/profile/", profile).await.expect(400);
        assert_eq!(answer.json()["errors"][0]["path"], "first_name");
    });
}
