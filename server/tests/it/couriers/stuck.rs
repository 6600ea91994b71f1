//! Orders that never end by themselves: each ends or is shown to an operator, and delays no other.

use dakiya_core::failpoints::{FailAction, arm};
use dakiya_core::limits;
use dakiya_core::model::booking::order::courier_order::StuckOrder;
use dakiya_core::model::task::{Task, TaskKind};
use dakiya_core::services::bookings::unresolved;
use dakiya_core::store;
use serde_json::{Value, json};

use super::{Rig, item};
use crate::app::{Actor, Answer, TestApp, block_on, inbox};
use crate::bookings::{confirm, form, quote};

/// Time until another process may take over an order whose process was left.
const LEASE_OVER_MS: i64 = limits::COURIER_ORDER_TASKS.lease_ms + 1_000;

/// An order that its process abandoned at a failpoint; returns the booking's id.
async fn left_at(rig: &Rig, point: &str, key: &str, form: &Value) -> String {
    arm(point, &rig.user_id().await, FailAction::Panic);
    let answer = confirm(&rig.asha, key, form).await;
    assert_eq!(answer.status, 500, "{}", answer.text());
    newest(&rig.app, &rig.asha).await
}

/// The booking that was made last.
async fn newest(app: &TestApp, asha: &Actor) -> String {
    let mut at = asha.clone();
    at.url.clone_from(&app.url);
    let history = at.get("/api/v1/shipping/history/").await.expect(200).json();
    history["results"][0]["id"].as_str().expect("an id").to_owned()
}

pub(super) async fn order(app: &TestApp, id: &str) -> StuckOrder {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    unresolved::show(&mut conn, id).await.expect("an order")
}

async fn task(app: &TestApp, kind: TaskKind, id: &str) -> Option<Task> {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    store::tasks::find(&mut conn, kind, id).await.expect("an answer")
}

async fn letters(app: &TestApp) -> Vec<String> {
    app.round(TaskKind::Notices).await;
    let kept = inbox(&app.app);
    kept.into_iter().map(|letter| letter.subject).collect()
}

/// Another server on the same database, and the customer as its client.
async fn elsewhere(rig: &Rig, variables: &[(&str, &str)]) -> (TestApp, Actor) {
    let url = rig.app.app.web.config.database_url.clone();
    let files = rig.app.app.web.config.files.to_string();
    let shared = [("DATABASE_URL", url.as_str()), ("DAKIYA_FILES", files.as_str())];
    let variables = [&shared[..], variables].concat();
    let app = TestApp::start_with(&variables).await;
    let clock = &rig.app.app.core.clock;
    app.app.core.clock.advance_ms(clock.now_ms() - app.app.core.clock.now_ms());
    let mut asha = rig.asha.clone();
    asha.url.clone_from(&app.url);
    (app, asha)
}

async fn cancel_it(asha: &Actor, id: &str) -> Answer {
    asha.post(&format!("/api/v1/shipping/booking/{id}/cancel/"), json!({})).await
}

#[test]
fn money_held_for_a_courier_that_was_never_asked_is_free_again_after_a_quarter_of_an_hour() {
    block_on(async {
        let mut rig = Rig::start().await;
        for partner in ["karrio", "shiprocket"] {
            let before = rig.app.balance(&rig.asha).await;
            let form = rig.form(partner).await;
            let key = format!("never-asked-{partner}");
            let id = left_at(&rig, "held", &key, &form).await;
            assert!(rig.app.balance(&rig.asha).await < before, "the money is held");
            // Down for six hours.
            rig.app.app.core.clock.advance_ms(6 * limits::HOUR_MS);
            rig.asha.log_in().await;
            rig.app.round(TaskKind::CourierOrder).await;
            assert_eq!(rig.shipments(partner).await, [] as [Value; 0], "not booked unasked");
            assert_eq!(rig.app.balance(&rig.asha).await, before);
            assert_eq!(order(&rig.app, &id).await.state, "rejected");
            assert!(task(&rig.app, TaskKind::CourierOrder, &id).await.is_none());
            let told = letters(&rig.app).await;
            assert_eq!(told[0], "Your courier booking was not made");
            let again = confirm(&rig.asha, &key, &form).await.expect(409);
            assert_eq!(again.json()["code"], "courier_refused");
        }
        rig.app.audit().await;
    });
}

