//! Random sequences of all wallet operations, against a model without a database (M1, M13, M19).

use std::collections::{HashMap, HashSet};

use dakiya_core::error::{Error, Result};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::random::random_id;
use dakiya_core::services::books::{Instruction, movements};
use dakiya_core::store::ledger::Posted;
use dakiya_core::store::{Conn, charges, debts};

use super::{add_customer, charge, recharge, wallet};
use crate::app::{TestApp, block_on};
use crate::faults::{Dice, Proof, runs};

/// Sequences that share a transaction, so that a hundred thousand take minutes.
const BATCH: usize = 100;

#[derive(Clone, Copy, Debug)]
enum Operation {
    Recharge {
        order: usize,
    },
    /// The payer's bank takes a recharge back: what the wallet does not cover is owed.
    Chargeback {
        order: usize,
    },
    Hold {
        charge: usize,
    },
    /// Hold and capture at once.
    Spend {
        charge: usize,
    },
    Capture {
        charge: usize,
    },
    Release {
        charge: usize,
    },
    Refund {
        charge: usize,
        id: usize,
        paise: i64,
    },
}

/// Prices of the three charges (taxable value, GST) and amounts of the three orders. A wallet
/// that got every recharge covers two of the charges.
const PRICES: [(i64, i64); 3] = [(10_000, 1_800), (333, 60), (25_000, 4_500)];
const ORDERS: [i64; 3] = [1_000, 12_000, 20_000];

impl Operation {
    fn any(dice: &mut Dice) -> Operation {
        let charge = dice.below(PRICES.len());
        let (taxable, gst) = PRICES[charge];
        match dice.below(14) {
            0 | 1 => Operation::Recharge { order: dice.below(ORDERS.len()) },
            12 | 13 => Operation::Chargeback { order: dice.below(ORDERS.len()) },
            2..=4 => Operation::Hold { charge },
            5 | 6 => Operation::Spend { charge },
            7 | 8 => Operation::Capture { charge },
            9 => Operation::Release { charge },
            _ => Operation::Refund {
                charge,
                id: dice.below(2),
                paise: *dice.pick(&[1, taxable, taxable + gst, taxable + gst + 1]),
            },
        }
    }
}

/// The expected state, kept without a database.
#[derive(Debug, Default)]
struct Model {
    available: i64,
    held: i64,
    owed: i64,
    orders: HashSet<usize>,
    taken_back: HashSet<usize>,
    charges: HashMap<usize, ChargeModel>,
}

#[derive(Debug, Default)]
struct ChargeModel {
    /// `None` while held, then true if captured.
    captured: Option<bool>,
    refunds: HashMap<usize, i64>,
}

impl Model {
    fn apply(&mut self, operation: Operation) -> Posted {
        match operation {
            Operation::Recharge { order } => {
                if !self.orders.insert(order) {
                    return Posted::Already;
                }
                self.credit(ORDERS[order]);
                Posted::Done
            }
            Operation::Chargeback { order } => {
                if !self.orders.contains(&order) {
                    return Posted::Refused;
                }
                if !self.taken_back.insert(order) {
                    return Posted::Already;
                }
                let covered = self.available.min(ORDERS[order]);
                self.available -= covered;
                self.owed += ORDERS[order] - covered;
                Posted::Done
            }
            Operation::Hold { charge } => self.hold(charge),
            Operation::Spend { charge } => match self.hold(charge) {
                Posted::Done => self.end(charge, true),
                other => other,
            },
            Operation::Capture { charge } => self.end(charge, true),
            Operation::Release { charge } => self.end(charge, false),
            Operation::Refund { charge, id, paise } => {
                let Some(known) = self.charges.get_mut(&charge) else {
                    return Posted::Refused;
                };
                if known.refunds.contains_key(&id) {
                    return Posted::Already;
                }
                let refunded: i64 = known.refunds.values().sum();
                if known.captured != Some(true) || refunded + paise > total(charge) {
                    return Posted::Refused;
                }
                known.refunds.insert(id, paise);
                self.credit(paise);
                Posted::Done
            }
        }
    }

    /// Pays what is owed before anything can be spent.
    fn credit(&mut self, paise: i64) {
        let repaid = paise.min(self.owed);
        self.owed -= repaid;
        self.available += paise - repaid;
    }

    fn hold(&mut self, charge: usize) -> Posted {
        let total = total(charge);
        if self.charges.contains_key(&charge) {
            return Posted::Already;
        }
        if self.available < total {
            return Posted::Refused;
        }
        self.available -= total;
        self.held += total;
        self.charges.insert(charge, ChargeModel::default());
        Posted::Done
    }

