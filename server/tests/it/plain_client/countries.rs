//! A country is given by its number, its code or its name in every field.

use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{CREATE, payload, rate, rate_request};
use crate::app::{Actor, TestApp, block_on};
use crate::kyc;

const RATES: &str = "/api/v1/shipping/calculate-rate/";

#[test]
fn a_country_is_its_number_its_code_or_its_name() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(50_000).await;
        let priced = rate(&asha, rate_request(true, true), "fedex").await;
        for named in [
            json!(229),
            json!("229"),
            json!("US"),
            json!("us"),
            json!("USA"),
            json!("United States"),
            json!(" united  STATES "),
            json!("America"),
            json!("u.s.a."),
            json!("संयुक्त राज्य"),
        ] {
            let mut asked = rate_request(true, true);
            asked["destination_country"] = named.clone();
            let price = rate(&asha, asked, "fedex").await;
            let total = |rate: &Value| rate["grand_total_with_gst"].to_string();
            assert_eq!(total(&price), total(&priced), "{named}");

            let mut body = payload(true, true, &priced);
            body["destination_country"] = named.clone();
            body.as_object_mut().unwrap().remove("destination_country_id");
            body["remark"] = named.clone();
            body["kyc_info"] = kyc::info(&asha).await;
            asha.post(CREATE, body).await.expect(200);
            let zipcode = json!({"country_id": named, "zipcode": "10001"});
            let found = asha.post("/api/v1/shipping/check-zipcode/", zipcode).await;
            assert_eq!(found.expect(200).json()["data"][0]["state"], "New York");
        }
    });
}

#[derive(Deserialize)]
struct Typed {
    typed: String,
    first: String,
}

#[test]
fn a_country_is_found_by_the_names_that_people_use() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let mut rows = csv::Reader::from_reader(&include_bytes!("../rates/country_names.csv")[..]);
        let rows = rows.deserialize().map(|row| row.expect("a good row"));
        // The browser does not have these names, and asks for them.
        let hindi = [("अमेरिका", "US"), ("यूके", "GB"), ("दुबई", "AE"), ("हांगकांग", "HK")]
            .into_iter()
            .chain([("न्यू\u{95b}ीलैंड", "NZ"), ("हॉलैंड", "NL"), ("जर्म", "DE")])
            .map(|(typed, first)| Typed { typed: typed.to_owned(), first: first.to_owned() });
        for Typed { typed, first } in rows.chain(hindi) {
            let found = countries(&asha, &typed).await;
            assert_eq!(found[0]["country_code"], *first, "{typed}: {found:?}");
        }
        for unknown in ["Atlantis", "ates", "😀", "ndia", "%", "-"] {
            assert!(countries(&asha, unknown).await.is_empty(), "{unknown}");
        }
        assert_eq!(countries(&asha, " ").await.len(), 242);
    });
}

async fn countries(asha: &Actor, typed: &str) -> Vec<Value> {
    let address = "http://localhost/api/v1/shipping/countries/";
    let address = Url::parse_with_params(address, [("country_name", typed)]).unwrap();
    let path = format!("{}?{}", address.path(), address.query().unwrap());
    asha.get(&path).await.expect(200).json().as_array().unwrap().clone()
}

#[test]
fn countries_that_contradict_each_other_are_refused_by_name() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let priced = rate(&asha, rate_request(true, true), "fedex").await;
        let own = rate(&asha, rate_request(true, false), "dakiya").await;
        let before = app.balance(&asha).await;
        for (abroad, country, id, wrong) in [
            (true, json!("Germany"), json!(229), "destination_country"),
            (true, json!("DE"), json!("229"), "destination_country"),
            (true, json!("Atlantis"), json!(229), "destination_country"),
            (true, json!("Atlantis"), Value::Null, "destination_country"),
            (true, Value::Null, json!("Atlantis"), "destination_country_id"),
            (true, json!("India"), Value::Null, "destination_country"),
            (true, Value::Null, json!(97), "destination_country_id"),
            (true, Value::Null, Value::Null, "destination_country"),
            (false, json!("Germany"), json!(97), "destination_country"),
            (false, Value::Null, json!(229), "destination_country_id"),
        ] {
            let mut asked = rate_request(true, abroad);
            let mut body = payload(true, abroad, if abroad { &priced } else { &own });
            for form in [&mut asked, &mut body] {
                form["destination_country"] = country.clone();
                form["destination_country_id"] = id.clone();
            }
            let refused = asha.post(RATES, asked).await.expect(400);
            assert_eq!(refused.wrong_fields(), [wrong], "{country} {id}");
            let refused = asha.post(CREATE, body).await.expect(400);
            assert_eq!(refused.wrong_fields(), [wrong], "{country} {id}");
        }
        assert_eq!(app.balance(&asha).await, before);
    });
}
