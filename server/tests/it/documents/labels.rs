use dakiya_core::model::booking::documents::label::{Label, LabelParty};
use serde_json::json;

use super::{Booked, barcodes, barcodes_of_quarter, book, document, pages, text, words};
use crate::app::{Actor, TestApp, block_on};
use crate::{bookings, kyc};

#[test]
fn the_barcode_of_a_label_is_read_back_by_a_decoder() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let changes = json!({
            "consigner_gst_number": "07AAACD1234E1ZB", "consigner_company": "Rao Books",
            "consignee_company": "Kumar & Sons", "consignee_address_2": "Opposite the post office",
            "booking_invoice_number": "RB/17", "booking_invoice_date": "2026-11-21",
            "consignee_reference_no": "PO-9", "eway_bill": "1234 5678 9012",
        });
        let booked = book(&asha, &changes).await;
        let invoice = text(&document(&asha, &booked.invoice).await);
        assert!(invoice.contains("E-way bill") && invoice.contains("123456789012"), "{invoice}");
        assert_eq!(booked.label, booked.paper("label"));
        let answer = asha.page(&booked.label).await.expect(200);
        assert_eq!(
            answer.header("content-disposition"),
            format!("attachment; filename=dakiya-label-{}.pdf", booked.awb)
        );
        assert_eq!(barcodes(&answer.body), [booked.awb.as_str()]);
        assert_eq!(pages(&answer.body), 1);
        let (size, ..) = words(&answer.body)[0].clone();
        assert_eq!(size, [288, 432], "4 x 6 inches");
        let printed = text(&answer.body);
        for part in [
            "Dakiya Surface",
            "PREPAID",
            "560001",
            "KA-560",
            &booked.awb,
            "Ravi <b>Kumar</b>",
            "Kumar & Sons",
            "1 MG Road, Opposite the post office",
            "Bengaluru, Karnataka 560001",
            "Phone 98765 00000",
            "Piece 1 of 1",
            "Books",
            "2.5 kg",
            "30 × 20 × 10 cm",
            "4901",
            "₹1,500.00",
            "RB/17, 2026-11-21",
            "PO-9",
            "E-way bill",
            "123456789012",
            "07AAACD1234E1ZB",
            "DK/",
            "Asha Rao, Rao Books",
            "12 Janpath",
            "New Delhi, Delhi 110001",
            "Phone 98765 43210",
        ] {
            assert!(printed.contains(part), "{part} in {printed}");
        }
    });
}

#[test]
fn every_piece_has_its_label_and_four_fill_a_sheet() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(10_000).await;
        for (pieces, sheets, on_sheets) in [(1, 1, 1), (2, 1, 2), (3, 1, 3), (5, 2, 5)] {
            let booked = book(&asha, &json!({"pieces": pieces})).await;
            let labels = document(&asha, &booked.label).await;
            assert_eq!(pages(&labels), pieces);
            assert_eq!(barcodes(&labels), vec![booked.awb.clone(); pieces]);
            let last = format!("Piece {pieces} of {pieces}");
            assert!(text(&labels).contains(&last));
            let sheet = document(&asha, &booked.paper("labels-a4")).await;
            assert_eq!(pages(&sheet), sheets);
            let quarters = [(0, 0), (1240, 0), (0, 1754), (1240, 1754)];
            let read = quarters.map(|corner| barcodes_of_quarter(&sheet, corner));
            assert_eq!(read.concat(), vec![booked.awb; on_sheets]);
            let (size, ..) = words(&sheet)[0].clone();
            assert_eq!(size, [595, 841], "A4");
        }
    });
}

/// A label with this AWB only.
fn bare(awb: &str) -> Label {
    Label {
        operator: "Dakiya".to_owned(),
        service: "Surface".to_owned(),
        awb: awb.to_owned(),
        routing: "KA-560".to_owned(),
        destination_code: "560001".to_owned(),
        destination: "Bengaluru".to_owned(),
        to: LabelParty::default(),
        from: LabelParty::default(),
        pieces: 1,
        contents: String::new(),
        facts: Vec::new(),
        sandbox: false,
    }
}

