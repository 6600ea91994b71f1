//! Customers of the real program who recharge and book whatever happens to its disk, and record the
//! responses.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::task::TaskKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, registration};
use crate::bookings::{self, PRICE};
use crate::faults::{Dice, Proof};
use crate::gateway::Rig;
use crate::patience::forever;
use crate::payments::shop::{borrowed, status, variables};
use crate::rates::parcel;

const API: &str = "/api/v1";

pub struct Shopper {
    pub actor: Actor,
    /// Orders that were acknowledged.
    orders: Vec<String>,
    /// Bookings that were confirmed, by their key: the AWB.
    booked: HashMap<String, String>,
    /// Confirmations without a response: key and form.
    open: Vec<(String, Value)>,
}

impl Shopper {
    /// Registers with the running program.
    pub async fn arrive(url: &str, name: &str) -> Shopper {
        let mut actor = Actor::at(url);
        name.clone_into(&mut actor.username);
        let path = format!("{API}/auth/register/");
        actor.post(&path, registration(name)).await.expect(201);
        actor.log_in().await;
        Shopper { actor, orders: Vec::new(), booked: HashMap::new(), open: Vec::new() }
    }

    /// Recharges and books until stopped.
    pub async fn shop(mut self, rig: Arc<Rig>, stop: Arc<AtomicBool>, mut dice: Dice) -> Shopper {
        let mut round = 0;
        while !stop.load(Ordering::Relaxed) {
            round += 1;
            let done = match dice.below(3) {
                0 => self.book(&format!("{}-{round}", self.actor.username)).await,
                _ => self.recharge(&rig, &mut dice).await,
            };
            if done.is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        self
    }

    /// Recharges; returns the credited order, or `None` if it was refused.
    pub async fn recharge(&mut self, rig: &Rig, dice: &mut Dice) -> Option<String> {
        let rupees = 200 + i64::try_from(dice.below(1_000)).expect("64 bits");
        let path = format!("{API}/payment/phonepe/create/");
        let created = ok(self.actor.post(&path, json!({"amount": rupees})).await)?;
        let id = created["payment_data"]["merchant_order_id"].as_str();
        let id = id.expect("an id").to_owned();
        self.orders.push(id.clone());
        rig.act(&id, json!({"action": "pay"})).await;
        let path = format!("{API}/payment/phonepe/verify/");
        ok(self.actor.post(&path, json!({"merchant_order_id": id})).await)?;
        Some(id)
    }

    /// Books; returns the AWB, or `None` if it was refused.
    pub async fn book(&mut self, key: &str) -> Option<String> {
        let mut parcel = parcel();
        (parcel["length"], parcel["width"], parcel["height"]) = (json!(30), json!(20), json!(10));
        let path = format!("{API}/shipping/calculate-rate/");
        let quoted = ok(self.actor.post(&path, parcel).await)?;
        let form = bookings::form(&quoted["data"][0]);
        let answer = bookings::confirm(&self.actor, key, &form).await;
        match answer.status.as_u16() {
            200 => {
                self.booked.insert(key.to_owned(), awb(&answer));
                Some(awb(&answer))
            }
            // Not enough money.
            402 => None,
            _ => {
                self.open.push((key.to_owned(), form));
                None
            }
        }
    }

    /// Compares each order and booking, as the customer sees it, with the responses and with the
    /// payments in the gateway's records.
    async fn compare(mut self, proof: &Proof, app: &TestApp, paid: &HashMap<String, i64>) {
        self.actor.url.clone_from(&app.url);
        self.actor.log_in().await;
        for (key, form) in std::mem::take(&mut self.open) {
            let answer = bookings::confirm(&self.actor, &key, &form).await;
            match answer.status.as_u16() {
                200 => drop(self.booked.insert(key, awb(&answer))),
                // The quote has expired, or the money is spent.
                402 | 409 => {}
                status => proof.holds(false, || format!("{key}: {status} {}", answer.text())),
            }
        }
        for (key, awb) in &self.booked {
            let path = format!("{API}/shipping/booking/{awb}/");
            let found = self.actor.get(&path).await;
            proof.holds(found.status == 200, || format!("{key}: {awb} is lost"));
        }
        for id in &self.orders {
            let shown = status(&self.actor, id).await;
            let was_paid = paid.contains_key(id);
            proof.holds((shown == "COMPLETED") == was_paid, || {
                format!("{id} is {shown}, paid: {was_paid}")
            });
        }
        let history = format!("{API}/shipping/history/");
        let history = self.actor.get(&history).await.expect(200).json();
        let count = history["count"].as_u64().expect("a count");
        let known = u64::try_from(self.booked.len()).expect("64 bits");
        proof.holds(count == known, || format!("{count} bookings, {known} confirmed"));
        let paid: i64 = self.orders.iter().filter_map(|id| paid.get(id)).sum();
        let spent = PRICE * i64::try_from(known).expect("64 bits");
        let balance = app.balance(&self.actor).await;
        proof.holds(balance == Paise::new(paid - spent), || {
            format!("{balance} of {paid} paid and {spent} spent (paise)")
        });
    }
}

fn ok(answer: Answer) -> Option<Value> {
    (answer.status == 200).then(|| answer.json())
}

fn awb(answer: &Answer) -> String {
    let awb = answer.json()["data"][0]["airwaybilno"].clone();
    awb.as_str().expect("an AWB").to_owned()
}

/// Orders paid at the gateway, with their amounts (paise).
pub async fn paid(rig: &Rig) -> HashMap<String, i64> {
    let orders = rig.sim("GET", "orders", Value::Null).await;
    let orders = orders.as_array().expect("a list").iter();
    orders
        .filter(|order| order["state"] == "COMPLETED")
        .map(|order| {
            let id = order["merchantOrderId"].as_str().expect("an id");
            (id.to_owned(), order["amount"].as_i64().expect("paise"))
        })
        .collect()
}

/// Compares all shoppers' records with a server on their database, after its sweeps have run.
pub async fn compare(proof: &Proof, rig: &Rig, shoppers: Vec<Shopper>, folder: &Path) {
    let mut settings = Vec::from(variables(&rig.sandbox.base_url));
    let file = format!("sqlite://{}", folder.join("dakiya.sqlite").display());
    settings.push(("DATABASE_URL", file));
    settings.push(("DAKIYA_FILES", folder.join("kyc").display().to_string()));
    let app = TestApp::start_with(&borrowed(&settings)).await;
    for _ in 0..2 {
        app.app.core.clock.advance_ms(3_600_001);
        app.round(TaskKind::CourierOrder).await;
        app.sweep().await;
    }
    let paid = paid(rig).await;
    let (orders, booked): (usize, usize) =
        shoppers.iter().fold((0, 0), |sum, it| (sum.0 + it.orders.len(), sum.1 + it.booked.len()));
    for shopper in shoppers {
        shopper.compare(proof, &app, &paid).await;
    }
    println!("{orders} orders acknowledged, {} paid, {booked} bookings confirmed", paid.len());
    app.audit().await;
}

/// An observer that reads pages, makes small writes, and checks the program's health.
pub struct Onlooker(pub Actor);

impl Onlooker {
    pub async fn write(&self) -> Answer {
        let path = format!("{API}/payment/phonepe/create/");
        self.0.post(&path, json!({"amount": 10})).await
    }

    pub async fn health(&self) -> Answer {
        self.0.send(Method::GET, "/healthz", &[], None).await
    }

    /// Fails if the program behaves wrongly while its writer fails.
    pub async fn while_ill(&self) -> Result<(), String> {
        let written = self.write().await;
        let body = written.text();
        let told = written.status == 503
            && written.header("retry-after") == "10"
            && body.contains("Our storage ");
        if !told {
            return Err(format!("a write is {} {body}", written.status));
        }
        let page = self.0.page("/dashboard").await;
        if page.status != 200 || !page.text().contains(&self.0.username) {
            return Err(format!("the dashboard is {}", page.status));
        }
        let health = self.health().await;
        match health.status == 503 && health.json()["status"] == "the database writer failed" {
            true => Ok(()),
            false => Err(format!("health is {} {}", health.status, health.text())),
        }
    }

    /// True if writes work again and the health check says so.
    pub async fn sees_it_heal(&self) -> bool {
        let until = Instant::now() + forever();
        while Instant::now() < until {
            if self.write().await.status == 200 && self.health().await.status == 200 {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    }
}
