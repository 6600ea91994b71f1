//! Karrio: keys and rates.

use serde_json::{Value, json};

use super::{Rig, parcel, read};

const RATES: &str = "/v1/proxy/rates";

/// A line of a customs declaration.
fn line() -> Value {
    json!({"weight": 1, "weight_unit": "KG", "title": "Lamp", "quantity": 1})
}

#[tokio::test]
async fn a_key_opens_karrio_as_a_token_or_as_a_user_name() {
    let rig = Rig::plain().await;
    let url = format!("{}/v1/shipments", rig.sandbox.karrio_url());
    for (authorization, status, code) in [
        (Some("Token key_sesame"), 200, None),
        (Some("Basic a2V5X3Nlc2FtZTo="), 200, None),
        (None, 401, Some("not_authenticated")),
        (Some("Token wrong"), 401, Some("invalid_token")),
        (Some("Bearer key_sesame"), 401, Some("invalid_token")),
        (Some("key_sesame"), 401, Some("invalid_token")),
    ] {
        let response = rig.send("GET", &url, authorization, &Value::Null).await;
        let (answered, body) = read(response).await;
        let told = body["errors"][0]["code"].as_str();
        assert_eq!((answered, told), (status, code), "{authorization:?}");
    }
}

#[tokio::test]
async fn every_account_names_its_prices_in_rupees_the_cheapest_first() {
    let rig = Rig::plain().await;
    let (status, answer) = rig.karrio("POST", RATES, parcel("A")).await;
    assert_eq!((status, &answer["messages"]), (200, &json!([])));
    let rates = answer["rates"].as_array().unwrap();
    let price = |rate: &Value| rate["total_charge"].as_f64().unwrap();
    assert!(rates.is_sorted_by_key(price));
    for carrier in [["dhl-account", "mydhl"], ["fedex-account", "fedex"], ["ups-account", "ups"]] {
        let of_carrier = |rate: &&Value| rate["carrier_id"] == carrier[0];
        let own: Vec<&Value> = rates.iter().filter(of_carrier).collect();
        assert!((2..=3).contains(&own.len()), "{carrier:?}");
        assert!(own.iter().all(|rate| rate["carrier_name"] == carrier[1]));
    }
    assert!(rates.iter().all(|rate| rate["currency"] == "INR"));
    // Some carriers have no transit time.
    let days = |rate: &&Value| rate["transit_days"].is_null();
    assert_eq!(rates.iter().filter(days).count(), 2);

    // The price depends on the request: the weight or the volume, and the country.
    let cheapest = async |parcel: Value| {
        let (_, answer) = rig.karrio("POST", RATES, parcel).await;
        price(&answer["rates"][0])
    };
    let usual = cheapest(parcel("A")).await;
    assert_eq!(cheapest(parcel("A")).await, usual);
    for (pointer, value, is_more) in [
        ("/parcels/0/weight", json!("7.5"), true),
        ("/parcels/0/weight_unit", json!("LB"), false),
        ("/parcels/0/height", json!(90), true),
        ("/recipient/country_code", json!("AE"), false),
        ("/recipient/country_code", json!("BR"), true),
    ] {
        let mut other = parcel("A");
        *other.pointer_mut(pointer).unwrap() = value;
        let price = cheapest(other).await;
        assert_eq!(price > usual, is_more, "{pointer}");
        assert_ne!(price, usual, "{pointer}");
    }
}

#[tokio::test]
async fn a_silent_carrier_leaves_a_message_beside_the_rates_of_the_others() {
    let rig = Rig::plain().await;
    rig.set("karrio", json!({"silent_carriers": ["dhl-account"]})).await;
    let (status, answer) = rig.karrio("POST", RATES, parcel("A")).await;
    assert_eq!(status, 207);
    let message = &answer["messages"][0];
    assert_eq!(
        (&message["carrier_id"], &message["carrier_name"]),
        (&json!("dhl-account"), &json!("mydhl"))
    );
    let rates = answer["rates"].as_array().unwrap();
    assert!(!rates.is_empty() && rates.iter().all(|rate| rate["carrier_name"] != "mydhl"));

    // With only this carrier requested, the response has the message alone.
    let mut alone = parcel("A");
    alone["carrier_ids"] = json!(["dhl-account"]);
    let (status, answer) = rig.karrio("POST", RATES, alone).await;
    assert_eq!((status, &answer["rates"]), (424, &Value::Null));
    assert_eq!(answer["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_no_account_serves_has_no_rate() {
    let rig = Rig::plain().await;
    for (pointer, value) in [("/shipper/postal_code", "990001"), ("/recipient/country_code", "IN")]
    {
        let mut parcel = parcel("A");
        *parcel.pointer_mut(pointer).unwrap() = json!(value);
        let (status, answer) = rig.karrio("POST", RATES, parcel).await;
        assert_eq!(status, 424, "{pointer}");
        assert_eq!(answer["messages"].as_array().unwrap().len(), 3);
    }
    let mut parcel = parcel("A");
    parcel["carrier_ids"] = json!(["nobody"]);
    let (status, answer) = rig.karrio("POST", RATES, parcel).await;
    let code = &answer["errors"][0]["code"];
    assert_eq!((status, code), (404, &json!("not_found")));
}

#[tokio::test]
async fn a_question_that_lacks_a_field_is_told_which() {
    let rig = Rig::plain().await;
    for (pointer, value, field) in [
        ("/shipper/country_code", json!(null), "shipper"),
        ("/recipient/country_code", json!("USA"), "recipient"),
        ("/parcels", json!([]), "parcels"),
        ("/parcels/0/weight", json!("heavy"), "parcels"),
        ("/parcels/0/weight", json!(0), "parcels"),
        ("/parcels/0/weight_unit", json!("kg"), "parcels"),
        ("/parcels/0/width", json!(null), "parcels"),
        ("/parcels/0/dimension_unit", json!(null), "parcels"),
        ("/recipient/postal_code", json!("10001 1234"), "recipient"),
        ("/recipient/city", json!("x".repeat(51)), "recipient"),
        ("/recipient/person_name", json!("x".repeat(101)), "recipient"),
        ("/shipper/city", json!(7), "shipper"),
        ("/customs", json!({"commodities": []}), "customs"),
        ("/customs", json!({"signer": "x".repeat(51), "commodities": [line()]}), "customs"),
        ("/customs", json!({"invoice_date": "21-11-2026", "commodities": [line()]}), "customs"),
        ("/customs", json!({"commodities": [{"weight": 1, "title": "Lamp"}]}), "customs"),
    ] {
        let mut parcel = parcel("A");
        parcel["customs"] = Value::Null;
        *parcel.pointer_mut(pointer).unwrap() = value;
        for path in [RATES, "/v1/shipments"] {
            let (status, answer) = rig.karrio("POST", path, parcel.clone()).await;
            let error = &answer["errors"][0];
            assert_eq!((status, &error["code"]), (400, &json!("validation")));
            assert!(error["details"][field].is_object() || error["details"][field].is_array());
        }
    }
    assert!(rig.shipments("karrio").await.is_empty());
}

#[tokio::test]
async fn every_second_reply_has_fields_that_no_document_names() {
    let rig = Rig::start().await;
    let mut unknown = Vec::new();
    for _ in 0..2 {
        let (_, answer) = rig.karrio("POST", RATES, parcel("A")).await;
        let both = [&answer, &answer["rates"][0]];
        unknown.push(both.map(|it| it.get("introduced_yesterday").is_some()));
    }
    unknown.sort_unstable();
    assert_eq!(unknown, [[false; 2], [true; 2]]);
}
