//! Finding bookings, and refunding a part of a price.

use dakiya_core::model::money::paise::Paise;
use serde_json::json;

use super::{Ran, dakiya, rows, unchanged};
use crate::app::{Actor, TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::couriers::item;

/// Books with our own courier; returns the booking's id and AWB.
pub async fn booked(asha: &Actor, key: &str) -> [String; 2] {
    let form = form(&quote(asha).await);
    let booked = item(&confirm(asha, &format!("booking-{key}"), &form).await.expect(200));
    let [id, awb] = [&booked["booking_id"], &booked["airwaybilno"]];
    [id, awb].map(|it| it.as_str().expect("a text").to_owned())
}

#[test]
fn bookings_are_found_by_their_customer_and_where_they_stand_the_newest_first_and_masked() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        app.recharge(&ravi, 5_000).await;
        let [first, awb] = booked(&asha, "first").await;
        app.app.core.clock.advance_ms(1_000);
        let [second, _] = booked(&asha, "second").await;
        app.app.core.clock.advance_ms(1_000);
        let [other, _] = booked(&ravi, "other").await;
        let scan = format!("track add {awb} delivered --reason slip --as meena");
        assert_eq!(dakiya(&app, &scan).code, 0);
        let list = |rest: &str| {
            let listed = dakiya(&app, &format!("orders list {rest} --json")).json();
            let listed = listed.as_array().expect("a list").clone();
            let ids = listed.iter().map(|it| it["booking"].as_str().expect("an id"));
            ids.map(str::to_owned).collect::<Vec<_>>()
        };
        let user = format!("--user {}", asha.username);
        assert_eq!(list(&user), [&*second, &*first]);
        assert_eq!(list(&format!("{user} --limit 1")), [&*second]);
        assert_eq!(list("--status delivered"), [&*first]);
        assert_eq!(list(&format!("{user} --status booked")), [&*second]);
        assert_eq!(list("--limit 2"), [&*other, &*second]);
        assert_eq!(list("--stuck"), [] as [&str; 0]);
        let told = dakiya(&app, &format!("orders list {user}")).out;
        assert!(told.contains(&awb) && told.contains("R*** <***"), "{told}");
        for personal in ["Ravi", "Kumar", "asha@", "98765"] {
            assert!(!told.contains(personal), "{personal} in {told}");
        }
        dakiya(&app, "orders list --user nobody").refused("There is no such account.");
        dakiya(&app, "orders list --status lost").refused("lost is none of pending");
        assert_eq!(dakiya(&app, "orders list --stuck --limit 1").code, 2);
        let shown = dakiya(&app, &format!("orders show {awb} --json")).json();
        assert_eq!(shown["booking_id"], json!(first));
    });
}

#[test]
fn a_part_of_a_price_is_given_back_with_its_credit_note_and_never_more_than_the_price() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let [id, awb] = booked(&asha, "a-late-one").await;
        let paid = Paise::rupees(5_000).get() - app.balance(&asha).await.get();
        let refund = |rest: &str| -> Ran {
            dakiya(&app, &format!("orders refund {rest} --reason late --as ravi"))
        };
        let before = rows(&app).await;
        let all_and_more = Paise::new(paid + 1).decimal();
        refund(&format!("{id} {all_and_more}")).refused("more than is left of its price");
        refund("nobody 5").refused("There is no such booking.");
        refund(&format!("{id} 0")).refused("more than nothing");
        refund(&format!("{id} 0.99")).refused("Please give back at least ₹1.00.");
        assert_eq!(refund(&format!("{id} -5")).code, 2);
        unchanged(&app, &before).await;

        let done = refund(&format!("{awb} 50 --json")).json();
        assert_eq!(done["booking"], json!(id));
        assert_eq!(done["refunded"], json!(50.0));
        refund(&format!("{awb} 50")).refused("The very same was done before");
        let again = refund(&format!("{awb} 50 --again --json")).json();
        assert_eq!(again["refunded"], json!(100.0));
        let left = Paise::new(paid - 10_000).decimal();
        refund(&format!("{id} {left} --json")).json();
        refund(&format!("{id} 1")).refused("more than is left of its price");
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        let notes = crate::books::text(
            &app,
            "select cast(count(*) as text) from invoices where kind = 'credit_note'",
        );
        assert_eq!(notes.await, "3");
        let paper = asha.page(&format!("/bookings/{awb}/credit-note.pdf")).await;
        assert!(paper.expect(200).body.starts_with(b"%PDF"));
        app.audit().await;
    });
}
