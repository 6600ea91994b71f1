//! Places: every PIN code and country of the data, and invalid ones.

use std::collections::{HashMap, HashSet};

use dakiya_core::model::input::characters::{code, unmarked};
use dakiya_core::model::shipping::place::{self, INDIA};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{parcel, with};
use crate::app::{Actor, TestApp, block_on};
use crate::couriers;
use crate::operators::dakiya;
use crate::plain_client::{CREATE, payload, rate, rate_request};

const CALCULATE: &str = "/api/v1/shipping/calculate-rate/";
const CHECK: &str = "/api/v1/shipping/check-zipcode/";

#[derive(Deserialize)]
struct Pin {
    pincode: String,
    city_area: String,
    state: String,
    state_code: String,
    gst_state_code: String,
}

#[derive(Deserialize)]
struct Country {
    country_id: i64,
    country_code: String,
    country_name: String,
    postal_code_example: String,
    postal_code_use: String,
}

fn read<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Vec<T> {
    let mut rows = csv::Reader::from_reader(bytes);
    rows.deserialize().map(|row| row.expect("a good row")).collect()
}

fn countries() -> Vec<Country> {
    read(include_bytes!("../../../data/countries.csv"))
}

async fn check(actor: &Actor, country_id: i64, code: &str) -> Vec<Value> {
    let body = json!({"country_id": country_id, "zipcode": code});
    let answer = actor.post(CHECK, body).await.expect(200).json();
    answer["data"].as_array().unwrap().clone()
}

#[test]
fn every_pin_code_answers_as_the_data_says_and_any_other_of_a_district_as_the_district() {
    let pins: Vec<Pin> = read(include_bytes!("../../../data/pincodes.csv"));
    assert_eq!(pins.len(), 20_110);
    let by_code: HashMap<&str, &Pin> = pins.iter().map(|pin| (&*pin.pincode, pin)).collect();
    let mut states: HashMap<&str, HashSet<&str>> = HashMap::new();
    for pin in &pins {
        states.entry(&pin.pincode[..3]).or_default().insert(&pin.state);
    }
    for number in 100_000..1_000_000 {
        let code = number.to_string();
        let found = place::find(INDIA, &code);
        match by_code.get(code.as_str()) {
            // Other tests add this one.
            None if code == "560999" => assert!(found.is_some()),
            None => {
                let states = states.get(&code[..3]);
                let unlisted = found.map(|it| (it.city_area, it.unlisted, it.state));
                match (states, unlisted) {
                    (None, None) => (),
                    (Some(states), Some((city, true, state))) if city.is_empty() => {
                        assert!(states.contains(&*state), "{code}");
                    }
                    other => panic!("{code}: {other:?}"),
                }
            }
            Some(pin) => {
                let found = found.unwrap();
                assert_eq!(found.city_area, pin.city_area);
                assert!(!found.unlisted);
                assert_eq!(
                    (found.state, found.state_code),
                    (pin.state.clone(), pin.state_code.clone())
                );
                // The state in which a booking is taxed.
                let taxed = place::pin(&code).unwrap().gst_state_code;
                assert_eq!(taxed, pin.gst_state_code, "{code}");
            }
        }
    }
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for pin in pins.iter().step_by(97) {
            let Pin { city_area, state, state_code, .. } = pin;
            let place = json!({"city_area": city_area, "state": state, "state_code": state_code});
            assert_eq!(check(&asha, INDIA, &pin.pincode).await, [place]);
        }
    });
}

#[test]
fn a_pin_code_that_no_list_has_is_served_as_its_sorting_district() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let answer = check(&asha, INDIA, "560998").await;
        let place =
            json!({"city_area": "", "state": "Karnataka", "state_code": "KA", "unlisted": true});
        assert_eq!(answer, [place]);
        let priced = async |to: &str| {
            let answer = asha.post(CALCULATE, with("destination_pincode", json!(to))).await;
            let answer = answer.expect(200).json();
            let of = |it: &Value| (it["product_id"].clone(), it["grand_total_with_gst"].clone());
            answer["data"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(priced("560998").await, priced("560001").await);
        assert_eq!(dakiya(&app, "pins unlisted --json").json(), json!([]));

        // The customer's own city stands in the list of bookings; operators see the PIN code.
        asha.post(CREATE, booking_to_whitefield(&asha).await).await.expect(200);
        let history = asha.get("/api/v1/shipping/history/").await.expect(200).json();
        assert_eq!(history["results"][0]["destination_city"], "Whitefield");
        let unlisted = dakiya(&app, "pins unlisted --json").json();
        let [pin] = unlisted.as_array().unwrap().as_slice() else { panic!("{unlisted}") };
        assert_eq!((&pin["pincode"], &pin["bookings"]), (&json!("560998"), &json!(1)));
    });
}

/// The body of a booking to a PIN code that is in no list.
async fn booking_to_whitefield(customer: &Actor) -> Value {
    let mut asked = rate_request(true, false);
    asked["destination_pincode"] = json!("560998");
    let mut body = payload(true, false, &rate(customer, asked, "dakiya").await);
    body["destination_pincode"] = json!("560998");
    body["consignee_pincode"] = json!("560998");
    body["consignee_city"] = json!("Whitefield");
    body
}