#[test]
fn a_proof_of_held_money_that_cannot_fail_is_noticed() {
    let test = "couriers::stuck::\
        money_held_for_a_courier_that_was_never_asked_is_free_again_after_a_quarter_of_an_hour";
    crate::faults::must_fail(test, "held-for-ever");
}

#[test]
fn an_order_that_is_cancelled_before_its_courier_was_asked_is_not_booked_first() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let form = rig.form("shiprocket").await;
        let id = left_at(&rig, "held", "cancelled-while-held", &form).await;
        cancel_it(&rig.asha, &id).await.expect(202);
        rig.sweep_a_minute_later().await;
        rig.sweep_a_minute_later().await;
        assert_eq!(rig.shipments("shiprocket").await, [] as [Value; 0]);
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        rig.app.audit().await;
    });
}

#[test]
fn orders_of_a_partner_that_is_gone_wait_for_an_operator_and_are_not_booked_unasked() {
    block_on(async {
        let rig = Rig::start().await;
        let booked = confirm(&rig.asha, "before-it-went", &rig.form("karrio").await).await;
        let booked = item(&booked.expect(200))["booking_id"].clone();
        let booked = booked.as_str().expect("an id");
        let form = rig.form("karrio").await;
        let asked = left_at(&rig, "called", "asked-before", &form).await;
        let before = rig.app.balance(&rig.asha).await;
        let form = rig.form("karrio").await;
        let held = left_at(&rig, "held", "held-before", &form).await;
        // Incomplete credentials count as none.
        let gone = [("DAKIYA_KARRIO_URL", "http://127.0.0.1:9")];
        let (app, asha) = elsewhere(&rig, &gone).await;
        app.app.core.clock.advance_ms(LEASE_OVER_MS);
        app.round(TaskKind::CourierOrder).await;
        assert_eq!(app.balance(&asha).await, before, "never asked, so it is free");
        assert_eq!(order(&app, &held).await.state, "rejected");
        let stuck = order(&app, &asked).await;
        assert_eq!((stuck.state.as_str(), stuck.last_error.as_str()), ("calling", "courier_gone"));
        assert!(stuck.quarantined_ms > 0);
        let mut conn = app.app.core.store.read().await.expect("a connection");
        let all = unresolved::list(&mut conn, app.app.core.clock.now_ms()).await.expect("a list");
        drop(conn);
        let ids: Vec<&str> = all.iter().map(|it| it.booking_id.as_str()).collect();
        assert_eq!(ids, [&asked]);
        // Its documents and cancellations answer with an explanation, and change nothing.
        let label = format!("/api/v1/shipping/booking/{booked}/");
        asha.get(&label).await.expect(200);
        let cancelled = cancel_it(&asha, booked).await.expect(409);
        assert_eq!(cancelled.json()["code"], "courier_gone");
        let sentence = cancelled.json()["message"].as_str().expect("a sentence").to_owned();
        let label = asha.page(&format!("/bookings/{booked}/label.pdf")).await;
        assert_eq!(label.status, 409, "{}", label.text());
        assert!(sentence.starts_with("We cannot reach this courier any more"), "{sentence}");
        assert_eq!(order(&app, booked).await.status, "booked");
        // Back after three days: no automatic booking or look-up, until an operator requests it.
        rig.app.app.core.clock.advance_ms(3 * limits::DAY_MS);
        let questions = rig.asked("karrio", "read").await;
        rig.app.round(TaskKind::CourierOrder).await;
        assert_eq!(order(&rig.app, &asked).await.state, "calling");
        assert_eq!(rig.asked("karrio", "read").await, questions);
        let (id, now_ms) = (asked.clone(), rig.app.app.core.clock.now_ms());
        let retried = rig.app.app.core.store.write(move |conn| {
            Box::pin(
                async move { store::tasks::retry(conn, TaskKind::CourierOrder, &id, now_ms).await },
            )
        });
        assert!(retried.await.expect("an answer"));
        rig.app.round(TaskKind::CourierOrder).await;
        assert_eq!(order(&rig.app, &asked).await.state, "booked");
        assert_eq!(rig.shipments("karrio").await.len(), 2, "none of them twice");
        rig.app.audit().await;
    });
}

