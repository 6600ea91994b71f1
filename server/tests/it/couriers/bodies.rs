//! Every body for a partner: made from a random valid booking, accepted by the strict sandbox, and
//! equal to the booking. `DAKIYA_BODIES` names a file for the bodies to Karrio, which
//! `./build.sh prove karrio` compares with Karrio's own schema.

mod compare;
mod random;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use dakiya::app::App;
use dakiya_core::model::money::paise::Paise;
use reqwest::Method;
use serde_json::{Value, json};

use self::compare::differences;
use self::random::Entered;
use super::{Rig, item, of_partners};
use crate::app::{block_on, inbox, rupees};
use crate::bookings::confirm;
use crate::faults::{Dice, Proof, runs};
use crate::kyc;

const PARTNERS: [&str; 2] = ["karrio", "shiprocket"];

/// Fewer than the limits of one customer allow.
const BOOKINGS_OF_ONE_CUSTOMER: usize = 20;

/// Calls that a partner must not refuse.
const CALLS: [&str; 6] =
    ["rates", "create", "purchase", "assign", "schedule_pickup", "change_pickup"];

/// The end of a booking before or at its partner.
pub enum End {
    Booked {
        awb: String,
        id: String,
        paid: Paise,
    },
    /// Refused by our rules at these fields.
    Refused(Vec<String>),
}

#[test]
fn every_body_for_a_partner_is_accepted_and_says_what_was_entered() {
    block_on(async {
        let mut proof = Proof::begin("bodies for partners");
        let rig = Rig::start().await;
        for partner in PARTNERS {
            // Cheap enough for one wallet.
            rig.set(partner, json!({"price_percent": 1})).await;
        }
        let bookings = runs(16, 1_000);
        let (mut booked, mut refused) = (Vec::new(), BTreeMap::<String, usize>::new());
        for first in (0..bookings).step_by(BOOKINGS_OF_ONE_CUSTOMER) {
            let last = bookings.min(first + BOOKINGS_OF_ONE_CUSTOMER);
            for (entered, end) in by_one_customer(&proof, &rig, first..last, true).await {
                match end {
                    End::Booked { awb, .. } => booked.push((entered, awb)),
                    End::Refused(fields) => *refused.entry(fields.join(" ")).or_default() += 1,
                }
            }
        }
        for (fields, number) in &refused {
            println!("refused before any money was held, at {fields}: {number}");
        }
        let number = booked.len();
        proof.holds(2 * number >= bookings, || format!("only {number} of {bookings} booked"));
        compare_records(&proof, &rig, &booked).await;
        track(&rig).await;
        for partner in PARTNERS {
            check_calls(&proof, &rig, partner).await;
        }
        keep_bodies(&rig).await;
        rig.app.audit().await;
        proof.add_runs(bookings);
        proof.end();
    });
}

/// Books for a new customer, whose wallet pays exactly for what was booked. Asks for pickups if
/// the carriers have any.
pub async fn by_one_customer(
    proof: &Proof,
    rig: &Rig,
    numbers: Range<usize>,
    has_pickups: bool,
) -> Vec<(Entered, End)> {
    let asha = rig.app.user("asha").await;
    rig.app.recharge(&asha, 200_000).await;
    let rig = Rig { asha: asha.clone(), ..rig.clone() };
    let before = rig.app.balance(&asha).await;
    let kyc_info = kyc::info(&asha).await;
    let (mut spent, mut ends) = (Paise::ZERO, Vec::new());
    // There is a pause between two OTPs of a customer.
    let first = numbers.start;
    for number in numbers {
        let mut dice = proof.dice(number);
        let entered = Entered::random(&mut dice);
        let key = format!("a-random-booking-{number}");
        let end = book(&rig, &entered, &key, &kyc_info, &mut dice, number == first).await;
        match end {
            Ok(end) => {
                if let End::Booked { id, paid, .. } = &end {
                    spent = spent.checked_add(*paid).expect("a sum");
                    if has_pickups && dice.below(4) == 0 {
                        let is_agreed = pickup(&rig, id, &mut dice).await;
                        proof.holds(is_agreed, || format!("no pickup for {}", entered.form));
                    }
                }
                ends.push((entered, end));
            }
            Err(told) => proof.holds(false, || format!("{told}: {}", entered.form)),
        }
    }
    let after = rig.app.balance(&asha).await;
    proof.holds(before.checked_sub(spent) == Some(after), || {
        format!("{before} less {spent} is not {after}")
    });
    ends
}

