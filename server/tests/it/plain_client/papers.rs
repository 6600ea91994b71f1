//! One number for one booking with any courier, and one name for each service and courier.

use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::services::bookings::tracking;
use serde_json::{Value, json};

use super::{CREATE, awb, payload, rate, rate_request};
use crate::app::{TestApp, block_on};
use crate::bookings::confirm;
use crate::couriers::{Rig, abroad, scan};
use crate::documents::text;

#[test]
fn a_partners_booking_has_one_number_wherever_it_is_shown() {
    block_on(async {
        for partner in ["karrio", "shiprocket"] {
            let rig = Rig::start().await;
            let form = rig.form(partner).await;
            let booked = confirm(&rig.asha, "one-number", &form).await.expect(200);
            let awb = awb(&booked);
            let reference = rig.shipments(partner).await[0]["reference"].clone();
            let reference = reference.as_str().unwrap();
            assert_ne!(awb, reference, "{partner} has numbers of its own");

            let lines = rig.asha.get("/api/v1/wallet/transactions/").await.expect(200);
            let lines = lines.json();
            assert_eq!(lines["transactions"], lines["results"]);
            let line = lines["results"][0].clone();
            assert_eq!(line["description"], format!("Courier booking {awb}"));
            let id = booked.json()["data"][0]["booking_id"].clone();
            assert_eq!(line["link"], format!("/bookings/{}", id.as_str().unwrap()));
            let csv = rig.asha.get("/wallet/statement.csv").await.expect(200);
            assert!(csv.text().contains(&awb) && !csv.text().contains(reference));
            let invoice = format!("/bookings/{}/invoice.pdf", id.as_str().unwrap());
            let invoice = text(&rig.asha.page(&invoice).await.expect(200).body);
            assert!(invoice.contains(&awb) && !invoice.contains(reference));
            // Tracking also works with our own number, used while the courier was awaited.
            for known in [&awb, reference] {
                let path = format!("/api/v1/shipping/track/{known}/");
                let events = rig.asha.get(&path).await.expect(200).json();
                assert_eq!(events["data"][0]["airwaybill_no"], awb.as_str());
            }
            let cancel = format!("/api/v1/shipping/booking/{}/cancel", id.as_str().unwrap());
            rig.asha.post(&cancel, json!({})).await.expect(200);
            let lines = rig.asha.get("/api/v1/wallet/transactions/").await.expect(200);
            let refund = lines.json()["results"][0]["description"].clone();
            assert_eq!(refund, format!("Courier booking {awb}: refund"));
            rig.app.audit().await;
        }
    });
}

#[test]
fn a_shipment_names_its_courier_in_one_word() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let rate = rate(&asha, rate_request(true, false), "dakiya").await;
        let booked = asha.post(CREATE, payload(true, false, &rate)).await.expect(200);
        let (awb, now_ms) = (awb(&booked), app.app.core.clock.now_ms());
        let scans = vec![scan(ShipmentStatus::PickedUp, now_ms)];
        tracking::record(&app.app.core.store, &awb, scans, now_ms).await.expect("a scan");
        // Old events were stored with another courier code.
        let old = "update tracking_events set courier_code = 'house' where seq = 2";
        app.tamper(old).await.expect("an event");
        let path = format!("/api/v1/shipping/track/{awb}/");
        let events = anon.get(&path).await.expect(200).json()["data"].clone();
        let codes: Vec<&Value> =
            events.as_array().unwrap().iter().map(|event| &event["courier_code"]).collect();
        assert_eq!(codes, ["dakiya", "dakiya"]);
    });
}

#[test]
fn a_number_with_a_wrong_digit_is_told_and_older_numbers_are_looked_for() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_money(5_000).await;
        let rate = rate(&asha, rate_request(true, false), "dakiya").await;
        let booked = asha.post(CREATE, payload(true, false, &rate)).await.expect(200);
        let awb = awb(&booked);
        assert_eq!(awb.len(), 18, "{awb}");
        let track = async |awb: &str| {
            let path = format!("/api/v1/shipping/track/{awb}/");
            anon.get(&path).await
        };
        let spaced = format!("{} {}", &awb[..6].to_lowercase(), &awb[6..]);
        track(&spaced.replace(' ', "%20")).await.expect(200);
        let last = (awb.as_bytes()[17] - b'0' + 1) % 10;
        let wrong = format!("{}{last}", &awb[..17]);
        let mistyped = "This AWB number has a wrong digit. Please check it.";
        let told = track(&wrong).await.expect(404).json();
        assert_eq!(told["message"], mistyped);
        let page = anon.page(&format!("/track/{wrong}")).await.expect(404);
        assert!(page.text().contains(mistyped), "{}", page.text());
        for other in ["DK17950000000078", "26805710004126"] {
            let told = track(other).await.expect(404).json();
            assert_eq!(told["message"], "We have no shipment with this AWB number.");
        }
    });
}

