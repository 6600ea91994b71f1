//! Values as people type and paste them: every field of numbers takes them, and none is guessed.

use serde_json::{Value, json};

use crate::app::{PASSWORD, TestApp, block_on, registration};
use crate::bookings::{book_to, confirm, form, quote};
use crate::couriers::Rig;
use crate::presets;
use crate::rates::parcel;
use dakiya_core::model::calendar::date_in_india;
use dakiya_core::model::money::paise::Paise;

const DAY_MS: i64 = 86_400_000;
const PROFILE: &str = "/api/v1/auth/profile/";
const CALCULATE: &str = "/api/v1/shipping/calculate-rate/";

#[test]
fn an_account_takes_a_pasted_phone_and_no_number_that_cannot_exist() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        for phone in ["\u{202a}+91 98123\u{a0}45678\u{202c}", "+91 098123 45678", "९८१२३ ४५६७८"]
        {
            let change = json!({"phone": phone, "current_password": PASSWORD});
            asha.post(PROFILE, change).await.expect(200);
            assert_eq!(asha.get(PROFILE).await.json()["phone"], "+919812345678", "{phone}");
        }
        asha.post(PROFILE, json!({"gstin": "\u{202a}29 AAACR‑5055K 1Z3\u{202c}"}))
            .await
            .expect(200);
        assert_eq!(asha.get(PROFILE).await.json()["gstin"], "29AAACR5055K1Z3");
        for phone in ["+91 98765 4321", "1234567890", "+44 20 7946 0958"] {
            let refused = asha.post(PROFILE, json!({"phone": phone})).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["phone"], "{phone}");
            let mut new = registration("pasted");
            new["phone"] = json!(phone);
            let refused = anon.post("/api/v1/auth/register/", new).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["phone"], "{phone}");
        }
    });
}

#[test]
fn a_price_is_the_same_however_its_shipment_is_typed() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let total = async |shipment: Value| {
            let rates = asha.post(CALCULATE, shipment).await.expect(200).json();
            rates["data"][0]["grand_total_with_gst"].clone()
        };
        let plain = total(parcel()).await;
        assert!(plain.is_number());
        for (field, pasted) in [
            ("origin_pincode", "110 001"),
            ("origin_pincode", "\u{202a}110-001\u{202c}"),
            ("destination_pincode", "५६०\u{a0}००१"),
            ("weight", "2,5"),
            ("weight", "२.५ किग्रा"),
            ("weight", "2500 g"),
            ("length", "100 mm"),
            ("quantity", "१"),
        ] {
            let mut shipment = parcel();
            shipment[field] = json!(pasted);
            assert_eq!(total(shipment).await, plain, "{field}: {pasted}");
        }
        for (field, unclear) in [("weight", "2,500"), ("weight", "50 g"), ("length", "1,000")] {
            let mut shipment = parcel();
            shipment[field] = json!(unclear);
            let refused = asha.post(CALCULATE, shipment).await.expect(400);
            assert_eq!(refused.wrong_fields(), [field], "{unclear}");
        }
    });
}

#[test]
fn a_partner_gets_ten_digits_of_a_phone_and_the_value_that_was_typed() {
    block_on(async {
        let rig = Rig::start().await;
        let pasted = "\u{202a}+91 98765 00000\u{202c}";
        for (key, mobile) in [("with-a-trunk-prefix", "098765 00000"), ("with-marks", pasted)] {
            let mut form = rig.form("shiprocket").await;
            form["consigner_mobile"] = json!("+91 98765\u{a0}43210");
            form["consignee_mobile"] = json!(mobile);
            form["origin_pincode"] = json!("110 001");
            form["consignee_pincode"] = json!("560-001");
            form["weight"] = json!("2.5 kg");
            form["shipment_dimensions"][0]["value"] = json!("₹1,500");
            form["booking_invoice_date"] = json!("1/2/2020");
            confirm(&rig.asha, key, &form).await.expect(200);
        }
        let orders = rig.shipments("shiprocket").await;
        assert_eq!(orders.len(), 2);
        for order in orders {
            let asked = &order["asked"];
            assert_eq!(asked["billing_phone"], "9876500000");
            assert_eq!(asked["billing_pincode"], "560001");
            assert_eq!(asked["sub_total"].as_f64(), Some(1_500.0));
        }
        rig.app.audit().await;
    });
}

