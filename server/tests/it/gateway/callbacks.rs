//! The gateway's callbacks, valid and invalid, and the adapter's handling of them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use dakiya_core::limits::SANDBOX_CALLBACK_PAUSE_MS;
use dakiya_core::providers::gateway::phonepe::callback::parse_callback;
use dakiya_core::providers::gateway::{NewOrder, NewRefund};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};

use super::Rig;
use crate::patience::eventually;

/// A shop's callback endpoint: the requests received, in order, with their times.
#[derive(Clone, Default)]
struct Shop {
    taken: Arc<Mutex<Vec<CallbackRequest>>>,
}

#[derive(Clone)]
struct CallbackRequest {
    at: Instant,
    authorization: String,
    body: Bytes,
}

impl CallbackRequest {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Shop {
    /// A shop that receives all callbacks of this rig.
    async fn open(rig: &Rig) -> Shop {
        let shop = Shop::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/callback", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/callback", post(take))
            .route("/back", get(|| async { "back" }))
            .with_state(shop.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        rig.sandbox.set_callback_url(url);
        shop
    }

    fn taken(&self) -> Vec<CallbackRequest> {
        self.taken.lock().unwrap().clone()
    }

    async fn wait_for(&self, count: usize) -> Vec<CallbackRequest> {
        eventually(async || Some(self.taken()).filter(|taken| taken.len() >= count)).await
    }
}

async fn take(State(shop): State<Shop>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let authorization = headers["authorization"].to_str().unwrap().to_owned();
    let at = Instant::now();
    shop.taken.lock().unwrap().push(CallbackRequest { at, authorization, body });
    StatusCode::OK
}

/// Pays on the hosted page in this callback mode; returns the order and the time of payment.
async fn pay_in_mode(rig: &Rig, mode: &str) -> (NewOrder, Instant) {
    rig.set(json!({"callbacks": mode, "callback_delay_ms": 600})).await;
    let (order, created) = rig.created(100).await;
    let token = created.page_url.split_once("token=").unwrap().1.to_owned();
    let form = [("token", token.as_str()), ("do", "pay"), ("method", "CARD")];
    let url = format!("{}/transact", rig.sandbox.base_url);
    let paid = Instant::now();
    let response = rig.client.post(url).form(&form).send().await.unwrap();
    assert_eq!(response.status(), 303);
    (order, paid)
}

#[tokio::test]
async fn a_callback_is_genuine_and_names_the_order() {
    let rig = Rig::start().await;
    let shop = Shop::open(&rig).await;
    for scheme in [false, true] {
        rig.set(json!({"callback_scheme": scheme})).await;
        let (order, _) = pay_in_mode(&rig, "after_redirect").await;
        let taken = shop.wait_for(1 + usize::from(scheme)).await.pop().unwrap();
        assert!(rig.phonepe.callback_is_genuine(&taken.authorization));
        assert_eq!(taken.authorization.starts_with("SHA256 "), scheme);
        assert_eq!(parse_callback(&taken.body), Some(order.merchant_order_id));
        let body = taken.json();
        assert_eq!(body["event"], "checkout.order.completed");
        let payload = &body["payload"];
        assert_eq!((&payload["state"], &payload["amount"]), (&json!("COMPLETED"), &json!(10_000)));
        assert_eq!(payload["paymentDetails"][0]["state"], "COMPLETED");
    }
}

#[tokio::test]
async fn a_callback_comes_before_or_after_the_browser_as_told() {
    let rig = Rig::start().await;
    let shop = Shop::open(&rig).await;
    pay_in_mode(&rig, "before_redirect").await;
    assert_eq!(shop.taken().len(), 1);
    let pause = Duration::from_millis(SANDBOX_CALLBACK_PAUSE_MS);
    let (_, paid) = pay_in_mode(&rig, "after_redirect").await;
    assert!(shop.wait_for(2).await[1].at > paid + pause);
    let (_, paid) = pay_in_mode(&rig, "delayed").await;
    assert!(shop.wait_for(3).await[2].at > paid + Duration::from_millis(500));
    let (_, paid) = pay_in_mode(&rig, "twice").await;
    let taken = shop.wait_for(5).await;
    assert!(taken[4].at > paid + Duration::from_millis(500));
    assert_eq!(taken[3].body, taken[4].body);
}

#[tokio::test]
async fn a_callback_may_never_come() {
    let rig = Rig::start().await;
    let shop = Shop::open(&rig).await;
    pay_in_mode(&rig, "never").await;
    sleep(Duration::from_millis(900)).await;
    assert!(shop.taken().is_empty());
}

#[tokio::test]
async fn a_callback_may_lie() {
    let rig = Rig::start().await;
    let shop = Shop::open(&rig).await;
    pay_in_mode(&rig, "wrong_hash").await;
    assert!(!rig.phonepe.callback_is_genuine(&shop.wait_for(1).await[0].authorization));

    let (order, _) = pay_in_mode(&rig, "unknown_event").await;
    let taken = shop.wait_for(2).await.pop().unwrap();
    assert_eq!(taken.json()["event"], "checkout.order.reviewed");
    assert_eq!(parse_callback(&taken.body), Some(order.merchant_order_id));

    pay_in_mode(&rig, "wrong_amount").await;
    let taken = shop.wait_for(3).await.pop().unwrap();
    assert!(rig.phonepe.callback_is_genuine(&taken.authorization));
    assert_eq!(taken.json()["payload"]["amount"], 110_000);
}

#[tokio::test]
async fn expiries_failures_and_refunds_are_called_back_too() {
    let rig = Rig::start().await;
    let shop = Shop::open(&rig).await;
    rig.set(json!({"callbacks": "before_redirect", "refund_step_ms": 1_000})).await;
    let (expired, _) = rig.created(100).await;
    rig.advance(Duration::from_secs(900)).await;
    let taken = shop.wait_for(1).await.pop().unwrap().json();
    assert_eq!(taken["event"], "checkout.order.failed");
    assert_eq!(taken["payload"]["errorCode"], "TXN_NOT_COMPLETED");

    let id = expired.merchant_order_id;
    rig.act(&id, json!({"action": "pay"})).await;
    assert_eq!(shop.wait_for(2).await[1].json()["event"], "checkout.order.completed");
    let refund = NewRefund {
        merchant_refund_id: format!("R-{id}"),
        merchant_order_id: id.clone(),
        amount: expired.amount,
    };
    rig.phonepe.refund(&refund).await.unwrap();
    rig.advance(Duration::from_secs(2)).await;
    let taken = shop.wait_for(4).await;
    let events: Vec<_> = taken[2..].iter().map(|t| t.json()["event"].clone()).collect();
    assert_eq!(events, ["pg.refund.accepted", "pg.refund.completed"]);
    assert_eq!(parse_callback(&taken[3].body), Some(id));
}

#[tokio::test]
async fn a_callback_can_be_sent_by_hand_and_its_answer_seen() {
    let rig = Rig::start().await;
    let shop = Shop::open(&rig).await;
    rig.set(json!({"callbacks": "never"})).await;
    let (order, _) = rig.created(100).await;
    let path = format!("orders/{}/callback", order.merchant_order_id);
    let sent = rig.sim("POST", &path, json!({"mode": "wrong_hash"})).await;
    assert_eq!((&sent["status"], &sent["mode"]), (&json!(200), &json!("wrong_hash")));
    assert_eq!(shop.taken().len(), 1);
    assert_eq!(rig.sim("GET", "callbacks", json!(null)).await, json!([sent]));
}
