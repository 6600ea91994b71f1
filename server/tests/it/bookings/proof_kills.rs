//! Promise M8 for bookings that share a transaction: the real program is killed while it books for
//! many customers, and each is booked and charged once, as the response said.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::Notify;

use super::{PRICE, awb, confirm, form, quote, try_confirm};
use crate::app::{TestApp, block_on};
use crate::documents::number;
use crate::faults::{Proof, runs};
use crate::payments::shop::variables;
use crate::program::Program;
use dakiya_core::model::money::paise::Paise;

const CUSTOMERS: usize = 12;
const RUPEES: i64 = 50_000;

#[test]
fn customers_of_a_program_that_is_killed_while_it_books_for_all_are_booked_once_each() {
    block_on(async {
        let mut proof = Proof::begin("M8 together under SIGKILL");
        let app = TestApp::start().await;
        let config = &app.app.web.config;
        let sandbox = app.app.sandbox.as_ref().expect("a sandbox");
        let mut settings = Vec::from(variables(&sandbox.base_url));
        settings.push(("DATABASE_URL", config.database_url.clone()));
        settings.push(("DAKIYA_COURIERS", "house".to_owned()));
        let program = Program::new(&config.data_dir, settings);
        let customers = join_all((0..CUSTOMERS).map(async |number| {
            let mut actor = app.user(&format!("asha{number}")).await;
            app.recharge(&actor, RUPEES).await;
            actor.url.clone_from(&program.url);
            actor
        }));
        let mut customers = customers.await;
        let (rounds, mut told_before) = (runs(5, 200), 0);
        for round in 0..rounds {
            let mut dice = proof.dice(round);
            let mut running = program.start();
            program.ready(&mut running).await;
            let forms = join_all(customers.iter().map(async |it| form(&quote(it).await))).await;
            let key = |number: usize| format!("of-{number}-in-{round}");
            let asked = customers.iter().zip(&forms).enumerate();
            let answered = Arc::new(Notify::new());
            let asked = asked.map(|(number, (actor, form))| {
                let (actor, form, key) = (actor.clone(), form.clone(), key(number));
                let answered = answered.clone();
                tokio::spawn(async move {
                    let answer = try_confirm(&actor, &key, &form).await;
                    answered.notify_one();
                    answer.ok()
                })
            });
            let asked: Vec<_> = asked.collect();
            // Killed at any moment, or soon after a response.
            let life = match round % 2 {
                0 => {
                    answered.notified().await;
                    dice.below(10)
                }
                _ => dice.below(150),
            };
            let life = u64::try_from(life).expect("64 bits");
            tokio::time::sleep(Duration::from_millis(life)).await;
            drop(running);
            let told = join_all(asked).await;

            let mut running = program.start();
            program.ready(&mut running).await;
            for (number, (actor, told)) in customers.iter().zip(told).enumerate() {
                let told = told.expect("a customer").filter(|it| it.status == 200);
                let now = confirm(actor, &key(number), &forms[number]).await;
                let now = now.expect(200);
                proof.holds(told.iter().all(|told| awb(told) == awb(&now)), || {
                    format!("{told:?} was told before, and now {now:?}")
                });
                told_before += usize::from(told.is_some());
            }
            proof.add_runs(CUSTOMERS);
        }
        println!("{told_before} were told before the program died");
        let booked = i64::try_from(rounds).expect("64 bits");
        for actor in &mut customers {
            actor.url.clone_from(&app.url);
            let left = app.balance(actor).await;
            let due = Paise::new(RUPEES * 100 - booked * PRICE);
            proof.holds(left == due, || format!("{left} is left of {due}"));
        }
        let all = booked * i64::try_from(CUSTOMERS).expect("64 bits");
        for figure in ["count(*)", "count(distinct booking_id)"] {
            let query = format!("select {figure} from invoices where kind = 'invoice'");
            let found = number(&app, query).await;
            proof.holds(found == all, || format!("{figure} of invoices is {found}"));
        }
        let found = crate::documents::numbered(&app, "invoice").await;
        proof.holds(found == all, || format!("the series of invoices end with {found}"));
        app.audit().await;
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn an_answer_before_the_commit_of_its_group_is_noticed() {
    let test = "bookings::proof_kills::\
        customers_of_a_program_that_is_killed_while_it_books_for_all_are_booked_once_each";
    crate::faults::must_fail(test, "answered-before-commit");
}
