//! Partner couriers: their prices come together with our own, and they book at most once.

mod bodies;
mod booking;
mod callbacks;
mod cancel;
mod late_orders;
mod notices;
#[cfg(feature = "faults")]
mod proof_kills;
mod proof_partners;
mod proof_saga;
mod rates;
#[cfg(feature = "faults")]
mod real_karrio;
#[cfg(feature = "faults")]
mod stuck;
mod tracking;
mod tracking_words;

use std::sync::Arc;

use dakiya_core::model::courier::order::Scan;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::model::task::TaskKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp};
use crate::gateway::client_builder;
use crate::patience::until;
use crate::{bookings, kyc};

pub const ALL: [(&str, &str); 1] = [("DAKIYA_COURIERS", "house,karrio,shiprocket")];

/// A server with partners, a customer with money, and the partners' control API.
#[derive(Clone)]
pub struct Rig {
    pub app: Arc<TestApp>,
    pub asha: Actor,
    control: reqwest::Client,
}

impl Rig {
    pub async fn start() -> Rig {
        let app = TestApp::start_with(&ALL).await;
        let asha = app.user("asha").await;
        app.recharge(&asha, 50_000).await;
        Rig {
            app: Arc::new(app),
            asha,
            // A connection that was idle long may be closed just as it is used again.
            control: client_builder().pool_max_idle_per_host(0).build().expect("a client"),
        }
    }

    /// A rig whose partners never call back, so that nothing but the test reads their reports.
    pub async fn start_quiet() -> Rig {
        let rig = Rig::start().await;
        for partner in ["karrio", "shiprocket"] {
            rig.set(partner, json!({"callbacks": "never"})).await;
        }
        rig
    }

    /// Moves the clock by a minute, and runs the tasks of open orders.
    pub async fn sweep_a_minute_later(&self) {
        self.sweep_later(61_000).await;
    }

    /// Moves the clock, and runs all tasks that concern couriers.
    pub async fn sweep_later(&self, later_ms: i64) {
        let app = &self.app.app;
        app.core.clock.advance_ms(later_ms);
        // The partners' clock moves, too.
        let span = json!({"advance_ms": later_ms});
        self.sim(Method::POST, "clock", span).await;
        use TaskKind::{CallOff, Cancellation, CourierOrder, Tracking};
        for kind in [CourierOrder, Cancellation, CallOff, Tracking] {
            self.app.round(kind).await;
        }
    }

    /// Confirms, and hangs up when the partner has received this many requests of an operation.
    pub async fn hangs_up(&self, key: &str, form: &Value, asked: (&str, &str, usize)) {
        let (asha, key, form) = (self.asha.clone(), key.to_owned(), form.clone());
        let hurried = tokio::spawn(async move { bookings::confirm(&asha, &key, &form).await });
        let (partner, operation, times) = asked;
        until("the courier is asked", async || self.asked(partner, operation).await >= times).await;
        assert!(!hurried.is_finished(), "it waits for the courier");
        hurried.abort();
    }

    /// Shipments that a partner will carry and bill, from the partner's own records.
    pub async fn book(&self, partner: &str) -> Vec<Value> {
        let path = format!("{partner}/book");
        let carried = self.sim(Method::GET, &path, Value::Null).await;
        carried.as_array().expect("a book").clone()
    }

    /// A request to a partner's control API; answers its JSON, or null.
    pub async fn sim(&self, method: Method, path: &str, body: Value) -> Value {
        let sandbox = self.app.app.sandbox.as_ref().expect("a sandbox");
        let url = format!("{}/__sim/{path}", sandbox.base_url);
        let answer = self.control.request(method, url).json(&body).send().await;
        let answer = answer.expect("the sandbox");
        let (status, body) = (answer.status(), answer.text().await.unwrap_or_default());
        assert!(status.is_success(), "{path}: {status} {body}");
        serde_json::from_str(&body).unwrap_or_default()
    }