#[test]
fn weights_that_contradict_each_other_are_refused_and_never_priced() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let good = form(&quote(&asha).await);
        for (weight, of_piece, pieces) in [("2.5", "9", 1), ("5", "2.5", 2), ("2.5", "0.25", 1)] {
            let mut form = good.clone();
            form["weight"] = json!(weight);
            form["shipment_dimensions"][0]["weight"] = json!(of_piece);
            form["shipment_dimensions"][0]["quantity"] = json!(pieces);
            let key = format!("{weight}-kg-against-{of_piece}").replace('.', "_");
            let refused = confirm(&asha, &key, &form).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["shipment_dimensions.weight"]);
        }
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        let mut agreeing = good;
        agreeing["shipment_dimensions"][0]["weight"] = json!("2500 g");
        confirm(&asha, "agreement", &agreeing).await.expect(200);
        app.audit().await;
    });
}

#[test]
fn an_invoice_is_not_of_a_day_to_come() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let mut form = form(&quote(&asha).await);
        let now_ms = app.app.core.clock.now_ms();
        form["booking_invoice_date"] = json!(date_in_india(now_ms + DAY_MS).to_string());
        let refused = confirm(&asha, "tomorrow", &form).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["booking_invoice_date"]);
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        form["booking_invoice_date"] = json!(date_in_india(now_ms).to_string());
        confirm(&asha, "of-today", &form).await.expect(200);
        app.audit().await;
    });
}

#[test]
fn a_recharge_is_of_the_amount_however_it_is_written() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for amount in ["₹1,000", "Rs. 1,000/-", "१०००", "\u{202a}1000.00\u{202c}"] {
            let body = json!({"amount": amount});
            asha.post("/api/v1/payment/phonepe/create/", body).await.expect(200);
        }
        let pending = asha.get("/api/v1/payment/phonepe/pending/").await.expect(200).json();
        let orders = pending["results"].as_array().expect("orders");
        assert_eq!(orders.len(), 4);
        assert!(orders.iter().all(|order| order["amount"].as_f64() == Some(1_000.0)), "{pending}");
    });
}

#[test]
fn a_pasted_awb_is_tracked_and_found() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_money(5_000).await;
        let awb = book_to(&asha, "Ravi").await.awb;
        // Between a mark of direction and a no-break space, with a long dash in it.
        let pasted = format!("%E2%80%AA{}%E2%80%93{}%C2%A0", &awb[..2], &awb[2..]);
        let tracked = anon.get(&format!("/api/v1/shipping/track/{pasted}/")).await.expect(200);
        assert_eq!(tracked.json()["data"][0]["airwaybill_no"], awb.as_str());
        let found = asha.get(&format!("/api/v1/shipping/bookings/?q={pasted}")).await.expect(200);
        assert!(found.text().contains(&awb), "{}", found.text());
    });
}

#[test]
fn the_address_book_keeps_numbers_in_one_way_of_writing() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let ravi = json!({"kind": "consignee", "fields": {
            "consignee_name": "Ravi Kumar", "consignee_mobile": "+91 91234\u{a0}56780",
            "consignee_address_1": "22 MG Road", "consignee_pincode": "560 001",
            "destination_country_id": "97",
        }});
        presets::save(&asha, &ravi).await.expect(200);
        let kept = asha.get("/api/v1/booking/presets/").await.expect(200).json();
        let fields = &kept["results"][0]["fields"];
        assert_eq!(fields["consignee_mobile"], "9123456780");
        assert_eq!(fields["consignee_pincode"], "560001");
    });
}
