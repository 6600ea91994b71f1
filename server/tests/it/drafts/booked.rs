//! A draft is booked once, in however many windows.

use dakiya::jobs;
use dakiya_core::limits::DRAFT_MS_MAX;
use dakiya_core::model::money::paise::Paise;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{details, kept, review, save};
use crate::app::{Actor, Answer, TestApp, block_on};
use crate::bookings::{PRICE, confirm, form, quote};

/// The form of a booking from this draft, with a price of its own.
pub async fn form_of_draft(actor: &Actor, draft_id: &str) -> Value {
    let mut form = form(&quote(actor).await);
    form["draft_id"] = json!(draft_id);
    form
}

#[test]
fn two_windows_that_confirm_one_draft_at_once_make_one_booking() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        for round in 0..4 {
            let draft = format!("draft-{round}");
            let forms = [form_of_draft(&asha, &draft).await, form_of_draft(&asha, &draft).await];
            assert_ne!(forms[0]["quote_id"], forms[1]["quote_id"], "each window has its price");
            let answers = join_all(forms.iter().enumerate().map(async |(window, form)| {
                let key = format!("window-{window}-of-round-{round}");
                confirm(&asha, &key, form).await
            }));
            let [one, other]: [Answer; 2] = answers.await.try_into().unwrap();
            let (booked, refused) = if one.status == 200 { (one, other) } else { (other, one) };
            let shipment = booked.expect(200).json()["data"][0].clone();
            let refused = refused.expect(409).json();
            assert_eq!(refused["code"], "draft_booked");
            let named = json!({
                "booking_id": shipment["booking_id"], "awb": shipment["airwaybilno"],
            });
            assert_eq!(refused["data"], named);
            let message = refused["message"].as_str().unwrap();
            let awb = shipment["airwaybilno"].as_str().unwrap();
            assert!(message.contains(&format!("booked already as {awb}")), "{message}");
            let paid = PRICE * (round + 1);
            assert_eq!(app.balance(&asha).await, Paise::new(500_000 - paid));
            let history = asha.get("/api/v1/shipping/history/").await.expect(200).json();
            assert_eq!(history["count"], round + 1);
        }
        app.audit().await;
    });
}

#[test]
fn a_draft_that_was_booked_is_booked_by_no_later_window_and_shown_as_booked() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let first = form_of_draft(&asha, "draft-1").await;
        let booked = confirm(&asha, "first-window", &first).await.expect(200).json();
        // A repeated key leads to the first booking.
        let again = confirm(&asha, "first-window", &first).await.expect(200).json();
        assert_eq!(again["data"], booked["data"]);
        // Without a key as well, and long after the draft and the keys are forgotten.
        let second = form_of_draft(&asha, "draft-1").await;
        asha.post("/api/v1/shipping/create-booking/", second).await.expect(409);
        app.app.core.clock.advance_ms(DRAFT_MS_MAX + 60_000);
        jobs::delete_expired(&app.app).await.unwrap();
        asha.log_in().await;
        let late = form_of_draft(&asha, "draft-1").await;
        let refused = confirm(&asha, "late-window", &late).await.expect(409).json();
        assert_eq!(refused["code"], "draft_booked");
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));

        // Neither another draft nor another customer's draft of this id is affected.
        let other = form_of_draft(&asha, "draft-2").await;
        confirm(&asha, "other-draft", &other).await.expect(200);
        let ravi = app.user("ravi").await;
        app.recharge(&ravi, 1_000).await;
        let theirs = form_of_draft(&ravi, "draft-1").await;
        confirm(&ravi, "of-ravi-himself", &theirs).await.expect(200);
        // A program books without a draft, as often as it wants.
        for key in ["of-a-program", "of-it-again"] {
            confirm(&asha, key, &form(&quote(&asha).await)).await.expect(200);
        }
        app.audit().await;
    });
}

#[test]
fn what_another_window_left_of_a_booked_draft_is_shown_as_booked() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let booked = confirm(&asha, "first-window", &form_of_draft(&asha, "draft-1").await).await;
        let booked = booked.expect(200).json()["data"][0].clone();
        // It was priced again there, or is not priced yet.
        for (revision, mut content) in (0..).zip([review(&quote(&asha).await), details("Ravi")]) {
            content["id"] = json!("draft-1");
            save(&asha, revision, &content).await.expect(200);
            let there = kept(&asha).await;
            assert_eq!(there["content"], content);
            assert_eq!(there["booked"], booked);
        }
    });
}

#[test]
fn a_draft_whose_booking_failed_may_be_booked_again() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let first = form_of_draft(&asha, "draft-1").await;
        confirm(&asha, "first-window", &first).await.expect(200);
        app.tamper("update bookings set status = 'failed'").await.unwrap();
        let second = form_of_draft(&asha, "draft-1").await;
        confirm(&asha, "second-window", &second).await.expect(200);
        let third = form_of_draft(&asha, "draft-1").await;
        confirm(&asha, "third-window", &third).await.expect(409);
    });
}
