//! Places and prices over HTTP.

pub mod cards;
mod places;
mod worked;

use serde_json::{Value, json};

use crate::app::{TestApp, block_on, rupees};

pub fn parcel() -> Value {
    json!({
        "booking_type": 2, "origin_pincode": "110001", "destination_pincode": "560001",
        "shipment_type": 1, "weight": 2.5, "length": 10, "quantity": 1,
    })
}

fn with(field: &str, value: Value) -> Value {
    let mut parcel = parcel();
    parcel[field] = value;
    parcel
}

#[test]
fn a_parcel_from_delhi_to_bengaluru_is_priced_line_by_line() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let answer = asha.post("/api/v1/shipping/calculate-rate/", parcel()).await.expect(200);
        let surface = answer.json()["data"][0].clone();
        assert_eq!(surface["product_name"], "Dakiya Surface");
        assert_eq!(surface["tat_days"], 4);
        // Computed by hand from sample_cards.csv, zone c: 46 + 4 x 24 = 142.00; fuel 14 % = 19.88;
        // taxable 161.88. Delhi to us is within the state: CGST and SGST 9 % = 14.57 each.
        assert_eq!(
            rupees(
                &answer.text()[answer.text().find("Surface").unwrap()..],
                "grand_total_with_gst"
            )
            .get(),
            19_102
        );
        assert_eq!(surface["breakdown"]["zone"], "Metro to metro");
        let labels: Vec<&str> = surface["breakdown"]["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line["label"].as_str().unwrap())
            .collect();
        assert_eq!(labels, ["Freight", "Fuel surcharge 14 %", "CGST 9 %", "SGST 9 %"]);
        // Cheapest first, and only services that accept parcels.
        let names: Vec<String> = answer.json()["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rate| rate["product_name"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["Dakiya Surface", "Dakiya Heavy", "Dakiya Air"]);
    });
}

#[test]
fn bad_numbers_name_their_field() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for (field, bad) in [
            ("weight", json!("abc")),
            ("weight", json!(0)),
            ("weight", json!(-1)),
            ("weight", json!("1e3")),
            ("weight", json!("2,500")),
            ("weight", json!(99_999_999)),
            ("weight", json!([1])),
            ("quantity", json!(0)),
            ("quantity", json!(1.5)),
            ("length", json!("9".repeat(1_000))),
            ("origin_pincode", json!("1100011")),
            ("origin_pincode", json!("११०००")),
            ("origin_pincode", json!("11 001")),
            ("destination_pincode", json!("😀😀😀😀😀😀")),
            ("shipment_type", json!(3)),
            ("booking_type", json!(null)),
        ] {
            let shown = bad.to_string();
            let body = with(field, bad);
            let answer = asha.post("/api/v1/shipping/calculate-rate/", body).await.expect(400);
            assert_eq!(answer.wrong_fields(), [field], "{shown}");
        }
    });
}

#[test]
fn zip_codes_and_countries_are_looked_up() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let check = async |country: i64, code: &str| {
            let body = json!({"country_id": country, "zipcode": code});
            let answer = asha.post("/api/v1/shipping/check-zipcode/", body).await.expect(200);
            answer.json()["data"].clone()
        };
        assert_eq!(
            check(97, "560001").await,
            json!([{"state": "Karnataka", "city_area": "Bengaluru", "state_code": "KA"}])
        );
        assert_eq!(check(97, "999999").await, json!([]));
        let all = asha.get("/api/v1/shipping/countries/").await.expect(200).json();
        assert_eq!(all.as_array().unwrap().len(), 242);
        let path = "/api/v1/shipping/countries/?country_name=SRI%20lanka";
        let one = asha.get(path).await.expect(200).json();
        assert_eq!(one[0]["country_code"], "LK");
        let couriers = asha.get("/api/v1/shipping/get_courier_details/").await.expect(200).json();
        assert_eq!(couriers["data"][0], json!({"product_name": "Dakiya Surface", "product_id": 1}));
    });
}
