//! Promises M8 and M9 by the partner's own records: whatever fails in any call of a booking, a
//! look-up or a cancellation, and wherever the task dies, in the end the customer is charged and
//! the partner will carry one shipment with that AWB, or nothing is charged and nothing carried.

use std::collections::BTreeSet;
use std::time::Duration;

use dakiya_core::model::money::paise::Paise;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::Rig;
use crate::app::{Actor, block_on};
use crate::bookings::confirm;
use crate::faults::{Proof, runs};
use crate::kyc;
use crate::patience::patient;

/// The work is done `LATE_MS` after the caller has given up.
const LATE: &str = r#"{"kind": "late"}"#;
/// A caller waits for so long (milliseconds on the reference machine).
const CALLER_MS: u64 = 2_600;
const LATE_MS: u64 = 3_400;

/// Faults of a call: before the partner did anything, in the middle, after, and later.
const TROUBLES: [&str; 26] = [
    r#"{"kind": "drop"}"#,
    r#"{"kind": "drop", "when": "after_work"}"#,
    r#"{"kind": "truncated"}"#,
    r#"{"kind": "internal_error"}"#,
    r#"{"kind": "internal_error", "when": "after_work"}"#,
    r#"{"kind": "unavailable"}"#,
    r#"{"kind": "bad_gateway", "when": "after_work"}"#,
    r#"{"kind": "garbage"}"#,
    r#"{"kind": "garbage", "when": "after_work"}"#,
    r#"{"kind": "wrong_body"}"#,
    r#"{"kind": "wrong_body", "when": "after_work"}"#,
    r#"{"kind": "redirect"}"#,
    r#"{"kind": "reject"}"#,
    r#"{"kind": "reject", "when": "after_work"}"#,
    r#"{"kind": "unauthorized"}"#,
    r#"{"kind": "unauthorized", "when": "after_work"}"#,
    r#"{"kind": "forbidden"}"#,
    r#"{"kind": "forbidden", "when": "after_work"}"#,
    r#"{"kind": "not_found"}"#,
    r#"{"kind": "not_found", "when": "after_work"}"#,
    r#"{"kind": "too_many"}"#,
    r#"{"kind": "slow", "delay_ms": 400}"#,
    r#"{"kind": "late", "delay_ms": 200}"#,
    LATE,
    // A key that has expired: from this call on every call fails.
    r#"{"kind": "unauthorized", "operation": "any", "times": 1000}"#,
    r#"{"kind": "unauthorized", "operation": "any", "times": 1000, "skip": 1}"#,
];

/// Delays longer than our timeout for a partner.
const TIME_OUTS: [&str; 3] = [
    r#"{"kind": "hang", "delay_ms": 16000}"#,
    r#"{"kind": "hang", "delay_ms": 16000, "when": "after_work"}"#,
    r#"{"kind": "late", "delay_ms": 17000}"#,
];

/// The partner's settings during the whole case.
const MOODS: [&str; 4] = [
    r"{}",
    r#"{"search_lag_ms": 300000}"#,
    r#"{"cancel_lag_ms": 90000}"#,
    r#"{"buys_cancelled": true}"#,
];

/// The operation during which the fault occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Book,
    /// The purchase's response was lost, after or before it was made.
    LookUp(bool),
    Cancel,
}

/// The calls of each step, with the failpoints in it.
const BOOK_POINTS: [&str; 8] =
    ["", "calling", "begun", "kept", "called", "put off", "booking", "rejecting"];
const LOOK_UP_POINTS: [&str; 5] = ["", "looked up", "ending", "booking", "rejecting"];
const CANCEL_POINTS: [&str; 4] = ["", "cancelling", "called off", "calling off"];

fn calls(partner: &str, step: Step) -> &'static [&'static str] {
    match (partner, step) {
        ("karrio", Step::Book) => &["create", "purchase"],
        (_, Step::Book) => &["login", "rates", "add_place", "create", "assign", "pickup"],
        (_, Step::LookUp(_)) => &["read", "cancel"],
        (_, Step::Cancel) => &["cancel", "read"],
    }
}

