//! Shiprocket: orders from NEW to the delivery.

use serde_json::{Value, json};

use super::{Rig, order};

const CREATE: &str = "/orders/create/adhoc";
const ASSIGN: &str = "/courier/assign/awb";

async fn wallet(rig: &Rig) -> f64 {
    let path = "/account/details/wallet-balance";
    let (_, answer) = rig.shiprocket("GET", path, Value::Null).await;
    let balance = answer["data"]["balance_amount"].as_str().unwrap();
    balance.parse().unwrap()
}

#[tokio::test]
async fn an_order_that_lacks_a_field_is_told_which() {
    let rig = Rig::plain().await;
    for (field, value) in [
        ("order_id", json!("x".repeat(51))),
        ("billing_phone", json!(null)),
        ("billing_phone", json!("+91 98765")),
        ("billing_phone", json!("919876543210")),
        ("billing_phone", json!("09876543210")),
        ("billing_city", json!("x".repeat(31))),
        ("order_items", json!([])),
        ("order_items", json!([{"name": "Shirt"}])),
        ("payment_method", json!("Card")),
        ("height", json!(0.5)),
        ("weight", json!("0")),
    ] {
        let mut wrong = order("B-1");
        wrong[field] = value;
        let (status, answer) = rig.shiprocket("POST", CREATE, wrong).await;
        assert_eq!((status, &answer["message"]), (422, &json!("Oops! Invalid Data.")), "{field}");
        assert!(answer["errors"][field].is_array(), "{answer}");
    }
    let mut elsewhere = order("B-1");
    elsewhere["shipping_is_billing"] = json!(false);
    let (_, answer) = rig.shiprocket("POST", CREATE, elsewhere).await;
    assert!(answer["errors"]["shipping_pincode"].is_array(), "{answer}");
    assert!(rig.shipments("shiprocket").await.is_empty());
}

#[tokio::test]
async fn an_order_id_is_used_once_even_by_an_order_that_is_cancelled() {
    let rig = Rig::plain().await;
    let [order_id, _] = rig.ordered("B-1").await;
    for _ in 0..2 {
        let (status, answer) = rig.shiprocket("POST", CREATE, order("B-1")).await;
        assert_eq!((status, answer["errors"]["order_id"].is_array()), (422, true));
        let ids = json!({"ids": [order_id]});
        rig.shiprocket("POST", "/orders/cancel", ids).await;
    }
    assert_eq!(rig.shipments("shiprocket").await[0]["created"], 1);
}

