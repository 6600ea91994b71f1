//! Creating an order and requesting its status.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::settings::gateway::LaunchMode;
use dakiya_core::providers::gateway::phonepe::PhonePe;
use dakiya_core::providers::gateway::{GatewayError, OrderState};
use serde_json::json;

use super::{RETURN_URL, Rig, config, new_order};

#[tokio::test]
async fn an_order_is_made_paid_and_seen_completed() {
    let rig = Rig::start().await;
    let (order, created) = rig.created(5_000).await;
    assert!(created.provider_order_id.starts_with("OMO"));
    assert!(created.redirect_url.starts_with(&rig.sandbox.base_url));
    assert_eq!(created.redirect_url, created.page_url);
    assert_eq!(rig.state(&order).await, OrderState::Pending);

    rig.act(&order.merchant_order_id, json!({"action": "pay", "method": "CARD"})).await;
    let status = rig.phonepe.status(&order.merchant_order_id).await.unwrap();
    assert_eq!(status.provider_order_id, created.provider_order_id);
    assert_eq!(status.amount, Paise::rupees(5_000));
    let OrderState::Completed { transaction_id, method, paid } = status.state else {
        panic!("{:?}", status.state);
    };
    assert!(transaction_id.starts_with("OM") && !transaction_id.starts_with("OMO"));
    assert_eq!((method.as_str(), paid), ("CARD", Paise::rupees(5_000)));
}

#[tokio::test]
async fn amounts_travel_as_whole_paise() {
    let rig = Rig::start().await;
    let mut order = new_order(1);
    order.amount = Paise::new(123_456_789);
    rig.phonepe.create(&order).await.unwrap();
    let sent = rig.requests("pay").await;
    assert!(sent[0]["body"].as_str().unwrap().contains("\"amount\":123456789"));
    let status = rig.phonepe.status(&order.merchant_order_id).await.unwrap();
    assert_eq!(status.amount, Paise::new(123_456_789));
}

#[tokio::test]
async fn an_order_tells_when_it_expires() {
    let rig = Rig::start().await;
    let now_ms = || {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        i64::try_from(now.unwrap().as_millis()).unwrap()
    };
    let before = now_ms();
    let (_, created) = rig.created(10).await;
    assert!((before + 899_000..=now_ms() + 901_000).contains(&created.expires_ms));
}

#[tokio::test]
async fn a_declined_payment_names_its_reason() {
    let rig = Rig::start().await;
    for (code, named) in [("ZM", "INVALID_MPIN"), ("Z9", "INSUFFICIENT_BALANCE")] {
        let (order, _) = rig.created(10).await;
        rig.act(&order.merchant_order_id, json!({"action": "decline", "code": code})).await;
        let OrderState::Failed { code, description } = rig.state(&order).await else {
            panic!("not failed");
        };
        assert_eq!(code, named);
        assert!(description.unwrap().ends_with('.'));
    }
}

#[tokio::test]
async fn an_order_nobody_pays_fails_when_its_time_is_over() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    rig.advance(Duration::from_secs(899)).await;
    assert_eq!(rig.state(&order).await, OrderState::Pending);
    rig.advance(Duration::from_secs(1)).await;
    let OrderState::Failed { code, .. } = rig.state(&order).await else { panic!("not failed") };
    assert_eq!(code, "TXN_NOT_COMPLETED");
}

#[tokio::test]
async fn a_failed_order_can_still_succeed_late() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    let pay_in_a_day = json!({"action": "leave_pending", "then": {"action": "pay"},
        "after_ms": 86_400_000});
    rig.act(&order.merchant_order_id, pay_in_a_day).await;
    assert_eq!(rig.state(&order).await, OrderState::Pending);
    rig.advance(Duration::from_secs(3_600)).await;
    assert!(matches!(rig.state(&order).await, OrderState::Failed { .. }));
    rig.advance(Duration::from_secs(23 * 3_600)).await;
    assert!(matches!(rig.state(&order).await, OrderState::Completed { .. }));
    // A completed order stays completed.
    rig.act(&order.merchant_order_id, json!({"action": "decline", "code": "ZM"})).await;
    assert!(matches!(rig.state(&order).await, OrderState::Completed { .. }));
}

