//! Promises M4 and M5: a payment is credited exactly once, and only when the gateway confirms it,
//! whatever arrives, in whatever order, at two servers with different clocks.

use std::sync::Mutex;

use dakiya::app::App;
use dakiya::jobs;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::task::TaskKind;
use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};

use super::shop::{self, Shop, call_back, id, paid, status, try_verify, verify};
use crate::app::{Actor, Answer, block_on};
use crate::faults::{Dice, Proof, runs};

/// The expected end of an order: the amount that the gateway completed it for, if any.
#[derive(Clone)]
struct Truth {
    id: String,
    owner: usize,
    ordered: i64,
    completed: Option<i64>,
}

/// One event of an order.
#[derive(Clone, Debug)]
enum Event {
    /// A decision of the customer, the bank or the gateway.
    Fate(Value),
    Verify,
    VerifyByAnother,
    GenuineCallback,
    ForgedCallback,
    CallbackOfAnotherAmount,
    UnknownNews,
    UnknownOrder,
    Garbage,
    Sweep,
    /// More than three seconds pass, so that the gateway's status may be requested again.
    Wait,
    /// The gateway's next responses are lost.
    Trouble,
}

static NOISE: [Event; 14] = [
    Event::Verify,
    Event::Verify,
    Event::Verify,
    Event::VerifyByAnother,
    Event::GenuineCallback,
    Event::GenuineCallback,
    Event::ForgedCallback,
    Event::CallbackOfAnotherAmount,
    Event::UnknownNews,
    Event::UnknownOrder,
    Event::Garbage,
    Event::Sweep,
    Event::Sweep,
    Event::Wait,
];

const NOISE_MAX: usize = 20;
const USERS: usize = 8;
/// Parts of the run, each followed by a comparison of everything.
const PARTS: usize = 4;

/// Two servers on one database, one of them ten seconds ahead, and their clients.
struct World {
    shop: Shop,
    second: App,
    second_url: String,
    users: Vec<Actor>,
    anon: Actor,
    truths: Mutex<Vec<Truth>>,
    proof: Proof,
}

impl World {
    async fn open(proof: Proof) -> World {
        let shop = Shop::open().await;
        let (second, second_url) = shop.app.second_server().await;
        second.core.clock.advance_ms(10_000);
        let users = join_all((0..USERS).map(|_| shop.app.user("payer"))).await;
        let anon = shop.app.anon();
        World { shop, second, second_url, users, anon, truths: Mutex::default(), proof }
    }

    /// The client at one of the two servers.
    fn at_any(&self, actor: &Actor, dice: &mut Dice) -> Actor {
        let mut actor = actor.clone();
        if dice.below(2) == 1 {
            actor.url.clone_from(&self.second_url);
        }
        actor
    }

    fn expect(&self, answer: &Answer, expected: u16, what: &Event) {
        let status = answer.status.as_u16();
        self.proof.holds(status == expected, || {
            format!("{what:?} was answered {status}: {}", answer.text())
        });
    }

    /// Runs one order from its creation through all its events.
    async fn order(&self, mut dice: Dice) {
        let owner = dice.below(USERS);
        let rupees = 10 + i64::try_from(dice.below(5_000)).unwrap();
        let user = self.at_any(&self.users[owner], &mut dice);
        let id = id(&shop::create(&user, rupees).await);
        let (fates, completed) = fates(rupees * 100, &mut dice);
        let mut events: Vec<Event> =
            (0..dice.below(NOISE_MAX + 1)).map(|_| dice.pick(&NOISE).clone()).collect();
        if dice.below(10) == 0 {
            events.push(Event::Trouble);
        }
        // The gateway's steps keep their order, at random places among the other events.
        let mut places: Vec<usize> = fates.iter().map(|_| dice.below(events.len() + 1)).collect();
        places.sort_unstable();
        for (place, fate) in places.into_iter().zip(fates).rev() {
            events.insert(place, Event::Fate(fate));
        }
        let mut rest = events.as_slice();
        while !rest.is_empty() {
            let (now, later) = rest.split_at((1 + dice.below(4)).min(rest.len()));
            let dices: Vec<Dice> = now.iter().map(|_| dice.fork()).collect();
            let together = now.iter().zip(dices);
            join_all(together.map(|(event, dice)| self.happen(event, &id, owner, dice))).await;
            rest = later;
        }
        let truth = Truth { id, owner, ordered: rupees * 100, completed };
        self.truths.lock().unwrap().push(truth);
    }

