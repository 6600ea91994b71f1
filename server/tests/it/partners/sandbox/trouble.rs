//! Faults that a developer or a test can inject, and the requests that the sandbox's couriers
//! record.

use dakiya_core::sandbox::options::SandboxOptions;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Rig, order, parcel, read};
use crate::gateway::sandbox_options;
use crate::patience::patient;

const KINDS: &[&str] = &[
    "internal_error",
    "unavailable",
    "bad_gateway",
    "slow",
    "drop",
    "truncated",
    "drip",
    "garbage",
    "huge",
    "redirect",
    "reject",
    "unauthorized",
    "too_many",
];

/// Faults that only damage the response, so that the work is always done.
const KEEPS_THE_REPLY: &[&str] = &["slow", "truncated", "drip"];

async fn fault(rig: &Rig, partner: &str, fault: Value) {
    rig.sim("POST", &format!("{partner}/faults"), fault).await;
}

/// Creates a shipment, with a short timeout.
async fn create(rig: &Rig, reference: &str) -> reqwest::Result<reqwest::Response> {
    let url = format!("{}/v1/shipments", rig.sandbox.karrio_url());
    let request = rig.client.post(url).json(&parcel(reference));
    let request = request.header("authorization", "Token key_sesame");
    request.timeout(patient(600)).send().await
}

#[tokio::test]
async fn every_fault_strikes_before_or_after_the_work() {
    let rig = Rig::plain().await;
    for kind in KINDS {
        for when in ["before_work", "after_work"] {
            let reference = format!("{kind} {when}");
            let spec = json!({"operation": "create", "kind": kind, "when": when,
                "delay_ms": patient(5_000).as_millis()});
            fault(&rig, "karrio", spec).await;
            let spoilt = match create(&rig, &reference).await {
                Ok(response) => {
                    let is_created = response.status() == 201;
                    !is_created || response.bytes().await.is_err()
                }
                Err(_) => true,
            };
            assert!(spoilt, "{reference}");
            let works = when == "after_work" || KEEPS_THE_REPLY.contains(kind);
            let shipments = rig.shipments("karrio").await;
            let done = shipments.iter().any(|it| it["reference"] == *reference);
            assert_eq!(done, works, "{reference}");
        }
    }
    // Each fault was used once.
    assert_eq!(create(&rig, "after all").await.unwrap().status(), 201);
    let requests = rig.sim("GET", "karrio/requests?operation=create", Value::Null).await;
    assert_eq!(requests.as_array().unwrap().len(), 2 * KINDS.len() + 1);
}

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_ask_again() {
    let rig = Rig::plain().await;
    let spec = json!({"operation": "create", "kind": "too_many"});
    fault(&rig, "karrio", spec).await;
    let response = create(&rig, "B-1").await.unwrap();
    assert_eq!(response.status(), 429);
    assert_eq!(response.headers()["retry-after"], "1");
}

