//! Promises M8 and M9: wherever the server dies, stalls or loses its client, and whatever the
//! courier does, a booking ends as charged with one AWB or as not charged with none, and never with
//! two.

use std::time::Duration;

use dakiya_core::model::money::paise::Paise;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::Rig;
use crate::app::{Answer, block_on};
use crate::bookings::confirm;
use crate::faults::{Dice, Proof, runs};
use crate::patience::patient;

/// The failpoints of the task, in the order in which it passes them.
pub const POINTS: [&str; 16] = [
    "holding",
    "held",
    "placing",
    "permitting",
    "calling",
    "begun",
    "keeping",
    "kept",
    "called",
    "putting off",
    "put off",
    "looked up",
    "ending",
    "booking",
    "rejecting",
    "ended",
];

/// The courier's behaviour at the request that costs money.
const FAULTS: [&str; 9] = [
    r#"null"#,
    r#"{"kind": "reject"}"#,
    r#"{"kind": "internal_error"}"#,
    r#"{"kind": "internal_error", "when": "after_work"}"#,
    r#"{"kind": "drop"}"#,
    r#"{"kind": "drop", "when": "after_work"}"#,
    r#"{"kind": "truncated", "when": "after_work"}"#,
    r#"{"kind": "garbage", "when": "after_work"}"#,
    r#"{"kind": "slow", "delay_ms": 400}"#,
];

/// The failure on our side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blow {
    None,
    Panic,
    Stall,
    ClientGone,
}

/// Long enough for a sweep to come in between.
const STALL_MS: u64 = 600;

#[derive(Debug)]
struct Cell {
    partner: &'static str,
    point: &'static str,
    fault: &'static str,
    blow: Blow,
}

/// Concurrent workers for all cells: most of a cell is waiting.
const LANES: usize = 16;

#[test]
fn a_booking_ends_as_charged_with_one_awb_or_as_not_charged_with_none() {
    block_on(async {
        let mut proof = Proof::begin("M8 M9");
        let mut cells = Vec::new();
        let struck = [Blow::Panic, Blow::Stall];
        let at_points = POINTS.map(|point| struck.map(|blow| (point, blow)));
        let nowhere = [("", Blow::None), ("", Blow::ClientGone)];
        let blows = [at_points.as_flattened(), &nowhere].concat();
        for partner in ["karrio", "shiprocket"] {
            for fault in FAULTS {
                cells.extend(blows.iter().map(|&(point, blow)| Cell {
                    partner,
                    point,
                    fault,
                    blow,
                }));
            }
        }
        let rounds = runs(1, 20);
        let few = runs(48, cells.len());
        for round in 0..rounds {
            let mut dice = proof.dice(round);
            dice.shuffle(&mut cells);
            let lanes = cells[..few].chunks(few.div_ceil(runs(1, LANES)));
            join_all(lanes.map(|lane| walk(&proof, lane, dice.fork()))).await;
            proof.add_runs(few);
        }
        proof.end();
    });
}

/// Runs bookings one after the other, at an application of their own.
async fn walk(proof: &Proof, cells: &[Cell], mut dice: Dice) {
    let rig = Rig::start().await;
    let form = [rig.form("karrio").await, rig.form("shiprocket").await];
    drop(form);
    for (number, cell) in cells.iter().enumerate() {
        let seen = run(&rig, cell, number, &mut dice).await;
        proof.holds(seen.is_ok(), || format!("{cell:?}: {seen:?}"));
    }
    rig.app.audit().await;
}

