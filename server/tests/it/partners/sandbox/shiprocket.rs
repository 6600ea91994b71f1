//! Shiprocket: tokens, rates and pickup locations.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Rig, order, read};

const LANE: &str = "/courier/serviceability/?pickup_postcode=110001&delivery_postcode=560034&cod=0";

fn couriers(answer: &Value) -> Vec<Value> {
    let couriers = answer["data"]["available_courier_companies"].as_array();
    couriers.cloned().unwrap_or_default()
}

#[tokio::test]
async fn a_token_is_given_for_the_right_password_only() {
    let rig = Rig::plain().await;
    let (status, answer) = rig.login("wrong").await;
    assert_eq!((status, &answer["token"]), (400, &Value::Null));
    assert!(answer["message"].is_string());
    let url = format!("{}/auth/login", rig.sandbox.shiprocket_url());
    let (status, answer) = read(rig.send("POST", &url, None, &json!({})).await).await;
    assert_eq!((status, answer["errors"]["email"].is_array()), (422, true));
    assert_eq!(rig.token().await.split('.').count(), 3, "a JWT");
}

#[tokio::test]
async fn a_token_that_is_revoked_or_ten_days_old_opens_nothing() {
    let rig = Rig::plain().await;
    let url = format!("{}/orders", rig.sandbox.shiprocket_url());
    let ask =
        async |token: Option<&str>| read(rig.send("GET", &url, token, &Value::Null).await).await;
    let unauthenticated = json!({"message": "Unauthenticated.", "status_code": 401});
    for wrong in [None, Some("Bearer x"), Some("Token x")] {
        assert_eq!(ask(wrong).await, (401, unauthenticated.clone()));
    }
    let token = format!("Bearer {}", rig.token().await);
    assert_eq!(ask(Some(&token)).await.0, 200);
    rig.sim("POST", "shiprocket/tokens/revoke", Value::Null).await;
    assert_eq!(ask(Some(&token)).await, (401, unauthenticated.clone()));

    let token = format!("Bearer {}", rig.token().await);
    let day = Duration::from_secs(24 * 3_600);
    for (span, expected) in [(day * 9, 200), (day, 401)] {
        let advance = json!({"advance_ms": span.as_millis() as u64});
        rig.sim("POST", "clock", advance).await;
        assert_eq!(ask(Some(&token)).await.0, expected);
    }
}

#[tokio::test]
async fn a_lane_is_served_by_several_couriers_whose_days_are_texts() {
    let rig = Rig::plain().await;
    let (status, answer) = rig.shiprocket("GET", &format!("{LANE}&weight=1.2"), Value::Null).await;
    assert_eq!((status, &answer["currency"]), (200, &json!("INR")));
    let couriers = couriers(&answer);
    assert_eq!(couriers.len(), 5);
    for courier in &couriers {
        assert!(courier["courier_company_id"].is_u64());
        assert!(courier["rate"].is_number(), "{courier}");
        let days: i64 = courier["estimated_delivery_days"].as_str().unwrap().parse().unwrap();
        assert!((1..=9).contains(&days));
        assert!(courier["charge_weight"].as_f64().unwrap() >= 1.2);
        assert_eq!(courier["zone"], "z_c");
    }
    let recommended = &answer["data"]["recommended_courier_company_id"];
    assert_eq!(&couriers[0]["courier_company_id"], recommended);

    let (_, by_air) =
        rig.shiprocket("GET", &format!("{LANE}&weight=1.2&mode=Air"), Value::Null).await;
    assert_eq!(self::couriers(&by_air).len(), 2);
}

#[tokio::test]
async fn a_lane_that_nobody_serves_is_not_found() {
    let rig = Rig::plain().await;
    for path in [LANE.replace("110001", "990001"), LANE.replace("560034", "990001")] {
        let (status, answer) =
            rig.shiprocket("GET", &format!("{path}&weight=1"), Value::Null).await;
        assert_eq!((status, &answer["status"]), (404, &json!(404)));
        assert!(answer["message"].is_string());
    }
    let all = ["Delhivery Surface", "Xpressbees Air", "Blue Dart Air", "Ekart Surface"];
    rig.set("shiprocket", json!({"silent_carriers": all})).await;
    let path = format!("{LANE}&weight=1");
    let (_, answer) = rig.shiprocket("GET", &path, Value::Null).await;
    assert_eq!(couriers(&answer)[0]["courier_name"], "DTDC Surface");
}

