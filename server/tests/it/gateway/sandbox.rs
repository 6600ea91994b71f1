//! The sandbox's own behaviour: authorisation, refusals, state kept.

use std::time::Duration;

use dakiya_core::providers::gateway::OrderState;
use dakiya_core::providers::gateway::phonepe::PhonePe;
use dakiya_core::sandbox::Sandbox;
use dakiya_core::sandbox::options::SandboxOptions;
use serde_json::{Value, json};

use super::{Rig, client, config, new_order, oauth_form, sandbox_options, short_limits};

#[tokio::test]
async fn a_token_is_given_for_a_form_of_the_right_client_only() {
    let rig = Rig::start().await;
    let url = format!("{}/v1/oauth/token", rig.sandbox.base_url);
    let form = oauth_form();
    let given = rig.client.post(&url).form(&form).send().await.unwrap();
    let token: Value = given.json().await.unwrap();
    assert_eq!(token["token_type"], "O-Bearer");
    let life = token["expires_at"].as_i64().unwrap() - token["issued_at"].as_i64().unwrap();
    assert_eq!(life, 3_600);

    let as_json: serde_json::Map<String, Value> =
        form.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
    let refused = rig.client.post(&url).json(&as_json).send().await.unwrap();
    assert_eq!(refused.status(), 400);
    for i in 0..form.len() {
        let mut wrong = form;
        wrong[i].1 = "wrong";
        let refused = rig.client.post(&url).form(&wrong).send().await.unwrap();
        assert_eq!(refused.status(), 400);
        let body: Value = refused.json().await.unwrap();
        assert_eq!(body["code"], "INVALID_CLIENT");
    }
}

#[tokio::test]
async fn only_the_scheme_o_bearer_opens_the_door() {
    let rig = Rig::start().await;
    let url = format!("{}/checkout/v2/order/A/status", rig.sandbox.base_url);
    let token = rig.token().await;
    let schemes = [format!("Bearer {token}"), token.clone(), "O-Bearer x".to_owned()];
    for authorization in schemes {
        let request = rig.client.get(&url).header("authorization", authorization);
        assert_eq!(request.send().await.unwrap().status(), 401);
    }
    assert_eq!(rig.client.get(&url).send().await.unwrap().status(), 401);
    assert_eq!(rig.get("/checkout/v2/order/A/status").await.0, 400);
}

#[tokio::test]
async fn a_token_dies_when_its_time_is_over() {
    let rig = Rig::start().await;
    let url = format!("{}/checkout/v2/order/A/status", rig.sandbox.base_url);
    let authorization = format!("O-Bearer {}", rig.token().await);
    for (seconds, expected) in [(3_590, 400), (20, 401)] {
        rig.advance(Duration::from_secs(seconds)).await;
        let request = rig.client.get(&url).header("authorization", &authorization);
        assert_eq!(request.send().await.unwrap().status(), expected);
    }
}

#[tokio::test]
async fn an_order_that_breaks_a_rule_is_a_bad_request() {
    let rig = Rig::start().await;
    let good = json!({"merchantOrderId": "A-1", "amount": 100, "expireAfter": 300,
        "metaInfo": {"udf1": "x"}, "paymentFlow": {"type": "PG_CHECKOUT",
        "merchantUrls": {"redirectUrl": "https://shop.test/back"}}});
    let long = "x".repeat(64);
    for (pointer, wrong) in [
        ("/merchantOrderId", json!("a b")),
        ("/merchantOrderId", json!(long)),
        ("/merchantOrderId", json!(7)),
        ("/amount", json!(99)),
        ("/amount", json!(100.5)),
        ("/amount", json!("100")),
        ("/expireAfter", json!(299)),
        ("/expireAfter", json!(3_601)),
        ("/paymentFlow/type", json!("PG")),
        ("/paymentFlow/merchantUrls/redirectUrl", json!("/back")),
        ("/metaInfo/udf1", json!("x".repeat(257))),
    ] {
        let mut order = good.clone();
        *order.pointer_mut(pointer).unwrap() = wrong;
        let (status, answer) = rig.post("/checkout/v2/pay", &order).await;
        assert_eq!((status, &answer["code"]), (400, &json!("BAD_REQUEST")), "{pointer}");
    }
    let (status, answer) = rig.post("/checkout/v2/pay", &good).await;
    assert_eq!((status, &answer["state"]), (200, &json!("PENDING")));
}

