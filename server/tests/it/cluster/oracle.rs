//! Facts that must hold after any trouble, once all servers are ready again.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use regex::Regex;
use serde_json::Value;
use tokio::time::sleep;

use super::load::{Confirmation, Customer, counted};
use super::{Cluster, SERVERS};
use crate::app::{Actor, Answer};
use crate::bookings::try_confirm;
use crate::couriers::item;
use crate::databases::{number_in, texts_in};
use crate::faults::Proof;
use crate::patience::{eventually, patient, until};

/// The longest time until each order has an end (milliseconds).
const SETTLED_MS: u64 = 120_000;

/// No request failed, for a customer or for the balancer.
pub fn no_request_failed(cluster: &Cluster, proof: &Proof, customers: &[Customer]) {
    counted(customers);
    let failures: Vec<&String> = customers.iter().flat_map(|it| &it.failures).collect();
    proof.holds(failures.is_empty(), || format!("{failures:?}"));
    let failures = cluster.balancer.failures();
    proof.holds(failures.is_empty(), || format!("{failures:?}"));
}

/// Compares all that customers were told with the database, the partner courier and the letters.
pub async fn check(cluster: &Cluster, proof: &Proof, customers: &mut [Customer]) {
    let (mut asked, mut told) = (0, 0);
    for customer in customers {
        if customer.actor.token.is_none() {
            customer.log_in().await;
        }
        for confirmation in &customer.confirmations {
            check_confirmation(cluster, proof, &customer.actor, confirmation).await;
            asked += 1;
            told += usize::from(!confirmation.told.is_null());
        }
        for order in &customer.paid {
            let paid = format!(
                "select count(*) from payment_orders
                 where merchant_order_id = '{order}' and state = 'completed'"
            );
            let paid = number_in(&cluster.database, &paid).await;
            proof.holds(paid == 1, || format!("{order} was said to be paid"));
        }
    }
    println!("{told} bookings of {asked} were told");
    proof.holds(told > 0, || "nobody booked anything".to_owned());
    check_settled(cluster, proof).await;
    check_courier(cluster, proof).await;
    check_books(cluster, proof).await;
    check_letters(cluster, proof).await;
}

/// A key has one outcome, which is the one that the customer was told.
async fn check_confirmation(
    cluster: &Cluster,
    proof: &Proof,
    actor: &Actor,
    confirmation: &Confirmation,
) {
    let mut answers = Vec::new();
    for server in 0..SERVERS {
        answers.push(outcome(&cluster.at(server, actor), confirmation).await);
    }
    let (first, key) = (&answers[0], &confirmation.key);
    let is_same =
        |it: &Answer| it.status == first.status && (it.status != 200 || it.body == first.body);
    proof.holds(answers.iter().all(is_same), || format!("{key} has several ends: {answers:?}"));
    let told = &confirmation.told;
    if told.is_null() {
        return;
    }
    let now = if first.status == 200 { item(first) } else { Value::Null };
    let is_told = ["airwaybilno", "booking_id"].iter().all(|name| now[name] == told[name]);
    proof.holds(is_told, || format!("{key} was {told}, and now {} {now}", first.status));
    let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
    let kept = format!(
        "select count(*) from bookings where booking_id = '{}' and awb = '{}'",
        text("booking_id"),
        text("airwaybilno")
    );
    let kept = number_in(&cluster.database, &kept).await;
    proof.holds(kept == 1, || format!("{told} was told and is not kept"));
}

/// The end of a booking, once it is known.
async fn outcome(actor: &Actor, confirmation: &Confirmation) -> Answer {
    eventually(async || {
        let answer = try_confirm(actor, &confirmation.key, &confirmation.form).await.ok()?;
        let is_open = answer.status.as_u16() >= 500 || answer.json()["code"] == "in_flight";
        if is_open {
            sleep(Duration::from_millis(500)).await;
        }
        (!is_open).then_some(answer)
    })
    .await
}

