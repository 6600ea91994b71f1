//! A server whose gateway is a sandbox of the test's own, so that callbacks can be forged and the
//! gateway outlives the server.

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Connection;

use crate::app::{Actor, Answer, TestApp};
use crate::gateway::Rig;

/// The `Authorization` of a genuine callback (server/docs/payments.md).
const GENUINE: &str = "bc842c31a9e54efe320d30d948be61291f3ceee4766e36ab25fa65243cd76e0e";

pub const CALLBACK: &str = "/api/v1/payment/phonepe/callback/";

pub struct Shop {
    pub rig: Rig,
    pub app: TestApp,
}

impl Shop {
    /// A server that gets no callbacks but the test's.
    pub async fn open() -> Shop {
        let rig = Rig::start().await;
        rig.set(json!({"callbacks": "never"})).await;
        let variables = variables(&rig.sandbox.base_url);
        let app = TestApp::start_with(&borrowed(&variables)).await;
        rig.sandbox.set_callback_url(format!("{}{CALLBACK}", app.url));
        Shop { rig, app }
    }

    /// Counts the status requests for an order that the gateway received.
    pub async fn questions(&self, id: &str) -> usize {
        let path = format!("requests?operation=status&contains={id}");
        let asked = self.rig.sim("GET", &path, Value::Null).await;
        asked.as_array().expect("a list").len()
    }

    /// The order created last, even if its response was lost.
    pub async fn newest_order(&self) -> String {
        let url = &self.app.app.web.config.database_url;
        let mut conn = sqlx::AnyConnection::connect(url).await.expect("a database");
        let newest = "select merchant_order_id from payment_orders
                      order by created_ms desc limit 1";
        let found = sqlx::query_scalar(newest).fetch_one(&mut conn).await;
        found.expect("an order")
    }
}

/// Variables that make the program use the gateway at this address.
pub fn variables(gateway: &str) -> [(&'static str, String); 7] {
    [
        ("DAKIYA_GATEWAY", "phonepe"),
        ("DAKIYA_PHONEPE_OAUTH_URL", gateway),
        ("DAKIYA_PHONEPE_PG_URL", gateway),
        ("DAKIYA_PHONEPE_CLIENT_ID", "SHOP"),
        ("DAKIYA_PHONEPE_CLIENT_SECRET", "open-sesame"),
        ("DAKIYA_PHONEPE_CALLBACK_USERNAME", "username"),
        ("DAKIYA_PHONEPE_CALLBACK_PASSWORD", "password"),
    ]
    .map(|(name, value)| (name, value.to_owned()))
}

pub fn borrowed<'a>(variables: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    let pairs = variables.iter();
    pairs.map(|(name, value)| (*name, value.as_str())).collect()
}

pub async fn create(actor: &Actor, rupees: i64) -> Value {
    let body = json!({"amount": rupees});
    actor.post("/api/v1/payment/phonepe/create/", body).await.expect(200).json()
}

pub fn id(created: &Value) -> String {
    created["payment_data"]["merchant_order_id"].as_str().unwrap().to_owned()
}

pub async fn try_verify(actor: &Actor, id: &str) -> Answer {
    let body = json!({"merchant_order_id": id});
    actor.post("/api/v1/payment/phonepe/verify/", body).await
}

pub async fn verify(actor: &Actor, id: &str) -> Value {
    try_verify(actor, id).await.expect(200).json()
}

/// The order's status in our own database.
pub async fn status(actor: &Actor, id: &str) -> String {
    let path = format!("/api/v1/payment/phonepe/status/{id}/");
    let status = actor.get(&path).await.expect(200).json();
    status["status"].as_str().unwrap().to_owned()
}

/// Sends a callback, with a genuine or a wrong `Authorization`.
pub async fn call_back(anon: &Actor, genuine: bool, body: impl ToString) -> Answer {
    let authorization = if genuine { GENUINE } else { &GENUINE[1..] };
    let headers = [("authorization", authorization)];
    let body = Some(body.to_string());
    anon.send(Method::POST, CALLBACK, &headers, body).await
}

/// The body of a callback that claims an order was paid.
pub fn paid(id: &str, paise: i64) -> Value {
    json!({
        "event": "checkout.order.completed",
        "payload": {"merchantOrderId": id, "state": "COMPLETED", "amount": paise},
    })
}
