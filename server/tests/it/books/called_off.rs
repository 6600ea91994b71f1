//! A cancelled booking owes its courier nothing; one with a lowered price does.

use dakiya_core::limits;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::task::TaskKind;
use dakiya_core::services::operators::Mode;
use reqwest::Method;
use serde_json::json;

use super::{account, accounts, desk, text};
use crate::app::{TestApp, block_on};
use crate::bookings::confirm;
use crate::couriers::{Rig, item};

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
    let booked = item(&confirm(&rig.asha, &format!("{partner}-books"), &form).await.expect(200));
    let owed = account(&rig.app, "courier_payable").await - before;
    assert!(owed > 0, "{partner} bills us");
    (booked["booking_id"].as_str().expect("an id").to_owned(), owed)
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
            assert_eq!(sales(&rig.app).await, [0, 0, 0], "{partner}, by its customer");
            rig.app.audit().await;
        }
        let rig = Rig::start().await;
        book(&rig, "shiprocket").await;
        let awb = text(&rig.app, "select awb from bookings").await;
        let scan = json!({"status": "CANCELLED", "location": "Hub"});
        rig.sim(Method::POST, &format!("shiprocket/shipments/{awb}/scan"), scan).await;
        rig.app.app.core.clock.advance_ms(limits::TRACK_EVERY_MS + 60_000);
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

#[cfg(feature = "faults")]
#[test]
fn a_refund_that_leaves_the_courier_its_money_is_noticed() {
    let test = "books::called_off::\
        a_booking_called_off_by_anybody_leaves_nothing_owed_to_its_courier_and_no_earnings";
    crate::faults::must_fail(test, "courier-still-owed");
}
