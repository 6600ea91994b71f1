//! Several bookings at once: their labels in one file, and cancelling them one after the other.

use serde_json::json;

use crate::app::{Actor, Answer, TestApp, block_on};
use crate::documents::{Booked, barcodes, book, number, pages};
use crate::operators::dakiya;
use dakiya_core::limits;
use dakiya_core::model::money::paise::Paise;

async fn chosen(actor: &Actor, wanted: &str, ids: &[&str]) -> Answer {
    let names: Vec<String> = ids.iter().map(|id| format!("booking-{id}")).collect();
    let mut form: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "on")).collect();
    form.push(("do", wanted));
    actor.form("/bookings", &form).await
}

async fn refunds(app: &TestApp, booked: &Booked) -> i64 {
    let count = format!(
        "select count(*) from ledger_transactions where kind = 'refund' and reference = '{}'",
        booked.id
    );
    number(app, count).await
}

#[test]
fn the_labels_of_several_bookings_are_one_file() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let one = book(&asha, &json!({})).await;
        let other = book(&asha, &json!({"pieces": 2})).await;
        let file = chosen(&asha, "labels", &[&one.id, &other.id]).await.expect(200);
        assert_eq!(file.header("content-type"), "application/pdf");
        assert_eq!(file.header("content-disposition"), "attachment; filename=dakiya-labels.pdf");
        assert_eq!(pages(&file.body), 3);
        let mut read = barcodes(&file.body);
        read.sort();
        let mut awbs = vec![one.awb, other.awb.clone(), other.awb];
        awbs.sort();
        assert_eq!(read, awbs);
    });
}

#[test]
fn what_has_no_label_of_ours_is_named_before_the_others_are_printed() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let one = book(&asha, &json!({})).await;
        let gone = book(&asha, &json!({})).await;
        let path = format!("/api/v1/shipping/booking/{}/cancel/", gone.id);
        asha.post(&path, json!({})).await.expect(200);
        let told = chosen(&asha, "labels", &[&one.id, &gone.id]).await.expect(200);
        let told = told.text();
        assert!(told.contains("No label: this booking is being cancelled, or was."));
        assert!(told.contains("Print 1 label"), "{told}");
        assert!(told.contains(&format!("name=\"booking-{}\"", one.id)));
        assert!(!told.contains(&format!("name=\"booking-{}\"", gone.id)));
    });
}

#[test]
fn several_bookings_are_cancelled_once_each_and_one_that_is_under_way_stays() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let one = book(&asha, &json!({})).await;
        let late = book(&asha, &json!({})).await;
        let other = book(&asha, &json!({})).await;
        let line = format!("track add {} shipped --reason scan --as meena", late.awb);
        assert_eq!(dakiya(&app, &line).code, 0);
        let before = app.balance(&asha).await;
        let ids = [&*one.id, &late.id, &other.id];

        let asked = chosen(&asha, "cancel", &ids).await.expect(200).text().to_owned();
        assert!(asked.contains("Cancel 2 bookings"), "{asked}");
        assert!(asked.contains("Not possible: it is with the courier"));
        assert_eq!(app.balance(&asha).await, before, "nothing is done before it is confirmed");

        for _ in 0..2 {
            let done = chosen(&asha, "cancel-now", &ids).await.expect(200).text().to_owned();
            assert_eq!(done.matches("is back in your wallet.").count(), 2, "{done}");
            assert_eq!(done.matches("Not possible: it is with the courier").count(), 1);
            let back = Paise::new(2 * super::PRICE);
            assert_eq!(app.balance(&asha).await, before.checked_add(back).unwrap());
        }
        let counts = [refunds(&app, &one).await, refunds(&app, &late).await];
        assert_eq!((counts, refunds(&app, &other).await), ([1, 0], 1));
        app.audit().await;
    });
}

#[test]
fn two_forms_at_once_pay_each_booking_back_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let one = book(&asha, &json!({})).await;
        let other = book(&asha, &json!({})).await;
        let ids = [&*one.id, &other.id];
        let both =
            tokio::join!(chosen(&asha, "cancel-now", &ids), chosen(&asha, "cancel-now", &ids));
        for one in [both.0, both.1] {
            one.expect(200);
        }
        assert_eq!(app.balance(&asha).await, Paise::new(500_000));
        assert_eq!((refunds(&app, &one).await, refunds(&app, &other).await), (1, 1));
        app.audit().await;
    });
}

#[test]
fn nobody_prints_or_cancels_the_bookings_of_others() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let ravi = app.user("ravi").await;
        let before = app.balance(&asha).await;
        for wanted in ["labels", "cancel", "cancel-now"] {
            for name in [&booked.id, &booked.awb] {
                let told = chosen(&ravi, wanted, &[name]).await.expect(200).text().to_owned();
                assert!(told.contains("There is no such booking."), "{told}");
                assert!(!told.contains("Ravi &lt;b&gt;Kumar"), "{told}");
            }
        }
        assert_eq!(app.balance(&asha).await, before);
        assert_eq!(refunds(&app, &booked).await, 0);
        let view = asha.get(&format!("/api/v1/shipping/booking/{}/", booked.id)).await;
        assert_eq!(view.expect(200).json()["status"], "booked");
    });
}

#[test]
fn a_form_of_nothing_of_too_much_or_of_nonsense_does_nothing_and_says_so() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let nothing = chosen(&asha, "cancel-now", &[]).await.expect(400);
        assert!(nothing.text().contains("Please tick a booking first."));
        assert!(nothing.text().contains(&booked.awb), "the list is still there");
        let many: Vec<String> = (0..=limits::BOOKINGS_CHOSEN_MAX).map(|n| n.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for wanted in ["labels", "cancel", "cancel-now"] {
            let refused = chosen(&asha, wanted, &many).await.expect(400);
            assert!(refused.text().contains("Please choose at most 50 bookings at once."));
        }
        chosen(&asha, "burn", &[&booked.id]).await.expect(400);
        chosen(&anon, "cancel-now", &[&booked.id]).await.expect(303);
        let view = asha.get(&format!("/api/v1/shipping/booking/{}/", booked.id)).await;
        assert_eq!(view.expect(200).json()["status"], "booked");
    });
}
