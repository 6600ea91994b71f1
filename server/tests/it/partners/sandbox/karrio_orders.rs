//! Karrio: shipments from the draft to the delivery.

use serde_json::{Value, json};

use super::{Rig, parcel};

fn path(shipment: &Value, rest: &str) -> String {
    format!("/v1/shipments/{}{rest}", shipment["id"].as_str().unwrap())
}

/// Buys a draft at this rate.
async fn purchase(rig: &Rig, draft: &Value, choice: Value) -> (u16, Value) {
    rig.karrio("POST", &path(draft, "/purchase"), choice).await
}

fn awb(shipment: &Value) -> &str {
    shipment["tracking_number"].as_str().unwrap()
}

/// Status and the code of Karrio's own error.
fn refusal((status, answer): (u16, Value)) -> (u16, String) {
    let code = answer["errors"][0]["code"].as_str().unwrap_or_default();
    (status, code.to_owned())
}

#[tokio::test]
async fn a_draft_is_bought_once() {
    let rig = Rig::plain().await;
    let draft = rig.draft("B-1").await;
    assert_eq!(draft["tracking_number"], Value::Null);
    let rate = &draft["rates"][2];
    let (status, shipment) = purchase(&rig, &draft, json!({"selected_rate_id": rate["id"]})).await;
    assert_eq!((status, &shipment["status"]), (200, &json!("created")));
    assert_eq!(shipment["selected_rate"]["service"], rate["service"]);
    assert_eq!(shipment["selected_rate"]["total_charge"], rate["total_charge"]);
    assert!(!awb(&shipment).is_empty());
    assert_eq!(shipment["shipping_documents"][0]["category"], "label");

    let again = purchase(&rig, &draft, json!({"selected_rate_id": rate["id"]})).await;
    assert_eq!(refusal(again), (409, "state_error".to_owned()));
    let (_, read) = rig.karrio("GET", &path(&draft, ""), Value::Null).await;
    assert_eq!(awb(&read), awb(&shipment));
}

#[tokio::test]
async fn a_purchase_names_a_rate_of_its_draft_or_a_service() {
    let rig = Rig::plain().await;
    let (draft, other) = (rig.draft("B-1").await, rig.draft("B-2").await);
    for (choice, code) in [
        (json!({}), "validation"),
        (json!({"selected_rate_id": other["rates"][0]["id"]}), "service_unavailable"),
        (json!({"service": "ups_next_day_air"}), "service_unavailable"),
    ] {
        let refused = purchase(&rig, &draft, choice).await;
        assert_eq!(refusal(refused), (400, code.to_owned()));
    }
    let nobody = json!({"id": format!("shp_{:032x}", 77)});
    let refused = purchase(&rig, &nobody, json!({"service": "ups_express_saver"})).await;
    assert_eq!(refusal(refused), (404, "not_found".to_owned()));

    let (status, shipment) = purchase(&rig, &draft, json!({"service": "ups_express_saver"})).await;
    assert_eq!((status, &shipment["carrier_name"]), (200, &json!("ups")));
    assert!(awb(&shipment).starts_with("1Z"));
}