/// Runs one booking with one failure and one fault; fails if it ended wrongly.
async fn run(rig: &Rig, cell: &Cell, number: usize, dice: &mut Dice) -> Result<(), String> {
    let asha = rig.app.user("asha").await;
    rig.app.recharge(&asha, 50_000).await;
    let rig = Rig { asha: asha.clone(), ..rig.clone() };
    let before = rig.app.balance(&asha).await;
    let form = rig.form(cell.partner).await;
    let known = rig.shipments(cell.partner).await.len();
    arm(&rig, cell).await;
    let key = format!("cell-{number}-{}", dice.below(1_000_000));
    let patience = match cell.blow {
        Blow::ClientGone => Duration::from_millis(5),
        _ => patient(2_500),
    };
    let _ = timeout(patience, confirm(&asha, &key, &form)).await;
    settle(&rig).await;
    // The stalled worker wakes up and continues, whatever happened in the meantime.
    if cell.blow == Blow::Stall {
        tokio::time::sleep(Duration::from_millis(2 * STALL_MS)).await;
    }
    rig.sim(Method::DELETE, &format!("{}/faults", cell.partner), Value::Null).await;
    let answer = ended(&rig, &key, &form).await?;
    let after = rig.app.balance(&asha).await;
    let ours = rig.shipments(cell.partner).await.split_off(known);
    judge(&answer, before, after, &ours)
}

/// Fails if a booking's response, the wallet before and after, and the partner's shipments do not
/// agree.
pub fn judge(answer: &Answer, before: Paise, after: Paise, ours: &[Value]) -> Result<(), String> {
    let live: Vec<&Value> =
        ours.iter().filter(|it| it["bought"] != 0 && it["status"] != "cancelled").collect();
    let said = format!("{} {}; {before} to {after}; {ours:?}", answer.status, answer.text());
    if ours.iter().any(|it| it["created"] != 1) || live.len() > 1 {
        return Err(format!("made twice: {said}"));
    }
    match answer.status.as_u16() {
        200 => {
            let booked = answer.json()["data"][0].clone();
            let paid = Paise::parse_rupees(&booked["amount"].to_string()).expect("rupees");
            let awb_is_live = live.len() == 1 && live[0]["number"] == booked["airwaybilno"];
            let charged = before.checked_sub(paid) == Some(after);
            (awb_is_live && charged).then_some(()).ok_or(said)
        }
        409 if answer.json()["code"] == "courier_refused" => {
            (live.is_empty() && after == before).then_some(()).ok_or(said)
        }
        _ => Err(format!("no end: {said}")),
    }
}

/// The final response. A customer who left early may have done so before the courier was called, so
/// that there was nothing to settle yet.
async fn ended(rig: &Rig, key: &str, form: &Value) -> Result<Answer, String> {
    for _ in 0..4 {
        let asked = timeout(patient(3_000), confirm(&rig.asha, key, form));
        match asked.await {
            Ok(answer) if answer.json()["code"] != "in_flight" => return Ok(answer),
            _ => settle(rig).await,
        }
    }
    Err("no end".to_owned())
}

async fn arm(rig: &Rig, cell: &Cell) {
    let operation = match cell.partner {
        "karrio" => "purchase",
        _ => "assign",
    };
    let mut fault: Value = serde_json::from_str(cell.fault).expect("a fault");
    if !fault.is_null() {
        fault["operation"] = json!(operation);
        rig.fault(cell.partner, fault).await;
    }
    #[cfg(feature = "faults")]
    {
        use dakiya_core::failpoints::{FailAction, arm};
        let user = rig.user_id().await;
        match cell.blow {
            Blow::Panic => arm(cell.point, &user, FailAction::Panic),
            Blow::Stall => arm(cell.point, &user, FailAction::Stall(STALL_MS)),
            Blow::None | Blow::ClientGone => {}
        }
    }
}

/// Runs the tasks of every half minute until nothing is open.
async fn settle(rig: &Rig) {
    for _ in 0..4 {
        rig.sweep_a_minute_later().await;
    }
}

#[cfg(feature = "faults")]
#[test]
fn a_courier_that_is_asked_twice_is_noticed() {
    crate::faults::must_fail(
        "couriers::proof_saga::a_booking_ends_as_charged_with_one_awb_or_as_not_charged_with_none",
        "courier-asked-twice",
    );
}
