//! A client written from the published API alone: it sends only the fields documented there, and no
//! header but its token and the content type.

mod countries;
mod papers;
mod repeats;

use dakiya_core::model::money::paise::Paise;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, block_on, inbox};
use crate::kyc;

pub const CREATE: &str = "/api/v1/shipping/create-booking/";

/// A client's request for rates.
pub fn rate_request(is_parcel: bool, is_abroad: bool) -> Value {
    let mut asked = json!({
        "booking_type": if is_abroad { 1 } else { 2 },
        "origin_pincode": "110001",
        "destination_pincode": if is_abroad { "10001" } else { "560001" },
        "shipment_type": if is_parcel { 1 } else { 2 },
        "weight": 0.5, "length": 20, "quantity": 1,
    });
    if is_abroad {
        asked["destination_country"] = json!("United States");
    }
    asked
}

/// The payload of a booking, without fields of our own.
pub fn payload(is_parcel: bool, is_abroad: bool, rate: &Value) -> Value {
    let mut body = shipment(is_parcel, is_abroad);
    body["courier_id"] = rate["product_id"].clone();
    body["courier_name"] = rate["product_name"].clone();
    for group in [consigner(), consignee(is_abroad), papers()] {
        let group = group.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(group);
    }
    if !is_abroad {
        body["booking_invoice_number"] = json!("RB/17");
    }
    if is_parcel {
        body["shipment_dimensions"] = json!({
            "item_description": "Brass lamps", "value": "2500", "quantity": 1,
            "length": 20, "breadth": 15, "height": 10, "hsn_code": "7418",
        });
    }
    body
}

fn shipment(is_parcel: bool, is_abroad: bool) -> Value {
    json!({
        "booking_type": if is_abroad { 1 } else { 2 },
        "origin_pincode": "110001",
        "destination_pincode": if is_abroad { "10001" } else { "560001" },
        "destination_country": if is_abroad { "United States" } else { "India" },
        "destination_country_id": if is_abroad { 229 } else { 97 },
        "city": if is_abroad { "New York" } else { "Bengaluru" },
        "shipment_type": if is_parcel { 1 } else { 2 },
        "weight": 0.5,
        "description": "Brass lamps",
        "unit": {"weight_unit": "kgs", "length_unit": "cms", "currency": "24"},
    })
}

fn consigner() -> Value {
    json!({
        "consigner_name": "Asha Rao", "consigner_company": "Rao Brass",
        "consigner_mobile": "9876543210", "consigner_email": "asha@example.in",
        "consigner_address_1": "12 Janpath", "consigner_address_2": "",
        "consigner_city": "New Delhi", "consigner_pincode": "110001",
        "consigner_state": "Delhi",
        "consigner_doc_type": "1", "consigner_gst_number": "07AAACD1234E1ZB",
        "consigner_gst_applicable": "1", "consigner_tax_payment": "1",
    })
}

fn consignee(is_abroad: bool) -> Value {
    json!({
        "consignee_name": "Meera Rao", "consignee_company": "Individual",
        "consignee_mobile": if is_abroad { "+12125550100" } else { "9876500000" },
        "consignee_email": "meera@example.com",
        "consignee_address_1": "1 Broadway", "consignee_address_2": "",
        "consignee_city": if is_abroad { "New York" } else { "Bengaluru" },
        "consignee_pincode": if is_abroad { "10001" } else { "560001" },
        "consignee_state": if is_abroad { "New York" } else { "Karnataka" },
    })
}

fn papers() -> Value {
    json!({
        "booking_invoice_date": "2026-11-21",
        "pickup_required": "2", "pickup_location": "1",
        "tax_paid": "1", "tax_amount": "0", "export_type": "3",
        "consignee_reference_no": "", "otp": "", "msme_id": "",
        "kyc_info": {"orgnization_id": "", "document_id_1": "", "document_path_1": "",
                     "document_id_2": "", "document_path_2": ""},
    })
}

/// The cheapest service of a brand.
pub async fn rate(actor: &Actor, asked: Value, brand: &str) -> Value {
    let path = "/api/v1/shipping/calculate-rate/";
    let rates = actor.post(path, asked).await.expect(200).json();
    let mut rates = rates["data"].as_array().unwrap().iter();
    let found = rates.find(|rate| rate["parent_vendor"] == brand);
    found.expect("a rate").clone()
}

fn awb(answer: &Answer) -> String {
    let answer = answer.json();
    answer["data"][0]["airwaybilno"].as_str().unwrap().to_owned()
}

/// Books until there is an AWB, and sends the documents and codes that the responses require.
async fn book(app: &TestApp, asha: &Actor, mut body: Value) -> Answer {
    if body["booking_type"] == 1 {
        let answer = asha.post(CREATE, body.clone()).await.expect(400);
        assert!(answer.wrong_fields()[0].starts_with("kyc_info"));
        body["kyc_info"] = kyc::info(asha).await;
    }
    let answer = asha.post(CREATE, body.clone()).await;
    if answer.status == 200 {
        return answer;
    }
    assert_eq!(answer.expect(409).json()["code"], "otp_required");
    let sent = inbox(&app.app);
    body["otp"] = json!(sent[0].text[..6]);
    asha.post(CREATE, body).await
}

#[test]
fn a_client_that_sends_what_the_list_of_calls_names_and_no_more_books_everything() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(20_000).await;
        for (is_parcel, is_abroad, brand) in [
            (false, false, "dakiya"),
            (true, false, "dakiya"),
            (true, true, "fedex"),
            (true, true, "dhl"),
        ] {
            let before = app.balance(&asha).await;
            let rate = rate(&asha, rate_request(is_parcel, is_abroad), brand).await;
            let body = payload(is_parcel, is_abroad, &rate);
            let answer = book(&app, &asha, body).await.expect(200);
            assert_eq!(answer.json()["message"], "Booking created successfully!");
            let awb = awb(&answer);
            let paid = before.checked_sub(app.balance(&asha).await).unwrap();
            assert!(paid > Paise::ZERO, "{brand}");

            let track = format!("/api/v1/shipping/track/{awb}/");
            let events = anon.get(&track).await.expect(200).json();
            assert_eq!(events["data"][0]["airwaybill_no"], awb.as_str());
            let history = asha.get("/api/v1/shipping/history/?page=1&limit=20").await;
            let row = history.expect(200).json()["results"][0].clone();
            assert_eq!(row["awb_number"], awb.as_str());
            assert_eq!(row["product_name"], rate["product_name"]);
            let city = if is_abroad { "New York" } else { "Bengaluru" };
            assert_eq!(row["destination_city"], city);
            let id = row["id"].as_str().unwrap();
            let cancel = format!("/api/v1/shipping/booking/{id}/cancel/");
            asha.post(&cancel, json!({})).await.expect(200);
            assert_eq!(app.balance(&asha).await, before, "{brand}");
        }
        app.audit().await;
    });
}
