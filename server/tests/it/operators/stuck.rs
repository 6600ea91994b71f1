//! Bookings that never end by themselves, each ended by a command: money, documents and letter.

use dakiya_core::failpoints::{FailAction, arm};
use dakiya_core::model::task::TaskKind;
use serde_json::{Value, json};

use super::{Ran, dakiya, letters, rows, unchanged};
use crate::app::block_on;
use crate::bookings::confirm;
use crate::couriers::{Rig, item};

const NOT_MADE: &str = "Your courier booking was not made";

async fn newest(rig: &Rig) -> String {
    let history = rig.asha.get("/api/v1/shipping/history/").await.expect(200);
    let id = history.json()["results"][0]["id"].clone();
    id.as_str().expect("an id").to_owned()
}

/// An order that its process abandoned at a failpoint.
pub async fn left_at(rig: &Rig, point: &str) -> String {
    let form = rig.form("shiprocket").await;
    arm(point, &rig.user_id().await, FailAction::Panic);
    let answer = confirm(&rig.asha, &format!("left-at-{point}"), &form).await;
    assert_eq!(answer.status, 500, "{}", answer.text());
    newest(rig).await
}

/// Runs a command first as a dry run that changes nothing, then for real.
async fn done(rig: &Rig, line: &str) -> Value {
    let line = format!("{line} --reason asked --as ravi --json");
    let before = rows(&rig.app).await;
    let dry = dakiya(&rig.app, &format!("{line} --dry-run")).json();
    unchanged(&rig.app, &before).await;
    let done = dakiya(&rig.app, &line).json();
    assert_eq!([&done["outcome"], &done["entries"]], [&dry["outcome"], &dry["entries"]]);
    assert_eq!(dakiya(&rig.app, "actions list --json").json()[0]["action"], done["action"]);
    done
}

fn list(rig: &Rig) -> Vec<String> {
    let listed = dakiya(&rig.app, "orders list --json").json();
    let ids = listed.as_array().expect("a list").iter();
    ids.map(|order| order["booking_id"].as_str().expect("an id").to_owned()).collect()
}

fn again(rig: &Rig, line: &str) -> Ran {
    dakiya(&rig.app, &format!("{line} --reason asked --as ravi"))
}

#[test]
fn an_order_of_unknown_fate_is_booked_under_the_awb_that_the_courier_told_the_operator() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let id = left_at(&rig, "called").await;
        let held = rig.app.balance(&rig.asha).await;
        assert!(held < before);
        let line = format!("orders resolve {id} --booked SR123456789");
        let booked = done(&rig, &line).await;
        assert_eq!([&booked["awb"], &booked["status"]], ["SR123456789", "booked"]);
        assert_eq!(
            booked["entries"][0]["account"].as_str().unwrap().split(':').next(),
            Some("held")
        );
        assert_eq!(rig.app.balance(&rig.asha).await, held, "what was held is spent");
        let invoice = rig.asha.page(&format!("/bookings/{id}/invoice.pdf")).await;
        assert!(invoice.expect(200).body.starts_with(b"%PDF"));
        assert_eq!(letters(&rig.app, TaskKind::Notices).await, ["SR123456789: Booked"]);
        again(&rig, &line).refused("This order has ended.");
        rig.sweep_a_minute_later().await;
        rig.app.audit().await;
    });
}

#[test]
fn an_order_of_unknown_fate_that_the_courier_does_not_have_gives_its_money_back() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let id = left_at(&rig, "called").await;
        again(&rig, &format!("orders release {id}"))
            .refused("Its courier was asked and may have it");
        done(&rig, &format!("orders quarantine {id}")).await;
        assert_eq!(list(&rig), std::slice::from_ref(&id));
        let shown = dakiya(&rig.app, &format!("orders show {id} --json")).json();
        assert!(shown["quarantined_ms"].as_i64().unwrap() > 0, "{shown}");
        assert!(dakiya(&rig.app, "tasks list").out.contains("courier_order"));
        done(&rig, &format!("orders resolve {id} --not-booked")).await;
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        assert_eq!(letters(&rig.app, TaskKind::Notices).await, [NOT_MADE]);
        assert_eq!(list(&rig), [] as [String; 0]);
        rig.app.audit().await;
    });
}