#[test]
fn a_partner_that_is_not_offered_any_more_still_ends_what_it_has() {
    block_on(async {
        let rig = Rig::start().await;
        let form = rig.form("karrio").await;
        let id = left_at(&rig, "called", "asked-before", &form).await;
        let url = rig.app.app.sandbox.as_ref().expect("a sandbox").karrio_url();
        let known = [
            ("DAKIYA_KARRIO_URL", url.as_str()),
            ("DAKIYA_KARRIO_TOKEN", dakiya::app::SANDBOX_KARRIO_TOKEN),
        ];
        let (app, asha) = elsewhere(&rig, &known).await;
        let rates = asha.post("/api/v1/shipping/calculate-rate/", super::abroad("2.5")).await;
        assert_eq!(super::of_partners(&rates.expect(200).json()).len(), 0, "it is not offered");
        app.app.core.clock.advance_ms(LEASE_OVER_MS);
        app.round(TaskKind::CourierOrder).await;
        assert_eq!(order(&app, &id).await.state, "booked");
        let before = app.balance(&asha).await;
        cancel_it(&asha, &id).await.expect(200);
        assert!(app.balance(&asha).await > before);
        app.audit().await;
    });
}

#[test]
fn an_awb_of_another_booking_is_left_to_an_operator_who_ends_the_order() {
    block_on(async {
        let rig = Rig::start().await;
        confirm(&rig.asha, "our-own-courier", &form(&quote(&rig.asha).await)).await.expect(200);
        let other = newest(&rig.app, &rig.asha).await;
        let before = rig.app.balance(&rig.asha).await;
        let form = rig.form("shiprocket").await;
        let id = left_at(&rig, "called", "given-twice", &form).await;
        let awb = rig.shipments("shiprocket").await[0]["number"].clone();
        let awb = awb.as_str().expect("a number").to_owned();
        let taken = format!("update bookings set awb = '{awb}' where booking_id = '{other}'");
        rig.app.tamper(&taken).await.expect("a change");
        for _ in 0..3 {
            rig.sweep_a_minute_later().await;
        }
        let stuck = order(&rig.app, &id).await;
        assert_eq!((stuck.last_error.as_str(), stuck.state.as_str()), ("awb_taken", "calling"));
        let left = task(&rig.app, TaskKind::CourierOrder, &id).await.expect("a task");
        assert_eq!(left.attempts, 1, "it was not tried for ever");
        let resolve = |typed: &'static str| {
            let (id, now_ms) = (id.clone(), rig.app.app.core.clock.now_ms());
            let company = rig.app.app.core.company.clone();
            rig.app.app.core.store.write(move |conn| {
                Box::pin(async move {
                    unresolved::resolve_booked(conn, &company, &id, typed, now_ms).await
                })
            })
        };
        let refused = resolve(awb.clone().leak()).await.expect_err("taken");
        assert_eq!(refused.code(), "awb_taken");
        assert_eq!(resolve("7X104156203").await.expect("resolved"), "7X104156203");
        assert_eq!(resolve("7X104156204").await.expect_err("ended").code(), "nothing_to_do");
        assert!(rig.app.balance(&rig.asha).await < before);
        let letters = letters(&rig.app).await;
        assert!(letters.contains(&"7X104156203: Booked".to_owned()), "{letters:?}");
        assert!(task(&rig.app, TaskKind::CourierOrder, &id).await.is_none());
        let again = confirm(&rig.asha, "given-twice", &form).await.expect(200);
        assert_eq!(item(&again)["airwaybilno"], "7X104156203");
        rig.app.audit().await;
    });
}

#[test]
fn an_operator_says_that_the_courier_does_not_have_it_and_the_money_is_free() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        for (point, key) in [("held", "never-asked"), ("called", "asked-once")] {
            let form = rig.form("shiprocket").await;
            let id = left_at(&rig, point, key, &form).await;
            let now_ms = rig.app.app.core.clock.now_ms();
            let resolve = || {
                let id = id.clone();
                rig.app.app.core.store.write(move |conn| {
                    Box::pin(async move {
                        let why = "told by telephone that the pickup address is wrong";
                        unresolved::resolve_not_booked(conn, &id, why, now_ms).await
                    })
                })
            };
            resolve().await.expect("resolved");
            assert_eq!(resolve().await.expect_err("ended").code(), "nothing_to_do");
            assert_eq!(rig.app.balance(&rig.asha).await, before, "{point}");
            assert_eq!(letters(&rig.app).await[0], "Your courier booking was not made");
            rig.sweep_a_minute_later().await;
            assert_eq!(order(&rig.app, &id).await.state, "rejected");
            // An operator's words are no courier's refusal of the address.
            let again = confirm(&rig.asha, key, &form).await.expect(409);
            assert_eq!(again.json()["code"], "courier_refused");
        }
        rig.app.audit().await;
    });
}

