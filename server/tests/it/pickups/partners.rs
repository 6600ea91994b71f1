//! Partners get each pickup request once, get every change, and get a repeat if a response was
//! lost.

use dakiya_core::limits;
use dakiya_core::model::task::TaskKind;
use reqwest::Method;
use serde_json::{Value, json};

use super::{call_off, choices, plan, seen, standing};
use crate::app::block_on;
use crate::bookings::confirm;
use crate::couriers::{Rig, item};

pub const BOTH: [&str; 2] = ["karrio", "shiprocket"];

/// The name of a partner's pickup operation.
pub fn call_of(partner: &str) -> &'static str {
    match partner {
        "karrio" => "schedule_pickup",
        _ => "pickup",
    }
}

pub async fn booked(rig: &Rig, partner: &str, key: &str) -> String {
    let form = rig.form(partner).await;
    let booked = item(&confirm(&rig.asha, key, &form).await.expect(200));
    booked["booking_id"].as_str().expect("an id").to_owned()
}

/// The days on which a partner comes, from its own records.
pub async fn days(rig: &Rig, partner: &str) -> Vec<Value> {
    let all = match partner {
        "karrio" => rig.sim(Method::GET, "karrio/pickups", Value::Null).await,
        _ => json!(rig.shipments(partner).await),
    };
    let all = all.as_array().expect("a list").iter();
    let comes = all.filter(|it| {
        it["cancelled"] != true && it["pickup_day"] != Value::Null
            || partner == "karrio" && it["cancelled"] == false
    });
    comes
        .map(|it| match partner {
            "karrio" => it["asked"]["pickup_date"].clone(),
            _ => it["pickup_day"].clone(),
        })
        .collect()
}

pub fn day(when: &str) -> Value {
    json!(when.split(' ').next())
}

/// Moves the clock, and runs all due tasks about pickups.
pub async fn later(rig: &Rig, later_ms: i64) {
    rig.sweep_later(later_ms).await;
    rig.app.round(TaskKind::Pickup).await;
}

#[test]
fn a_partner_comes_on_the_chosen_day_and_on_another_and_is_told_to_stay_away() {
    block_on(async {
        for partner in BOTH {
            let rig = Rig::start().await;
            let id = booked(&rig, partner, "to-be-fetched").await;
            let asked = rig.asked(partner, call_of(partner)).await;
            let times = choices(&rig.asha, &id).await;
            let planned = plan(&rig.asha, &id, &times[1]).await.expect(200).json();
            assert_eq!(planned["time"]["state"], "confirmed", "{partner}");
            assert_ne!(planned["confirmation"], "", "{partner}");
            assert_eq!(days(&rig, partner).await, [day(&times[1])]);
            assert_eq!(rig.asked(partner, call_of(partner)).await - asked, 1);
            let page = seen(&rig.asha, &format!("/bookings/{id}")).await;
            assert!(page.contains("Pickup number: "), "{page}");

            let times = choices(&rig.asha, &id).await;
            let moved = plan(&rig.asha, &id, times.last().expect("a time")).await;
            assert_eq!(moved.expect(200).json()["time"]["state"], "confirmed");
            assert_eq!(days(&rig, partner).await, [day(times.last().expect("a time"))]);

            if partner == "karrio" {
                call_off(&rig.asha, &id).await.expect(200);
                assert_eq!(standing(&rig.asha, &id).await, Value::Null);
                assert_eq!(days(&rig, partner).await, Vec::<Value>::new());
            } else {
                let stays = call_off(&rig.asha, &id).await.expect(409);
                assert_eq!(stays.json()["code"], "pickup_stays");
                let page = seen(&rig.asha, &format!("/bookings/{id}")).await;
                assert!(page.contains("pickups cannot be cancelled"), "{page}");
            }
        }
    });
}

#[test]
fn an_answer_that_was_lost_is_asked_for_again_and_makes_no_second_pickup() {
    block_on(async {
        for partner in BOTH {
            for when in ["before_work", "after_work"] {
                let rig = Rig::start().await;
                let id = booked(&rig, partner, "of-unknown-fate").await;
                let times = choices(&rig.asha, &id).await;
                let lost = json!({"operation": call_of(partner), "kind": "drop", "when": when});
                rig.fault(partner, lost).await;
                let planned = plan(&rig.asha, &id, &times[1]).await.expect(200).json();
                let told = planned["time"]["state"].clone();
                assert_eq!(told, "requested", "{partner} {when}");
                let page = seen(&rig.asha, &format!("/bookings/{id}")).await;
                assert!(page.contains("We are asking "), "{page}");
                for _ in 0..4 {
                    later(&rig, 61_000).await;
                }
                assert_eq!(standing(&rig.asha, &id).await, "confirmed", "{partner} {when}");
                assert_eq!(days(&rig, partner).await, [day(&times[1])], "{partner} {when}");
            }
        }
    });
}

