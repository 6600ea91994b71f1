//! Pickups: parcels that their courier collects on a day that the customer chose. Each is requested
//! once, shown with all its parcels, moved, and cancelled.

mod begun;
mod booked;
mod partners;
#[cfg(feature = "faults")]
mod struck;

use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, block_on};
use crate::documents::{book, number};
use crate::operators::dakiya;
use dakiya_core::limits;
use dakiya_core::model::task::TaskKind;

/// The booking with its pickup, as its owner sees it.
async fn details(actor: &Actor, id: &str) -> Value {
    let path = format!("/api/v1/shipping/booking/{id}/details");
    actor.get(&path).await.expect(200).json()
}

/// Pickup times that a booking may choose now.
async fn choices(actor: &Actor, id: &str) -> Vec<String> {
    let details = details(actor, id).await;
    let choices = details["pickup_choices"].as_array().expect("choices");
    let when = choices.iter().map(|it| it["when"].as_str().expect("a time"));
    when.map(str::to_owned).collect()
}

async fn plan(actor: &Actor, id: &str, when: &str) -> Answer {
    let path = format!("/api/v1/shipping/booking/{id}/pickup");
    actor.post(&path, json!({"when": when})).await
}

async fn call_off(actor: &Actor, id: &str) -> Answer {
    let path = format!("/api/v1/shipping/booking/{id}/pickup/cancel");
    actor.post(&path, json!({})).await
}

/// The state of a booking's pickup; null if none is planned.
async fn standing(actor: &Actor, id: &str) -> Value {
    details(actor, id).await["planned_pickup"]["time"]["state"].clone()
}

async fn seen(actor: &Actor, path: &str) -> String {
    actor.page(path).await.expect(200).text().to_owned()
}

#[test]
fn a_parcel_is_fetched_at_the_chosen_time_which_everybody_sees_and_it_costs_nothing() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let one = book(&asha, &json!({})).await;
        let (page, track) = (format!("/bookings/{}", one.id), format!("/track/{}", one.awb));
        let before = app.balance(&asha).await;
        assert!(seen(&asha, &page).await.contains("Schedule pickup"));
        let times = choices(&asha, &one.id).await;
        // Sent as a browser without JavaScript does.
        let form = format!("{page}/pickup");
        let sent = asha.form(&form, &[("when", &*times[3])]).await.expect(303);
        assert_eq!(sent.header("location"), page);
        assert_eq!(standing(&asha, &one.id).await, "confirmed");
        let shown = seen(&asha, &page).await;
        assert!(shown.contains("Dakiya comes "), "{shown}");
        assert!(seen(&asha, "/bookings").await.contains(">Pickup "));
        let day = times[3].split(' ').next().expect("a day");
        let public = anon.page(&track).await.expect(200).text().to_owned();
        assert!(public.contains("<dt>Pickup</dt>"), "{public}");
        let told = anon.get(&format!("/api/v1/shipping{track}")).await.expect(200);
        assert_eq!(told.json()["pickup"]["state"], "confirmed");
        for private in ["Janpath", "9876543210", "Pickup number"] {
            assert!(!public.contains(private), "{private}");
        }
        // Our own drivers get the address from us.
        let ran = dakiya(&app, &format!("pickups --day {day} --as ravi --json"));
        assert_eq!(ran.code, 0);
        assert_eq!(ran.json()[0]["awb"], one.awb.as_str());
        assert_eq!(app.balance(&asha).await, before);
        app.audit().await;
    });
}

