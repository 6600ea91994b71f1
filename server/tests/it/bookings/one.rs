//! The page of one booking, in each state it may be in.

use serde_json::{Value, json};

use crate::app::{Actor, TestApp, block_on};
use crate::documents::{Booked, book};
use crate::operators::dakiya;

async fn view(actor: &Actor, booked: &Booked) -> Value {
    let path = format!("/api/v1/shipping/booking/{}/details/", booked.id);
    actor.get(&path).await.expect(200).json()
}

async fn page(actor: &Actor, booked: &Booked) -> String {
    let page = actor.page(&format!("/bookings/{}", booked.id)).await;
    page.expect(200).text().to_owned()
}

#[test]
fn a_bookings_page_says_where_it_is_who_sends_what_and_what_it_cost() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let changes = json!({
            "consigner_doc_type": "2", "consigner_doc_number": "ABCPE1234F",
            "customer_reference": "ORD-9", "pickup_required": "1", "pickup_location": "1",
        });
        let booked = book(&asha, &changes).await;
        let text = page(&asha, &booked).await;
        for part in [
            &*booked.awb,
            "Dakiya comes ",
            "The courier expects the parcel.",
            "Ravi &lt;b&gt;Kumar&lt;/b&gt;",
            "1 MG Road",
            "Bengaluru 560001",
            "12 Janpath",
            "30 × 20 × 10 cm",
            "ORD-9",
            "Fuel surcharge",
            "₹191.02",
            "− ₹191.02",
            "XXXXX",
            "Cancel this booking",
            "mailto:",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("ABCPE1234F"), "the number is not shown");
        for paper in ["label", "labels-a4", "invoice"] {
            assert!(text.contains(&booked.paper(paper)), "{paper}");
        }
        let view = view(&asha, &booked).await;
        assert_eq!(view["price"]["total"], 191.02);
        assert_eq!(view["payments"][0]["amount"], 191.02);
        assert_eq!(view["may_cancel"], true);
        let by_awb = asha.page(&format!("/bookings/{}", booked.awb)).await;
        assert!(by_awb.expect(200).text().contains("ORD-9"));
    });
}

#[test]
fn the_page_follows_its_shipment_to_the_end() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        for (status, says) in [
            ("shipped", "On its way."),
            ("out_for_delivery", "The courier is bringing it to the receiver."),
            ("on_hold", "On hold."),
            ("lost", "lost, damaged or destroyed."),
            ("returning", "on its way back to the sender."),
            ("delivered", "Delivered on "),
        ] {
            app.app.core.clock.advance_ms(60_000);
            let line = format!("track add {} {status} --reason scan --as meena", booked.awb);
            assert_eq!(dakiya(&app, &line).code, 0);
            let text = page(&asha, &booked).await;
            assert!(text.contains(says), "{status}: {says}");
            assert!(!text.contains("Cancel this booking"), "{status}");
        }
    });
}

#[test]
fn a_booking_is_cancelled_on_its_own_page_and_says_what_came_back() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let action = format!("/bookings/{}/cancel?from=booking", booked.id);
        let login = anon.form(&action, &[]).await.expect(303);
        let back = format!("/login?next=/bookings/{}&expired=1", booked.id);
        assert_eq!(login.header("location"), back);
        let done = asha.form(&action, &[]).await.expect(303);
        let there = format!("/bookings/{}?cancelled=1", booked.id);
        assert_eq!(done.header("location"), there);
        let text = asha.page(&there).await.expect(200).text().to_owned();
        assert!(text.contains("Cancelled. ₹191.02 is back in your wallet."));
        assert!(text.contains("+ ₹191.02") && text.contains("− ₹191.02"));
        assert!(text.contains(&booked.paper("credit-note")));
        assert!(!text.contains(&booked.paper("label")), "it has no label any more");
        assert_eq!(view(&asha, &booked).await["payments"].as_array().unwrap().len(), 2);
        app.audit().await;
    });
}

#[test]
fn the_page_names_the_weight_difference_that_was_paid_for_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        book(&asha, &json!({})).await;
        let line = format!(
            "weights claim {} --grams 9000 --taxable 100 --courier-amount 60 \
             --courier-reference H-1 --proof https://courier.example.in/1.jpg \
             --reason scale --as meena",
            booked.awb
        );
        assert_eq!(dakiya(&app, &line).code, 0);
        let claims = asha.get("/api/v1/wallet/weight-differences/").await.expect(200).json();
        let claim = claims["results"][0]["id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/wallet/weight-differences/{claim}/accept/");
        asha.post(&path, json!({})).await.expect(200);
        let payments = view(&asha, &booked).await["payments"].clone();
        let amounts: Vec<&Value> =
            payments.as_array().unwrap().iter().map(|it| &it["amount"]).collect();
        assert_eq!(amounts, [&json!(118.0), &json!(191.02)], "{payments}");
    });
}

#[test]
fn nobody_sees_the_page_of_anothers_booking() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let ravi = app.user("ravi").await;
        for name in [&booked.id, &booked.awb, "nothing"] {
            ravi.page(&format!("/bookings/{name}")).await.expect(404);
            let details = format!("/api/v1/shipping/booking/{name}/details/");
            ravi.get(&details).await.expect(404);
        }
        anon.page(&format!("/bookings/{}", booked.id)).await.expect(303);
    });
}
