//! The sandbox couriers' own behaviour: authorisation, refusals, state kept.

mod karrio;
mod karrio_orders;
mod shiprocket;
mod shiprocket_orders;
mod trouble;

use dakiya_core::sandbox::Sandbox;
use dakiya_core::sandbox::options::SandboxOptions;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::app::block_on;
use crate::gateway::{client, sandbox_options, sim};

/// A sandbox and a plain client.
pub struct Rig {
    pub sandbox: Sandbox,
    pub client: reqwest::Client,
}

impl Rig {
    pub async fn start() -> Rig {
        Rig::with(sandbox_options()).await
    }

    /// A sandbox whose responses hold only the documented fields.
    pub async fn plain() -> Rig {
        let rig = Rig::start().await;
        for partner in ["karrio", "shiprocket"] {
            rig.set(partner, json!({"unknown_fields": false})).await;
        }
        rig
    }

    pub async fn with(options: SandboxOptions) -> Rig {
        Rig { sandbox: Sandbox::start(options).await.unwrap(), client: client() }
    }

    pub async fn sim(&self, method: &str, path: &str, body: Value) -> Value {
        sim(&self.client, &self.sandbox, method, path, body).await
    }

    pub async fn set(&self, partner: &str, settings: Value) {
        self.sim("PATCH", &format!("{partner}/settings"), settings).await;
    }

    /// Makes the courier report this event of a shipment.
    pub async fn scan(&self, partner: &str, awb: &str, scan: Value) {
        let path = format!("{partner}/shipments/{awb}/scan");
        self.sim("POST", &path, scan).await;
    }

    pub async fn shipments(&self, partner: &str) -> Vec<Value> {
        let path = format!("{partner}/shipments");
        let shipments = self.sim("GET", &path, Value::Null).await;
        shipments.as_array().unwrap().clone()
    }

    /// A request to a full URL, with the body as JSON if there is one.
    pub async fn send(
        &self,
        method: &str,
        url: &str,
        authorization: Option<&str>,
        body: &Value,
    ) -> Response {
        let mut request = self.client.request(method.parse().unwrap(), url);
        if let Some(authorization) = authorization {
            request = request.header("authorization", authorization);
        }
        if !body.is_null() {
            request = request.json(body);
        }
        request.send().await.unwrap()
    }

    /// A request to Karrio with the right key.
    pub async fn karrio(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let url = format!("{}{path}", self.sandbox.karrio_url());
        let key = Some("Token key_sesame");
        read(self.send(method, &url, key, &body).await).await
    }

    /// A request to Shiprocket with a new token.
    pub async fn shiprocket(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let url = format!("{}{path}", self.sandbox.shiprocket_url());
        let token = format!("Bearer {}", self.token().await);
        read(self.send(method, &url, Some(&token), &body).await).await
    }

    pub async fn token(&self) -> String {
        let (status, answer) = self.login("open-sesame").await;
        assert_eq!(status, 200, "{answer}");
        answer["token"].as_str().unwrap().to_owned()
    }

    pub async fn login(&self, password: &str) -> (u16, Value) {
        let url = format!("{}/auth/login", self.sandbox.shiprocket_url());
        let login = json!({"email": "shop@example.com", "password": password});
        read(self.send("POST", &url, None, &login).await).await
    }

    /// Creates a draft at Karrio; returns the response.
    pub async fn draft(&self, reference: &str) -> Value {
        let (status, draft) = self.karrio("POST", "/v1/shipments", parcel(reference)).await;
        assert_eq!((status, &draft["status"]), (201, &json!("draft")), "{draft}");
        draft
    }

    /// Buys a shipment at Karrio; returns the response.
    pub async fn bought(&self, reference: &str) -> Value {
        let mut parcel = parcel(reference);
        parcel["service"] = json!("fedex_international_priority");
        let (status, shipment) = self.karrio("POST", "/v1/shipments", parcel).await;
        assert_eq!(status, 201, "{shipment}");
        shipment
    }

