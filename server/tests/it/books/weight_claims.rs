//! A courier's claim that a parcel was heavier: nothing is charged without a notice.

use dakiya_core::model::money::paise::Paise;
use dakiya_core::services::books::weight_claims::{NewWeightClaim, raise};
use dakiya_core::services::operators::Mode;
use dakiya_core::services::operators::money::Adjustment;
use serde_json::{Value, json};

use super::{accounts, by, desk, text};
use crate::app::{Actor, Answer, TestApp, block_on, rupees};
use crate::bookings::confirm;
use crate::couriers::{Rig, item};

/// A shipment with a partner, and its courier's claim of ₹100 plus GST, of which it bills us ₹60.
async fn claimed() -> (Rig, String) {
    let rig = Rig::start().await;
    let form = rig.form("shiprocket").await;
    let booked = item(&confirm(&rig.asha, "a-heavy-one", &form).await.expect(200));
    let awb = booked["airwaybilno"].as_str().expect("an awb").to_owned();
    for is_new in [true, false] {
        let (by, awb) = (by(&rig.app, if is_new { "claim" } else { "again" }), awb.clone());
        let write = rig.app.app.core.store.write(move |conn| {
            Box::pin(async move {
                let claim = NewWeightClaim {
                    awb,
                    courier_reference: "SR-77".to_owned(),
                    claimed_grams: 9_000,
                    taxable: Paise::rupees(100),
                    courier: Paise::rupees(60),
                    proof: "https://courier.example.in/scale/77.jpg".to_owned(),
                };
                raise(conn, &by, &claim).await
            })
        });
        assert_eq!(write.await.unwrap(), is_new, "claimed once");
    }
    (rig, awb)
}

async fn answered(asha: &Actor, answer: &str, body: Value) -> Answer {
    let path = format!("/api/v1/wallet/weight-differences/claim/{answer}/");
    asha.post(&path, body).await
}

async fn shown(asha: &Actor) -> Value {
    let list = asha.get("/api/v1/wallet/weight-differences/").await.expect(200).json();
    assert_eq!(list["results"].as_array().unwrap().len(), 1);
    list["results"][0].clone()
}

/// True if an operator could decide the claim.
async fn decided(app: &TestApp, is_right: bool) -> bool {
    let desk = desk(app, Mode::default());
    desk.decide_weight("claim", is_right, "seen").await.is_ok()
}

#[test]
fn a_claim_is_shown_with_its_proof_and_moves_nothing_until_its_customer_accepts() {
    block_on(async {
        let (rig, awb) = claimed().await;
        let (app, asha) = (&rig.app, &rig.asha);
        let (before, house) = (app.balance(asha).await, accounts(app).await);
        let claim = shown(asha).await;
        assert_eq!(claim["awb"], json!(awb));
        assert_eq!(claim["state"], "open");
        assert_eq!(claim["claimed_grams"], 9_000);
        assert_eq!(rupees(&claim.to_string(), "amount"), Paise::rupees(118));
        assert!(claim["proof"].as_str().unwrap().contains("scale"));
        app.audit().await;
        // Another customer cannot see the claim.
        let ravi = app.user("ravi").await;
        let none = ravi.get("/api/v1/wallet/weight-differences/").await.expect(200);
        assert_eq!(none.json()["results"], json!([]));
        answered(&ravi, "accept", json!({})).await.expect(404);
        answered(&ravi, "dispute", json!({"reason": "no"})).await.expect(404);
        let paper = format!("/bookings/{awb}/debit-note.pdf");
        asha.page(&paper).await.expect(404);
        assert_eq!((app.balance(asha).await, accounts(app).await), (before, house.clone()));

        answered(asha, "accept", json!({})).await.expect(200);
        answered(asha, "accept", json!({})).await.expect(409);
        assert_eq!(before.get() - app.balance(asha).await.get(), 11_800);
        let after = accounts(app).await;
        for (account, by) in
            [("revenue", 4_000), ("courier_payable", 6_000), ("gst_payable", 1_800)]
        {
            assert_eq!(after[account] - house[account], by, "{account}");
        }
        let note = asha.page(&paper).await.expect(200);
        assert_eq!(note.header("content-type"), "application/pdf");
        let number = text(app, "select number from invoices where kind = 'debit_note'").await;
        assert!(number.starts_with("DN/") && number.ends_with("/000001"), "{number}");
        let statement = asha.get("/api/v1/wallet/transactions/").await.expect(200);
        assert!(statement.text().contains(&format!("Weight difference of {awb}")));
        assert_eq!(shown(asha).await["state"], "charged");
        app.audit().await;
    });
}

#[test]
fn a_disputed_claim_is_decided_by_an_operator() {
    block_on(async {
        for is_right in [false, true] {
            let (rig, _) = claimed().await;
            let (app, asha) = (&rig.app, &rig.asha);
            let before = app.balance(asha).await;
            let silent = answered(asha, "dispute", json!({"reason": " "})).await.expect(400);
            assert_eq!(silent.wrong_fields(), ["reason"]);
            let words = json!({"reason": "I weighed it: 2.4 kg."});
            answered(asha, "dispute", words.clone()).await.expect(200);
            answered(asha, "dispute", words).await.expect(409);
            assert_eq!(app.balance(asha).await, before);
            assert!(decided(app, is_right).await);
            assert!(!decided(app, !is_right).await, "once");
            let taken = before.get() - app.balance(asha).await.get();
            assert_eq!(taken, if is_right { 11_800 } else { 0 });
            let state = if is_right { "charged" } else { "dropped" };
            assert_eq!(shown(asha).await["state"], state);
            app.audit().await;
        }
    });
}

#[test]
fn a_wallet_that_does_not_cover_a_claim_leaves_it_open_and_the_audit_sees_a_silent_charge() {
    block_on(async {
        let (rig, _) = claimed().await;
        let (app, asha) = (&rig.app, &rig.asha);
        let rest = app.balance(asha).await;
        let desk = desk(app, Mode::default());
        let spend = desk.adjust(&asha.username, rest.negated(), Adjustment::Correction, "spent");
        spend.await.expect("spent");
        answered(asha, "accept", json!({})).await.expect(402);
        assert_eq!(shown(asha).await["state"], "open");
        app.audit().await;
        let silent = "update weight_claims set state = 'charged', decided_by = 'x', decided_ms = 1";
        app.tamper(silent).await.unwrap();
        let found = super::faults(app).await;
        assert_eq!(found, ["weight claim claim is not what was charged"]);
    });
}
