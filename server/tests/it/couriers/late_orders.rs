//! Orders whose state at the courier is unclear: an order that appears late, a search that does not
//! list it, a cancellation that is only requested, a key that has expired.

use dakiya_core::limits;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Rig, item, stuck};
use crate::app::{Answer, block_on};
use crate::bookings::confirm;
use crate::patience::{patient, until};

const PARTNERS: [(&str, &str); 2] = [("karrio", "purchase"), ("shiprocket", "assign")];

async fn cancel(rig: &Rig, booked: &Value) -> Answer {
    let id = booked["booking_id"].as_str().expect("an id");
    let path = format!("/api/v1/shipping/booking/{id}/cancel/");
    rig.asha.post(&path, json!({})).await
}

async fn status(rig: &Rig) -> String {
    let history = rig.asha.get("/api/v1/shipping/history/").await.expect(200);
    let status = history.json()["results"][0]["status"].clone();
    status.as_str().unwrap_or_default().to_owned()
}

/// Waits until the answer to the first look-up was read. The clock must not move before: the next
/// look-up is planned from then.
async fn next_look_up_is_planned(rig: &Rig) {
    let history = rig.asha.get("/api/v1/shipping/history/").await.expect(200);
    let id = history.json()["results"][0]["id"].clone();
    let id = id.as_str().expect("an id");
    until("the answer was read", async || stuck::order(&rig.app, id).await.looked_up > 0).await;
}

async fn booked(rig: &Rig, partner: &str) -> Value {
    let form = rig.form(partner).await;
    item(&confirm(&rig.asha, "booked-there", &form).await.expect(200))
}

#[test]
fn a_cancellation_that_was_only_asked_for_gives_nothing_back_until_it_is_made() {
    block_on(async {
        for (partner, _) in PARTNERS {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let booked = booked(&rig, partner).await;
            let charged = rig.app.balance(&rig.asha).await;
            rig.set(partner, json!({"cancel_lag_ms": 5 * 60_000})).await;
            cancel(&rig, &booked).await.expect(202);
            for _ in 0..2 {
                rig.sweep_later(limits::CANCEL_AGAIN_MS).await;
                assert_eq!(rig.book(partner).await.len(), 1);
                assert_eq!(rig.app.balance(&rig.asha).await, charged, "{partner}");
                assert_eq!(status(&rig).await, "cancelling");
            }
            rig.sweep_later(limits::CANCEL_AGAIN_MS).await;
            assert_eq!(rig.book(partner).await.len(), 0);
            assert_eq!(rig.app.balance(&rig.asha).await, before);
            assert_eq!(status(&rig).await, "cancelled");
            rig.app.audit().await;
        }
    });
}

#[test]
fn an_order_that_the_search_does_not_list_is_cancelled_by_its_numbers_or_stays_booked() {
    block_on(async {
        for (partner, _) in PARTNERS {
            for is_known in [true, false] {
                let rig = Rig::start().await;
                let before = rig.app.balance(&rig.asha).await;
                rig.set(partner, json!({"search_lag_ms": 10 * 60_000})).await;
                let booked = booked(&rig, partner).await;
                let charged = rig.app.balance(&rig.asha).await;
                if !is_known {
                    // Bookings made before the id was stored.
                    let forget = "update courier_orders set courier_id = ''";
                    rig.app.tamper(forget).await.expect("a change");
                }
                // Shiprocket also finds a shipment by its AWB alone.
                let is_found = is_known || partner == "shiprocket";
                let answer = cancel(&rig, &booked).await;
                answer.expect(if is_found { 200 } else { 202 });
                let balance = rig.app.balance(&rig.asha).await;
                assert_eq!(rig.book(partner).await.is_empty(), is_found);
                assert_eq!(balance, if is_found { before } else { charged }, "{partner}");
                for _ in 0..6 {
                    rig.sweep_later(limits::CANCEL_AGAIN_MS).await;
                }
                assert_eq!(rig.book(partner).await.len(), 0);
                assert_eq!(rig.app.balance(&rig.asha).await, before);
                rig.app.audit().await;
            }
        }
    });
}