    /// Creates an order at Shiprocket; returns the ids of the order and its shipment.
    pub async fn ordered(&self, reference: &str) -> [u64; 2] {
        let order = order(reference);
        let (status, answer) = self.shiprocket("POST", "/orders/create/adhoc", order).await;
        assert_eq!((status, &answer["status"]), (200, &json!("NEW")), "{answer}");
        ["order_id", "shipment_id"].map(|id| answer[id].as_u64().unwrap())
    }

    /// Makes an order with an AWB.
    pub async fn assigned(&self, reference: &str) -> ([u64; 2], String) {
        let ids = self.ordered(reference).await;
        let ask = json!({"shipment_id": ids[1], "courier_id": 55});
        let (status, answer) = self.shiprocket("POST", "/courier/assign/awb", ask).await;
        let awb = answer["response"]["data"]["awb_code"].as_str();
        assert_eq!((status, awb.is_some()), (200, true), "{answer}");
        (ids, awb.unwrap().to_owned())
    }
}

/// Status and JSON of a response.
pub async fn read(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let body = response.bytes().await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

/// A shipment to New York, as sent to Karrio.
pub fn parcel(reference: &str) -> Value {
    json!({
        "shipper": {"postal_code": "110001", "city": "New Delhi", "country_code": "IN"},
        "recipient": {"postal_code": "10001", "city": "New York", "country_code": "US",
            "person_name": "Bob Receiver", "address_line1": "2 Sample St"},
        "parcels": [{"weight": 2.5, "weight_unit": "KG", "length": 20, "width": 15,
            "height": 10, "dimension_unit": "CM"}],
        "label_type": "PDF",
        "reference": reference,
        "metadata": {"booking": reference},
    })
}

/// An order to Bengaluru, as sent to Shiprocket.
pub fn order(reference: &str) -> Value {
    json!({
        "order_id": reference,
        "order_date": "2026-11-21 10:00",
        "pickup_location": "Primary",
        "billing_customer_name": "Asha",
        "billing_last_name": "Rao",
        "billing_address": "12 Example Road",
        "billing_city": "Bengaluru",
        "billing_pincode": "560034",
        "billing_state": "Karnataka",
        "billing_country": "India",
        "billing_email": "asha@example.com",
        "billing_phone": "9876543210",
        "shipping_is_billing": true,
        "order_items": [{"name": "Shirt", "sku": "S1", "units": 2, "selling_price": 450}],
        "payment_method": "Prepaid",
        "sub_total": 900,
        "length": 20,
        "breadth": 15,
        "height": 10,
        "weight": 1.2,
    })
}

/// A name of a stranger's may lead to this machine, and a page from there then counts as ours.
#[test]
fn a_page_of_another_name_reads_and_changes_nothing_here() {
    block_on(async {
        let rig = Rig::start().await;
        let ask = async |method: Method, path: &str, host: &str| {
            let url = format!("{}{path}", rig.sandbox.base_url);
            let request = rig.client.request(method, url).header("host", host);
            request.send().await.unwrap()
        };
        let paths = ["/__sim/inbox", "/__sim/orders", "/__sim/karrio/shipments", "/no/such"];
        for host in [
            "evil.example",
            "evil.example:8079",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "10.0.0.1",
            "[fd00::1]:8079",
        ] {
            for path in paths {
                let refused = ask(Method::GET, path, host).await;
                assert_eq!(refused.status(), 421, "{host} {path}");
                let text = refused.text().await.unwrap();
                assert!(text.contains("this machine only"), "{text}");
            }
            let emptied = ask(Method::DELETE, "/__sim/inbox", host).await;
            assert_eq!(emptied.status(), 421, "{host}");
        }
        for host in ["localhost", "LOCALHOST:8079", "127.0.0.1", "127.1.2.3:80", "[::1]:8079"] {
            for (path, status) in paths.into_iter().zip([200_u16, 200, 200, 404]) {
                let answer = ask(Method::GET, path, host).await;
                assert_eq!(answer.status(), status, "{host} {path}");
            }
        }
    });
}