#[test]
fn services_have_names_without_our_numbers_and_no_two_have_the_same() {
    block_on(async {
        let rig = Rig::start().await;
        let rates = rig.rates(abroad("2.5")).await.json();
        let names = |list: &Value| -> Vec<String> {
            let rows = list["data"].as_array().unwrap().iter();
            rows.map(|row| row["product_name"].as_str().unwrap().to_owned()).collect()
        };
        let offered = names(&rates);
        assert!(offered.contains(&"FedEx International Connect Plus".to_owned()), "{offered:?}");
        assert!(
            offered.contains(&"FedEx International Connect Plus (partner)".to_owned()),
            "{offered:?}"
        );
        let couriers = rig.asha.get("/api/v1/shipping/get_courier_details/").await;
        let mut all = names(&couriers.expect(200).json());
        for name in &all {
            assert!(!name.contains("(1"), "{name}");
        }
        assert!(offered.iter().all(|name| all.contains(name)));
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
        // Customs need documents, whichever courier carries the parcel.
        for rate in rates["data"].as_array().unwrap() {
            assert_eq!(rate["kyc_required"], true, "{rate}");
        }
    });
}

#[test]
fn a_pickup_has_a_bare_number() {
    block_on(async {
        let rig = Rig::start().await;
        let mut form = rig.form("shiprocket").await;
        form["pickup_required"] = json!("1");
        let booked = confirm(&rig.asha, "with-pickup", &form).await.expect(200);
        let pickup = booked.json()["data"][0]["pickup_id"].clone();
        let pickup = pickup.as_str().unwrap();
        assert!(!pickup.is_empty());
        assert!(pickup.bytes().all(|b| b.is_ascii_digit()), "{pickup}");
    });
}

#[test]
fn a_price_tells_its_pieces_and_the_weight_is_of_one() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let mut asked = rate_request(true, false);
        asked["quantity"] = json!(3);
        let price = rate(&asha, asked, "dakiya").await["breakdown"].clone();
        assert_eq!(price["pieces"], 3);
        assert_eq!(price["actual_grams"], 1_500);
    });
}

#[test]
fn an_invoice_number_is_taken_from_either_kind_of_booking() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(20_000).await;
        for (is_abroad, brand) in [(false, "dakiya"), (true, "fedex")] {
            let rate = rate(&asha, rate_request(true, is_abroad), brand).await;
            let mut body = payload(true, is_abroad, &rate);
            body["booking_invoice_number"] = json!("RB/99");
            body["kyc_info"] = crate::kyc::info(&asha).await;
            let booked = asha.post(CREATE, body).await.expect(200);
            let label = booked.json()["data"][0]["dispatch_url"].clone();
            let label = asha.page(label.as_str().unwrap()).await.expect(200);
            assert!(text(&label.body).contains("RB/99"));
        }
    });
}

#[test]
fn a_gstin_of_the_form_is_the_buyers_on_the_tax_invoice() {
    const KARNATAKA: &str = "29AAACR5055K1Z3";
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let delhi = "07AAACD1234E1ZB";
        let priced = rate(&asha, rate_request(true, false), "dakiya").await;
        let invoice = async |body: &Value| {
            let booked = asha.post(CREATE, body.clone()).await.expect(200);
            let path = booked.json()["data"][0]["invoice_url"].clone();
            text(&asha.page(path.as_str().unwrap()).await.expect(200).body)
        };
        let printed = invoice(&payload(true, false, &priced)).await;
        for part in [delhi, "Rao Brass", "Delhi (07)", "CGST 9 %", "12 Janpath"] {
            assert!(printed.contains(part), "{part} in {printed}");
        }
        let mut body = payload(true, false, &priced);
        body["consigner_gst_number"] = json!(KARNATAKA);
        let printed = invoice(&body).await;
        for part in [KARNATAKA, "Karnataka (29)", "IGST 18 %"] {
            assert!(printed.contains(part), "{part} in {printed}");
        }
        // A rate request may have the GSTIN; its quote is then booked at the price shown.
        let mut asked = rate_request(true, false);
        (asked["width"], asked["height"]) = (json!(15), json!(10));
        asked["consigner_gst_number"] = json!("29 aaacr 5055k 1z3");
        let shown = rate(&asha, asked.clone(), "dakiya").await;
        assert!(shown["breakdown"].to_string().contains("IGST 18 %"), "{shown}");
        body["quote_id"] = shown["quote_id"].clone();
        assert!(invoice(&body).await.contains(KARNATAKA));
        // A quote shown with other taxes is refused.
        asked["consigner_gst_number"] = Value::Null;
        body["quote_id"] = rate(&asha, asked.clone(), "dakiya").await["quote_id"].clone();
        let refused = asha.post(CREATE, body.clone()).await.expect(409).json();
        assert_eq!(refused["code"], "quote_changed");
        assert!(refused["message"].as_str().unwrap().starts_with("This price has expired"));
        // If GST does not apply to the consignor, the invoice is for the account.
        body["consigner_gst_applicable"] = json!("2");
        let printed = invoice(&body).await;
        assert!(!printed.contains(KARNATAKA) && printed.contains("CGST 9 %"), "{printed}");
        asked["consigner_gst_number"] = json!("29AAACR5055K1Z4");
        let path = "/api/v1/shipping/calculate-rate/";
        let refused = asha.post(path, asked).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["consigner_gst_number"]);
        app.audit().await;
    });
}

#[test]
fn a_document_may_be_named_without_a_number_which_the_list_of_calls_does_not_have() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let rate = rate(&asha, rate_request(true, false), "dakiya").await;
        let mut body = payload(true, false, &rate);
        for (document, number, status) in [
            ("2", Value::Null, 200),
            ("2", json!("ABCPE1234F"), 200),
            ("2", json!("M1234567"), 400),
        ] {
            body["consigner_doc_type"] = json!(document);
            body["consigner_doc_number"] = number;
            asha.post(CREATE, body.clone()).await.expect(status);
        }
    });
}