#[test]
fn a_decoder_reads_every_letter_and_every_pair_of_digits() {
    let pairs: Vec<String> = (0..100).map(|pair| format!("{pair:02}")).collect();
    let mut awbs: Vec<String> = pairs.chunks(10).map(<[String]>::concat).collect();
    let letters: Vec<char> = ('!'..='~').collect();
    awbs.extend(letters.chunks(19).map(String::from_iter));
    awbs.extend(["A12345", "1234567", "AB123456CD", "000", "JD014600003SGH2"].map(str::to_owned));
    for awb in awbs {
        let label = dakiya_core::pdf::label(&bare(&awb)).unwrap();
        assert_eq!(barcodes(&label), [awb]);
    }
}

#[test]
fn a_number_too_long_for_bars_is_printed_as_text() {
    let awb = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0A1B2C3D4E5F6G";
    let label = dakiya_core::pdf::label(&bare(awb)).unwrap();
    assert!(text(&label).contains(awb));
}

#[test]
fn whatever_names_say_labels_and_invoices_keep_their_layout() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        for name in [
            "W".repeat(200),
            "word ".repeat(40),
            "आशा राव क्षत्रिय प्रेमचंद ".repeat(7),
            "क्षत्रिय".repeat(25),
            "<script>alert('1')</script><b>&amp;</b>".to_owned(),
            "محمد علي \u{202e}gnp.exe\u{202c} שלום".to_owned(),
            "🚚📦👩‍👩‍👧‍👦🇮🇳 parcel".repeat(8),
            "a\u{301}\u{300}\u{302}".repeat(50),
            "\u{0}\u{7}\u{feff}\u{fffd}\u{1b}[31m".to_owned(),
            "தமிழ் ಕನ್ನಡ 中文 ไทย".to_owned(),
        ] {
            let mut form = json!({
                "consigner_name": name, "consigner_address_1": name, "consigner_company": name,
                "consigner_address_2": name, "consignee_name": name, "consignee_company": name,
                "consignee_address_1": name, "consignee_address_2": name, "consignee_city": name,
                "consignee_reference_no": name, "description": name,
                "booking_invoice_number": name,
            });
            let booked = book(&asha, &json!({})).await;
            // A form stored before these rules existed.
            for field in ["consigner_mobile", "consigner_gst_number", "consignee_mobile", "unit"] {
                form[field] = json!(name);
            }
            form["consigner_address_2"] = json!(name.repeat(20));
            form["invoice_value"] = json!([name]);
            let kept = form.to_string().replace('\'', "''");
            let keep =
                format!("update bookings set details = '{kept}' where awb = '{}'", booked.awb);
            app.tamper(&keep).await.unwrap();
            keeps_its_layout(&asha, &booked, &name).await;
        }
    });
}

/// Asserts that no text of a booking's documents is outside the paper.
async fn keeps_its_layout(actor: &Actor, booked: &Booked, name: &str) {
    let label = document(actor, &booked.label).await;
    assert_eq!(pages(&label), 1, "{name}");
    assert_eq!(barcodes(&label), [booked.awb.as_str()], "{name}");
    let sheet = document(actor, &booked.paper("labels-a4")).await;
    let invoice = document(actor, &booked.invoice).await;
    assert_eq!(pages(&invoice), 1, "{name}");
    for ([width, height], [left, top, right, bottom], word) in
        [label, sheet, invoice].iter().flat_map(|pdf| words(pdf))
    {
        let inside = left >= 0 && top >= 0 && right <= width && bottom <= height;
        assert!(inside, "{word} leaves the paper: {name}");
    }
}

