//! A cancelled booking owes its courier nothing; one with a lowered price does.

use dakiya::limits;
use dakiya::model::booking::order::status::BookingStatus;
use dakiya::model::money::paise::Paise;
use dakiya::model::task::TaskKind;
use dakiya::services::operators::Mode;
use dakiya::store::charges;
use reqwest::Method;
use serde_json::json;

use super::{account, accounts, customer, desk, faults, text};
use crate::app::{TestApp, block_on};
use crate::bookings::confirm;
use crate::couriers::{ALL, Rig, item};

const SALES: [&str; 3] = ["revenue", "courier_payable", "gst_payable"];

/// Balances of the house accounts that a sale changes.
async fn sales(app: &TestApp) -> [i64; 3] {
    let all = accounts(app).await;
    SALES.map(|name| all[name])
}

/// Books with a partner; returns the booking's id and the amount owed to the courier.
async fn book(rig: &Rig, partner: &str) -> (String, i64) {
    let before = account(&rig.app, "courier_payable").await;
    let form = rig.form(partner).await;
    let booked = item(
        &confirm(&rig.asha, &format!("{partner}-books"), &form)
            .await
            .expect(200),
    );
    let owed = account(&rig.app, "courier_payable").await - before;
    assert!(owed > 0, "{partner} bills us");
    (
        booked["booking_id"].as_str().expect("an id").to_owned(),
        owed,
    )
}

async fn cancel(rig: &Rig, id: &str) {
    let path = format!("/api/v1/shipping/booking/{id}/cancel/");
    rig.asha.post(&path, json!({})).await.expect(200);
}

#[test]
fn a_booking_called_off_by_anybody_leaves_nothing_owed_to_its_courier_and_no_earnings() {
    block_on(async {
        for partner in ["karrio", "shiprocket"] {
            let rig = Rig::start().await;
            let (id, _) = book(&rig, partner).await;
            cancel(&rig, &id).await;
            assert_eq!(
                sales(&rig.app).await,
                [0, 0, 0],
                "{partner}, by its customer"
            );
            rig.app.audit().await;
        }
        let rig = Rig::start().await;
        book(&rig, "shiprocket").await;
        let awb = text(&rig.app, "select awb from bookings").await;
        let scan = json!({"status": "CANCELLED", "location": "Hub"});
        rig.sim(
            Method::POST,
            &format!("shiprocket/shipments/{awb}/scan"),
            scan,
        )
        .await;
        rig.app
            .app
            .core
            .clock
            .advance_ms(limits::TRACK_EVERY_MS + 60_000);
        rig.app.round(TaskKind::Tracking).await;
        assert_eq!(sales(&rig.app).await, [0, 0, 0], "by its courier");
        rig.app.audit().await;
    });
}

#[test]
fn a_price_lowered_while_the_parcel_is_carried_leaves_the_courier_what_it_bills() {
    block_on(async {
        let rig = Rig::start().await;
        let (id, owed) = book(&rig, "shiprocket").await;
        let paid = Paise::rupees(50_000).get() - rig.app.balance(&rig.asha).await.get();
        for (refund, left) in [(5_000, paid - 5_000), (paid - 5_000, 0)] {
            let desk = desk(&rig.app, Mode::default());
            let lowered = desk.lower_price(&id, Paise::new(refund), "late").await;
            assert_eq!(lowered.expect("lowered").result.refunded.get(), paid - left);
            assert_eq!(account(&rig.app, "courier_payable").await, owed);
            rig.app.audit().await;
        }
        // The whole price is our loss, and its GST is no longer owed.
        assert_eq!(sales(&rig.app).await, [-owed, owed, 0]);
        // Cancelled later: the courier bills nothing, and nothing is refunded twice.
        cancel(&rig, &id).await;
        assert_eq!(sales(&rig.app).await, [0, 0, 0]);
        assert_eq!(rig.app.balance(&rig.asha).await, Paise::rupees(50_000));
        rig.app.audit().await;
        let notes = "select cast(count(*) as text) from invoices where kind = 'credit_note'";
        assert_eq!(text(&rig.app, notes).await, "2");
    });
}

#[test]
fn what_old_refunds_left_owed_to_couriers_is_corrected_once_and_history_stays() {
    block_on(async {
        let mut app = TestApp::start_with(&ALL).await;
        let mut asha = app.user("asha").await;
        app.recharge(&asha, 50_000).await;
        let rates = asha
            .post(
                "/api/v1/shipping/calculate-rate/",
                crate::couriers::parcel("2.5"),
            )
            .await;
        let services = crate::couriers::of_partners(&rates.expect(200).json());
        let service = services.iter().find(|rate| rate["otp_required"] == false);
        let form = crate::bookings::form(service.expect("a service"));
        let booked = item(&confirm(&asha, "before-the-fix", &form).await.expect(200));
        let (id, user_id) = (booked["booking_id"].clone(), customer(&app).await);
        // The former form of refunds.
        let old = id.as_str().expect("an id").to_owned();
        let total = Paise::rupees(50_000).get() - app.balance(&asha).await.get();
        let write = app.app.core.store.write(move |conn| {
            Box::pin(async move {
                let all = Paise::new(total);
                charges::refund(conn, &user_id, &old, "cancel", all, 7)
                    .await?
                    .or_fail(&old)?;
                let cancelled = BookingStatus::CANCELLED;
                dakiya::store::bookings::set_status(conn, &old, cancelled).await?;
                dakiya::services::bookings::invoices::credit_note(
                    conn, &user_id, &old, "cancel", all, 7,
                )
                .await
            })
        });
        write.await.unwrap();
        let wrong = faults(&app).await;
        assert!(
            wrong[0].ends_with("is cancelled, but not paid back"),
            "{wrong:?}"
        );
        let before = app.app.core.store.audit(None).await.unwrap().head.unwrap();
        app.restart().await;
        assert_eq!(sales(&app).await, [0, 0, 0]);
        let audit = app.app.core.store.audit(Some(&before)).await.unwrap();
        assert_eq!(audit.faults, [], "and what was before is what it was");
        let after = audit.head.unwrap();
        assert_eq!(after.seq, before.seq + 1);
        app.restart().await;
        asha.url = app.url.clone();
        let again = app.app.core.store.audit(Some(&after)).await.unwrap();
        assert_eq!(again.head, Some(after));
        assert_eq!(app.balance(&asha).await, Paise::rupees(50_000));
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_refund_that_leaves_the_courier_its_money_is_noticed() {
    let test = "books::called_off::\
        a_booking_called_off_by_anybody_leaves_nothing_owed_to_its_courier_and_no_earnings";
    crate::faults::must_fail(test, "courier-still-owed");
}
