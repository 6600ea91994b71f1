//! SMS to receivers: only if the sender wants it, twice at most, and in our own words.

use dakiya_core::limits::{HOUR_MS, RECEIVER_BOOKED_SMS};
use dakiya_core::model::courier::order::Scan;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::model::task::TaskKind;
use dakiya_core::services::bookings::tracking;
use serde_json::{Value, json};

use crate::app::{Actor, TestApp, block_on, inbox};
use crate::documents::{Booked, book};

const RECEIVER: &str = "+919123456780";

/// Every SMS so far, oldest first: number and text.
async fn told(app: &TestApp) -> Vec<(String, String)> {
    app.round(TaskKind::Notices).await;
    let kept = inbox(&app.app).into_iter().rev();
    let sms = kept.filter(|it| it.channel == "sms");
    sms.map(|it| (it.to, it.text)).collect()
}

async fn comes_to(app: &TestApp, awb: &str, stages: &[ShipmentStatus]) {
    for stage in stages {
        app.app.core.clock.advance_ms(60_000);
        let now_ms = app.app.core.clock.now_ms();
        let scan = Scan {
            stage: Some(*stage),
            location: "Bengaluru".to_owned(),
            remarks: "Call Ravi at www.casino.example".to_owned(),
            happened_ms: now_ms,
            ..Scan::default()
        };
        let recorded = tracking::record(&app.app.core.store, awb, vec![scan], now_ms).await;
        recorded.expect("a scan");
    }
}

/// Books; the changes say if the receiver gets an SMS.
async fn sends(asha: &Actor, number: usize, changes: Value) -> Booked {
    let mut form = json!({
        "description": format!("www.casino.example {number}"),
        "consignee_name": "Win at casino.example",
        "consignee_mobile": "91234 56780",
    });
    for (name, value) in changes.as_object().expect("changes") {
        form[name] = value.clone();
    }
    book(asha, &form).await
}

#[test]
fn a_receiver_is_told_when_it_is_booked_and_when_it_is_out_for_delivery_once_each() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let awb = sends(&asha, 1, json!({"tell_receiver": "1"})).await.awb;
        let link = format!("{}/track/{awb}", app.app.web.config.public_url);
        let first = told(&app).await;
        assert_eq!(first.len(), 1, "{first:?}");
        let way =
            [ShipmentStatus::PickedUp, ShipmentStatus::OutForDelivery, ShipmentStatus::InTransit];
        comes_to(&app, &awb, &way[..2]).await;
        let both = told(&app).await;
        assert_eq!(both.len(), 2, "{both:?}");
        for (to, text) in &both {
            assert_eq!(to, RECEIVER);
            assert!(text.contains(&link), "{text}");
            // Only our own words, and at most two parts of an SMS.
            assert!(!text.contains("casino") && !text.contains("Asha"), "{text}");
            assert!(text.is_ascii() && text.len() < 300, "{text}");
        }
        assert!(both[1].1.contains("out for delivery"), "{both:?}");
        // Back to the hub, and out again.
        comes_to(&app, &awb, &[way[2], way[1], ShipmentStatus::Delivered]).await;
        assert_eq!(told(&app).await.len(), 2);
    });
}

#[test]
fn nobody_is_told_against_the_senders_wish_abroad_or_of_what_was_cancelled() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        for (number, changes) in [
            json!({}),
            json!({"tell_receiver": "2"}),
            json!({"tell_receiver": "1", "consignee_mobile": "011 2345 6789"}),
        ]
        .into_iter()
        .enumerate()
        {
            let awb = sends(&asha, number, changes).await.awb;
            comes_to(&app, &awb, &[ShipmentStatus::OutForDelivery]).await;
        }
        assert_eq!(told(&app).await, []);
        let booked = sends(&asha, 9, json!({"tell_receiver": "1"})).await;
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        asha.post(&cancel, json!({})).await.expect(200);
        assert_eq!(told(&app).await, []);
        // A late event sends no SMS.
        let awb = sends(&asha, 10, json!({"tell_receiver": "1"})).await.awb;
        let late = [ShipmentStatus::OutForDelivery, ShipmentStatus::Delivered];
        comes_to(&app, &awb, &late).await;
        assert_eq!(told(&app).await, []);
    });
}

#[test]
fn a_number_is_told_of_one_booking_in_an_hour_and_of_a_few_in_a_day() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let wished = json!({"tell_receiver": "1"});
        let booked = sends(&asha, 0, wished.clone()).await;
        assert_eq!(told(&app).await.len(), 1);
        // A cancelled booking does not give its SMS back, and no booking fails for want of one.
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        asha.post(&cancel, json!({})).await.expect(200);
        let second = sends(&asha, 1, wished.clone()).await;
        assert_eq!(told(&app).await.len(), 1);
        // Another number is not affected.
        let other = json!({"tell_receiver": "1", "consignee_mobile": "91234 56781"});
        sends(&asha, 2, other).await;
        assert_eq!(told(&app).await.len(), 2);
        let most = usize::try_from(RECEIVER_BOOKED_SMS.receiver).unwrap();
        for number in 3..most + 5 {
            app.app.core.clock.advance_ms(HOUR_MS);
            asha.log_in().await;
            sends(&asha, number, wished.clone()).await;
            told(&app).await;
        }
        let to_receiver =
            |all: &[(String, String)]| all.iter().filter(|it| it.0 == RECEIVER).count();
        assert_eq!(to_receiver(&told(&app).await), most);
        // The way of a real parcel is told all the same.
        comes_to(&app, &second.awb, &[ShipmentStatus::OutForDelivery]).await;
        assert_eq!(to_receiver(&told(&app).await), most + 1);
    });
}

#[test]
fn an_sms_does_not_wait_for_the_senders_confirmed_address() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let key = asha.username.to_lowercase();
        let unknown =
            format!("update users set email_confirmed_ms = null where username_key = '{key}'");
        app.tamper(&unknown).await.expect("not confirmed");
        sends(&asha, 1, json!({"tell_receiver": "1"})).await;
        assert_eq!(told(&app).await.len(), 1);
        let letters = inbox(&app.app).into_iter();
        assert_eq!(letters.filter(|it| it.channel == "email").count(), 0);
    });
}