#[test]
fn an_unlisted_pin_code_counts_once_its_booking_is_paid() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let body = booking_to_whitefield(&asha).await;
        asha.post(CREATE, body).await.expect(402);
        assert_eq!(dakiya(&app, "pins unlisted --json").json(), json!([]));
    });
}

#[test]
fn where_there_are_no_postal_codes_couriers_price_by_the_city() {
    block_on(async {
        let app = TestApp::start_with(&couriers::ALL).await;
        let asha = app.user("asha").await;
        let mut asked = rate_request(true, true);
        asked["destination_country"] = json!("Hong Kong");
        asked["destination_pincode"] = json!("");
        let brands = async |asked: Value| {
            let answer = asha.post(CALCULATE, asked).await.expect(200).json();
            let brand = |it: &Value| it["parent_vendor"].as_str().unwrap().to_owned();
            couriers::of_partners(&answer).iter().map(brand).collect::<HashSet<_>>()
        };
        let without = brands(asked.clone()).await;
        assert!(without.contains("fedex") && !without.contains("dhl"), "{without:?}");
        asked["city"] = json!("Kowloon");
        assert!(brands(asked.clone()).await.contains("dhl"));
        asked["city"] = json!("x".repeat(61));
        assert_eq!(asha.post(CALCULATE, asked).await.expect(400).wrong_fields(), ["city"]);

        let form = "/calculate?booking_type=1&destination_country=uae&shipment_type=1&weight=1\
                    &length=10&width=10&height=10&quantity=1&origin_pincode=110001\
                    &destination_pincode=&city=";
        let page = asha.get(form).await.expect(200);
        assert!(page.text().contains("Please enter the city."));
        let page = asha.get(&format!("{form}Dubai")).await.expect(200);
        assert!(page.text().contains("DHL Express Worldwide"));
    });
}

#[test]
fn every_country_is_listed_and_takes_its_own_postal_codes() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let listed = asha.get("/api/v1/shipping/countries/").await.expect(200).json();
        let countries = countries();
        assert_eq!(listed.as_array().unwrap().len(), 242);
        for (listed, country) in listed.as_array().unwrap().iter().zip(&countries) {
            assert_eq!(listed["country_id"], country.country_id);
            assert_eq!(listed["country_code"], *country.country_code);
            assert_eq!(listed["country_name"], *country.country_name);
            let id = country.country_id;
            let optional = country.postal_code_use != "required";
            assert_eq!(listed["postal_code_optional"].as_bool().unwrap_or(false), optional);
            assert_eq!(!check(&asha, id, "").await.is_empty(), optional, "{id}");
            for example in country.postal_code_example.split('|').filter(|code| !code.is_empty()) {
                let typed = format!("  {} ", example.to_lowercase());
                assert!(!check(&asha, id, &typed).await.is_empty(), "{id}: {example}");
            }
            if country.postal_code_use == "none" {
                for customary in ["0", "00000", "999077"] {
                    assert!(!check(&asha, id, customary).await.is_empty(), "{id}");
                }
            } else {
                assert!(check(&asha, id, "no code").await.is_empty(), "{id}");
            }
            assert!(check(&asha, id, "😀").await.is_empty(), "{id}");
        }
    });
}

#[test]
fn places_that_are_not_served_are_told_origin_first_then_destination_then_rates() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let says = async |body: Value| {
            let answer = asha.post(CALCULATE, body).await.expect(400);
            let field = answer.wrong_fields().join(" ");
            (field, answer.json()["message"].as_str().unwrap().to_owned())
        };
        let said = |field: &str, message: &str| (field.to_owned(), message.to_owned());
        let mut both = with("origin_pincode", json!("999999"));
        both["destination_pincode"] = json!("999999");
        let origin = said("origin_pincode", "Origin pincode is not serviceable.");
        assert_eq!(says(both.clone()).await, origin);
        assert_eq!(
            says(with("destination_pincode", json!("999999"))).await,
            said("destination_pincode", "Destination pincode is not serviceable.")
        );
        (both["booking_type"], both["destination_country"]) = (json!(1), json!(229));
        assert_eq!(says(both.clone()).await, origin);
        both["origin_pincode"] = json!("110001");
        let abroad = "Destination postal code is not serviceable for the selected country.";
        assert_eq!(says(both.clone()).await, said("destination_pincode", abroad));
        // Cuba has postal codes, but no card covers it: both places are valid and no rate comes.
        let cuba = countries().into_iter().find(|country| country.country_code == "CU").unwrap();
        both["destination_country"] = json!(cuba.country_id);
        both["destination_pincode"] = json!("10100");
        let none = asha.post(CALCULATE, both).await.expect(200).json();
        assert_eq!(none["data"], json!([]));
    });
}