#[test]
fn a_refused_pickup_needs_attention_and_is_requested_again() {
    block_on(async {
        for partner in BOTH {
            let rig = Rig::start().await;
            let id = booked(&rig, partner, "nobody-comes").await;
            let times = choices(&rig.asha, &id).await;
            rig.fault(partner, json!({"operation": call_of(partner), "kind": "reject"})).await;
            let refused = plan(&rig.asha, &id, &times[0]).await.expect(200).json();
            assert_eq!(refused["time"]["state"], "refused", "{partner}");
            let page = seen(&rig.asha, &format!("/bookings/{id}")).await;
            assert!(page.contains(" did not agree to come "), "{page}");
            let dashboard = seen(&rig.asha, "/dashboard").await;
            assert!(dashboard.contains("1 parcel was not picked up"), "{dashboard}");

            let again = plan(&rig.asha, &id, &times[1]).await.expect(200).json();
            assert_eq!(again["time"]["state"], "confirmed", "{partner}");
            let dashboard = seen(&rig.asha, "/dashboard").await;
            assert!(!dashboard.contains("not picked up"));

            // A refused change keeps the agreed time.
            let change = if partner == "karrio" { "change_pickup" } else { "pickup" };
            rig.fault(partner, json!({"operation": change, "kind": "reject"})).await;
            let times = choices(&rig.asha, &id).await;
            let kept = plan(&rig.asha, &id, times.last().expect("a time")).await.expect(200);
            let kept = kept.json();
            assert_eq!(kept["time"]["from_at"], again["time"]["from_at"], "{partner}");
            assert_eq!(kept["is_change_refused"], true);
            let page = seen(&rig.asha, &format!("/bookings/{id}")).await;
            assert!(page.contains("did not agree to your last change"), "{page}");
        }
    });
}

#[test]
fn a_cancelled_booking_leaves_its_pickup_and_the_last_one_calls_it_off() {
    block_on(async {
        let rig = Rig::start().await;
        let one = booked(&rig, "karrio", "the-first-of-two").await;
        let other = booked(&rig, "karrio", "the-other-of-two").await;
        let times = choices(&rig.asha, &one).await;
        let both = json!({"bookings": [one, other], "when": times[1]});
        let planned = rig.asha.post("/api/v1/shipping/pickups", both).await;
        assert_eq!(planned.expect(200).json()["parcels"], 2);
        let listed = rig.sim(Method::GET, "karrio/pickups", Value::Null).await;
        let numbers = listed[0]["asked"]["tracking_numbers"].as_array().map(Vec::len);
        assert_eq!(numbers, Some(2));
        for (id, left) in [(&one, vec![day(&times[1])]), (&other, Vec::new())] {
            let path = format!("/api/v1/shipping/booking/{id}/cancel/");
            rig.asha.post(&path, json!({})).await.expect(200);
            rig.app.round(TaskKind::Pickup).await;
            assert_eq!(days(&rig, "karrio").await, left);
        }
        rig.app.audit().await;
    });
}

#[test]
fn a_pickup_of_unknown_fate_ends_with_its_booking() {
    block_on(async {
        let rig = Rig::start().await;
        let id = booked(&rig, "karrio", "not-wanted-any-more").await;
        let times = choices(&rig.asha, &id).await;
        // The courier has the pickup, and its answer is lost; then it does not cancel the booking.
        let lost = json!({"operation": "schedule_pickup", "kind": "drop", "when": "after_work"});
        rig.fault("karrio", lost).await;
        plan(&rig.asha, &id, &times[1]).await.expect(200);
        let lost = json!({"operation": "cancel", "kind": "drop", "when": "before_work"});
        rig.fault("karrio", lost).await;
        let path = format!("/api/v1/shipping/booking/{id}/cancel/");
        rig.asha.post(&path, json!({})).await.expect(202);
        later(&rig, limits::PICKUP_TASKS.pauses_ms[0] + 1_000).await;
        assert_eq!(days(&rig, "karrio").await, [day(&times[1])], "it may still be kept");
        for _ in 0..4 {
            later(&rig, limits::CANCEL_AGAIN_MS).await;
        }
        assert_eq!(days(&rig, "karrio").await, Vec::<Value>::new());
        rig.app.audit().await;
    });
}

#[test]
fn a_pickup_that_its_courier_does_not_let_go_of_stays_until_it_does() {
    block_on(async {
        let rig = Rig::start().await;
        let id = booked(&rig, "karrio", "not-let-go").await;
        let times = choices(&rig.asha, &id).await;
        plan(&rig.asha, &id, &times[1]).await.expect(200);
        let lost = json!({"operation": "cancel_pickup", "kind": "drop", "when": "after_work"});
        rig.fault("karrio", lost).await;
        call_off(&rig.asha, &id).await.expect(200);
        assert_eq!(standing(&rig.asha, &id).await, "calling_off");
        let page = seen(&rig.asha, &format!("/bookings/{id}")).await;
        assert!(page.contains("We are telling the courier not to come."), "{page}");
        later(&rig, limits::PICKUP_TASKS.pauses_ms[0] + 1_000).await;
        assert_eq!(standing(&rig.asha, &id).await, Value::Null);
        assert_eq!(days(&rig, "karrio").await, Vec::<Value>::new());
    });
}