#[test]
fn a_key_that_expired_refuses_no_cancellation_and_is_counted() {
    block_on(async {
        for (partner, _) in PARTNERS {
            for kind in ["unauthorized", "forbidden", "not_found"] {
                let rig = Rig::start().await;
                let before = rig.app.balance(&rig.asha).await;
                let booked = booked(&rig, partner).await;
                let charged = rig.app.balance(&rig.asha).await;
                let expired = json!({"operation": "any", "kind": kind, "times": 1_000});
                rig.fault(partner, expired).await;
                cancel(&rig, &booked).await.expect(202);
                rig.sweep_later(limits::CANCEL_AGAIN_MS).await;
                assert_eq!(status(&rig).await, "cancelling", "{partner} {kind}");
                assert_eq!(rig.app.balance(&rig.asha).await, charged);
                rig.sim(Method::DELETE, &format!("{partner}/faults"), Value::Null).await;
                rig.sweep_later(limits::CANCEL_AGAIN_MS).await;
                assert_eq!(status(&rig).await, "cancelled", "{partner} {kind}");
                assert_eq!(rig.app.balance(&rig.asha).await, before);
                rig.app.audit().await;
            }
        }
    });
}

#[test]
fn a_look_up_calls_nothing_off_while_the_purchase_may_be_on_its_way() {
    block_on(async {
        for (partner, buy) in PARTNERS {
            let rig = Rig::start().await;
            let form = rig.form(partner).await;
            let late = patient(6_000).as_millis();
            let late = json!({"operation": buy, "kind": "late", "delay_ms": late});
            rig.fault(partner, late).await;
            rig.hangs_up("a-late-one", &form, (partner, "read", 1)).await;
            next_look_up_is_planned(&rig).await;
            rig.sweep_later(31_000).await;
            assert!(rig.asked(partner, "read").await >= 2);
            assert_eq!(rig.asked(partner, "cancel").await, 0, "{partner}");
            assert_eq!(status(&rig).await, "pending");
            until("it landed", async || !rig.book(partner).await.is_empty()).await;
            rig.sweep_a_minute_later().await;
            assert_eq!(status(&rig).await, "booked", "{partner}");
            assert_eq!(rig.book(partner).await.len(), 1);
            rig.app.audit().await;
        }
    });
}

#[test]
fn a_purchase_that_lands_after_its_order_was_given_up_is_called_off_until_it_is_gone() {
    block_on(async {
        for (partner, buy) in PARTNERS {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let form = rig.form(partner).await;
            rig.set(partner, json!({"buys_cancelled": true})).await;
            let late = patient(7_000).as_millis();
            let late = json!({"operation": buy, "kind": "late", "delay_ms": late});
            rig.fault(partner, late).await;
            rig.hangs_up("a-late-one", &form, (partner, "read", 1)).await;
            next_look_up_is_planned(&rig).await;
            for _ in 0..3 {
                rig.sweep_a_minute_later().await;
            }
            let refused = confirm(&rig.asha, "a-late-one", &form).await.expect(409);
            assert_eq!(refused.json()["code"], "courier_refused");
            assert_eq!(rig.app.balance(&rig.asha).await, before);
            assert_eq!(rig.book(partner).await.len(), 0);
            until("it landed", async || !rig.book(partner).await.is_empty()).await;
            assert_eq!(rig.book(partner).await.len(), 1, "{partner}");
            // After a failed look-up there is another.
            rig.fault(partner, json!({"operation": "cancel", "kind": "internal_error"})).await;
            rig.sweep_later(11 * 60_000).await;
            assert_eq!(rig.book(partner).await.len(), 1);
            rig.sweep_a_minute_later().await;
            assert_eq!(rig.book(partner).await.len(), 0, "{partner}");
            assert_eq!(rig.app.balance(&rig.asha).await, before);
            rig.app.audit().await;
        }
    });
}