/// Gets a price and confirms it; fails unless it is booked, or refused by a field of the form.
async fn book(
    rig: &Rig,
    entered: &Entered,
    key: &str,
    kyc_info: &Value,
    dice: &mut Dice,
    with_otp: bool,
) -> Result<End, String> {
    let path = "/api/v1/shipping/calculate-rate/";
    let rates = rig.asha.post(path, entered.shipment()).await;
    if rates.status == 400 && !rates.wrong_fields().is_empty() {
        return Ok(End::Refused(rates.wrong_fields()));
    }
    let mut services = of_partners(&rates.expect(200).json());
    services.retain(|it| with_otp || it["otp_required"] == false);
    if services.is_empty() {
        return Err("no service".to_owned());
    }
    let service = dice.pick(&services);
    let mut form = entered.form.clone();
    form["quote_id"] = service["quote_id"].clone();
    form["courier_id"] = service["product_id"].clone();
    form["courier_name"] = service["product_name"].clone();
    if entered.partner == "karrio" {
        form["kyc_info"] = kyc_info.clone();
    }
    for _ in 0..3 {
        let answer = confirm(&rig.asha, key, &form).await;
        let told = answer.json();
        match (answer.status.as_u16(), told["code"].as_str()) {
            (200, _) => {
                let booked = item(&answer);
                let text = |name: &str| booked[name].as_str().expect("a text").to_owned();
                let paid = rupees(answer.text(), "amount");
                return Ok(End::Booked { awb: text("airwaybilno"), id: text("booking_id"), paid });
            }
            (400, _) if !answer.wrong_fields().is_empty() => {
                return Ok(End::Refused(answer.wrong_fields()));
            }
            (409, Some("otp_required")) => form["otp"] = json!(code(&rig.app.app)),
            // The price is from the place of pickup.
            (409, Some("quote_changed")) => {
                form["quote_id"] = told["data"][0]["quote_id"].clone();
            }
            (status, _) => return Err(format!("HTTP {status} {}", answer.text())),
        }
    }
    Err("asked for more again and again".to_owned())
}

/// The code that was sent last.
fn code(app: &App) -> String {
    let sent = inbox(app);
    let newest = sent.iter().find(|it| it.text.contains(" is the OTP "));
    newest.expect("a code").text[..6].to_owned()
}

/// Asks for a pickup at a random time; true if the courier agreed, or a pickup is not possible.
async fn pickup(rig: &Rig, id: &str, dice: &mut Dice) -> bool {
    let path = format!("/api/v1/shipping/booking/{id}");
    let details = rig.asha.get(&format!("{path}/details")).await.expect(200).json();
    let choices = details["pickup_choices"].as_array().cloned().unwrap_or_default();
    if choices.is_empty() {
        return true;
    }
    let when = json!({"when": dice.pick(&choices)["when"]});
    let planned = rig.asha.post(&format!("{path}/pickup"), when).await;
    // Karrio's is asked for by a task, after the answer.
    let states = ["confirmed", "requested"];
    planned.status == 200 && states.iter().any(|state| planned.json()["time"]["state"] == *state)
}

/// Compares each booking with the partner's record of it.
async fn compare_records(proof: &Proof, rig: &Rig, booked: &[(Entered, String)]) {
    let mut asked = HashMap::new();
    for partner in PARTNERS {
        for mut shipment in rig.shipments(partner).await {
            if let Some(awb) = shipment["number"].as_str() {
                asked.insert(awb.to_owned(), shipment["asked"].take());
            }
        }
    }
    let mut places = HashMap::new();
    for call in requests(rig, "shiprocket").await {
        if call["operation"] == "add_place" {
            let place = body(&call);
            places.insert(place["pickup_location"].to_string(), place);
        }
    }
    for (entered, awb) in booked {
        let asked = asked.get(awb).unwrap_or(&Value::Null);
        let place = places.get(&asked["pickup_location"].to_string());
        let wrong = differences(entered, asked, place);
        proof.holds(wrong.is_empty(), || format!("{wrong:?}: {} as {asked}", entered.form));
    }
}

/// Lets the server track all shipments; Karrio first knows no tracker of one of them.
async fn track(rig: &Rig) {
    rig.fault("karrio", json!({"operation": "track", "kind": "not_found"})).await;
    rig.sweep_later(31 * 60_000).await;
}

async fn requests(rig: &Rig, partner: &str) -> Vec<Value> {
    let log = rig.sim(Method::GET, &format!("{partner}/requests"), Value::Null).await;
    log.as_array().expect("a log").clone()
}

fn body(call: &Value) -> Value {
    serde_json::from_str(call["body"].as_str().unwrap_or_default()).unwrap_or_default()
}

/// No call was refused for what it says. A place that is not served, and silence, are no refusals.
async fn check_calls(proof: &Proof, rig: &Rig, partner: &str) {
    for call in requests(rig, partner).await {
        let is_checked = CALLS.iter().any(|name| call["operation"] == *name);
        let is_refused = [400, 409, 422].iter().any(|status| call["status"] == *status);
        proof.holds(!(is_checked && is_refused), || format!("refused by {partner}: {call}"));
    }
}

/// Writes the bodies to Karrio, a line each.
async fn keep_bodies(rig: &Rig) {
    let Some(path) = std::env::var_os("DAKIYA_BODIES") else {
        return;
    };
    let mut lines = String::new();
    for call in requests(rig, "karrio").await {
        let body = body(&call);
        if call["method"] == "POST" && !body.is_null() {
            let line = json!({"method": "post", "path": call["path"], "body": body});
            lines += &format!("{line}\n");
        }
    }
    std::fs::write(path, lines).expect("the bodies are written");
}

#[cfg(feature = "faults")]
#[test]
fn texts_that_are_longer_than_a_partners_schema_takes_are_noticed() {
    crate::faults::must_fail(
        "couriers::bodies::every_body_for_a_partner_is_accepted_and_says_what_was_entered",
        "long-texts-sent",
    );
}