    async fn happen(&self, event: &Event, id: &str, owner: usize, mut dice: Dice) {
        let user = self.at_any(&self.users[owner], &mut dice);
        let anon = self.at_any(&self.anon, &mut dice);
        let unknown =
            json!({"event": "checkout.order.reviewed", "payload": {"merchantOrderId": id}});
        let (answer, expected) = match event {
            Event::Fate(act) => {
                self.shop.rig.act(id, act.clone()).await;
                return;
            }
            Event::Sweep => {
                let app = *dice.pick(&[&self.shop.app.app, &self.second]);
                jobs::run_due(app, TaskKind::Payment).await.unwrap();
                return;
            }
            Event::Wait => {
                self.let_pass(3_001);
                return;
            }
            Event::Trouble => {
                let kind = *dice.pick(&["drop", "internal_error", "garbage", "unavailable"]);
                let fault = json!({"operation": "status", "kind": kind, "times": 3});
                self.shop.rig.fault(fault).await;
                return;
            }
            Event::Verify => (try_verify(&user, id).await, 200),
            Event::VerifyByAnother => {
                let another = &self.users[(owner + 1) % USERS];
                (try_verify(another, id).await, 404)
            }
            Event::GenuineCallback => (call_back(&anon, true, paid(id, 1_000)).await, 200),
            Event::ForgedCallback => (call_back(&anon, false, paid(id, 1_000)).await, 401),
            Event::CallbackOfAnotherAmount => {
                (call_back(&anon, true, paid(id, 20_000_000)).await, 200)
            }
            Event::UnknownNews => (call_back(&anon, true, unknown).await, 200),
            Event::UnknownOrder => (call_back(&anon, true, paid("DKRnobody", 1_000)).await, 200),
            Event::Garbage => (call_back(&anon, true, garbage(&mut dice)).await, 200),
        };
        self.expect(&answer, expected, event);
    }

    fn let_pass(&self, ms: i64) {
        self.shop.app.app.core.clock.advance_ms(ms);
        self.second.core.clock.advance_ms(ms);
    }

    /// Lets the sweep settle the open orders, once the gateway answers again.
    async fn settle(&mut self) {
        self.shop.rig.sim("DELETE", "faults", Value::Null).await;
        let resting = dakiya_core::limits::PROVIDER_REST_MS;
        tokio::time::sleep(std::time::Duration::from_millis(resting)).await;
        for _ in 0..3 {
            self.let_pass(3_600_001);
            self.shop.app.sweep().await;
        }
        for user in &mut self.users {
            user.log_in().await;
        }
    }

    /// Compares every wallet and every order so far with the gateway's completed orders.
    async fn compare(&self) {
        let truths = self.truths.lock().unwrap().clone();
        let matching = |truth: &&Truth| truth.completed == Some(truth.ordered);
        for (owner, user) in self.users.iter().enumerate() {
            let credited = truths.iter().filter(matching).filter(|t| t.owner == owner);
            let sum: Paise = credited.clone().map(|t| Paise::new(t.ordered)).sum();
            let balance = self.shop.app.balance(user).await;
            self.proof.holds(balance == sum, || {
                format!("user {owner} has {balance}, the gateway completed {sum}")
            });
            let statement = user.get("/api/v1/wallet/transactions/").await.expect(200);
            let (lines, count) = (statement.json()["count"].clone(), credited.count());
            self.proof.holds(lines == count, || format!("{lines} credits for {count} payments"));
        }
        for truth in &truths {
            let shown = status(&self.users[truth.owner], &truth.id).await;
            let completed = matching(&truth);
            self.proof.holds((shown == "COMPLETED") == completed, || {
                format!("{} is shown as {shown}", truth.id)
            });
        }
        let mut conn = self.shop.app.app.core.store.read().await.unwrap();
        let disputes = dakiya_core::store::disputes::list(&mut conn).await.unwrap();
        let short = truths.iter().filter(|t| t.completed.is_some_and(|paid| paid != t.ordered));
        let short = short.count();
        self.proof.holds(disputes.len() == short, || {
            format!("{} disputes for {short} wrong amounts", disputes.len())
        });
    }
}