#[tokio::test]
async fn an_order_the_gateway_never_saw_is_not_found() {
    let rig = Rig::start().await;
    assert_eq!(rig.phonepe.status("NOBODY").await, Err(GatewayError::NotFound));
    assert_eq!(rig.requests("status").await.len(), 1, "a clear answer is not asked for again");
}

#[tokio::test]
async fn a_repeated_order_id_is_refused_for_sure() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    for status in [417, 400] {
        rig.set(json!({"duplicate_status": status})).await;
        let error = rig.phonepe.create(&order).await.unwrap_err();
        assert!(matches!(error, GatewayError::Refused { http, .. } if http == status), "{error}");
    }
}

#[tokio::test]
async fn what_the_gateway_would_refuse_is_not_even_sent() {
    let rig = Rig::start().await;
    let mut wrong = vec![new_order(10); 6];
    wrong[0].merchant_order_id = "a/b".to_owned();
    wrong[1].merchant_order_id = "x".repeat(64);
    wrong[2].amount = Paise::new(99);
    wrong[3].expire_after = Duration::from_secs(299);
    wrong[4].expire_after = Duration::from_secs(3_601);
    wrong[5].redirect_url = "/recharge/callback".to_owned();
    for order in wrong {
        let error = rig.phonepe.create(&order).await.unwrap_err();
        assert!(matches!(error, GatewayError::Refused { http: 0, .. }), "{error}");
    }
    let error = rig.phonepe.status("../../__sim/orders").await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused { http: 0, .. }));
    assert!(rig.sim("GET", "requests", json!(null)).await.as_array().unwrap().is_empty());
}

#[tokio::test]
async fn fields_that_nobody_announced_do_no_harm() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    let path = format!("/checkout/v2/order/{}/status", order.merchant_order_id);
    let mut surprises = 0;
    for _ in 0..4 {
        surprises += u32::from(!rig.get(&path).await.1["offers"].is_null());
        assert_eq!(rig.state(&order).await, OrderState::Pending);
        rig.phonepe.status("NOBODY").await.unwrap_err(); // shifts the every-second rhythm
    }
    assert!(surprises > 0);
}

#[tokio::test]
async fn with_a_launch_page_the_browser_is_sent_to_us_first() {
    let rig = Rig::start().await;
    let base = &rig.sandbox.base_url;
    let mut config = config(base);
    config.launch = LaunchMode::Page;
    let phonepe = PhonePe::new(config).unwrap();
    let order = new_order(10);
    let created = phonepe.create(&order).await.unwrap();
    assert_eq!(created.redirect_url, format!("/recharge/launch/{}", order.merchant_order_id));
    let page = phonepe.launch_page(&created.page_url);
    assert_eq!(page.script_url, format!("{base}/web/bundle/checkout.js"));
    assert!(page.token_url.starts_with(&format!("{base}/transact?token=")));
    let script = rig.client.get(page.script_url).send().await.unwrap();
    assert!(script.text().await.unwrap().contains("PhonePeCheckout"));
}

#[tokio::test]
async fn the_order_is_described_as_the_document_says() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(50).await;
    let body = rig.requests("pay").await[0]["body"].as_str().unwrap().to_owned();
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    let flow = json!({"type": "PG_CHECKOUT", "merchantUrls": {"redirectUrl": RETURN_URL}});
    let expected = json!({"merchantOrderId": order.merchant_order_id, "amount": 5_000,
        "expireAfter": 900, "paymentFlow": flow});
    assert_eq!(body, expected);
    let request = &rig.requests("pay").await[0];
    assert_eq!(
        (&request["scheme"], &request["content_type"]),
        (&json!("O-Bearer"), &json!("application/json"))
    );
}
