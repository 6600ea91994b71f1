//! Promises M4 and D1 for the real program: killed at any moment and restarted, it loses no payment
//! and credits none twice.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dakiya_core::model::money::paise::Paise;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::shop::{CALLBACK, borrowed, status, variables};
use crate::app::{Actor, PASSWORD, TestApp, block_on, registration};
use crate::databases::fresh_database;
use crate::faults::{Dice, Proof, runs};
use crate::gateway::Rig;
use crate::program::Program;

const BUYERS: usize = 6;

/// A customer who continues after every failure, and the responses received.
struct Buyer {
    actor: Actor,
    /// Orders that were acknowledged.
    acknowledged: Vec<String>,
}

impl Buyer {
    /// Posts; `None` if the program died or was down.
    async fn post(&self, client: &reqwest::Client, path: &str, body: Value) -> Option<Value> {
        let address = format!("{}/api/v1{path}", self.actor.url);
        let mut request = client.post(address).json(&body);
        if let Some(token) = &self.actor.token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.ok()?;
        let answered = response.status() == 200 || response.status() == 201;
        let body = response.json().await.ok()?;
        answered.then_some(body)
    }

    /// Creates orders, pays most of them and requests the status of some, until stopped.
    async fn buy(mut self, rig: Arc<Rig>, stop: Arc<AtomicBool>, mut dice: Dice) -> Buyer {
        let client = &rig.client;
        while !stop.load(Ordering::Relaxed) {
            let rupees = 10 + i64::try_from(dice.below(1_000)).expect("64 bits");
            let created = self.post(client, "/payment/phonepe/create", json!({"amount": rupees}));
            let Some(created) = created.await else {
                tokio::time::sleep(Duration::from_millis(5)).await;
                continue;
            };
            let id = created["payment_data"]["merchant_order_id"].as_str();
            let id = id.expect("an id").to_owned();
            self.acknowledged.push(id.clone());
            if dice.below(3) == 0 {
                self.verify(client, &id).await;
            }
            rig.act(&id, fate(rupees, &mut dice)).await;
            for _ in 0..dice.below(3) {
                self.verify(client, &id).await;
            }
        }
        self
    }

    async fn verify(&self, client: &reqwest::Client, id: &str) {
        let body = json!({"merchant_order_id": id});
        self.post(client, "/payment/phonepe/verify", body).await;
    }
}

fn fate(rupees: i64, dice: &mut Dice) -> Value {
    match dice.below(10) {
        0 => json!({"action": "decline", "code": "ZM"}),
        1 => json!({"action": "leave_pending"}),
        2 => json!({"action": "pay", "amount": rupees * 100 + 1}),
        _ => json!({"action": "pay"}),
    }
}

/// Registers a customer with the running program.
async fn buyer(program: &Program, client: &reqwest::Client, name: &str) -> Buyer {
    let mut actor = Actor::at(&program.url);
    name.clone_into(&mut actor.username);
    let mut buyer = Buyer { actor, acknowledged: Vec::new() };
    let registered = buyer.post(client, "/auth/register", registration(name));
    registered.await.expect("registered");
    let login = json!({"username": name, "password": PASSWORD});
    let answer = buyer.post(client, "/auth/login", login).await;
    let token = answer.expect("logged in")["tokens"]["access"].clone();
    buyer.actor.token = token.as_str().map(str::to_owned);
    buyer
}

#[test]
fn the_program_killed_in_the_middle_of_everything_loses_no_payment_and_doubles_none() {
    block_on(async {
        let mut proof = Proof::begin("M4 under SIGKILL");
        let kills = runs(4, 200);
        let rig = Arc::new(Rig::start().await);
        let folder = tempfile::TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        let mut more = Vec::from(variables(&rig.sandbox.base_url));
        more.push(("DATABASE_URL", database.clone()));
        let program = Program::new(folder.path(), more);
        rig.sandbox.set_callback_url(format!("{}{CALLBACK}", program.url));
        rig.set(json!({"callbacks": "twice", "callback_delay_ms": 100})).await;

        let mut running = program.start();
        program.ready(&mut running).await;
        let names: Vec<String> = (0..BUYERS).map(|n| format!("buyer-{n}")).collect();
        let buyers = join_all(names.iter().map(|name| buyer(&program, &rig.client, name))).await;
        drop(running);

        let stop = Arc::new(AtomicBool::new(false));
        let buying = buyers
            .into_iter()
            .enumerate()
            .map(|(n, buyer)| tokio::spawn(buyer.buy(rig.clone(), stop.clone(), proof.dice(n))));
        let buying: Vec<_> = buying.collect();
        let mut dice = proof.dice(BUYERS);
        for kill in 0..kills {
            let mut running = program.start();
            // One start in eight is killed before it is ready.
            if dice.below(8) > 0 {
                program.ready(&mut running).await;
            }
            let life = 5 + u64::try_from(dice.below(495)).expect("64 bits");
            tokio::time::sleep(Duration::from_millis(life)).await;
            drop(running);
            let (clean, said) = program.audit();
            proof.holds(clean, || format!("after kill {kill}: {said}"));
        }
        stop.store(true, Ordering::Relaxed);
        let buyers: Vec<Buyer> = join_all(buying).await.into_iter().map(Result::unwrap).collect();
        compare(&proof, &rig, &buyers, database, folder.path()).await;
        proof.add_runs(kills);
        proof.end();
    });
}