#[tokio::test]
async fn the_status_tells_attempts_and_reasons_only_when_asked() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    let id = &order.merchant_order_id;
    let path = format!("/checkout/v2/order/{id}/status");
    assert_eq!(rig.get(&path).await.1["paymentDetails"], json!([]));
    rig.act(id, json!({"action": "fail_attempt", "code": "ZM", "method": "UPI_QR"})).await;
    rig.act(id, json!({"action": "fail_attempt", "code": "Z9"})).await;
    let latest = rig.get(&path).await.1;
    assert_eq!(latest["state"], "PENDING");
    assert_eq!(latest["paymentDetails"].as_array().unwrap().len(), 1);
    assert_eq!(latest["paymentDetails"][0]["detailedErrorCode"], "Z9");
    let all = rig.get(&format!("{path}?details=true&errorContext=true")).await.1;
    assert_eq!(all["paymentDetails"].as_array().unwrap().len(), 2);
    assert_eq!(all["errorContext"], Value::Null);

    rig.act(id, json!({"action": "decline", "code": "U90"})).await;
    let silent = rig.get(&format!("{path}?errorContext=false")).await.1;
    assert_eq!(
        (&silent["errorCode"], &silent["errorContext"]),
        (&json!("BANK_TECHNICAL_ISSUE"), &Value::Null)
    );
    let told = rig.get(&format!("{path}?errorContext=true")).await.1;
    assert_eq!(told["errorContext"]["source"], "ISSUING_BANK");
}

#[tokio::test]
async fn orders_refunds_and_settings_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let options = SandboxOptions {
        state_file: Some(folder.path().join("gateway.jsonl")),
        ..sandbox_options()
    };
    let sandbox = Sandbox::start(options.clone()).await.unwrap();
    let phonepe = PhonePe::with_limits(config(&sandbox.base_url), short_limits()).unwrap();
    let rig = Rig { sandbox, phonepe, client: client() };
    rig.set(json!({"duplicate_status": 400})).await;
    rig.advance(Duration::from_secs(600)).await;
    let (paid, _) = rig.created(10).await;
    rig.act(&paid.merchant_order_id, json!({"action": "pay"})).await;
    let (open, _) = rig.created(10).await;
    let before = rig.sim("GET", "orders", json!(null)).await;
    let address = rig.sandbox.base_url.trim_start_matches("http://").parse().unwrap();
    rig.sandbox.stop().await;

    // Restart at one address, so that pages open in a browser still work.
    let sandbox = Sandbox::start(SandboxOptions { listen: address, ..options }).await.unwrap();
    let rig = Rig { sandbox, ..rig };
    assert_eq!(rig.sim("GET", "orders", json!(null)).await, before);
    assert_eq!(rig.sim("GET", "settings", json!(null)).await["duplicate_status"], 400);
    // The adapter's token was lost with the process; it fetches another by itself.
    assert!(matches!(rig.state(&paid).await, OrderState::Completed { .. }));
    assert_eq!(rig.state(&open).await, OrderState::Pending);
    rig.advance(Duration::from_secs(900)).await;
    assert!(matches!(rig.state(&open).await, OrderState::Failed { .. }));
}

#[tokio::test]
async fn the_control_api_names_what_it_does_not_understand() {
    let rig = Rig::start().await;
    let order = new_order(10);
    rig.phonepe.create(&order).await.unwrap();
    let act = format!("orders/{}/act", order.merchant_order_id);
    for (method, path, body) in [
        ("PATCH", "settings", json!({"callbacks": "sometimes"})),
        ("PATCH", "settings", json!({"colour": "red"})),
        ("POST", "clock", json!({"advance_ms": -1})),
        ("POST", "faults", json!({"operation": "pay", "kind": "fire"})),
        ("POST", act.as_str(), json!({"action": "decline", "code": "NONE"})),
        ("POST", act.as_str(), json!({"action": "refund"})),
    ] {
        let url = format!("{}/__sim/{path}", rig.sandbox.base_url);
        let request = rig.client.request(method.parse().unwrap(), url).json(&body);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 400, "{body}");
        assert!(!response.json::<Value>().await.unwrap()["message"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_stopped_sandbox_frees_its_port() {
    let rig = Rig::start().await;
    let address = rig.sandbox.base_url.trim_start_matches("http://").to_owned();
    rig.created(10).await; // leaves a connection open
    rig.sandbox.stop().await;
    tokio::net::TcpListener::bind(address).await.unwrap();
}