#[test]
fn an_order_that_was_never_sent_is_released() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let id = left_at(&rig, "held").await;
        again(&rig, &format!("orders resolve {id} --booked AB12345678"))
            .refused("Its courier was never asked");
        let released = done(&rig, &format!("orders release {id}")).await;
        assert_eq!(released["status"], "failed");
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        assert_eq!(letters(&rig.app, TaskKind::Notices).await, [NOT_MADE]);
        rig.sweep_a_minute_later().await;
        assert_eq!(rig.shipments("shiprocket").await, [] as [Value; 0]);
        rig.app.audit().await;
    });
}

#[test]
fn a_cancellation_without_an_answer_ends_as_the_courier_told_the_operator() {
    block_on(async {
        for cancelled in [true, false] {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let form = rig.form("shiprocket").await;
            let booked = item(&confirm(&rig.asha, "to-be-cancelled", &form).await.expect(200));
            let (id, awb) = (booked["booking_id"].clone(), booked["airwaybilno"].clone());
            let [id, awb] = [id, awb].map(|it| it.as_str().expect("a text").to_owned());
            let charged = rig.app.balance(&rig.asha).await;
            let silent = json!({"operation": "cancel", "kind": "drop", "times": 50});
            rig.fault("shiprocket", silent).await;
            let path = format!("/api/v1/shipping/booking/{id}/cancel/");
            rig.asha.post(&path, json!({})).await.expect(202);
            letters(&rig.app, TaskKind::Notices).await;

            let fate = if cancelled { "--cancelled" } else { "--not-cancelled" };
            let ended = done(&rig, &format!("orders resolve {id} {fate}")).await;
            let told = letters(&rig.app, TaskKind::Notices).await;
            let balance = rig.app.balance(&rig.asha).await;
            if cancelled {
                assert_eq!((balance, &ended["status"]), (before, &json!("cancelled")));
                assert_eq!(told[0], format!("{awb}: Cancelled"));
                let note = rig.asha.page(&format!("/bookings/{id}/credit-note.pdf")).await;
                assert!(note.expect(200).body.starts_with(b"%PDF"));
            } else {
                assert_eq!((balance, &ended["status"]), (charged, &json!("booked")));
                let refused = "The courier did not agree to cancel it";
                assert_eq!(told[0], format!("{awb}: {refused}"));
            }
            again(&rig, &format!("orders resolve {id} {fate}"))
                .refused("This booking is not being cancelled.");
            rig.app.audit().await;
        }
    });
}

#[test]
fn a_quarantined_order_is_tried_again_when_an_operator_says_so() {
    block_on(async {
        let rig = Rig::start().await;
        let id = left_at(&rig, "held").await;
        done(&rig, &format!("orders quarantine {id}")).await;
        rig.sweep_a_minute_later().await;
        assert_eq!(rig.shipments("shiprocket").await, [] as [Value; 0], "nobody goes on with it");
        let retry = format!("tasks retry courier_order {id} --reason back --as ravi");
        assert!(dakiya(&rig.app, &retry).out.contains("It is tried again at once."));
        rig.sweep_a_minute_later().await;
        assert_eq!(rig.shipments("shiprocket").await.len(), 1);
        let listed = dakiya(&rig.app, "tasks list --all --kind courier_order --json").json();
        assert_eq!(listed, json!([]));
        dakiya(&rig.app, &retry).refused("There is no such task.");
        dakiya(&rig.app, "tasks retry tea x --reason y --as ravi")
            .refused("tea is none of payment");
        rig.app.audit().await;
    });
}