#[test]
fn a_pickup_is_moved_and_called_off_until_it_is_done() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let one = book(&asha, &json!({})).await;
        let times = choices(&asha, &one.id).await;
        plan(&asha, &one.id, &times[1]).await.expect(200);
        let moved = plan(&asha, &one.id, &times[4]).await.expect(200).json();
        assert_eq!(moved["time"]["state"], "confirmed");
        let day = times[4].split(' ').next().expect("a day");
        let told = format!(
            "select count(*) from pickups where agreed_time like '{day} %' and day = '{day}'"
        );
        assert_eq!(number(&app, told).await, 1);
        assert_eq!(number(&app, "select count(*) from pickups".to_owned()).await, 1);
        // Planning one time twice is no change.
        plan(&asha, &one.id, &times[4]).await.expect(200);
        let revision = "select revision from pickups".to_owned();
        assert_eq!(number(&app, revision).await, 2);

        let form = format!("/bookings/{}/pickup/cancel", one.id);
        asha.form(&form, &[]).await.expect(303);
        assert_eq!(standing(&asha, &one.id).await, Value::Null);
        let track = format!("/track/{}", one.awb);
        assert!(!seen(&asha, &track).await.contains("<dt>Pickup</dt>"));
        call_off(&asha, &one.id).await.expect(200);

        // Requested again, and picked up: nothing is left to plan.
        plan(&asha, &one.id, &times[1]).await.expect(200);
        let line = format!("track add {} shipped --reason scan --as meena", one.awb);
        assert_eq!(dakiya(&app, &line).code, 0);
        assert_eq!(standing(&asha, &one.id).await, Value::Null);
        let late = plan(&asha, &one.id, &times[2]).await.expect(409);
        assert_eq!(late.json()["code"], "not_waiting");
        let page = seen(&asha, &format!("/bookings/{}", one.id)).await;
        assert!(!page.contains("Schedule pickup"));
    });
}

#[test]
fn several_parcels_at_one_address_are_fetched_together_and_others_by_themselves() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let one = book(&asha, &json!({})).await;
        let other = book(&asha, &json!({})).await;
        let elsewhere =
            book(&asha, &json!({"consigner_address_1": "7 Lodhi Road, second floor"})).await;
        let gone = book(&asha, &json!({})).await;
        let path = format!("/api/v1/shipping/booking/{}/cancel/", gone.id);
        asha.post(&path, json!({})).await.expect(200);
        let ids = [&one.id, &other.id, &elsewhere.id, &gone.id];
        let ticked: Vec<String> = ids.iter().map(|id| format!("booking-{id}")).collect();
        let mut form: Vec<(&str, &str)> = ticked.iter().map(|it| (&**it, "on")).collect();
        form.push(("do", "pickup"));
        let asked = asha.form("/bookings", &form).await.expect(200).text().to_owned();
        assert!(asked.contains("it is with the courier, or cancelled"), "{asked}");
        let name_beside = |awb: &str| {
            let section = asked.split("<section").find(|part| part.contains(awb));
            let rest = section.and_then(|part| part.split("name=\"when-").nth(1));
            rest.and_then(|rest| rest.split('"').next())
        };
        let names = [&one.awb, &elsewhere.awb].map(|awb| name_beside(awb).expect("a choice"));
        assert_eq!(name_beside(&other.awb), Some(names[0]));
        assert_ne!(names[0], names[1]);
        assert!(asked.contains("7 Lodhi Road"));

        // One group has its time, the other is left to plan.
        let times = choices(&asha, &one.id).await;
        let whens: Vec<String> = names.iter().map(|name| format!("when-{name}")).collect();
        *form.last_mut().expect("an act") = ("do", "pickup-now");
        form.push((&whens[0], &times[2]));
        form.push((&whens[1], ""));
        let done = asha.form("/bookings", &form).await.expect(200).text().to_owned();
        assert!(done.contains("Dakiya comes "), "{done}");
        assert!(done.contains("This time cannot be chosen any more."), "{done}");
        assert!(!done.contains(&format!("name=\"when-{}\"", names[0])));
        let together = "select count(*) from pickup_parcels where pickup_id =
                        (select pickup_id from pickups) and state = 'waiting'";
        assert_eq!(number(&app, together.to_owned()).await, 2);
        let page = seen(&asha, &format!("/bookings/{}", one.id)).await;
        assert!(page.contains("2 parcels are picked up together."), "{page}");

        // With the API, bookings from two addresses are not one pickup, and none is requested
        // twice.
        let both = json!({"bookings": [elsewhere.id, one.id], "when": times[2]});
        let refused = asha.post("/api/v1/shipping/pickups", both).await.expect(409);
        assert_eq!(refused.json()["code"], "planned");
        let third = book(&asha, &json!({})).await;
        let both = json!({"bookings": [elsewhere.id, third.id], "when": times[2]});
        let refused = asha.post("/api/v1/shipping/pickups", both).await.expect(400);
        assert!(refused.text().contains("different couriers or addresses"));
        let alone = json!({"bookings": [elsewhere.id], "when": times[2]});
        asha.post("/api/v1/shipping/pickups", alone).await.expect(200);
    });
}