#[derive(Clone, Debug)]
struct Cell {
    partner: &'static str,
    step: Step,
    call: &'static str,
    trouble: &'static str,
    mood: &'static str,
    point: &'static str,
}

fn cells() -> Vec<Cell> {
    let steps = [Step::Book, Step::LookUp(true), Step::LookUp(false), Step::Cancel];
    let mut cells = Vec::new();
    for partner in ["karrio", "shiprocket"] {
        for step in steps {
            let points: &[&str] = match step {
                Step::Book => &BOOK_POINTS,
                Step::LookUp(_) => &LOOK_UP_POINTS,
                Step::Cancel => &CANCEL_POINTS,
            };
            for call in calls(partner, step) {
                for (number, trouble) in TROUBLES.into_iter().chain(TIME_OUTS).enumerate() {
                    for (at, &point) in points.iter().enumerate() {
                        // Settings rotate over the faults and failpoints.
                        let mood = MOODS[(number + at) % MOODS.len()];
                        cells.push(Cell { partner, step, call, trouble, mood, point });
                    }
                }
            }
        }
    }
    cells
}

/// True for cells that few others cover: a cancellation that was only requested, and a purchase
/// that completes after its order was given up.
fn is_telling(cell: &Cell) -> bool {
    let lies =
        ["wrong_body", "garbage", "unauthorized"].map(|kind| format!(r#"{{"kind": "{kind}"}}"#));
    let is_asked = cell.step == Step::Cancel && cell.call == "cancel";
    let is_bought = cell.step == Step::Book && ["purchase", "assign"].contains(&cell.call);
    let tells =
        is_asked && lies.iter().any(|lie| lie == cell.trouble) || is_bought && cell.trouble == LATE;
    tells && cell.point.is_empty()
}

/// Concurrent workers for all cells: most of a cell is waiting.
const LANES: usize = 16;

/// Cells per application: as many as its request log and clock last for.
const CELLS_AT_ONCE: usize = 24;

#[test]
fn the_partner_carries_one_shipment_that_is_charged_or_none_and_nothing_is() {
    block_on(async {
        let mut proof = Proof::begin("M8 M9 by the partner's book");
        let mut cells = cells();
        let mut dice = proof.dice(0);
        dice.shuffle(&mut cells);
        let is_slow = |cell: &Cell| TIME_OUTS.contains(&cell.trouble);
        cells.sort_by_key(|cell| (!is_telling(cell), is_slow(cell)));
        cells.truncate(runs(24, cells.len()));
        let lanes = runs(4, LANES);
        let mut shares: Vec<Vec<Cell>> = vec![Vec::new(); lanes];
        for (number, cell) in cells.iter().enumerate() {
            shares[number % lanes].push(cell.clone());
        }
        join_all(shares.iter().map(|share| walk(&proof, share))).await;
        proof.add_runs(cells.len());
        proof.end();
    });
}

/// Runs cells one after the other.
async fn walk(proof: &Proof, cells: &[Cell]) {
    for some in cells.chunks(CELLS_AT_ONCE) {
        let rig = Rig::start().await;
        for (number, cell) in some.iter().enumerate() {
            let seen = run(&rig, cell, number).await;
            proof.holds(seen.is_ok(), || format!("{cell:?}: {seen:?}"));
        }
        let seen = in_the_end(&rig).await;
        proof.holds(seen.is_ok(), || format!("in the end: {seen:?}"));
        rig.app.audit().await;
    }
}

/// Hours later, each partner carries exactly its booked shipments, whatever came late.
async fn in_the_end(rig: &Rig) -> Result<(), String> {
    for hours in [1, 2, 4, 8] {
        rig.sweep_later(hours * 3_600_000).await;
    }
    for partner in ["karrio", "shiprocket"] {
        let carried = rig.book(partner).await;
        let carried = carried.iter().map(|it| it["reference"].as_str());
        let carried: BTreeSet<String> = carried.map(|it| it.expect("ours").to_owned()).collect();
        let mut conn = rig.app.app.core.store.read().await.expect("a connection");
        let booked = "select o.reference from courier_orders o
                      join bookings b on b.booking_id = o.booking_id
                      where o.courier = $1 and b.status not in ('pending', 'failed', 'cancelled')";
        let booked = sqlx::query_scalar(booked).bind(partner);
        let booked: Vec<String> = booked.fetch_all(&mut *conn).await.expect("orders");
        let booked = BTreeSet::from_iter(booked);
        if carried != booked {
            return Err(format!("{partner} carries {carried:?}, booked is {booked:?}"));
        }
    }
    Ok(())
}

/// The shipments after the first `known` that the partner carries: one of an earlier cell may still
/// arrive.
async fn carried(rig: &Rig, partner: &str, known: usize) -> Vec<Value> {
    let made = rig.shipments(partner).await.split_off(known);
    let mut carried = rig.book(partner).await;
    carried.retain(|it| made.iter().any(|made| made["reference"] == it["reference"]));
    carried
}

/// Runs one booking with its fault; fails if it ended wrongly.
async fn run(rig: &Rig, cell: &Cell, number: usize) -> Result<(), String> {
    let asha = rig.app.user("asha").await;
    rig.app.recharge(&asha, 50_000).await;
    let rig = Rig { asha: asha.clone(), ..rig.clone() };
    let before = rig.app.balance(&asha).await;
    let known = rig.shipments(cell.partner).await.len();
    let kyc_info = match cell.partner {
        "karrio" => kyc::info(&asha).await,
        _ => Value::Null,
    };
    let mut form = rig.form_with(cell.partner, &kyc_info).await;
    form["pickup_required"] = json!("1");
    let mood: Value = serde_json::from_str(cell.mood).expect("settings");
    rig.set(cell.partner, mood).await;
    let key = format!("a-cell-{number:03}");
    let patience = match TIME_OUTS.contains(&cell.trouble) {
        true => Duration::from_secs(15) + patient(4_000),
        false => patient(CALLER_MS),
    };
    if cell.step == Step::Cancel {
        confirm(&asha, &key, &form).await.expect(200);
    }
    spoil(&rig, cell).await;
    match cell.step {
        Step::Cancel => drop(timeout(patience, cancel(&asha)).await),
        _ => drop(timeout(patience, confirm(&asha, &key, &form)).await),
    }
    for _ in 0..2 {
        if cell.step == Step::Cancel && is_paid_back_too_soon(&rig, cell, known).await {
            return Err("paid back while the partner carries it".to_owned());
        }
        sweep(&rig, 61_000).await;
    }
    heal(&rig, cell.partner).await;
    if cell.trouble.contains("late") {
        sleep(Duration::from_millis(LATE_MS + 2_700)).await;
    }
    for minutes in [2, 2, 2, 6, 12, 25] {
        sweep(&rig, minutes * 60_000).await;
    }
    calm(&rig, cell.partner).await;
    let after = rig.app.balance(&asha).await;
    let made = rig.shipments(cell.partner).await.split_off(known);
    let carried = carried(&rig, cell.partner, known).await;
    let history = asha.get("/api/v1/shipping/history/").await.expect(200);
    let booking = history.json()["results"][0].clone();
    let said = format!("{before} to {after}; {booking}; made {made:?}, carried {carried:?}");
    if made.iter().any(|it| it["created"] != 1) {
        return Err(format!("made twice: {said}"));
    }
    let is_right = match &carried[..] {
        [] => {
            let is_over = booking.is_null() || booking["status"] == "cancelled";
            after == before && is_over
        }
        [one] => {
            let paid = before.checked_sub(after);
            // Only a courier's refusal keeps a booking that was to be cancelled.
            let may_be = cell.step != Step::Cancel || cell.trouble.contains("reject");
            let is_ours = booking["awb_number"] == one["number"] && booking["status"] == "booked";
            may_be && is_ours && paid == Some(price(&booking))
        }
        _ => false,
    };
    is_right.then_some(()).ok_or(said)
}

/// True if a cancelled booking was refunded although its courier will still carry it. If it is
/// cancelled later, the courier may have come.
async fn is_paid_back_too_soon(rig: &Rig, cell: &Cell, known: usize) -> bool {
    let history = rig.asha.get("/api/v1/shipping/history/").await.expect(200);
    let is_cancelled = history.json()["results"][0]["status"] == "cancelled";
    is_cancelled && !carried(rig, cell.partner, known).await.is_empty()
}

fn price(booking: &Value) -> Paise {
    Paise::parse_rupees(&booking["amount"].to_string()).expect("rupees")
}

async fn cancel(asha: &Actor) {
    let history = asha.get("/api/v1/shipping/history/").await.expect(200);
    let id = history.json()["results"][0]["id"].clone();
    let path = format!("/api/v1/shipping/booking/{}/cancel/", id.as_str().expect("an id"));
    let body = Some(json!({}).to_string());
    let _ = asha.try_send(Method::POST, &path, &[], body).await;
}

/// Moves the clock and runs the server's tasks; the customer reads pages.
async fn sweep(rig: &Rig, later_ms: i64) {
    rig.sweep_later(later_ms).await;
    rig.app.balance(&rig.asha).await;
}

async fn spoil(rig: &Rig, cell: &Cell) {
    if let Step::LookUp(was_bought) = cell.step {
        let operation = match cell.partner {
            "karrio" => "purchase",
            _ => "assign",
        };
        let when = if was_bought { "after_work" } else { "before_work" };
        let lost = json!({"operation": operation, "kind": "drop", "when": when});
        rig.fault(cell.partner, lost).await;
    }
    if cell.call == "login" {
        rig.sim(Method::POST, "shiprocket/tokens/revoke", Value::Null).await;
    }
    let mut fault: Value = serde_json::from_str(cell.trouble).expect("a fault");
    if fault["operation"].is_null() {
        fault["operation"] = json!(cell.call);
    }
    if cell.trouble == LATE {
        let done = patient(CALLER_MS) + Duration::from_millis(LATE_MS);
        fault["delay_ms"] = json!(u64::try_from(done.as_millis()).expect("milliseconds"));
    }
    rig.fault(cell.partner, fault).await;
    #[cfg(feature = "faults")]
    if !cell.point.is_empty() {
        use dakiya_core::failpoints::{FailAction, arm};
        // A request that never returns: its customer hangs up, and it is not continued.
        let strike = match cell.step {
            Step::Cancel if cell.point != "calling off" => FailAction::Stall(60_000),
            _ => FailAction::Panic,
        };
        arm(cell.point, &rig.user_id().await, strike);
    }
}

/// Removes the partner's faults.
async fn heal(rig: &Rig, partner: &str) {
    rig.sim(Method::DELETE, &format!("{partner}/faults"), Value::Null).await;
}

/// Resets the partner to its first state.
async fn calm(rig: &Rig, partner: &str) {
    let calm = json!({"search_lag_ms": 0, "cancel_lag_ms": 0, "buys_cancelled": false});
    rig.set(partner, calm).await;
}

#[cfg(feature = "faults")]
const PROOF: &str = "couriers::proof_partners::\
    the_partner_carries_one_shipment_that_is_charged_or_none_and_nothing_is";

#[cfg(feature = "faults")]
#[test]
fn a_cancellation_that_is_believed_when_it_was_only_asked_for_is_noticed() {
    crate::faults::must_fail(PROOF, "cancellation-believed");
}

#[cfg(feature = "faults")]
#[test]
fn a_late_order_that_nobody_calls_off_is_noticed() {
    crate::faults::must_fail(PROOF, "late-orders-forgotten");
}

#[cfg(feature = "faults")]
#[test]
fn an_expired_key_that_refuses_cancellations_is_noticed() {
    crate::faults::must_fail(PROOF, "no-access-refuses");
}

#[cfg(feature = "faults")]
#[test]
fn a_look_up_that_calls_off_a_purchase_on_its_way_is_noticed() {
    crate::faults::must_fail(
        "couriers::late_orders::\
         a_look_up_calls_nothing_off_while_the_purchase_may_be_on_its_way",
        "look-up-cancels",
    );
}