#[test]
fn five_hundred_malformed_inputs_name_their_field_and_break_nothing() {
    let long = "9".repeat(10_240);
    let emoji = "😀".repeat(2_560);
    let bad = [
        "",
        "abcdef",
        "11000a",
        "११०००१",
        "١١٠٠٠١",
        "１１０００１",
        "11 001",
        "1100 01",
        "110001 1",
        "1100011",
        "11000",
        "0",
        "-1",
        "+110001",
        "1e5",
        "110001.0",
        "0x1ADB1",
        "NaN",
        "Infinity",
        "null",
        "true",
        "😀😀😀😀😀😀",
        "'; drop table pins; --",
        "<b>1</b>",
        "110001\u{0}",
        "11\n0001",
        "1,1,0",
        "%31%31",
        "٫",
        "½",
        "..",
        "1..2",
        "१.५",
        "2,5",
        " - ",
        "\u{202e}100011",
        "१२३४५६",
        "1 1 0 0 0 1",
        "O11OOO",
        "#",
        "٠",
        "[]",
        "{}",
        &long,
        &emoji,
    ];
    let plain = |field: &'static str| (field, parcel());
    let mut abroad = parcel();
    abroad["booking_type"] = json!(1);
    abroad["destination_country"] = json!(229);
    abroad["destination_pincode"] = json!("10001");
    let mut gulf = abroad.clone();
    gulf["destination_country"] = json!(227);
    let asked: Vec<(&str, Value)> = ["origin_pincode", "destination_pincode", "weight", "length"]
        .map(plain)
        .into_iter()
        .chain(["quantity", "width", "height", "booking_type", "shipment_type"].map(plain))
        .chain([("destination_pincode", abroad.clone()), ("origin_pincode", abroad.clone())])
        .chain([("destination_country", abroad.clone()), ("weight", abroad)])
        .chain([("destination_pincode", gulf)])
        .collect();
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let mut refused = 0;
        for (field, body) in &asked {
            for text in bad.iter().filter(|text| !is_good(field, body, text)) {
                let mut body = body.clone();
                body[*field] = json!(text);
                let answer = asha.post(CALCULATE, body).await;
                let shown: String = text.chars().take(20).collect();
                assert_eq!(answer.status, 400, "{field} {shown:?}: {}", answer.text());
                assert_eq!(answer.wrong_fields(), [*field], "{shown:?}");
                assert!(answer.text().len() < 500, "{}", answer.text());
                refused += 1;
            }
        }
        assert!(refused >= 500, "{refused}");
        // Pages and check-zipcode get the same texts.
        for text in bad {
            let body = json!({"country_id": text, "zipcode": text});
            assert_eq!(asha.post(CHECK, body).await.status, 400);
            let body = json!({"country_id": 97, "zipcode": text});
            assert!(asha.post(CHECK, body).await.status.as_u16() < 500);
        }
    });
}

/// True if this text is valid in this field.
fn is_good(field: &str, body: &Value, text: &str) -> bool {
    let (plain, code) = (unmarked(text), code(text));
    match field {
        // The sides are optional, and a shipment is one parcel by default.
        "length" | "width" | "height" => ["", "0", "2,5", "1.5"].contains(&plain.as_str()),
        "weight" => ["2,5", "1.5"].contains(&plain.as_str()),
        "quantity" | "shipment_type" => text.is_empty(),
        // The list lacks 123456, and knows its district.
        "origin_pincode" => ["110001", "123456"].contains(&code.as_str()),
        // The Emirates have no postal codes, the United States have some of five digits.
        "destination_pincode" if body["destination_country"] == 227 => {
            let customary = |byte: u8| byte.is_ascii_alphanumeric() || b" -".contains(&byte);
            plain.len() <= 20 && plain.bytes().all(customary)
        }
        "destination_pincode" if body["destination_country"] == 229 => {
            ["11000", "11001"].contains(&code.as_str())
        }
        "destination_pincode" => ["110001", "123456"].contains(&code.as_str()),
        _ => false,
    }
}

#[test]
fn without_a_script_a_country_may_be_typed_as_people_call_it() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for (typed, shown, is_known) in [
            ("229", "United States", true),
            ("united states", "United States", true),
            ("USA", "United States", true),
            ("Turkey", "Turkiye", true),
            ("Atlantis", "Atlantis", false),
        ] {
            let postal_code = if shown == "Turkiye" { "34000" } else { "10001" };
            let page = asha
                .get(&format!(
                    "/calculate?booking_type=1&destination_country={}&shipment_type=1&weight=1\
                     &origin_pincode=110001&destination_pincode={postal_code}&length=30&width=20\
                     &height=10&quantity=1",
                    typed.replace(' ', "+")
                ))
                .await
                .expect(200);
            let page = page.text();
            let field = page.split("id=\"rate-destination_country\"").nth(1);
            let field = field.and_then(|rest| rest.split('>').next());
            let field = field.expect("the field");
            assert!(field.contains(&format!("value=\"{shown}\"")), "{field}");
            assert_eq!(page.contains("Estimated Rates"), is_known, "{typed}");
            let unknown = "We do not know this country. Choose from the list.";
            assert_eq!(page.contains(unknown), !is_known, "{typed}");
        }
    });
}
