//! Customers who recharge, book, cancel, print, and log out and in while servers fail.

use std::time::Duration;

use dakiya_core::random::random_id;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Cluster;
use super::balancer::ANSWERED_BY;
use crate::app::{Actor, Answer, PASSWORD, registration};
use crate::databases::run_sql;
use crate::faults::Dice;
use crate::patience::until;
use crate::{bookings, couriers};

const CUSTOMERS: usize = 8;

/// The rupees of a customer at the beginning: enough for most of what they will book.
const RUPEES: i64 = 200_000;

/// Number of times that a customer sends a booking whose outcome is unknown.
const TRIES: usize = 6;

/// The longest pause between two things that a customer does (milliseconds).
const PAUSE_MS: usize = 200;

/// A booking that a customer asked for once or several times, with one key.
#[derive(Clone, Debug)]
pub struct Confirmation {
    pub key: String,
    pub form: Value,
    /// The booking as the customer was told, or null.
    pub told: Value,
    is_cancelled: bool,
}

/// A customer, and all that they were told.
pub struct Customer {
    pub actor: Actor,
    pub confirmations: Vec<Confirmation>,
    /// Orders that are paid, as the customer was told.
    pub paid: Vec<String>,
    pub requests: usize,
    /// Requests without an answer, and those whose answer blames the server or the session.
    pub failures: Vec<String>,
    dice: Dice,
    booked_at: watch::Sender<String>,
}

/// Customers with money, and the server that answered the last booking.
pub async fn customers(
    cluster: &Cluster,
    dice: &mut Dice,
) -> (Vec<Customer>, watch::Receiver<String>) {
    let (booked_at, last) = watch::channel(String::new());
    let mut all = Vec::new();
    for number in 0..CUSTOMERS {
        let mut actor = Actor::at(&cluster.balancer.url);
        actor.username = format!("asha{number}-{}", random_id());
        let registration = registration(&actor.username);
        actor.post("/api/v1/auth/register/", registration).await.expect(201);
        let mut customer = Customer {
            actor,
            confirmations: Vec::new(),
            paid: Vec::new(),
            requests: 0,
            failures: Vec::new(),
            dice: dice.fork(),
            booked_at: booked_at.clone(),
        };
        // Servers with a deliberate fault must be caught by what is lost, not by a refusal here.
        until("a customer is logged in", async || {
            customer.log_in().await;
            customer.actor.token.is_some()
        })
        .await;
        until("a customer has money", async || {
            customer.recharge(RUPEES).await;
            !customer.paid.is_empty()
        })
        .await;
        customer.requests = 0;
        customer.failures.clear();
        all.push(customer);
    }
    let confirmed = "update users set email_confirmed_ms = 1";
    run_sql(&cluster.database, confirmed).await.expect("letters are sent");
    (all, last)
}

/// The customers after they have worked until this trouble is over.
pub async fn working(all: Vec<Customer>, trouble: impl Future<Output = ()>) -> Vec<Customer> {
    let enough = CancellationToken::new();
    let work = all.into_iter().map(|customer| tokio::spawn(customer.work(enough.clone())));
    let work: Vec<_> = work.collect();
    trouble.await;
    enough.cancel();
    join_all(work).await.into_iter().map(|customer| customer.expect("no panic")).collect()
}

/// The number of requests, and of those that failed.
pub fn counted(all: &[Customer]) -> (usize, usize) {
    let requests = all.iter().map(|it| it.requests).sum();
    let failures = all.iter().map(|it| it.failures.len()).sum();
    println!("{}", json!({"requests": requests, "failures": failures}));
    (requests, failures)
}

/// The server that answers the next booking; `None` if no customer is told of one in this time.
pub async fn next_booking(
    booked_at: &mut watch::Receiver<String>,
    within: Duration,
) -> Option<usize> {
    booked_at.mark_unchanged();
    timeout(within, booked_at.changed()).await.ok()?.expect("customers who work");
    booked_at.borrow().parse().ok()
}

impl Customer {
    async fn work(mut self, enough: CancellationToken) -> Customer {
        while !enough.is_cancelled() {
            self.step().await;
            let pause = u64::try_from(self.dice.below(PAUSE_MS)).expect("64 bits");
            sleep(Duration::from_millis(pause)).await;
        }
        self
    }

    async fn step(&mut self) {
        if self.actor.token.is_none() {
            self.log_in().await;
            return;
        }
        match self.dice.below(12) {
            0..=4 => self.book(false).await,
            5..=7 => self.book(true).await,
            8 => self.cancel().await,
            9 => self.print().await,
            10 => self.recharge(500).await,
            _ => self.log_out().await,
        }
    }