#[test]
fn a_time_that_is_not_offered_and_the_bookings_of_others_are_refused() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        let one = book(&asha, &json!({})).await;
        let times = choices(&asha, &one.id).await;
        for wrong in ["", "2020-01-01 10:00", "tomorrow", &times[1].replace(":00", ":30")] {
            let refused = plan(&asha, &one.id, wrong).await.expect(400);
            assert_eq!(refused.wrong_fields(), ["when"]);
            let form = format!("/bookings/{}/pickup", one.id);
            let sent = asha.form(&form, &[("when", wrong)]).await.expect(303);
            let back = sent.header("location").to_owned();
            assert!(seen(&asha, &back).await.contains("This time cannot be chosen any more."));
        }
        for name in [&one.id, &one.awb] {
            plan(&ravi, name, &times[1]).await.expect(404);
            call_off(&ravi, name).await.expect(404);
            let theirs = json!({"bookings": [name], "when": times[1]});
            ravi.post("/api/v1/shipping/pickups", theirs).await.expect(404);
            let ticked = format!("booking-{name}");
            let form = [(&*ticked, "on"), ("do", "pickup")];
            let told = ravi.form("/bookings", &form).await.expect(200).text().to_owned();
            assert!(told.contains("There is no such booking."), "{told}");
        }
        plan(&asha, &one.id, &times[1]).await.expect(200);
        call_off(&ravi, &one.id).await.expect(404);
        assert_eq!(standing(&asha, &one.id).await, "confirmed");
        let none = json!({"bookings": [], "when": times[1]});
        asha.post("/api/v1/shipping/pickups", none).await.expect(400);
    });
}

#[test]
fn a_missed_pickup_needs_attention_and_is_requested_again_with_all_its_parcels() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let one = book(&asha, &json!({})).await;
        let other = book(&asha, &json!({})).await;
        let times = choices(&asha, &one.id).await;
        let both = json!({"bookings": [one.id, other.id], "when": times[0]});
        let planned = asha.post("/api/v1/shipping/pickups", both).await.expect(200).json();
        let until_ms = planned["time"]["until_at"].as_i64().expect("a time");
        let late_ms = until_ms + limits::PICKUP_LATE_MS - app.app.core.clock.now_ms();
        app.app.core.clock.advance_ms(late_ms - 60_000);
        asha.log_in().await;
        assert_eq!(standing(&asha, &one.id).await, "confirmed");
        app.app.core.clock.advance_ms(60_000);
        assert_eq!(standing(&asha, &one.id).await, "missed");
        let dashboard = seen(&asha, "/dashboard").await;
        assert!(dashboard.contains("2 parcels were not picked up"), "{dashboard}");
        assert!(seen(&asha, "/bookings").await.contains("The pickup was missed"));
        let track = seen(&asha, &format!("/track/{}", one.awb)).await;
        assert!(!track.contains("<dt>Pickup</dt>"));

        let times = choices(&asha, &one.id).await;
        plan(&asha, &one.id, &times[0]).await.expect(200);
        assert_eq!(standing(&asha, &other.id).await, "confirmed");
        let dashboard = seen(&asha, "/dashboard").await;
        assert!(!dashboard.contains("not picked up"));
        app.round(TaskKind::Pickup).await;
        assert_eq!(standing(&asha, &one.id).await, "confirmed");
    });
}
