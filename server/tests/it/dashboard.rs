//! The dashboard: a new customer's first steps, and items that need attention.

use dakiya_core::model::booking::order::status::BookingStatus;
use dakiya_core::model::shipping::status::ShipmentStatus;

use crate::app::{Actor, TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::couriers::item;

async fn dashboard(actor: &Actor) -> String {
    let page = actor.page("/dashboard").await.expect(200);
    page.text().to_owned()
}

#[test]
fn a_new_customer_is_led_to_their_first_booking() {
    block_on(async {
        let app = TestApp::start().await;
        let mut asha = app.anon();
        asha.join("asha").await;
        let page = dashboard(&asha).await;
        for step in [
            "<a href=\"/account\">Confirm your email</a>",
            "<a href=\"/recharge\">Add money to your wallet</a>",
            "<a href=\"/courier\">Book your first courier</a>",
        ] {
            assert!(page.contains(step), "{step}: {page}");
        }
        assert!(!page.contains("Needs your attention"));
        app.confirm_email(&asha).await;
        app.recharge(&asha, 500).await;
        let page = dashboard(&asha).await;
        assert!(!page.contains("<a href=\"/account\">Confirm"), "{page}");
        assert!(!page.contains("<a href=\"/recharge\">Add money"), "{page}");
        assert!(page.contains("<a href=\"/courier\">Book your first courier</a>"));
        let priced = quote(&asha).await;
        confirm(&asha, "first-parcel", &form(&priced)).await.expect(200);
        assert!(!dashboard(&asha).await.contains("First steps"));
    });
}

#[test]
fn what_needs_attention_stands_on_the_dashboard_of_its_customer_alone() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let ravi = app.user("ravi").await;
        let mut ids = Vec::new();
        for key in ["parcel-one", "parcel-two"] {
            let priced = quote(&asha).await;
            let booked = confirm(&asha, key, &form(&priced)).await.expect(200);
            let id = item(&booked)["booking_id"].clone();
            ids.push(id.as_str().expect("an id").to_owned());
        }
        // 117.96 rupees are left of the wallet's 500.
        assert!(!dashboard(&asha).await.contains("Needs your attention"));
        let told = [
            "1 shipment is on hold",
            "2 shipments are on hold",
            "1 shipment is on its way back to you",
        ];
        let steps = [
            (0, ShipmentStatus::OnHold, [true, false, false]),
            (1, ShipmentStatus::OnHold, [false, true, false]),
            (0, ShipmentStatus::Returning, [true, false, true]),
        ];
        for (booking, status, expected) in steps {
            stands(&app, &ids[booking], status).await;
            let page = dashboard(&asha).await;
            assert_eq!(told.map(|says| page.contains(says)), expected, "{page}");
        }
        assert!(!dashboard(&ravi).await.contains("shipment is"));
        let poor = app.user("meera").await;
        app.recharge(&poor, 250).await;
        let priced = quote(&poor).await;
        confirm(&poor, "last-parcel", &form(&priced)).await.expect(200);
        let page = dashboard(&poor).await;
        assert!(page.contains("Your balance is low: ₹58.98"), "{page}");
        assert!(!dashboard(&asha).await.contains("Your balance is low"));
    });
}

async fn stands(app: &TestApp, id: &str, status: ShipmentStatus) {
    let id = id.to_owned();
    let write = app.app.core.store.write(move |conn| {
        Box::pin(async move {
            let status = BookingStatus::Shipment(status);
            dakiya_core::store::bookings::set_status(conn, &id, status).await
        })
    });
    write.await.expect("a status");
}
