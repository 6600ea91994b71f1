//! The PhonePe adapter against the sandbox gateway, over real HTTP.

mod callbacks;
mod orders;
mod own_client;
mod page;
mod refunds;
mod sandbox;
mod tokens;
mod trouble;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::payment::OpenedOrder;
use dakiya_core::model::settings::gateway::{LaunchMode, PhonePeConfig};
use dakiya_core::providers::gateway::phonepe::PhonePe;
use dakiya_core::providers::gateway::phonepe::config::PhonePeLimits;
use dakiya_core::providers::gateway::{NewOrder, OrderState};
use dakiya_core::sandbox::Sandbox;
use dakiya_core::sandbox::options::SandboxOptions;
use reqwest::redirect::Policy;
use serde_json::{Value, json};

use crate::patience::patient;

const RETURN_URL: &str = "http://127.0.0.1:9/recharge/callback?merchantTransactionId=x&a=1";

/// A sandbox, an adapter pointed at it, and a plain client for everything else.
pub struct Rig {
    pub sandbox: Sandbox,
    pub phonepe: PhonePe,
    pub client: reqwest::Client,
}

pub fn sandbox_options() -> SandboxOptions {
    SandboxOptions {
        listen: ([127, 0, 0, 1], 0).into(),
        state_file: None,
        couriers_folder: None,
        callback_url: None,
        courier_callbacks: None,
        courier_callback_secret: "a-secret-of-couriers".into(),
        client_id: "SHOP".to_owned(),
        client_secret: "open-sesame".into(),
        callback_username: "username".to_owned(),
        callback_password: "password".into(),
        karrio_token: "key_sesame".into(),
        shiprocket_email: "shop@example.com".to_owned(),
        shiprocket_password: "open-sesame".into(),
    }
}

pub fn config(base: &str) -> PhonePeConfig {
    PhonePeConfig {
        oauth_base: base.to_owned(),
        pg_base: base.to_owned(),
        client_id: "SHOP".to_owned(),
        client_secret: "open-sesame".into(),
        client_version: "1".to_owned(),
        callback_username: "username".to_owned(),
        callback_password: "password".into(),
        launch: LaunchMode::Direct,
    }
}

/// Short timeouts for tests.
pub fn short_limits() -> PhonePeLimits {
    PhonePeLimits {
        total: patient(3_000),
        read_try: patient(500),
        write_try: patient(500),
        read_tries: 3,
        retry_pause: Duration::from_millis(20),
    }
}

impl Rig {
    pub async fn start() -> Rig {
        let sandbox = Sandbox::start(sandbox_options()).await.unwrap();
        let phonepe = PhonePe::with_limits(config(&sandbox.base_url), short_limits()).unwrap();
        Rig { sandbox, phonepe, client: client() }
    }

    /// A request to the control API; answers its JSON, or null.
    pub async fn sim(&self, method: &str, path: &str, body: Value) -> Value {
        sim(&self.client, &self.sandbox, method, path, body).await
    }

    pub async fn set(&self, settings: Value) {
        self.sim("PATCH", "settings", settings).await;
    }

    pub async fn act(&self, id: &str, act: Value) -> Value {
        self.sim("POST", &format!("orders/{id}/act"), act).await
    }

    pub async fn fault(&self, fault: Value) {
        self.sim("POST", "faults", fault).await;
    }

    pub async fn advance(&self, span: Duration) {
        self.sim("POST", "clock", json!({"advance_ms": span.as_millis() as u64})).await;
    }

    /// The requests of an operation so far.
    pub async fn requests(&self, operation: &str) -> Vec<Value> {
        let path = format!("requests?operation={operation}");
        self.sim("GET", &path, Value::Null).await.as_array().unwrap().clone()
    }

    pub async fn created(&self, rupees: i64) -> (NewOrder, OpenedOrder) {
        let order = new_order(rupees);
        let created = self.phonepe.create(&order).await.unwrap();
        (order, created)
    }

    pub async fn state(&self, order: &NewOrder) -> OrderState {
        self.phonepe.status(&order.merchant_order_id).await.unwrap().state
    }

    /// An authorised request as another merchant's program would send it.
    pub async fn token(&self) -> String {
        let url = format!("{}/v1/oauth/token", self.sandbox.base_url);
        let response = self.client.post(url).form(&oauth_form()).send().await.unwrap();
        let token: Value = response.json().await.unwrap();
        token["access_token"].as_str().unwrap().to_owned()
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        let url = format!("{}{path}", self.sandbox.base_url);
        let authorization = format!("O-Bearer {}", self.token().await);
        let request = self.client.get(url).header("authorization", authorization);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    pub async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let url = format!("{}{path}", self.sandbox.base_url);
        let authorization = format!("O-Bearer {}", self.token().await);
        let request = self.client.post(url).header("authorization", authorization).json(body);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }
}

/// A request to a sandbox's control API; answers its JSON, or null.
pub async fn sim(
    client: &reqwest::Client,
    sandbox: &Sandbox,
    method: &str,
    path: &str,
    body: Value,
) -> Value {
    let url = format!("{}/__sim/{path}", sandbox.base_url);
    let request = client.request(method.parse().unwrap(), url).json(&body);
    let response = request.send().await.unwrap();
    assert!(response.status().is_success(), "{path}: {}", response.text().await.unwrap());
    serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default()
}

pub fn oauth_form() -> [(&'static str, &'static str); 4] {
    [
        ("client_id", "SHOP"),
        ("client_secret", "open-sesame"),
        ("client_version", "1"),
        ("grant_type", "client_credentials"),
    ]
}

pub fn client() -> reqwest::Client {
    client_builder().build().unwrap()
}

/// A client for servers on this machine. Reading certificates would take longer than the calls.
pub fn client_builder() -> reqwest::ClientBuilder {
    // Another part of the process may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().redirect(Policy::none()).tls_certs_only([])
}

/// An order with an id no other test uses.
pub fn new_order(rupees: i64) -> NewOrder {
    static LAST: AtomicU64 = AtomicU64::new(0);
    NewOrder {
        merchant_order_id: format!("TOPUP-{}", LAST.fetch_add(1, Ordering::Relaxed)),
        amount: Paise::rupees(rupees),
        redirect_url: RETURN_URL.to_owned(),
        expire_after: Duration::from_secs(900),
    }
}