#[tokio::test]
async fn a_question_that_lacks_a_parameter_is_told_which() {
    let rig = Rig::plain().await;
    for (path, field) in [
        (LANE.to_owned(), "weight"),
        (LANE.replace("110001", "11"), "pickup_postcode"),
        (LANE.replace("110001", "abcdef"), "pickup_postcode"),
        (LANE.replace("&cod=0", ""), "cod"),
    ] {
        let (status, answer) = rig.shiprocket("GET", &path, Value::Null).await;
        assert_eq!((status, &answer["status_code"]), (422, &json!(422)), "{path}");
        assert!(answer["errors"][field].is_array(), "{answer}");
    }
}

#[tokio::test]
async fn the_price_abroad_is_an_object() {
    let rig = Rig::plain().await;
    let path = "/international/courier/serviceability\
                ?pickup_postcode=110001&delivery_country=US&cod=0&weight=0.5";
    let (status, answer) = rig.shiprocket("GET", path, Value::Null).await;
    assert_eq!((status, couriers(&answer).len()), (200, 2));
    assert!(couriers(&answer)[0]["rate"]["rate"].is_number());
    let nowhere = path.replace("110001", "990001");
    assert_eq!(rig.shiprocket("GET", &nowhere, Value::Null).await.0, 404);
}

#[tokio::test]
async fn prices_change_and_are_texts_in_every_second_reply() {
    let rig = Rig::start().await;
    let token = format!("Bearer {}", rig.token().await);
    let url = format!("{}{LANE}&weight=1", rig.sandbox.shiprocket_url());
    let cheapest = async || {
        let response = rig.send("GET", &url, Some(&token), &Value::Null).await;
        couriers(&read(response).await.1)[0]["rate"].clone()
    };
    let [one, other] = [cheapest().await, cheapest().await];
    assert_ne!(one.is_string(), other.is_string());
    let number = |rate: &Value| -> f64 {
        let text = rate.as_str().map(str::to_owned);
        text.unwrap_or_else(|| rate.to_string()).parse().unwrap()
    };
    assert_eq!(number(&one), number(&other));
    rig.set("shiprocket", json!({"price_percent": 200})).await;
    assert_eq!(number(&cheapest().await), 2.0 * number(&one));
}

#[tokio::test]
async fn parcels_are_picked_up_from_places_that_have_a_name() {
    let rig = Rig::plain().await;
    let path = "/settings/company/pickup";
    let names = async || -> Vec<Value> {
        let (_, answer) = rig.shiprocket("GET", path, Value::Null).await;
        let places = answer["data"]["shipping_address"].as_array().unwrap();
        places.iter().map(|it| it["pickup_location"].clone()).collect()
    };
    assert_eq!(names().await, ["Primary"]);
    let mut unknown = order("B-1");
    unknown["pickup_location"] = json!("shop 7");
    let create = "/orders/create/adhoc";
    let (status, answer) = rig.shiprocket("POST", create, unknown.clone()).await;
    assert_eq!((status, &answer["order_id"]), (200, &Value::Null));
    assert!(answer["message"].as_str().unwrap().contains("Wrong Pickup location"));
    assert_eq!(answer["data"]["data"][0]["pickup_location"], "Primary");

    let place = json!({"pickup_location": "shop 7", "name": "Asha", "email": "a@example.com",
        "phone": "9876543210", "address": "7 Market Road", "city": "Pune",
        "state": "Maharashtra", "country": "India", "pin_code": "411001"});
    let add = "/settings/company/addpickup";
    let (status, answer) = rig.shiprocket("POST", add, place.clone()).await;
    assert_eq!((status, &answer["success"]), (200, &json!(true)));
    assert_eq!(names().await, ["Primary", "shop 7"]);
    let (status, answer) = rig.shiprocket("POST", create, unknown).await;
    assert_eq!((status, &answer["status"]), (200, &json!("NEW")));

    let (status, answer) = rig.shiprocket("POST", add, place.clone()).await;
    assert_eq!(status, 422);
    assert!(answer["errors"]["pickup_location"].is_array());
    for address in ["Market Road", &"7 Market Road, ".repeat(6)] {
        let mut other = place.clone();
        (other["pickup_location"], other["address"]) = (json!("shop 8"), json!(address));
        let (status, answer) = rig.shiprocket("POST", add, other).await;
        assert_eq!(status, 422, "{address}");
        assert!(answer["errors"]["address"].is_array(), "{answer}");
    }
    let mut with_code = place;
    with_code["phone"] = json!("919876543210");
    let (status, answer) = rig.shiprocket("POST", add, with_code).await;
    assert_eq!(status, 422);
    assert!(answer["errors"]["phone"].is_array());
}