async fn check_settled(cluster: &Cluster, proof: &Proof) {
    let open = "select (select count(*) from courier_orders
                         where state in ('held', 'calling', 'unknown'))
                     + (select count(*) from charges where state = 'held')
                     + (select count(*) from bookings where status = 'cancelling')";
    let until = Instant::now() + patient(SETTLED_MS);
    let mut left = number_in(&cluster.database, open).await;
    while left > 0 && Instant::now() < until {
        sleep(Duration::from_millis(500)).await;
        left = number_in(&cluster.database, open).await;
    }
    proof.holds(left == 0, || format!("{left} orders have no end"));
}

/// The partner carries each captured booking once, and nothing else.
async fn check_courier(cluster: &Cluster, proof: &Proof) {
    let shipments = cluster.partners.courier("GET", "shipments", Value::Null).await;
    for shipment in shipments.as_array().expect("shipments") {
        let is_once = |name: &str| shipment[name].as_i64().is_some_and(|times| times <= 1);
        proof.holds(is_once("created") && is_once("bought"), || format!("twice: {shipment}"));
    }
    let book = cluster.partners.courier("GET", "book", Value::Null).await;
    let mut carried = BTreeMap::new();
    for row in book.as_array().expect("a book") {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let line = format!("{} {}", text("reference"), text("number"));
        *carried.entry(line).or_insert(0) += 1;
    }
    let captured = "select concat(o.reference, ' ', o.awb) from courier_orders o
                    join charges c on c.charge_id = o.booking_id
                    join bookings b on b.booking_id = o.booking_id
                    where o.courier = 'shiprocket' and c.state = 'captured'
                      and b.status <> 'cancelled'";
    let mut ours = BTreeMap::new();
    for line in texts_in(&cluster.database, captured).await {
        *ours.entry(line).or_insert(0) += 1;
    }
    proof.holds(ours == carried, || format!("we paid {ours:?}, it carries {carried:?}"));
}

async fn check_books(cluster: &Cluster, proof: &Proof) {
    let credited = "select cast(coalesce(sum(e.amount_paise), 0) as bigint)
                    from ledger_transactions t
                    join ledger_entries e on e.transaction_id = t.transaction_id
                    where t.kind = 'recharge' and e.amount_paise > 0";
    let paid = "select cast(coalesce(sum(amount_paise), 0) as bigint) from payment_orders
                where state = 'completed'";
    let credited = number_in(&cluster.database, credited).await;
    let paid = number_in(&cluster.database, paid).await;
    proof.holds(credited == paid, || format!("{credited} credited, {paid} paid"));
    let gaps = "select count(*) from (
                  select kind from invoices group by kind, financial_year, code
                  having min(series) <> 1 or max(series) <> count(*)) as of_a_series";
    let gaps = number_in(&cluster.database, gaps).await;
    proof.holds(gaps == 0, || format!("{gaps} series of documents have gaps"));
    let (is_clean, words) = cluster.servers[0].program.audit();
    proof.holds(is_clean, || words);
}

/// The subject of a letter about a booking begins with its number: one letter for each change.
async fn check_letters(cluster: &Cluster, proof: &Proof) {
    let about = Regex::new("^Subject: [A-Z0-9]{8,}: ").expect("a pattern");
    let mail = &cluster.partners.mail;
    until("a letter is sent", async || mail.heard().iter().any(|line| about.is_match(line))).await;
    // The others follow within seconds.
    sleep(Duration::from_secs(5)).await;
    let mut times = BTreeMap::new();
    for line in mail.heard().into_iter().filter(|line| about.is_match(line)) {
        *times.entry(line).or_insert(0) += 1;
    }
    println!("{} letters about bookings", times.len());
    times.retain(|_, times| *times > 1);
    proof.holds(times.is_empty(), || format!("sent twice: {times:?}"));
}