#[tokio::test]
async fn a_truncated_reply_breaks_off_in_the_middle() {
    let rig = Rig::plain().await;
    fault(&rig, "karrio", json!({"operation": "create", "kind": "truncated"})).await;
    let mut response = create(&rig, "B-1").await.unwrap();
    assert_eq!(response.status(), 201);
    let announced = response.content_length().unwrap();
    let mut arrived = 0;
    let broken = loop {
        match response.chunk().await {
            Ok(Some(chunk)) => arrived += chunk.len() as u64,
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert!(broken);
    assert_eq!(arrived, announced / 2);
}

#[tokio::test]
async fn a_dripping_reply_comes_a_byte_a_second() {
    let rig = Rig::plain().await;
    fault(&rig, "shiprocket", json!({"operation": "login", "kind": "drip"})).await;
    let url = format!("{}/auth/login", rig.sandbox.shiprocket_url());
    let started = Instant::now();
    let mut response = rig.send("POST", &url, None, &json!({})).await;
    assert_eq!(response.status(), 422);
    let (mut seconds, mut bytes) = (0, 0);
    while bytes < 3 {
        bytes += response.chunk().await.unwrap().unwrap().len();
        seconds = started.elapsed().as_millis() / 1_000;
    }
    // The first byte comes at once, or after a second.
    assert!((bytes as u128) <= seconds + 1, "{bytes} in {seconds} s");
}

#[tokio::test]
async fn a_refusal_is_written_in_each_provider_s_own_way() {
    let rig = Rig::plain().await;
    let base = &rig.sandbox.base_url;
    fault(&rig, "karrio", json!({"operation": "rates", "kind": "reject"})).await;
    let (status, answer) = rig.karrio("POST", "/v1/proxy/rates", parcel("A")).await;
    assert_eq!((status, &answer["errors"][0]["code"]), (400, &json!("validation")));
    fault(&rig, "shiprocket", json!({"operation": "create", "kind": "reject"})).await;
    let (status, answer) = rig.shiprocket("POST", "/orders/create/adhoc", order("B-1")).await;
    assert_eq!((status, answer["errors"].is_object()), (422, true));
    rig.sim("POST", "faults", json!({"operation": "pay", "kind": "reject"})).await;
    let url = format!("{base}/checkout/v2/pay");
    let (status, answer) = read(rig.send("POST", &url, None, &json!({})).await).await;
    assert_eq!((status, &answer["code"]), (400, &json!("BAD_REQUEST")));
}

#[tokio::test]
async fn what_the_control_apis_do_not_know_is_refused() {
    let rig = Rig::plain().await;
    let strange = json!({"operation": "fly", "kind": "drop"});
    for (method, path, body, status) in [
        ("POST", "karrio/faults", strange.clone(), 400),
        ("POST", "shiprocket/faults", strange.clone(), 400),
        ("POST", "faults", strange, 400),
        ("POST", "karrio/faults", json!({"operation": "pay", "kind": "drop"}), 400),
        ("POST", "karrio/faults", json!({"operation": "create", "kind": "fire"}), 400),
        ("GET", "karrio/requests?operation=pay", json!(null), 400),
        ("GET", "requests?operation=create", json!(null), 400),
        ("PATCH", "shiprocket/settings", json!({"colour": "red"}), 400),
        ("PATCH", "karrio/settings", json!({"price_percent": "much"}), 400),
        ("POST", "karrio/shipments/404/scan", json!({"status": "delivered"}), 404),
        ("POST", "karrio/shipments/404/scan", json!({}), 400),
    ] {
        let url = format!("{}/__sim/{path}", rig.sandbox.base_url);
        let (answered, answer) = read(rig.send(method, &url, None, &body).await).await;
        assert_eq!(answered, status, "{path} {body}");
        assert!(!answer["message"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn the_log_of_requests_holds_no_password_and_no_key() {
    let rig = Rig::plain().await;
    rig.bought("B-1").await;
    rig.ordered("B-2").await;
    for partner in ["karrio", "shiprocket"] {
        let path = format!("{partner}/requests");
        let log = rig.sim("GET", &path, Value::Null).await.to_string();
        assert!(log.contains("B-"), "{log}");
        assert!(!log.contains("sesame"), "{log}");
    }
    let found = rig.sim("GET", "karrio/requests?contains=B-1", Value::Null).await;
    assert_eq!(found[0]["operation"], "create");
    assert_eq!((&found[0]["scheme"], &found[0]["status"]), (&json!("Token"), &json!(201)));
}

#[tokio::test]
async fn creations_and_purchases_are_counted_by_our_reference() {
    let rig = Rig::plain().await;
    rig.draft("B-1").await;
    rig.bought("B-1").await;
    rig.draft("B-2").await;
    let shipments = rig.shipments("karrio").await;
    let counts: Vec<[&Value; 4]> = shipments
        .iter()
        .map(|it| ["reference", "created", "bought", "status"].map(|name| &it[name]))
        .collect();
    let expected = [
        [json!("B-1"), json!(2), json!(1), json!("draft")],
        [json!("B-1"), json!(2), json!(1), json!("booked")],
        [json!("B-2"), json!(1), json!(0), json!("draft")],
    ];
    assert_eq!(counts, expected.each_ref().map(|row| row.each_ref()));
}

#[tokio::test]
async fn shipments_places_and_settings_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let options = SandboxOptions {
        couriers_folder: Some(folder.path().join("couriers")),
        ..sandbox_options()
    };
    let rig = Rig::with(options.clone()).await;
    rig.set("karrio", json!({"unknown_fields": false})).await;
    let shipment = rig.bought("B-1").await;
    let awb = shipment["tracking_number"].as_str().unwrap();
    rig.scan("karrio", awb, json!({"status": "in_transit"})).await;
    rig.assigned("B-2").await;
    let remembered = async |rig: &Rig| {
        let mut all = Vec::new();
        for path in ["settings", "shipments"] {
            for partner in ["karrio", "shiprocket"] {
                let path = format!("{partner}/{path}");
                all.push(rig.sim("GET", &path, Value::Null).await);
            }
        }
        all
    };
    let before = remembered(&rig).await;
    let token = format!("Bearer {}", rig.token().await);
    rig.sandbox.stop().await;

    let rig = Rig::with(options).await;
    assert_eq!(remembered(&rig).await, before);
    let path = format!("/v1/shipments/{}", shipment["id"].as_str().unwrap());
    let (_, read_again) = rig.karrio("GET", &path, Value::Null).await;
    assert_eq!(read_again["tracking_number"], awb);
    // Numbers continue after a restart.
    assert_ne!(rig.bought("B-3").await["tracking_number"], awb);
    // Tokens are lost.
    let url = format!("{}/orders", rig.sandbox.shiprocket_url());
    let response = rig.send("GET", &url, Some(&token), &Value::Null).await;
    assert_eq!(response.status(), 401);
}