#[tokio::test]
async fn a_carrier_does_not_take_a_longer_address_line_than_its_own() {
    let rig = Rig::plain().await;
    let mut long = parcel("B-1");
    long["recipient"]["address_line1"] = json!("x".repeat(36));
    let (_, draft) = rig.karrio("POST", "/v1/shipments", long).await;
    let service = json!({"service": "ups_express_saver"});
    let (status, answer) = purchase(&rig, &draft, service).await;
    assert_eq!((status, &answer["messages"][0]["carrier_id"]), (424, &json!("ups-account")));
    let service = json!({"service": "mydhl_express_worldwide"});
    let (status, _) = purchase(&rig, &draft, service).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn lines_for_customs_that_do_not_add_up_are_refused() {
    let rig = Rig::plain().await;
    for (each, declared, expected) in [(33.33, 99.99, 201), (33.33, 100.0, 400), (0.0, 0.0, 400)] {
        let mut declaration = parcel("B-1");
        declaration["customs"] = json!({
            "commodities": [{
                "quantity": 3, "value_amount": each, "weight": 1, "weight_unit": "KG",
            }],
            "duty": {"declared_value": declared},
        });
        let (status, answer) = rig.karrio("POST", "/v1/shipments", declaration).await;
        assert_eq!(status, expected, "{answer}");
    }
}

#[tokio::test]
async fn a_shipment_with_a_service_is_bought_at_once() {
    let rig = Rig::plain().await;
    let shipment = rig.bought("B-1").await;
    assert_eq!(shipment["status"], "created");
    assert_eq!(shipment["carrier_id"], "fedex-account");
    assert_eq!(awb(&shipment).len(), 12);

    let mut parcel = parcel("B-2");
    parcel["service"] = json!("fedex_first");
    let refused = rig.karrio("POST", "/v1/shipments", parcel).await;
    assert_eq!(refusal(refused), (400, "service_unavailable".to_owned()));
    assert_eq!(rig.shipments("karrio").await.len(), 1);
}

#[tokio::test]
async fn a_carrier_that_falls_silent_does_not_sell() {
    let rig = Rig::plain().await;
    rig.set("karrio", json!({"silent_carriers": ["ups-account"]})).await;
    let draft = rig.draft("B-1").await;
    assert_eq!(draft["messages"][0]["carrier_id"], "ups-account");
    assert!(!draft["rates"].as_array().unwrap().is_empty());

    rig.set("karrio", json!({"silent_carriers": ["fedex-account"]})).await;
    let service = json!({"service": "fedex_international_economy"});
    let (status, answer) = purchase(&rig, &draft, service).await;
    assert_eq!(status, 424);
    assert_eq!(answer["messages"][0]["carrier_id"], "fedex-account");
    let (_, read) = rig.karrio("GET", &path(&draft, ""), Value::Null).await;
    assert_eq!(read["status"], "draft");

    let everyone = json!({"silent_carriers": ["dhl-account", "fedex-account", "ups-account"]});
    rig.set("karrio", everyone).await;
    let (status, _) = rig.karrio("POST", "/v1/shipments", parcel("B-2")).await;
    assert_eq!((status, rig.shipments("karrio").await.len()), (424, 1));
}

#[tokio::test]
async fn a_purchase_costs_what_it_costs_on_that_day() {
    let rig = Rig::plain().await;
    let draft = rig.draft("B-1").await;
    rig.set("karrio", json!({"price_percent": 120})).await;
    let rate = &draft["rates"][0];
    let (_, shipment) = purchase(&rig, &draft, json!({"selected_rate_id": rate["id"]})).await;
    let [asked, paid] = [rate, &shipment["selected_rate"]]
        .map(|rate| (rate["total_charge"].as_f64().unwrap() * 100.0).round() as i64);
    assert_eq!(paid, asked * 120 / 100);
    assert_eq!(rig.shipments("karrio").await[0]["charge_paise"], paid);
}

#[tokio::test]
async fn a_shipment_is_found_by_our_reference_and_by_its_metadata() {
    let rig = Rig::plain().await;
    let (first, second) = (rig.draft("B-1").await, rig.bought("B-2").await);
    for (query, expected) in [
        ("", vec![&second, &first]),
        ("?reference=B-1", vec![&first]),
        ("?reference=B", vec![]),
        ("?metadata_key=booking&metadata_value=B-2", vec![&second]),
        ("?metadata_key=booking", vec![&second, &first]),
        ("?metadata_key=order&metadata_value=B-2", vec![]),
        ("?status=draft", vec![&first]),
        ("?reference=B-1&limit=1&offset=1", vec![]),
    ] {
        let path = format!("/v1/shipments{query}");
        let (_, found) = rig.karrio("GET", &path, Value::Null).await;
        let ids = found["results"].as_array().unwrap().iter();
        let ids: Vec<&Value> = ids.map(|it| &it["id"]).collect();
        let expected: Vec<&Value> = expected.iter().map(|it| &it["id"]).collect();
        assert_eq!(ids, expected, "{query}");
    }
    let page = "/v1/shipments?limit=1&metadata_key=booking";
    let (_, found) = rig.karrio("GET", page, Value::Null).await;
    assert_eq!(found["count"], 2);
    let next = found["next"].as_str().unwrap();
    assert!(next.ends_with("?limit=1&metadata_key=booking&offset=1"), "{next}");
}

#[tokio::test]
async fn a_label_is_a_pdf_for_those_who_have_the_key() {
    let rig = Rig::plain().await;
    let shipment = rig.bought("B-1").await;
    let url = shipment["label_url"].as_str().unwrap();
    assert!(url.starts_with("/v1/shipments/"), "relative: {url}");
    let url = format!("{}{url}", rig.sandbox.karrio_url());
    for key in [None, Some("Token wrong")] {
        let response = rig.send("GET", &url, key, &Value::Null).await;
        assert_eq!(response.status(), 403);
    }
    let response = rig.send("GET", &url, Some("Token key_sesame"), &Value::Null).await;
    assert_eq!(response.headers()["content-type"], "application/pdf");
    let pdf = response.bytes().await.unwrap();
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF-") && text.contains(awb(&shipment)));

    let draft = rig.draft("B-2").await;
    assert_eq!(draft["label_url"], Value::Null);
    let path = path(&draft, "/label.pdf");
    let none = rig.karrio("GET", &path, Value::Null).await;
    assert_eq!(refusal(none), (404, "not_found".to_owned()));
}

#[tokio::test]
async fn a_second_cancel_is_accepted_and_does_nothing() {
    let rig = Rig::plain().await;
    for shipment in [rig.draft("B-1").await, rig.bought("B-2").await] {
        for expected in [200, 202, 202] {
            let path = path(&shipment, "/cancel");
            let (status, answer) = rig.karrio("POST", &path, Value::Null).await;
            assert_eq!((status, &answer["status"]), (expected, &json!("cancelled")));
        }
        let service = json!({"service": "ups_express_saver"});
        let refused = purchase(&rig, &shipment, service).await;
        assert_eq!(refusal(refused), (409, "state_error".to_owned()));
    }
    let bought = rig.bought("B-3").await;
    let tracker = format!("/v1/trackers/{}", awb(&bought));
    assert_eq!(rig.karrio("GET", &tracker, Value::Null).await.0, 200);
    let cancel = path(&bought, "/cancel");
    rig.karrio("POST", &cancel, Value::Null).await;
    assert_eq!(rig.karrio("GET", &tracker, Value::Null).await.0, 404);
}

#[tokio::test]
async fn what_is_on_its_way_cannot_be_cancelled() {
    let rig = Rig::plain().await;
    let shipment = rig.bought("B-1").await;
    rig.scan("karrio", awb(&shipment), json!({"status": "picked_up"})).await;
    let path = path(&shipment, "/cancel");
    let refused = rig.karrio("POST", &path, Value::Null).await;
    assert_eq!(refusal(refused), (409, "state_error".to_owned()));
}

#[tokio::test]
async fn a_tracker_tells_what_was_scanned_the_newest_first() {
    let rig = Rig::plain().await;
    let shipment = rig.bought("B-1").await;
    let number = awb(&shipment);
    let ask = json!({"tracking_number": number, "carrier_name": "fedex"});
    let (status, tracker) = rig.karrio("POST", "/v1/trackers", ask).await;
    assert_eq!((status, &tracker["status"]), (200, &json!("pending")));
    assert_eq!((&tracker["id"], &tracker["events"]), (&shipment["tracker_id"], &json!([])));

    for (status, minutes_ago, delivered) in [
        ("picked_up", 300, false),
        ("out_for_delivery", 60, false),
        ("delivered", 5, true),
        // A late event: it happened before the delivery.
        ("in_transit", 120, false),
        ("held_by_aliens", 1, false),
    ] {
        let scan = json!({"status": status, "location": "JFK", "remarks": "<b>x</b>",
            "minutes_ago": minutes_ago});
        rig.scan("karrio", number, scan).await;
        let path = format!("/v1/trackers/{number}");
        let (_, tracker) = rig.karrio("GET", &path, Value::Null).await;
        // The scan received last gives the status, whenever it happened.
        assert_eq!(tracker["status"], status);
        assert_eq!(tracker["delivered"], delivered);
    }
    let path = format!("/v1/trackers/{}", shipment["tracker_id"].as_str().unwrap());
    let (_, tracker) = rig.karrio("GET", &path, Value::Null).await;
    let events = tracker["events"].as_array().unwrap();
    let statuses: Vec<&str> =
        events.iter().map(|event| event["status"].as_str().unwrap()).collect();
    let newest_first = ["held_by_aliens", "delivered", "out_for_delivery", "in_transit"];
    assert_eq!(statuses[..4], newest_first);
    assert_eq!(events[0]["location"], "JFK");
    assert_eq!(events[0]["description"], "<b>x</b>");
}

#[tokio::test]
async fn a_number_nobody_knows_has_no_tracker() {
    let rig = Rig::plain().await;
    let number = awb(&rig.bought("B-1").await).to_owned();
    let ask = |number: &str, carrier: &str| {
        let ask = json!({"tracking_number": number, "carrier_name": carrier});
        rig.karrio("POST", "/v1/trackers", ask)
    };
    for (number, carrier) in [("404", "fedex"), (number.as_str(), "ups")] {
        let (status, answer) = ask(number, carrier).await;
        assert_eq!(status, 404);
        assert_eq!(answer["messages"][0]["carrier_name"], carrier);
    }
    let nobody = ask(&number, "pigeon").await;
    assert_eq!(refusal(nobody), (404, "not_found".to_owned()));
    let missing = rig.karrio("POST", "/v1/trackers", json!({}));
    assert_eq!(refusal(missing.await), (400, "validation".to_owned()));
    let unknown = rig.karrio("GET", "/v1/trackers/404", Value::Null);
    assert_eq!(refusal(unknown.await), (404, "not_found".to_owned()));

    // A carrier that cannot be reached is answered like an unknown shipment.
    rig.set("karrio", json!({"silent_carriers": ["fedex-account"]})).await;
    let (status, answer) = ask(&number, "fedex").await;
    assert_eq!((status, answer["messages"].is_array()), (404, true));
}

#[tokio::test]
async fn a_pickup_is_of_bought_shipments_of_one_carrier_and_each_is_in_one() {
    let rig = Rig::plain().await;
    let shipment = rig.bought("B-1").await;
    let ask = |number: &str, day: &str| {
        json!({
            "pickup_date": day, "ready_time": "10:00", "closing_time": "14:00",
            "address": {"country_code": "IN", "postal_code": "110001"},
            "tracking_numbers": [number], "metadata": {"reference": "P-1"},
        })
    };
    let schedule = "/v1/pickups/fedex/schedule";
    let good = ask(awb(&shipment), "2999-01-01");
    let bare = rig.karrio("POST", schedule, json!({})).await;
    assert_eq!(bare.0, 400);
    assert!(bare.1["errors"][0]["details"]["tracking_numbers"].is_array());
    let unknown = ask("none", "2999-01-01");
    let refused = rig.karrio("POST", schedule, unknown).await;
    assert_eq!(refusal(refused), (400, "validation".to_owned()));
    let elsewhere = rig.karrio("POST", "/v1/pickups/ups/schedule", good.clone());
    assert_eq!(refusal(elsewhere.await), (404, "not_found".to_owned()));
    let past = ask(awb(&shipment), "2020-01-01");
    let (status, answer) = rig.karrio("POST", schedule, past).await;
    assert_eq!((status, answer["messages"].is_array()), (424, true));

    let (status, pickup) = rig.karrio("POST", schedule, good.clone()).await;
    assert_eq!((status, &pickup["status"]), (201, &json!("scheduled")));
    let refused = rig.karrio("POST", schedule, good).await;
    assert_eq!(refusal(refused), (400, "validation".to_owned()), "already scheduled");
    let path = format!("/v1/pickups/{}", pickup["id"].as_str().unwrap());
    let unnumbered = json!({"pickup_date": "2999-01-02"});
    assert_eq!(rig.karrio("POST", &path, unnumbered).await.0, 400);
    let number = &pickup["confirmation_number"];
    let change = json!({"pickup_date": "2999-01-02", "confirmation_number": number});
    let (status, changed) = rig.karrio("POST", &path, change.clone()).await;
    assert_eq!((status, &changed["pickup_date"]), (200, &json!("2999-01-02")));
    let (_, listed) = rig.karrio("GET", "/v1/pickups?limit=5", Value::Null).await;
    assert_eq!(listed["results"][0]["metadata"]["reference"], "P-1");

    let cancel = format!("{path}/cancel");
    assert_eq!(rig.karrio("POST", &cancel, json!({})).await.0, 200);
    for (path, body) in [(&cancel, json!({})), (&path, change)] {
        let refused = rig.karrio("POST", path, body).await;
        assert_eq!(refusal(refused), (409, "state_error".to_owned()));
    }
    let url = format!("{}{path}", rig.sandbox.karrio_url());
    assert_eq!(rig.send("GET", &url, None, &Value::Null).await.status(), 401);
}