/// Adds copies of an open order, each with a quote that cannot be read.
async fn spoil(app: &TestApp, id: &str, copies: i64) {
    let numbers = format!(
        "with recursive n (i) as (select 1 union all select i + 1 from n where i < {copies})"
    );
    for copy in [
        "insert into quotes (quote_id, user_id, product_id, shipment_hash, shipment, price,
           total_paise, created_ms, expires_ms, courier_paise)
         {n} select 'bad-' || cast(i as text), user_id, product_id, shipment_hash, 'no json',
           price, total_paise, created_ms, expires_ms, courier_paise
         from quotes, n where quote_id = (select quote_id from bookings where booking_id = '{id}')",
        "insert into bookings (booking_id, user_id, awb, status, quote_id, product_id,
           product_name, courier_code, consignee_name, origin_pincode, origin_city,
           destination_pincode, destination_city, weight_grams, amount_paise, details, created_ms,
           sealed_numbers)
         {n} select 'bad-' || cast(i as text), user_id, 'BAD' || cast(i as text), status,
           'bad-' || cast(i as text), product_id, product_name, courier_code, consignee_name,
           origin_pincode, origin_city, destination_pincode, destination_city, weight_grams,
           amount_paise, details, created_ms, sealed_numbers
         from bookings, n where booking_id = '{id}'",
        "insert into courier_orders (booking_id, user_id, courier, service, reference,
           idempotency_key, request_hash, state, reason, looked_up, called_ms, created_ms, awb)
         {n} select 'bad-' || cast(i as text), user_id, courier, service,
           'BAD' || cast(i as text), 'bad-' || cast(i as text), request_hash, 'held', reason,
           looked_up, called_ms, created_ms, awb
         from courier_orders, n where booking_id = '{id}'",
        "insert into tasks (kind, subject, due_ms, lease_until_ms, leased_by, attempts,
           last_error, quarantined_ms, created_ms)
         {n} select kind, 'bad-' || cast(i as text), 1, 0, '', 0, '', 0, created_ms
         from tasks, n where kind = 'courier_order' and subject = '{id}'",
    ] {
        let copy = copy.replace("{n}", &numbers).replace("{id}", id);
        app.tamper(&copy).await.expect("copies");
    }
}

#[test]
fn two_hundred_orders_that_cannot_be_read_hold_up_no_other_and_come_before_an_operator() {
    block_on(async {
        const BAD: i64 = 200;
        let rig = Rig::start().await;
        let form = rig.form("shiprocket").await;
        let id = left_at(&rig, "called", "among-bad-ones", &form).await;
        spoil(&rig.app, &id, BAD).await;
        rig.sweep_later(LEASE_OVER_MS).await;
        assert_eq!(order(&rig.app, &id).await.state, "booked");
        let bad = task(&rig.app, TaskKind::CourierOrder, "bad-7").await.expect("a task");
        assert_eq!((bad.last_error.as_str(), bad.attempts), ("internal", 1));
        let now_ms = rig.app.app.core.clock.now_ms();
        assert!(bad.due_ms >= now_ms + 20_000, "it makes way");
        // One at a time: the last of its tries, and the state afterwards.
        let last = "update tasks set due_ms = 1, attempts = 20 where subject = 'bad-7'";
        rig.app.tamper(last).await.expect("a change");
        rig.app.round(TaskKind::CourierOrder).await;
        let bad = task(&rig.app, TaskKind::CourierOrder, "bad-7").await.expect("a task");
        assert!(bad.quarantined_ms > 0, "{bad:?}");
        rig.app.app.core.clock.advance_ms(limits::DAY_MS);
        let mut conn = rig.app.app.core.store.read().await.expect("a connection");
        let listed = unresolved::list(&mut conn, rig.app.app.core.clock.now_ms()).await;
        assert_eq!(i64::try_from(listed.expect("a list").len()).expect("a count"), BAD);
    });
}