/// Compares the gateway's records with ours, after the sweep has run.
async fn compare(proof: &Proof, rig: &Rig, buyers: &[Buyer], database: String, folder: &Path) {
    rig.set(json!({"callbacks": "never"})).await;
    let acknowledged = buyers.iter().flat_map(|buyer| &buyer.acknowledged);
    let acknowledged: HashSet<&str> = acknowledged.map(String::as_str).collect();
    // An order whose creation was cut off can still be paid on the gateway's page.
    for order in orders(rig).await {
        let id = order["merchantOrderId"].as_str().expect("an id");
        if !acknowledged.contains(id) {
            rig.act(id, json!({"action": "pay"})).await;
        }
    }
    let app = settled(rig, database, folder).await;

    let mut paid = HashSet::new();
    let mut completed = Paise::ZERO;
    for order in orders(rig).await {
        let (asked, given) = (&order["amount"], &order["paymentDetails"]);
        let given = given.as_array().and_then(|attempts| attempts.last());
        let fits = given.is_some_and(|attempt| attempt["amount"] == *asked);
        if order["state"] == "COMPLETED" && fits {
            let amount = Paise::new(asked.as_i64().expect("paise"));
            completed = [completed, amount].into_iter().sum();
            paid.insert(order["merchantOrderId"].as_str().expect("an id").to_owned());
        }
    }
    let mut credited = Paise::ZERO;
    let mut credits = 0;
    for buyer in buyers {
        let mut actor = app.anon();
        actor.username.clone_from(&buyer.actor.username);
        actor.log_in().await;
        credited = [credited, app.balance(&actor).await].into_iter().sum();
        let statement = actor.get("/api/v1/wallet/transactions/").await.expect(200);
        credits += statement.json()["count"].as_u64().expect("a count");
        for id in &buyer.acknowledged {
            let shown = status(&actor, id).await;
            proof.holds((shown == "COMPLETED") == paid.contains(id), || {
                format!("{id} is shown as {shown}")
            });
        }
    }
    proof.holds(credited == completed, || {
        format!("credited {credited}, the gateway completed {completed}")
    });
    proof.holds(credits == u64::try_from(paid.len()).expect("64 bits"), || {
        format!("{credits} credits for {} payments", paid.len())
    });
    println!(
        "{} orders acknowledged, {} paid, {completed} credited",
        acknowledged.len(),
        paid.len()
    );
    app.audit().await;
}

async fn orders(rig: &Rig) -> Vec<Value> {
    let orders = rig.sim("GET", "orders", Value::Null).await;
    orders.as_array().expect("a list").clone()
}

/// Starts the server on the same database, with a clock at which all orders are due, and sweeps.
async fn settled(rig: &Rig, database: String, folder: &Path) -> TestApp {
    let mut settings = Vec::from(variables(&rig.sandbox.base_url));
    settings.push(("DATABASE_URL", database));
    settings.push(("DAKIYA_FILES", folder.join("kyc").display().to_string()));
    let app = TestApp::start_with(&borrowed(&settings)).await;
    for _ in 0..2 {
        app.app.core.clock.advance_ms(3_600_001);
        app.sweep().await;
    }
    app
}

#[cfg(feature = "faults")]
#[test]
fn the_proof_under_kills_fails_when_orders_are_stored_after_the_gateway_was_asked() {
    let proof = "payments::proof_kills::\
        the_program_killed_in_the_middle_of_everything_loses_no_payment_and_doubles_none";
    crate::faults::must_fail(proof, "order-stored-late");
}
