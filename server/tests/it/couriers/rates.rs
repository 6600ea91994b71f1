//! Rates of partners beside our own.

use dakiya_core::model::money::paise::Paise;
use dakiya_core::sandbox::Sandbox;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Rig, abroad, of_partners, parcel};
use crate::app::{TestApp, block_on};
use crate::gateway::{client, sandbox_options, sim};

fn paise(value: &Value) -> Paise {
    Paise::parse_rupees(&value.to_string()).expect("rupees")
}

#[test]
fn partners_services_stand_beside_ours_and_each_price_explains_itself() {
    block_on(async {
        let rig = Rig::start().await;
        for (shipment, at_least) in [(parcel("2.5"), 4), (abroad("2.5"), 4)] {
            let answer = rig.rates(shipment).await.json();
            let partners = of_partners(&answer);
            let all = answer["data"].as_array().unwrap();
            assert!(partners.len() >= at_least, "{answer}");
            assert!(all.len() > partners.len(), "ours are there too: {answer}");
            assert_eq!(answer["notes"], Value::Null);
            let totals: Vec<Paise> =
                all.iter().map(|rate| paise(&rate["grand_total_with_gst"])).collect();
            assert!(totals.is_sorted(), "cheapest first: {totals:?}");
            for rate in all {
                let lines = rate["breakdown"]["lines"].as_array().unwrap();
                let sum: Paise = lines.iter().map(|line| paise(&line["amount"])).sum();
                assert_eq!(sum, paise(&rate["grand_total_with_gst"]), "{rate}");
            }
        }
    });
}

#[test]
fn a_service_keeps_its_number_and_is_in_the_list_of_couriers() {
    block_on(async {
        let rig = Rig::start().await;
        let first = of_partners(&rig.rates(abroad("2.5")).await.json());
        let again = of_partners(&rig.rates(abroad("3.5")).await.json());
        let numbers = |rates: &[Value]| {
            let mut numbers: Vec<(String, i64)> = rates
                .iter()
                .map(|rate| {
                    let name = rate["product_name"].as_str().unwrap().to_owned();
                    (name, rate["product_id"].as_i64().unwrap())
                })
                .collect();
            numbers.sort();
            numbers
        };
        assert_eq!(numbers(&first), numbers(&again));
        let list = rig.asha.get("/api/v1/shipping/get_courier_details/").await;
        let list = list.expect(200).json();
        for (name, number) in numbers(&first) {
            let listed = json!({"product_name": name, "product_id": number});
            assert!(list["data"].as_array().unwrap().contains(&listed), "{listed} in {list}");
        }
    });
}

#[test]
fn a_slow_or_broken_partner_costs_only_its_own_lines_within_five_seconds() {
    block_on(async {
        let rig = Rig::start().await;
        let mut weight = 10;
        for (partner, said) in
            [("karrio", "our international partners"), ("shiprocket", "our domestic partners")]
        {
            for kind in [
                "slow",
                "internal_error",
                "unavailable",
                "drop",
                "garbage",
                "huge",
                "redirect",
                "truncated",
                "drip",
                "too_many",
            ] {
                weight += 1;
                let weight = format!("{}.{}", weight / 10, weight % 10);
                // A slow response comes three seconds after the five-second limit: too late.
                let fault = json!({"operation": "rates", "kind": kind, "delay_ms": 8_000});
                rig.fault(partner, fault).await;
                let shipment = match partner {
                    "karrio" => abroad(&weight),
                    _ => parcel(&weight),
                };
                let answer = rig.rates(shipment).await.json();
                assert!(of_partners(&answer).is_empty(), "{kind}: {answer}");
                assert!(!answer["data"].as_array().unwrap().is_empty(), "{kind}: ours stay");
                let notes = answer["notes"].to_string();
                assert!(notes.contains(said), "{kind}: {notes}");
                // The partner recovers, and the failed request does not affect the next.
                rig.sim(Method::DELETE, &format!("{partner}/faults"), Value::Null).await;
            }
        }
    });
}