#[test]
fn a_long_address_is_printed_whole_in_smaller_type_or_refused_at_its_field() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let line = |first: &str, length: usize| {
            let text =
                format!("{first} Sunrise Apartments, near the old Temple, Jayanagar ").repeat(4);
            text[..length].trim().to_owned()
        };
        let (one, two) = (line("Flat 402,", 180), line("Block 7,", 155));
        let changes = json!({
            "consignee_address_1": one, "consignee_address_2": two,
            "consigner_address_1": one, "consigner_address_2": two,
            "consignee_company": "Kumar & Sons", "consignee_reference_no": "PO-9",
        });
        let booked = book(&asha, &changes).await;
        keeps_its_layout(&asha, &booked, "a long address").await;
        let printed = text(&document(&asha, &booked.label).await);
        let words = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        let address = format!("{one}, {two}");
        assert_eq!(words.matches(&address).count(), 2, "{address} in {words}");
        assert!(!printed.contains('…'), "{printed}");

        let before = app.balance(&asha).await;
        let form = bookings::form(&bookings::quote(&asha).await);
        for party in ["consignee", "consigner"] {
            let mut wide = form.clone();
            for part in ["name", "company", "address_1", "address_2"] {
                // The widest letters that a field takes.
                wide[format!("{party}_{part}")] = json!("ஔ".repeat(200));
            }
            let refused = bookings::confirm(&asha, "too-wide", &wide).await.expect(400);
            assert_eq!(refused.wrong_fields(), [format!("{party}_address_1")]);
            assert!(refused.text().contains("too long for the label"), "{}", refused.text());
        }
        assert_eq!(app.balance(&asha).await, before);
    });
}

#[test]
fn a_name_in_devanagari_is_printed_and_can_be_copied() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let changes = json!({"consignee_name": "आशा राव", "consignee_address_1": "नई सड़क"});
        let booked = book(&asha, &changes).await;
        let printed = text(&document(&asha, &booked.label).await);
        assert!(printed.contains("आशा राव"), "{printed}");
    });
}

#[test]
fn a_label_abroad_names_the_country_and_the_terms_of_export() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(50_000).await;
        let [one, two] = kyc::uploaded(&asha).await;
        let country = &asha.get("/api/v1/shipping/countries/?country_name=unitedstates").await;
        let country = country.json()[0]["country_id"].clone();
        let changes = json!({
            "booking_type": 1, "destination_country": country, "destination_pincode": "94105",
            "courier_id": 13, "consignee_city": "San Francisco", "consignee_state": "California",
            "consignee_mobile": "(415) 555-2671",
            "kyc_info": {"document_path_1": one, "document_path_2": two},
            "unit": {"currency": "25"}, "export_type": "1", "consigner_tax_payment": "2",
        });
        let booked = book(&asha, &changes).await;
        let label = document(&asha, &booked.label).await;
        assert_eq!(barcodes(&label), [booked.awb.as_str()]);
        let printed = text(&label);
        for part in [
            "94105",
            "US",
            "San Francisco, California, 94105, United States",
            "USD 1,500.00",
            "UT",
            "Bond or undertaking",
        ] {
            assert!(printed.contains(part), "{part} in {printed}");
        }
    });
}

#[test]
fn a_cancelled_booking_has_no_label() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let cancel = "update bookings set status = 'cancelled'";
        app.tamper(cancel).await.unwrap();
        for path in [booked.paper("label"), booked.paper("labels-a4")] {
            let refused = asha.page(&path).await.expect(409);
            assert!(refused.text().contains("it has no label"));
        }
        document(&asha, &booked.invoice).await;
    });
}

#[test]
fn papers_are_for_their_owner_only() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        let booked = book(&asha, &json!({})).await;
        for paper in ["label", "labels-a4", "invoice", "credit-note"] {
            for name in [&booked.id, &booked.awb] {
                let path = format!("/bookings/{name}/{paper}.pdf");
                let hidden = ravi.page(&path).await.expect(404);
                assert!(hidden.text().contains("There is no such booking."));
                let away = anon.get(&path).await.expect(303);
                assert_eq!(away.header("location"), format!("/login?next={path}"));
            }
        }
        document(&asha, &format!("/bookings/{}/label.pdf", booked.awb)).await;
    });
}

#[test]
fn papers_are_there_a_year_later() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let before = text(&document(&asha, &booked.label).await);
        app.app.core.clock.advance_ms(366 * dakiya_core::limits::DAY_MS);
        dakiya::jobs::delete_expired(&app.app).await.unwrap();
        asha.log_in().await;
        assert_eq!(text(&document(&asha, &booked.label).await), before);
        document(&asha, &booked.paper("labels-a4")).await;
        document(&asha, &booked.invoice).await;
    });
}