    pub async fn fault(&self, partner: &str, fault: Value) {
        self.sim(Method::POST, &format!("{partner}/faults"), fault).await;
    }

    pub async fn set(&self, partner: &str, settings: Value) {
        self.sim(Method::PATCH, &format!("{partner}/settings"), settings).await;
    }

    /// Counts the requests for an operation that a partner received.
    pub async fn asked(&self, partner: &str, operation: &str) -> usize {
        let path = format!("{partner}/requests?operation={operation}");
        let log = self.sim(Method::GET, &path, Value::Null).await;
        log.as_array().expect("a log").len()
    }

    /// All shipments in a partner's records.
    pub async fn shipments(&self, partner: &str) -> Vec<Value> {
        let path = format!("{partner}/shipments");
        let all = self.sim(Method::GET, &path, Value::Null).await;
        all.as_array().expect("shipments").clone()
    }

    /// The form of a booking with a partner's cheapest service that needs no OTP.
    pub async fn form(&self, partner: &str) -> Value {
        let kyc_info = match partner {
            "karrio" => kyc::info(&self.asha).await,
            _ => Value::Null,
        };
        self.form_with(partner, &kyc_info).await
    }

    /// Makes a booking form with documents that were uploaded before.
    pub async fn form_with(&self, partner: &str, kyc_info: &Value) -> Value {
        let (shipment, is_abroad) = match partner {
            "karrio" => (abroad("2.5"), true),
            _ => (parcel("2.5"), false),
        };
        let rates = self.rates(shipment).await.json();
        let services = of_partners(&rates);
        let service = services.iter().find(|rate| rate["otp_required"] == false);
        let mut form = bookings::form(service.expect("a service"));
        if is_abroad {
            form["booking_type"] = json!(1);
            form["destination_pincode"] = json!("10001");
            form["destination_country_id"] = json!(229);
            form["consignee_city"] = json!("New York");
            form["consignee_state_code"] = json!("NY");
            form["consignee_mobile"] = json!("+12125550100");
            form["kyc_info"] = kyc_info.clone();
        }
        form
    }

    /// The customer's number in the database.
    #[cfg(feature = "faults")]
    pub async fn user_id(&self) -> String {
        let mut conn = self.app.app.core.store.read().await.expect("a connection");
        let found = dakiya_core::store::users::credentials(&mut conn, &self.asha.username).await;
        found.expect("an answer").expect("a customer").user.user_id
    }

    pub async fn rates(&self, shipment: Value) -> Answer {
        self.asha.post("/api/v1/shipping/calculate-rate/", shipment).await.expect(200)
    }
}

/// A parcel of one box from Delhi to Bengaluru. Another weight makes another request.
pub fn parcel(weight: &str) -> Value {
    json!({
        "booking_type": 2, "origin_pincode": "110001", "destination_pincode": "560001",
        "shipment_type": 1, "weight": weight, "length": 30, "width": 20, "height": 10,
        "quantity": 1,
    })
}

/// Delhi to New York.
pub fn abroad(weight: &str) -> Value {
    json!({
        "booking_type": 1, "origin_pincode": "110001", "destination_pincode": "10001",
        "destination_country": 229, "shipment_type": 1, "weight": weight, "length": 30,
        "width": 20, "height": 10, "quantity": 1,
    })
}

/// The services of partners' couriers, by their brand.
pub fn of_partners(rates: &Value) -> Vec<Value> {
    let all = rates["data"].as_array().expect("rates");
    let partner = |rate: &&Value| rate["product_id"].as_i64() > Some(1_000_000);
    all.iter().filter(partner).cloned().collect()
}

/// The first item of a booking's response.
pub fn item(answer: &Answer) -> Value {
    answer.json()["data"][0].clone()
}

/// A report from a hub.
pub fn scan(stage: ShipmentStatus, happened_ms: i64) -> Scan {
    Scan {
        stage: Some(stage),
        location: "Delhi hub".to_owned(),
        remarks: format!("{} there", stage.label()),
        happened_ms,
        ..Scan::default()
    }
}