#[test]
fn a_carrier_that_fails_behind_karrio_is_named() {
    block_on(async {
        let rig = Rig::start().await;
        rig.set("karrio", json!({"silent_carriers": ["fedex-account"]})).await;
        let answer = rig.rates(abroad("2.5")).await.json();
        let partners = of_partners(&answer);
        assert!(!partners.is_empty());
        assert!(partners.iter().all(|rate| rate["parent_vendor"] != "fedex"), "{answer}");
        assert!(answer["notes"][0].as_str().unwrap().contains("FedEx"), "{answer}");
        let page = rig
            .asha
            .get(
                "/calculate?booking_type=1&origin_pincode=110001&destination_pincode=10001\
                 &destination_country=229&shipment_type=1&weight=2.5&length=30&width=20&height=10\
                 &quantity=1",
            )
            .await
            .expect(200);
        assert!(page.text().contains("No answer from FedEx."));
    });
}

#[test]
fn the_same_shipment_asked_again_within_a_minute_is_not_asked_of_the_partner() {
    block_on(async {
        let rig = Rig::start().await;
        let first = rig.rates(parcel("2.5")).await.json();
        let second = rig.rates(parcel("2.5")).await.json();
        assert_eq!(rig.asked("shiprocket", "rates").await, 1);
        let totals = |rates: &Value| -> Vec<Value> {
            of_partners(rates).iter().map(|rate| rate["grand_total_with_gst"].clone()).collect()
        };
        assert_eq!(totals(&first), totals(&second));
        rig.rates(parcel("2.6")).await;
        assert_eq!(rig.asked("shiprocket", "rates").await, 2);
    });
}

#[test]
fn twenty_customers_who_ask_the_same_at_once_are_one_question() {
    block_on(async {
        let rig = Rig::start().await;
        let asks = (0..20).map(|_| rig.rates(parcel("7.5")));
        for answer in futures_util::future::join_all(asks).await {
            assert!(!of_partners(&answer.json()).is_empty());
        }
        assert_eq!(rig.asked("shiprocket", "rates").await, 1);
    });
}

#[test]
fn a_token_that_was_taken_back_is_renewed_and_the_customer_sees_nothing() {
    block_on(async {
        let rig = Rig::start().await;
        rig.rates(parcel("2.5")).await;
        rig.sim(Method::POST, "shiprocket/tokens/revoke", Value::Null).await;
        let answer = rig.rates(parcel("3.5")).await.json();
        assert!(!of_partners(&answer).is_empty(), "{answer}");
        assert_eq!(answer["notes"], Value::Null);
    });
}

#[test]
fn unknown_fields_and_numbers_as_texts_change_nothing() {
    block_on(async {
        let rig = Rig::start().await;
        for partner in ["karrio", "shiprocket"] {
            rig.set(partner, json!({"unknown_fields": true})).await;
        }
        assert!(!of_partners(&rig.rates(parcel("2.5")).await.json()).is_empty());
        assert!(!of_partners(&rig.rates(abroad("2.5")).await.json()).is_empty());
    });
}

#[test]
fn shipments_a_partner_does_not_take_are_not_asked_of_it() {
    block_on(async {
        let rig = Rig::start().await;
        let mut two = parcel("2.5");
        two["quantity"] = json!(2);
        let mut document = parcel("0.5");
        document["shipment_type"] = json!(2);
        for shipment in [two, document] {
            let answer = rig.rates(shipment).await.json();
            assert!(of_partners(&answer).is_empty(), "{answer}");
            assert_eq!(answer["notes"], Value::Null);
        }
        assert_eq!(rig.asked("shiprocket", "rates").await, 0);
    });
}

#[test]
fn karrio_is_asked_within_india_only_where_the_operator_says_so() {
    block_on(async {
        let karrio = Sandbox::start(sandbox_options()).await.expect("a Karrio server");
        for (within_india, asked) in [("0", 0), ("1", 1)] {
            let app = TestApp::start_with(&[
                ("DAKIYA_COURIERS", "house,karrio"),
                ("DAKIYA_KARRIO_URL", &karrio.karrio_url()),
                ("DAKIYA_KARRIO_TOKEN", "key_sesame"),
                ("DAKIYA_KARRIO_WITHIN_INDIA", within_india),
            ])
            .await;
            let asha = app.user("asha").await;
            let answer = asha.post("/api/v1/shipping/calculate-rate/", parcel("2.5")).await;
            let answer = answer.expect(200).json();
            // None of its carriers goes there, which is no news to the customer.
            assert_eq!(answer["notes"], Value::Null);
            assert_eq!(of_partners(&answer), Vec::<Value>::new());
            let path = "karrio/requests?operation=rates";
            let log = sim(&client(), &karrio, "GET", path, Value::Null).await;
            assert_eq!(log.as_array().map(Vec::len), Some(asked));
        }
    });
}
