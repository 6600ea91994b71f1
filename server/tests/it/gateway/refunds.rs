//! Refunds.

use std::time::Duration;

use dakiya_core::model::money::paise::Paise;
use dakiya_core::providers::gateway::{GatewayError, NewRefund, RefundState};
use serde_json::json;

use super::Rig;

/// A paid order of ₹100 and a refund of a part of it.
async fn paid(rig: &Rig, refund_rupees: i64) -> NewRefund {
    let (order, _) = rig.created(100).await;
    rig.act(&order.merchant_order_id, json!({"action": "pay"})).await;
    refund_of(&order.merchant_order_id, "1", refund_rupees)
}

fn refund_of(order_id: &str, name: &str, rupees: i64) -> NewRefund {
    NewRefund {
        merchant_refund_id: format!("REFUND-{name}-{order_id}"),
        merchant_order_id: order_id.to_owned(),
        amount: Paise::rupees(rupees),
    }
}

#[tokio::test]
async fn a_refund_goes_from_pending_over_confirmed_to_completed() {
    let rig = Rig::start().await;
    rig.set(json!({"refund_step_ms": 60_000})).await;
    let refund = paid(&rig, 40).await;
    let made = rig.phonepe.refund(&refund).await.unwrap();
    assert!(made.provider_refund_id.starts_with("OMR"));
    assert_eq!((made.amount, made.state), (Paise::rupees(40), RefundState::Pending));
    for expected in [RefundState::Confirmed, RefundState::Completed] {
        rig.advance(Duration::from_secs(60)).await;
        let status = rig.phonepe.refund_status(&refund.merchant_refund_id).await.unwrap();
        assert_eq!((status.amount, status.state), (Paise::rupees(40), expected));
        assert_eq!(status.provider_refund_id, made.provider_refund_id);
    }
}

#[tokio::test]
async fn a_refund_can_fail_and_its_money_be_refunded_again() {
    let rig = Rig::start().await;
    rig.set(json!({"refund_step_ms": 60_000, "refunds_fail": true})).await;
    let refund = paid(&rig, 100).await;
    rig.phonepe.refund(&refund).await.unwrap();
    rig.advance(Duration::from_secs(120)).await;
    let status = rig.phonepe.refund_status(&refund.merchant_refund_id).await.unwrap();
    assert_eq!(status.state, RefundState::Failed { code: "BANK_TECHNICAL_ISSUE".to_owned() });
    let again = refund_of(&refund.merchant_order_id, "2", 100);
    rig.phonepe.refund(&again).await.unwrap();
}

#[tokio::test]
async fn no_more_is_refunded_than_was_paid() {
    let rig = Rig::start().await;
    let first = paid(&rig, 60).await;
    rig.phonepe.refund(&first).await.unwrap();
    let second = refund_of(&first.merchant_order_id, "2", 41);
    let error = rig.phonepe.refund(&second).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused { http: 400, .. }), "{error}");
    let third = refund_of(&first.merchant_order_id, "3", 40);
    rig.phonepe.refund(&third).await.unwrap();
}

#[tokio::test]
async fn only_a_completed_order_can_be_refunded_and_each_refund_once() {
    let rig = Rig::start().await;
    let (order, _) = rig.created(100).await;
    let early = refund_of(&order.merchant_order_id, "1", 10);
    let error = rig.phonepe.refund(&early).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused { http: 400, .. }), "{error}");
    let refund = paid(&rig, 10).await;
    rig.phonepe.refund(&refund).await.unwrap();
    let error = rig.phonepe.refund(&refund).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused { http: 417, .. }), "{error}");
    assert_eq!(rig.phonepe.refund_status("NONE").await, Err(GatewayError::NotFound));
}

#[tokio::test]
async fn a_refund_whose_answer_was_lost_is_found_and_not_sent_again() {
    let rig = Rig::start().await;
    for kind in ["drop", "internal_error", "garbage"] {
        let refund = paid(&rig, 10).await;
        rig.sim("DELETE", "requests", json!(null)).await;
        rig.fault(json!({"operation": "refund", "kind": kind, "when": "after_work"})).await;
        let found = rig.phonepe.refund(&refund).await.unwrap();
        assert_eq!(found.amount, Paise::rupees(10));
        assert_eq!(rig.requests("refund").await.len(), 1);
    }
    let refund = paid(&rig, 10).await;
    rig.fault(json!({"operation": "refund", "kind": "drop"})).await;
    let error = rig.phonepe.refund(&refund).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unknown { stored: Some(false), .. }), "{error}");
}
