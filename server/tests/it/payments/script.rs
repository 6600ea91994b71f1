//! A gateway that reports for each order exactly the state that the test has set.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Path, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::shop::{borrowed, variables};
use crate::app::TestApp;

/// The gateway's state of an order: PENDING, FAILED or COMPLETED.
pub type Word = &'static str;

#[derive(Clone, Default)]
pub struct Script {
    orders: Arc<Mutex<HashMap<String, Line>>>,
}

struct Line {
    amount: i64,
    word: Word,
    questions: usize,
}

impl Script {
    /// A server that uses this gateway.
    pub async fn with_app() -> (Script, TestApp) {
        let script = Script::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/v1/oauth/token", post(token))
            .route("/checkout/v2/pay", post(pay))
            .route("/checkout/v2/order/{id}/status", get(status))
            .with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let app = TestApp::start_with(&borrowed(&variables(&url))).await;
        (script, app)
    }

    /// Sets the order's state at the gateway.
    pub fn say(&self, id: &str, word: Word) {
        let mut orders = self.orders.lock().unwrap();
        orders.get_mut(id).expect("an order").word = word;
    }

    /// Counts the status requests for an order.
    pub fn questions(&self, id: &str) -> usize {
        self.orders.lock().unwrap()[id].questions
    }
}

async fn token() -> Json<Value> {
    // Times in seconds: from 2001 to 2286.
    let token = json!({"access_token": "t", "issued_at": 1_000_000_000_i64,
        "expires_at": 9_999_999_999_i64, "token_type": "O-Bearer"});
    Json(token)
}

async fn pay(State(script): State<Script>, Json(body): Json<Value>) -> Json<Value> {
    let id = body["merchantOrderId"].as_str().unwrap();
    let line = Line { amount: body["amount"].as_i64().unwrap(), word: "PENDING", questions: 0 };
    script.orders.lock().unwrap().insert(id.to_owned(), line);
    let reply = json!({"orderId": format!("OMO-{id}"), "state": "PENDING",
        "redirectUrl": "http://127.0.0.1:9/pay"});
    Json(reply)
}

async fn status(State(script): State<Script>, Path(id): Path<String>) -> Json<Value> {
    let mut orders = script.orders.lock().unwrap();
    let line = orders.get_mut(&id).expect("an order of ours");
    line.questions += 1;
    let attempt = json!({"transactionId": format!("T-{id}"), "paymentMode": "UPI_INTENT",
        "amount": line.amount, "state": line.word});
    let reply = json!({"orderId": format!("OMO-{id}"), "state": line.word, "amount": line.amount,
        "errorCode": "INVALID_MPIN", "paymentDetails": [attempt]});
    Json(reply)
}