/// The steps of an order at the gateway, and the paise it is completed for.
fn fates(ordered: i64, dice: &mut Dice) -> (Vec<Value>, Option<i64>) {
    let pay = json!({"action": "pay"});
    let decline = json!({"action": "decline", "code": "ZM"});
    let wait = json!({"action": "leave_pending"});
    let less = json!({"action": "pay", "amount": ordered - 100});
    match dice.below(10) {
        0..4 => (vec![pay], Some(ordered)),
        4 => (vec![wait, pay], Some(ordered)),
        5 | 6 => (vec![decline, pay], Some(ordered)),
        7 => (vec![decline], None),
        8 => (vec![wait], None),
        _ => (vec![less], Some(ordered - 100)),
    }
}

fn garbage(dice: &mut Dice) -> String {
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "\u{0}",
        "{\"payload\":{\"merchantOrderId\":\"../../etc\"}}",
        "{\"payload\":{\"merchantOrderId\":7}}",
        "{\"payload\":null}",
    ];
    let mut deep = "[".repeat(10_000);
    deep.push_str(&"]".repeat(10_000));
    match dice.below(4) {
        0 => deep,
        1 => format!("\"{}\"", dice.next()),
        _ => (*dice.pick(&bodies)).to_owned(),
    }
}

#[test]
fn credits_are_what_the_gateway_completed_whatever_arrives_and_however_often() {
    block_on(async {
        let mut world = World::open(Proof::begin("M4 M5")).await;
        let orders = runs(100, 2_000);
        for part in 0..PARTS {
            stream::iter(part * orders / PARTS..(part + 1) * orders / PARTS)
                .for_each_concurrent(8, |run| world.order(world.proof.dice(run)))
                .await;
            world.settle().await;
            world.compare().await;
        }
        world.shop.app.audit().await;
        world.proof.add_runs(orders);
        world.proof.end();
    });
}

#[test]
fn however_many_ask_the_gateway_hears_one_question_in_three_seconds() {
    block_on(async {
        let mut proof = Proof::begin("M7, one question in three seconds");
        let shop = Shop::open().await;
        let (asha, anon) = (shop.app.user("asha").await, shop.app.anon());
        for run in 0..runs(3, 50) {
            let id = id(&shop::create(&asha, 100).await);
            let began = std::time::Instant::now();
            let asking = (0..20).map(async |_| {
                verify(&asha, &id).await;
                call_back(&anon, true, paid(&id, 10_000)).await.expect(200);
                shop.app.sweep().await;
            });
            join_all(asking).await;
            let questions = shop.questions(&id).await;
            let allowed = 1 + usize::try_from(began.elapsed().as_secs() / 3).unwrap();
            proof.holds((1..=allowed).contains(&questions), || {
                format!("run {run}: {questions} questions, {allowed} allowed")
            });
        }
        proof.add_runs(runs(3, 50));
        proof.end();
    });
}

#[cfg(feature = "faults")]
mod negative_controls {
    use crate::faults::must_fail;

    #[test]
    fn the_proof_of_single_credits_fails_without_what_it_proves() {
        let proof = "payments::proof_once::\
            credits_are_what_the_gateway_completed_whatever_arrives_and_however_often";
        for fault in [
            "credit-twice",
            "credit-unverified-callback",
            "amount-unchecked",
            "failed-is-final",
            "callback-hash-unchecked",
        ] {
            must_fail(proof, fault);
        }
    }

    #[test]
    fn the_proof_of_single_questions_fails_without_the_claim() {
        let proof = "payments::proof_once::\
            however_many_ask_the_gateway_hears_one_question_in_three_seconds";
        must_fail(proof, "check-unclaimed");
    }
}