#[tokio::test]
async fn an_awb_is_assigned_once_and_paid_from_the_wallet() {
    let rig = Rig::plain().await;
    let before = wallet(&rig).await;
    let (ids, awb) = rig.assigned("B-1").await;
    let paid = rig.shipments("shiprocket").await[0]["charge_paise"].clone();
    let paid = paid.as_f64().unwrap() / 100.0;
    assert!(paid > 0.0);
    assert!((before - wallet(&rig).await - paid).abs() < 0.001);

    let again = json!({"shipment_id": ids[1], "courier_id": 55});
    let (status, answer) = rig.shiprocket("POST", ASSIGN, again).await;
    assert_eq!((status, &answer["status_code"]), (400, &json!(400)));
    assert_eq!(rig.shipments("shiprocket").await[0]["number"], awb.as_str());

    // Cancelling refunds the money, once.
    let cancel = json!({"ids": [ids[0]]});
    let (status, _) = rig.shiprocket("POST", "/orders/cancel", cancel.clone()).await;
    assert_eq!((status, wallet(&rig).await), (200, before));
    let (status, _) = rig.shiprocket("POST", "/orders/cancel", cancel).await;
    assert_eq!((status, wallet(&rig).await), (400, before));
    let (status, _) = rig.shiprocket("POST", ASSIGN, json!({"shipment_id": ids[1]})).await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn a_parcel_no_courier_takes_is_told_inside_http_200() {
    let rig = Rig::plain().await;
    let [_, shipment_id] = rig.ordered("B-1").await;
    let failure = async |ask: Value| {
        let (status, answer) = rig.shiprocket("POST", ASSIGN, ask).await;
        assert_eq!((status, &answer["awb_assign_status"]), (200, &json!(0)));
        let error = &answer["response"]["data"]["awb_assign_error"];
        error.as_str().unwrap().to_owned()
    };
    let nobody = json!({"shipment_id": shipment_id, "courier_id": 9_999});
    assert!(failure(nobody).await.contains("not serviceable"));
    rig.set("shiprocket", json!({"wallet_paise": 100})).await;
    let ask = json!({"shipment_id": shipment_id});
    assert!(failure(ask.clone()).await.contains("recharge"));
    assert_eq!(wallet(&rig).await, 1.0);

    rig.set("shiprocket", json!({"wallet_paise": 100_000})).await;
    let (_, answer) = rig.shiprocket("POST", ASSIGN, ask).await;
    // Without a choice the cheapest courier is assigned.
    let courier = &answer["response"]["data"]["courier_name"];
    assert_eq!(courier, "Ekart Surface");
    for ask in [json!({"shipment_id": 7}), json!({"shipment_id": "x"})] {
        assert_eq!(rig.shiprocket("POST", ASSIGN, ask).await.0, 400);
    }
    assert_eq!(rig.shiprocket("POST", ASSIGN, json!({})).await.0, 422);
}

#[tokio::test]
async fn a_pickup_is_ordered_once_and_not_before_the_awb() {
    let rig = Rig::plain().await;
    let path = "/courier/generate/pickup";
    let ask = |shipment_id: u64| json!({"shipment_id": [shipment_id]});
    let [_, unassigned] = rig.ordered("B-1").await;
    assert_eq!(rig.shiprocket("POST", path, ask(unassigned)).await.0, 400);
    let ([_, shipment_id], _) = rig.assigned("B-2").await;
    let (status, answer) = rig.shiprocket("POST", path, ask(shipment_id)).await;
    assert_eq!((status, &answer["pickup_status"]), (200, &json!(1)));
    assert!(answer["response"]["pickup_token_number"].is_string());
    assert_eq!(rig.shiprocket("POST", path, ask(shipment_id)).await.0, 400);
    let alone = json!({"shipment_id": shipment_id});
    assert_eq!(rig.shiprocket("POST", path, alone).await.0, 422);
}

#[tokio::test]
async fn a_pickup_is_moved_to_another_day_by_a_retry_and_to_none_that_is_past() {
    let rig = Rig::plain().await;
    let path = "/courier/generate/pickup";
    let ([_, shipment_id], awb) = rig.assigned("B-1").await;
    let retry = |day: &str| {
        let ids = [shipment_id];
        json!({"shipment_id": ids, "status": "retry", "pickup_date": [day]})
    };
    let (status, answer) = rig.shiprocket("POST", path, retry("2999-01-02")).await;
    assert_eq!(status, 400, "nothing to move: {answer}");
    let first = json!({"shipment_id": [shipment_id], "pickup_date": ["2999-01-01"]});
    assert_eq!(rig.shiprocket("POST", path, first.clone()).await.0, 200);
    assert_eq!(rig.shiprocket("POST", path, first).await.0, 400);
    let (status, answer) = rig.shiprocket("POST", path, retry("2999-01-02")).await;
    let date = &answer["response"]["pickup_scheduled_date"];
    assert_eq!((status, date), (200, &json!("2999-01-02 10:00:00")));
    for past in ["2020-01-01", "soon"] {
        let (status, answer) = rig.shiprocket("POST", path, retry(past)).await;
        assert_eq!((status, answer["message"].is_string()), (400, true), "{past}");
    }
    assert_eq!(rig.shipments("shiprocket").await[0]["pickup_day"], "2999-01-02");
    rig.scan("shiprocket", &awb, json!({"status": "PICKED UP"})).await;
    assert_eq!(rig.shiprocket("POST", path, retry("2999-01-03")).await.0, 400);
    let unknown = json!({"shipment_id": [1]});
    assert_eq!(rig.shiprocket("POST", path, unknown).await.0, 400);
    let url = format!("{}{path}", rig.sandbox.shiprocket_url());
    let nobody = rig.send("POST", &url, None, &retry("2999-01-02")).await;
    assert_eq!(nobody.status(), 401);
}

#[tokio::test]
async fn a_label_exists_once_there_is_an_awb_and_needs_no_token() {
    let rig = Rig::plain().await;
    let path = "/courier/generate/label";
    let [_, unassigned] = rig.ordered("B-1").await;
    let ask = json!({"shipment_id": [unassigned]});
    let (status, answer) = rig.shiprocket("POST", path, ask).await;
    assert_eq!((status, &answer["label_created"]), (200, &json!(0)));
    assert_eq!(answer["not_created"], json!([unassigned]));

    let ([_, shipment_id], awb) = rig.assigned("B-2").await;
    let ask = json!({"shipment_id": [shipment_id, unassigned]});
    let (_, answer) = rig.shiprocket("POST", path, ask).await;
    assert_eq!(answer["label_created"], 1);
    assert_eq!(answer["not_created"], json!([unassigned]));
    let url = answer["label_url"].as_str().unwrap();
    let label = rig.send("GET", url, None, &Value::Null).await;
    assert_eq!(label.headers()["content-type"], "application/pdf");
    let pdf = label.bytes().await.unwrap();
    assert!(String::from_utf8_lossy(&pdf).contains(&awb));
    let guessed = url.replace(".pdf", "0.pdf");
    assert_eq!(rig.send("GET", &guessed, None, &Value::Null).await.status(), 404);
}

#[tokio::test]
async fn an_order_is_found_among_others_that_look_alike() {
    let rig = Rig::plain().await;
    rig.ordered("B-10").await;
    let ([order_id, shipment_id], awb) = rig.assigned("B-1").await;
    let (_, answer) = rig.shiprocket("GET", "/orders?search=B-1", Value::Null).await;
    let found = answer["data"].as_array().unwrap();
    let references: Vec<&Value> = found.iter().map(|it| &it["channel_order_id"]).collect();
    assert_eq!(references, ["B-1", "B-10"]);
    assert_eq!(found[0]["id"], order_id);
    let shipment = &found[0]["shipments"][0];
    assert_eq!(
        (&shipment["id"], &shipment["awb"], &shipment["courier"]),
        (&json!(shipment_id), &json!(awb), &json!("Blue Dart Air"))
    );
    let none = "/orders?search=B-2";
    let (status, answer) = rig.shiprocket("GET", none, Value::Null).await;
    assert_eq!((status, &answer["data"]), (200, &json!([])));

    let path = format!("/orders/show/{order_id}");
    let (_, answer) = rig.shiprocket("GET", &path, Value::Null).await;
    assert_eq!(answer["data"]["status"], "AWB ASSIGNED");
    assert_eq!(answer["data"]["shipments"]["awb"], awb.as_str());
    let (status, _) = rig.shiprocket("GET", "/orders/show/1", Value::Null).await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn an_awb_nobody_knows_is_told_inside_http_200() {
    let rig = Rig::plain().await;
    let path = "/courier/track/awb/404";
    let (status, answer) = rig.shiprocket("GET", path, Value::Null).await;
    let data = &answer["tracking_data"];
    assert_eq!((status, &data["track_status"]), (200, &json!(0)));
    assert!(data["error"].is_string());
}

#[tokio::test]
async fn tracking_tells_what_was_scanned_the_newest_first() {
    let rig = Rig::plain().await;
    let ([order_id, _], awb) = rig.assigned("B-1").await;
    let path = format!("/courier/track/awb/{awb}");
    let track = async || rig.shiprocket("GET", &path, Value::Null).await.1["tracking_data"].clone();
    let data = track().await;
    assert_eq!(data["track_status"], 1);
    assert_eq!(data["shipment_track_activities"], Value::Null);
    assert_eq!(data["shipment_track"][0]["current_status"], "Awb Assigned");

    for (status, minutes_ago, code) in [
        ("PICKED UP", 300, 42),
        ("OUT FOR DELIVERY", 60, 17),
        ("DELIVERED", 5, 7),
        // A late event: it happened before the delivery.
        ("IN TRANSIT", 120, 18),
        ("STUCK IN A TREE", 1, 0),
    ] {
        let scan = json!({"status": status, "location": "Bengaluru", "remarks": "Shipment scanned",
            "minutes_ago": minutes_ago});
        rig.scan("shiprocket", &awb, scan).await;
        assert_eq!(track().await["shipment_status"], code, "{status}");
    }
    let data = track().await;
    let activities = data["shipment_track_activities"].as_array().unwrap();
    let codes: Vec<&Value> = activities.iter().map(|it| &it["sr-status"]).collect();
    assert_eq!(codes, ["NA", "7", "17", "18", "42"]);
    assert_eq!(activities[0]["status"], "STUCK IN A TREE");
    assert_eq!(activities[1]["sr-status-label"], "DELIVERED");
    assert!(data["shipment_track"][0]["delivered_date"].is_string());

    let cancel = json!({"ids": [order_id]});
    let (status, _) = rig.shiprocket("POST", "/orders/cancel", cancel).await;
    assert_eq!(status, 400, "it is on its way");
}

#[tokio::test]
async fn an_order_with_a_field_of_another_type_or_form_is_refused() {
    let rig = Rig::plain().await;
    let item = |field: &str, value: Value| {
        let mut item = order("B-1")["order_items"][0].clone();
        item[field] = value;
        json!([item])
    };
    for (field, value) in [
        ("order_date", json!("21-11-2026")),
        ("order_date", json!("2026-11-21 25:00")),
        ("billing_customer_name", json!(7)),
        ("billing_email", json!("asha")),
        ("billing_pincode", json!("56003")),
        ("sub_total", json!("much")),
        ("order_items", item("units", json!(1.5))),
        ("order_items", item("selling_price", json!("-1"))),
        ("order_items", item("hsn", json!("6105.10"))),
    ] {
        let mut wrong = order("B-1");
        wrong[field] = value;
        let (status, answer) = rig.shiprocket("POST", CREATE, wrong).await;
        assert_eq!((status, answer["errors"][field].is_array()), (422, true), "{field}: {answer}");
    }
    let mut right = order("B-1");
    right["order_items"] = item("hsn", json!(610_510));
    right["billing_pincode"] = json!(560_034);
    let (status, answer) = rig.shiprocket("POST", CREATE, right).await;
    assert_eq!((status, &answer["status"]), (200, &json!("NEW")));
}
