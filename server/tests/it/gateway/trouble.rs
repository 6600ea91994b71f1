//! A gateway that is slow, broken, hanging or unreachable.

use std::time::Duration;

use dakiya_core::limits::{PROVIDER_FAILURES_MAX, PROVIDER_REST_MS};
use dakiya_core::providers::gateway::phonepe::PhonePe;
use dakiya_core::providers::gateway::phonepe::config::PhonePeLimits;
use dakiya_core::providers::gateway::{GatewayError, OrderState};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::time::sleep;

use super::{Rig, config, new_order, short_limits};
use crate::patience::patient;

/// Creates an order with this fault; returns the error and the number of requests sent.
async fn create_after(fault: serde_json::Value) -> (GatewayError, usize) {
    let rig = Rig::start().await;
    rig.fault(fault).await;
    let error = rig.phonepe.create(&new_order(10)).await.unwrap_err();
    (error, rig.requests("pay").await.len())
}

#[tokio::test]
async fn a_create_that_times_out_after_it_was_stored_is_never_sent_again() {
    let slow = json!({"operation": "pay", "kind": "slow", "delay_ms": patient(2_000).as_millis()});
    let (error, sent) = create_after(slow).await;
    assert!(matches!(error, GatewayError::Unknown { stored: Some(true), .. }), "{error}");
    assert_eq!(sent, 1);
}

#[tokio::test]
async fn a_create_without_a_clear_answer_says_whether_the_order_was_stored() {
    let kinds =
        ["internal_error", "unavailable", "drop", "garbage", "huge", "redirect"].into_iter();
    for (kind, when) in kinds.flat_map(|kind| [(kind, "before_work"), (kind, "after_work")]) {
        let fault = json!({"operation": "pay", "kind": kind, "when": when});
        let (error, sent) = create_after(fault).await;
        let expected = Some(when == "after_work");
        let GatewayError::Unknown { stored, .. } = error else { panic!("{kind}: {error}") };
        assert_eq!((stored, sent), (expected, 1), "{kind} {when}");
    }
}

#[tokio::test]
async fn a_create_whose_status_cannot_be_asked_either_says_so() {
    let rig = Rig::start().await;
    rig.fault(json!({"operation": "pay", "kind": "drop", "when": "after_work"})).await;
    rig.fault(json!({"operation": "status", "kind": "unavailable", "times": 9})).await;
    let order = new_order(10);
    let error = rig.phonepe.create(&order).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unknown { stored: None, .. }), "{error}");
    rig.sim("DELETE", "faults", json!(null)).await;
    assert_eq!(rig.state(&order).await, OrderState::Pending);
}

#[tokio::test]
async fn a_create_that_is_refused_is_not_doubted() {
    let too_many = json!({"operation": "pay", "kind": "too_many"});
    let (error, sent) = create_after(too_many).await;
    assert!(matches!(error, GatewayError::Refused { http: 429, .. }), "{error}");
    assert_eq!(sent, 1);
}

#[tokio::test]
async fn a_question_is_asked_again_until_it_is_answered() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    for kind in ["internal_error", "unavailable", "drop", "garbage", "huge", "too_many"] {
        rig.fault(json!({"operation": "status", "kind": kind, "times": 2})).await;
        assert_eq!(rig.state(&order).await, OrderState::Pending, "{kind}");
    }
    assert_eq!(rig.requests("status").await.len(), 6 * 3);
}

#[tokio::test]
async fn a_question_is_given_up_after_three_tries() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    rig.fault(json!({"operation": "status", "kind": "unavailable", "times": 9})).await;
    let error = rig.phonepe.status(&order.merchant_order_id).await.unwrap_err();
    // The reply was plain text; it is quoted, not parsed.
    let expected = "HTTP 503 HTTP_503: upstream connect error".to_owned();
    assert_eq!(error, GatewayError::Unavailable(expected));
    assert_eq!(rig.requests("status").await.len(), 3);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    rig.fault(json!({"operation": "status", "kind": "redirect", "times": 3})).await;
    let error = rig.phonepe.status(&order.merchant_order_id).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unavailable(_)), "{error}");
    assert!(rig.requests("page").await.is_empty());
}

#[tokio::test]
async fn a_slow_gateway_costs_no_more_than_the_time_allowed() {
    let rig = Rig::start().await;
    let limits = PhonePeLimits { total: patient(700), ..short_limits() };
    let phonepe = PhonePe::with_limits(config(&rig.sandbox.base_url), limits).unwrap();
    let late = patient(5_000).as_millis();
    let slow = |operation| json!({"operation": operation, "kind": "slow", "delay_ms": late});
    rig.fault(slow("pay")).await;
    rig.fault(slow("status")).await;
    let error = phonepe.create(&new_order(10)).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unknown { stored: None, .. }), "{error}");
    // The deadline ends the first of three tries.
    assert!(rig.requests("status").await.len() <= 1);
}

#[tokio::test]
async fn a_gateway_that_is_not_there_was_told_nothing() {
    let rig = Rig::start().await;
    let unused = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = format!("http://{}", unused.local_addr().unwrap());
    drop(unused);
    // The gateway is unreachable: not even a token.
    let phonepe = PhonePe::with_limits(config(&nobody), short_limits()).unwrap();
    let error = phonepe.create(&new_order(10)).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unavailable(_)), "{error}");
    // There is a token, but the payment API is unreachable.
    let mut config = config(&rig.sandbox.base_url);
    config.pg_base = nobody;
    let phonepe = PhonePe::with_limits(config, short_limits()).unwrap();
    let error = phonepe.create(&new_order(10)).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unavailable(_)), "{error}");
    let error = phonepe.status("A").await.unwrap_err();
    assert!(matches!(error, GatewayError::Unavailable(_)), "{error}");
}

#[tokio::test]
async fn a_gateway_that_fails_too_often_is_left_alone_for_a_moment() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(10).await;
    let id = order.merchant_order_id.as_str();
    rig.fault(json!({"operation": "status", "kind": "unavailable", "times": 100})).await;
    for _ in 0..6 {
        let error = rig.phonepe.status(id).await.unwrap_err();
        assert!(matches!(error, GatewayError::Unavailable(_)), "{error}");
    }
    let asked = rig.requests("status").await.len();
    assert_eq!(asked, usize::try_from(PROVIDER_FAILURES_MAX).unwrap());
    rig.sim("DELETE", "faults", json!(null)).await;
    sleep(Duration::from_millis(PROVIDER_REST_MS)).await;
    assert_eq!(rig.state(&order).await, OrderState::Pending);
}

#[tokio::test]
async fn a_base_url_that_is_none_is_refused_at_the_start() {
    for base in ["", "api.phonepe.com", "http://127.0.0.1:80/", "ftp://host"] {
        assert!(PhonePe::new(config(base)).is_err(), "{base}");
    }
}