    fn end(&mut self, charge: usize, capture: bool) -> Posted {
        match self.charges.get_mut(&charge) {
            Some(known) if known.captured.is_none() => {
                known.captured = Some(capture);
                self.held -= total(charge);
                if !capture {
                    self.credit(total(charge));
                }
                Posted::Done
            }
            Some(known) if known.captured == Some(capture) => Posted::Already,
            _ => Posted::Refused,
        }
    }
}

fn total(charge: usize) -> i64 {
    PRICES[charge].0 + PRICES[charge].1
}

/// Applies the operation to the ledger. Every sequence has names of its own.
async fn apply(conn: &mut Conn, user_id: &str, name: &str, operation: Operation) -> Result<Posted> {
    let id = |charge: usize| format!("{name}-{charge}");
    match operation {
        Operation::Recharge { order } => {
            let amount = Paise::new(ORDERS[order]);
            recharge(conn, user_id, &format!("{name}-order-{order}"), amount).await
        }
        Operation::Chargeback { order } => {
            let by = Instruction {
                id: format!("{name}-back-{order}"),
                actor: "meera".to_owned(),
                note: "a test".to_owned(),
                now_ms: 3,
            };
            let (order, amount) = (format!("{name}-order-{order}"), Paise::new(ORDERS[order]));
            match movements::chargeback(conn, &by, &order, amount).await {
                Err(Error::NotFound(_)) => Ok(Posted::Refused),
                other => other,
            }
        }
        Operation::Hold { charge: number } => {
            let (taxable, gst) = PRICES[number];
            let charge = charge(user_id, &id(number), taxable, gst);
            Ok(charges::hold(conn, &charge).await?.posted)
        }
        Operation::Spend { charge: number } => {
            let (taxable, gst) = PRICES[number];
            let charge = charge(user_id, &id(number), taxable, gst);
            Ok(charges::spend(conn, &charge).await?.posted)
        }
        Operation::Capture { charge } => charges::capture(conn, user_id, &id(charge), 1).await,
        Operation::Release { charge } => charges::release(conn, user_id, &id(charge), 1).await,
        Operation::Refund { charge, id: refund, paise } => {
            let (refund, amount) = (format!("r{refund}"), Paise::new(paise));
            charges::refund(conn, user_id, &id(charge), &refund, amount, 2).await
        }
    }
}

/// The first difference between ledger and model, if any.
async fn sequence(conn: &mut Conn, mut dice: Dice) -> Result<Option<String>> {
    let user_id = add_customer(conn).await?;
    let (name, mut model, mut done) = (random_id(), Model::default(), Vec::new());
    for _ in 0..4 + dice.below(14) {
        let operation = Operation::any(&mut dice);
        done.push(operation);
        let expected = model.apply(operation);
        let posted = apply(conn, &user_id, &name, operation).await?;
        let (available, held) = wallet(conn, &user_id).await?;
        let owed = debts::owed(conn, &user_id).await?.get();
        let expected = (expected, model.available, model.held, model.owed);
        if (posted, available, held, owed) != expected {
            return Ok(Some(format!(
                "{done:?}: {posted:?}, {available}, {held} held, {owed} owed; \
                 the model: {expected:?}"
            )));
        }
    }
    Ok(None)
}

#[test]
fn whatever_happens_to_a_wallet_the_books_say_what_the_model_says() {
    block_on(async {
        let mut proof = Proof::begin("M1 M13 M19 wallet operations");
        let app = TestApp::start().await;
        let mut left = runs(400, 100_000);
        let mut run = 0;
        while left > 0 {
            let sequences: Vec<Dice> = (0..BATCH.min(left)).map(|n| proof.dice(run + n)).collect();
            let count = sequences.len();
            let diverged = app.app.core.store.write(move |conn| {
                Box::pin(async move {
                    let mut diverged = Vec::new();
                    for dice in sequences {
                        diverged.extend(sequence(conn, dice).await?);
                    }
                    Ok(diverged)
                })
            });
            match diverged.await {
                Ok(diverged) => diverged.into_iter().for_each(|at| proof.holds(false, || at)),
                Err(error) => proof.holds(false, || format!("batch from {run}: {error}")),
            }
            (run, left) = (run + count, left - count);
            proof.add_runs(count);
        }
        app.audit().await;
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_model_notices_every_fault_in_the_rules_of_money() {
    let test = "ledger::model::whatever_happens_to_a_wallet_the_books_say_what_the_model_says";
    for fault in [
        "wallet-unguarded",
        "charge-ends-twice",
        "refund-unguarded",
        "once-forgotten",
        "debt-forgotten",
    ] {
        crate::faults::must_fail(test, fault);
    }
}
