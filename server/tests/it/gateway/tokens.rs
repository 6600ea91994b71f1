//! The OAuth token: shared, renewed early, never printed.

use dakiya_core::providers::gateway::phonepe::PhonePe;
use dakiya_core::providers::gateway::{GatewayError, OrderState};
use futures_util::future::join_all;
use serde_json::json;
use tokio::time::sleep;

use super::{Rig, config, new_order, short_limits};
use crate::patience::{patient, until};

#[tokio::test]
async fn one_token_serves_everyone_who_comes_at_once() {
    let rig = Rig::start().await;
    let orders: Vec<_> = (0..20).map(|_| new_order(10)).collect();
    let made = join_all(orders.iter().map(|order| rig.phonepe.create(order))).await;
    assert!(made.iter().all(Result::is_ok));
    let asked = rig.requests("token").await;
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0]["content_type"], "application/x-www-form-urlencoded");
    let body = "client_id=SHOP&client_secret=…&client_version=1&grant_type=client_credentials";
    assert_eq!(asked[0]["body"], body);
}

#[tokio::test]
async fn a_token_is_renewed_at_half_its_life_behind_the_callers_back() {
    let rig = Rig::start().await;
    let slow = patient(3_000);
    rig.set(json!({"token_life_s": patient(8_000).as_secs()})).await;
    let (order, _) = rig.created(10).await;
    sleep(patient(4_300)).await;
    rig.fault(json!({"operation": "token", "kind": "slow", "delay_ms": slow.as_millis()})).await;
    let started = tokio::time::Instant::now();
    rig.state(&order).await;
    assert!(started.elapsed() < slow, "nobody waits for the renewal");
    until("it is renewed", async || rig.requests("token").await.len() == 2).await;
    // The first token has expired; the second one works.
    sleep(patient(4_500)).await;
    rig.state(&order).await;
}

#[tokio::test]
async fn while_the_renewal_fails_the_old_token_serves_on() {
    let rig = Rig::start().await;
    rig.set(json!({"token_life_s": patient(6_000).as_secs()})).await;
    let (order, _) = rig.created(10).await;
    rig.fault(json!({"operation": "token", "kind": "unavailable", "times": 100})).await;
    sleep(patient(3_100)).await;
    for _ in 0..5 {
        assert_eq!(rig.state(&order).await, OrderState::Pending);
    }
    until("it is renewed", async || rig.requests("token").await.len() == 2).await;
    rig.state(&order).await;
    assert_eq!(rig.requests("token").await.len(), 2, "a failed renewal is not repeated at once");
}

#[tokio::test]
async fn a_revoked_token_is_replaced_once_for_everyone() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    rig.sim("POST", "tokens/revoke", json!(null)).await;
    let id = order.merchant_order_id.as_str();
    let seen = join_all((0..20).map(|_| rig.phonepe.status(id))).await;
    assert!(seen.iter().all(Result::is_ok));
    assert_eq!(rig.requests("token").await.len(), 2);
    // A create recovers too, and still reaches the gateway only once.
    rig.sim("POST", "tokens/revoke", json!(null)).await;
    rig.created(10).await;
    assert_eq!(rig.sim("GET", "orders", json!(null)).await.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_gateway_that_refuses_every_token_is_not_asked_for_ever() {
    let rig = Rig::start().await;
    rig.fault(json!({"operation": "pay", "kind": "unauthorized", "times": 100})).await;
    let error = rig.phonepe.create(&new_order(10)).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused { http: 401, .. }), "{error}");
    assert_eq!(rig.requests("pay").await.len(), 2);
}

#[tokio::test]
async fn with_wrong_credentials_nothing_is_sent() {
    let rig = Rig::start().await;
    let mut config = config(&rig.sandbox.base_url);
    config.client_secret = "guess".into();
    let phonepe = PhonePe::with_limits(config, short_limits()).unwrap();
    let error = phonepe.create(&new_order(10)).await.unwrap_err();
    assert!(matches!(&error, GatewayError::Unavailable(why) if why.contains("INVALID_CLIENT")));
    assert!(!error.to_string().contains("guess"));
    assert!(rig.requests("pay").await.is_empty());
}

#[tokio::test]
async fn when_no_token_can_be_had_those_who_wait_share_one_refusal() {
    let rig = Rig::start().await;
    rig.fault(json!({"operation": "token", "kind": "slow", "delay_ms": 400})).await;
    let mut config = config(&rig.sandbox.base_url);
    config.client_id = "NOBODY".to_owned();
    let phonepe = PhonePe::with_limits(config, short_limits()).unwrap();
    let orders: Vec<_> = (0..20).map(|_| new_order(10)).collect();
    let made = join_all(orders.iter().map(|order| phonepe.create(order))).await;
    assert!(made.iter().all(|made| matches!(made, Err(GatewayError::Unavailable(_)))));
    assert_eq!(rig.requests("token").await.len(), 1);
}

#[tokio::test]
async fn neither_the_adapter_nor_its_configuration_prints_a_secret() {
    let rig = Rig::start().await;
    rig.created(10).await;
    let shown = format!("{:?} {:?}", rig.phonepe, config(&rig.sandbox.base_url));
    assert!(!shown.contains("open-sesame") && !shown.contains("O-Bearer"), "{shown}");
    assert!(!shown.contains("password: \"password\""), "{shown}");
}