    async fn ask(&mut self, method: Method, path: &str, key: &str, body: Value) -> Option<Answer> {
        self.requests += 1;
        let body = (!body.is_null()).then(|| body.to_string());
        let name = format!("{method} {path}");
        match self.actor.try_send(method, path, &[("idempotency-key", key)], body).await {
            Ok(answer) if answer.status.as_u16() < 500 && answer.status != 401 => Some(answer),
            Ok(answer) => {
                if answer.status == 401 {
                    self.actor.token = None;
                }
                let text = String::from_utf8_lossy(&answer.body);
                self.failures.push(format!("{name}: {} {text}", answer.status));
                None
            }
            Err(error) => {
                self.failures.push(format!("{name}: {error:?}"));
                None
            }
        }
    }

    /// The answer if all went well.
    async fn post(&mut self, path: &str, body: Value) -> Option<Answer> {
        let answer = self.ask(Method::POST, path, "", body).await;
        answer.filter(|answer| answer.status == 200)
    }

    async fn book(&mut self, by_partner: bool) {
        let parcel = couriers::parcel("2.5");
        let Some(rates) = self.post("/api/v1/shipping/calculate-rate/", parcel).await else {
            return;
        };
        let rates = rates.json()["data"].as_array().cloned().unwrap_or_default();
        let is_wanted = |rate: &&Value| {
            let is_of_partner = rate["product_id"].as_i64() > Some(1_000_000);
            is_of_partner == by_partner && rate["otp_required"] != true
        };
        // A partner that did not answer in time has no price.
        let Some(rate) = rates.iter().find(is_wanted) else {
            return;
        };
        let confirmation = Confirmation {
            key: format!("key-{}", random_id()),
            form: bookings::form(rate),
            told: Value::Null,
            is_cancelled: false,
        };
        self.confirmations.push(confirmation.clone());
        let Some(told) = self.confirm(&confirmation).await else {
            return;
        };
        self.confirmations.last_mut().expect("ours").told = told;
    }

    /// Sends a booking until its outcome is known; the booking, if there is one.
    async fn confirm(&mut self, it: &Confirmation) -> Option<Value> {
        let path = "/api/v1/shipping/create-booking/";
        for _ in 0..TRIES {
            match self.ask(Method::POST, path, &it.key, it.form.clone()).await {
                Some(answer) if answer.status == 200 => {
                    self.booked_at.send_replace(answer.header(ANSWERED_BY).to_owned());
                    return Some(couriers::item(&answer));
                }
                Some(answer) if answer.json()["code"] == "in_flight" => {}
                Some(_) => return None,
                None => {}
            }
            sleep(Duration::from_millis(500)).await;
        }
        None
    }

    async fn cancel(&mut self) {
        let mut live = self.confirmations.iter_mut().rev();
        let live = live.find(|it| !it.told.is_null() && !it.is_cancelled);
        let Some(confirmation) = live else {
            return;
        };
        confirmation.is_cancelled = true;
        let id = confirmation.told["booking_id"].as_str().expect("an id");
        let path = format!("/api/v1/shipping/booking/{id}/cancel/");
        self.post(&path, json!({})).await;
    }

    async fn print(&mut self) {
        let Some(booked) = self.confirmations.iter().rev().find(|it| !it.told.is_null()) else {
            return;
        };
        let id = booked.told["booking_id"].as_str().expect("an id");
        let path = format!("/bookings/{id}/label.pdf");
        self.ask(Method::GET, &path, "", Value::Null).await;
    }

    async fn recharge(&mut self, rupees: i64) {
        let order = json!({"amount": rupees});
        let Some(created) = self.post("/api/v1/payment/phonepe/create/", order).await else {
            return;
        };
        let created = created.json();
        self.actor.at_gateway(&created, &[("do", "pay")]).await;
        let id = created["payment_data"]["merchant_order_id"].as_str().expect("an id");
        let verify = json!({"merchant_order_id": id});
        let verified = self.post("/api/v1/payment/phonepe/verify/", verify).await;
        if verified.is_some_and(|answer| answer.json()["status"] == "COMPLETED") {
            self.paid.push(id.to_owned());
        }
    }

    /// Without an answer the session may have ended or not: the customer logs in again.
    async fn log_out(&mut self) {
        self.post("/api/v1/auth/logout/", json!({})).await;
        self.actor.token = None;
    }

    pub async fn log_in(&mut self) {
        let login = json!({"username": self.actor.username, "password": PASSWORD});
        if let Some(answer) = self.post("/api/v1/auth/login/", login).await {
            let token = answer.json()["tokens"]["access"].as_str().map(str::to_owned);
            self.actor.token = token;
        }
    }
}
