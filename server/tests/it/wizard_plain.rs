//! The whole booking wizard as plain forms: the same bookings, charges and refusals as with the
//! API, even if a button is pressed twice, too late or on an old page.

mod details;
mod kept;

use futures_util::future::join_all;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, block_on, inbox};
use crate::bookings::PRICE;
use crate::kyc::picture;
use crate::wizard::{choose, draft, send};
use dakiya_core::limits::{KYC_FILE_BYTES_MAX, QUOTE_MS_MAX};
use dakiya_core::model::money::paise::Paise;

const GSTIN: &str = "07AAACD1234E1ZB";

/// Step 2 from Delhi to Bengaluru, as the page fills it in.
const DETAILS: &[(&str, &str)] = &[
    ("step", "details"),
    ("consigner_name", "Asha Rao"),
    ("consigner_company", "Rao Handicrafts"),
    ("consigner_mobile", "9876543210"),
    ("consigner_email", "asha@example.in"),
    ("consigner_address_1", "14 Janpath"),
    ("consigner_address_2", ""),
    ("consigner_pincode", "110001"),
    ("consigner_city", "New Delhi"),
    ("consigner_state", "Delhi"),
    ("consigner_phone", "01123456789"),
    ("consigner_doc_type", "1"),
    ("consigner_doc_number", GSTIN),
    ("consigner_gst_applicable", "1"),
    ("consigner_gst_number", GSTIN),
    ("consigner_tax_payment", "1"),
    ("consignee_name", "Ravi Kumar"),
    ("consignee_mobile", "9123456780"),
    ("tell_receiver", "2"),
    ("tell_receiver", "1"),
    ("consignee_address_1", "22 MG Road"),
    ("consignee_pincode", "560001"),
    ("consignee_city", "Bengaluru"),
    ("consignee_state", "Karnataka"),
    ("consignee_state_code", "KA"),
    ("destination_country", "India"),
    ("shipment_type_shown", "Parcel"),
    ("description", "Brass lamps"),
    ("quantity", "1"),
    ("weight", "2.5"),
    ("length", "30"),
    ("breadth", "20"),
    ("height", "10"),
    ("invoice_value", "2500"),
    ("currency", "INR"),
    ("booking_invoice_date", "2026-11-21"),
    ("pickup_required", "2"),
    ("pickup_location", "1"),
    ("tax_paid", "1"),
    ("tax_amount", "0"),
    ("export_type", "3"),
    ("shipper_type", "1"),
];

/// Fields that differ for a receiver in New York.
const ABROAD: &[(&str, &str)] = &[
    ("consignee_mobile", "+12125550100"),
    ("consignee_pincode", "10001"),
    ("consignee_city", "New York"),
    ("consignee_state", "New York"),
    ("consignee_state_code", "NY"),
    ("destination_country", "United States"),
];

async fn refused(actor: &Actor, form: &[(&str, &str)], status: u16) -> Answer {
    actor.form("/courier", form).await.expect(status)
}

/// The form of the review step, with the price shown.
async fn review(actor: &Actor) -> Vec<(&'static str, String)> {
    let content = draft(actor).await;
    assert_eq!(content["step"], "review", "{content}");
    let quote_id = content["quote"]["quote_id"].as_str().unwrap().to_owned();
    vec![("step", "review".to_owned()), ("quote_id", quote_id)]
}

fn as_form<'a>(form: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    form.iter().map(|(name, text)| (*name, text.as_str())).collect()
}

/// Does the first two steps; returns the form of the review.
async fn reviewed(actor: &Actor) -> Vec<(&'static str, String)> {
    choose(actor).await;
    assert_eq!(send(actor, DETAILS).await, "/courier");
    review(actor).await
}

async fn history(actor: &Actor) -> Value {
    let history = actor.get("/api/v1/shipping/history/").await;
    history.expect(200).json()
}

/// Does step 1 abroad with the courier that needs an OTP, and its details.
async fn reaches_kyc(actor: &Actor) {
    let step_1 = [
        ("step", "rate"),
        ("booking_type", "1"),
        ("destination_country", "229"),
        ("shipment_type", "1"),
        ("origin_pincode", "110001"),
        ("destination_pincode", "10001"),
        ("weight", "1"),
        ("length", "30"),
        ("width", "20"),
        ("height", "10"),
        ("quantity", "1"),
    ];
    assert_eq!(send(actor, &step_1).await, "/courier?rates=1");
    let shipment = json!({
        "booking_type": 1, "origin_pincode": "110001", "destination_pincode": "10001",
        "destination_country": "229", "shipment_type": 1, "weight": 1, "length": 30,
        "width": 20, "height": 10, "quantity": 1,
    });
    let rates = actor.post("/api/v1/shipping/calculate-rate/", shipment).await;
    let rates = rates.expect(200).json()["data"].clone();
    let mut rates = rates.as_array().unwrap().iter();
    let option = rates.find(|rate| rate["otp_required"] == true).unwrap();
    let service = option["product_id"].to_string();
    let choice = [("step", "service"), ("service", service.as_str())];
    assert_eq!(send(actor, &choice).await, "/courier");
    let details: Vec<_> = [DETAILS, ABROAD, &[("weight", "1")]].concat();
    assert_eq!(send(actor, &details).await, "/courier");
    assert_eq!(draft(actor).await["step"], "kyc");
}

fn documents(one: Vec<u8>, kinds: [&'static str; 2]) -> Form {
    let file = |content| Part::bytes(content).file_name("document.png");
    Form::new()
        .text("organization_id", "1")
        .text("document_1_id", kinds[0])
        .part("document_1", file(one))
        .text("document_2_id", kinds[1])
        .part("document_2", file(picture()))
}

async fn upload(actor: &Actor, form: Form) -> Answer {
    actor.multipart("/courier/kyc", form).await
}

/// The OTP in the newest message.
fn code(app: &TestApp) -> String {
    inbox(&app.app)[0].text[..6].to_owned()
}

#[test]
fn a_booking_is_made_by_plain_forms_and_charged_once_however_often_it_is_confirmed() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let form = reviewed(&asha).await;
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        assert_eq!(send(&asha, &as_form(&form)).await, "/courier");
        let left = Paise::new(500_000 - PRICE);
        assert_eq!(app.balance(&asha).await, left);
        let booked = history(&asha).await;
        assert_eq!(booked["count"], 1);
        assert_eq!(booked["results"][0]["consignee_name"], "Ravi Kumar");
        let page = asha.page("/courier").await.expect(200);
        let awb = booked["results"][0]["awb_number"].as_str().unwrap();
        for shown in ["Booking Successful!", awb, "/label.pdf", "/courier/discard"] {
            assert!(page.text().contains(shown), "{shown}");
        }

        // A reload, a press on an old page, and one after the next booking has begun.
        assert_eq!(send(&asha, &as_form(&form)).await, "/courier");
        let kept = asha.get("/api/v1/booking/draft/").await.expect(200).json();
        let revision = kept["revision"].to_string();
        let discard = [("revision", revision.as_str())];
        asha.form("/courier/discard", &discard).await.expect(303);
        assert_eq!(draft(&asha).await, Value::Null);
        assert_eq!(send(&asha, &as_form(&form)).await, "/courier");
        assert_eq!(draft(&asha).await, Value::Null);
        assert_eq!(history(&asha).await["count"], 1);
        assert_eq!(app.balance(&asha).await, left);
        app.audit().await;
    });
}

#[test]
fn of_presses_at_once_one_books_and_all_lead_to_its_page() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let form = reviewed(&asha).await;
        let form = as_form(&form);
        for to in join_all((0..6).map(|_| send(&asha, &form))).await {
            assert_eq!(to, "/courier");
        }
        assert_eq!(history(&asha).await["count"], 1);
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));
        app.audit().await;
    });
}

#[test]
fn details_that_are_wrong_come_back_with_every_sentence_beside_its_field() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        choose(&asha).await;
        let wrong = [
            ("consigner_mobile", "12"),
            ("consignee_address_1", ""),
            ("pickup_location", "2"),
            ("pickup_required", "1"),
        ];
        let page = refused(&asha, &[DETAILS, &wrong].concat(), 400).await;
        for said in [
            r#"{"path":"consigner_mobile","message":"Please enter an Indian mobile number"#,
            r#"{"path":"consignee_address_1","message":"This field is required."}"#,
            r#"{"path":"pickup_city","message":"This field is required."}"#,
        ] {
            assert!(page.text().contains(said), "{said}");
        }
        let content = draft(&asha).await;
        assert_eq!((&content["step"], &content["quote"]), (&json!("details"), &Value::Null));
        assert_eq!(content["details"]["consigner_mobile"], "12");

        // An address outside the quote is refused before the confirmation.
        let elsewhere = [("consigner_pincode", "560001")];
        let page = refused(&asha, &[DETAILS, &elsewhere].concat(), 400).await;
        let said = r#"{"path":"consigner_pincode","message":"This must be the place"#;
        assert!(page.text().contains(said));

        // Heavier than in step 1: the page shows the new price beside the old one.
        let heavier = [("weight", "9")];
        assert_eq!(send(&asha, &[DETAILS, &heavier].concat()).await, "/courier");
        let content = draft(&asha).await;
        assert_eq!(content["step"], "review");
        assert_eq!(content["old_price"], json!(191.02));
        assert_ne!(content["quote"]["grand_total_with_gst"], json!(191.02));
        let back = [("step", "review"), ("back", "1")];
        assert_eq!(send(&asha, &back).await, "/courier");
        assert_eq!(draft(&asha).await["step"], "details");
        app.audit().await;
    });
}

#[test]
fn a_price_that_changed_is_shown_before_it_is_charged() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let old = reviewed(&asha).await;
        // A form with the price of a lighter parcel.
        choose(&asha).await;
        let lighter = [("weight", "0.5")];
        send(&asha, &[DETAILS, &lighter].concat()).await;
        let kept = asha.get("/api/v1/booking/draft/").await.expect(200).json();
        let mut content = kept["content"].clone();
        content["details"]["weight"] = json!("2.5");
        let change = json!({"revision": kept["revision"], "content": content}).to_string();
        let saved = asha.send(reqwest::Method::PUT, "/api/v1/booking/draft/", &[], Some(change));
        saved.await.expect(200);
        // The old page shows another price than the draft has.
        assert_eq!(send(&asha, &as_form(&old)).await, "/courier");
        assert_eq!(history(&asha).await["count"], 0);

        let page = refused(&asha, &as_form(&review(&asha).await), 409).await;
        assert!(page.text().contains("The price has changed."));
        let content = draft(&asha).await;
        assert_eq!(content["quote"]["grand_total_with_gst"], json!(191.02));
        assert!(content["old_price"].as_f64().unwrap() < 191.02);
        assert_eq!(content["attempt"], Value::Null);
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));

        // An expired quote is requested again, and has the same price.
        app.app.core.clock.advance_ms(QUOTE_MS_MAX);
        asha.log_in().await;
        let page = refused(&asha, &as_form(&review(&asha).await), 409).await;
        assert!(page.text().contains("This price has expired."));
        assert_eq!(send(&asha, &as_form(&review(&asha).await)).await, "/courier");
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));
        app.audit().await;
    });
}

#[test]
fn the_next_shipment_after_a_booking_is_another_draft() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(1_000).await;
        let mut ids = Vec::new();
        for count in 1..=2 {
            let form = reviewed(&asha).await;
            ids.push(draft(&asha).await["id"].as_str().unwrap().to_owned());
            assert_eq!(send(&asha, &as_form(&form)).await, "/courier");
            // A form that is sent again leads to the first booking.
            assert_eq!(send(&asha, &as_form(&form)).await, "/courier");
            assert_eq!(history(&asha).await["count"], count);
            let page = asha.page("/courier").await.expect(200);
            assert!(page.text().contains("Booking Successful!"));
        }
        assert_ne!(ids[0], ids[1]);
        assert_eq!(app.balance(&asha).await, Paise::new(100_000 - 2 * PRICE));
        app.audit().await;
    });
}

#[test]
fn a_wallet_that_is_too_small_books_nothing_until_it_is_filled() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let form = reviewed(&asha).await;
        let page = refused(&asha, &as_form(&form), 402).await;
        assert!(page.text().contains("Insufficient balance."));
        assert_eq!(app.balance(&asha).await, Paise::rupees(100));
        assert_eq!(history(&asha).await["count"], 0);
        app.recharge(&asha, 500).await;
        assert_eq!(send(&asha, &as_form(&form)).await, "/courier");
        assert_eq!(app.balance(&asha).await, Paise::new(60_000 - PRICE));
        app.audit().await;
    });
}

#[test]
fn a_booking_abroad_takes_documents_and_a_code_as_plain_forms() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(20_000).await;
        reaches_kyc(&asha).await;
        let back = [("step", "kyc"), ("back", "1")];
        assert_eq!(send(&asha, &back).await, "/courier");
        assert_eq!(draft(&asha).await["step"], "details");
        let details = [DETAILS, ABROAD, &[("weight", "1")]].concat();
        assert_eq!(send(&asha, &details).await, "/courier");

        let page = upload(&asha, documents(picture(), ["1.2", "2.1"])).await.expect(400);
        assert!(page.text().contains("Please choose a document of the organization above"));
        assert!(page.text().contains(r#""organization_id":"1""#), "it stays chosen");
        let large = vec![0; KYC_FILE_BYTES_MAX + 1];
        let page = upload(&asha, documents(large, ["1.2", "1.7"])).await.expect(400);
        assert!(page.text().contains("File size must be less than 2MB"));
        assert_eq!(draft(&asha).await["step"], "kyc");
        let answer = upload(&asha, documents(picture(), ["1.2", "1.7"])).await.expect(303);
        assert_eq!(answer.header("location"), "/courier");
        let content = draft(&asha).await;
        assert_eq!(content["kyc"]["document_1_id"], "2");
        assert_eq!(content["kyc"]["document_2_id"], "7");

        // Requesting a code charges nothing, and the next one follows after half a minute at the
        // earliest.
        let form = review(&asha).await;
        assert_eq!(send(&asha, &as_form(&form)).await, "/courier?otp=1");
        let page = asha.page("/courier?otp=1").await.expect(200);
        assert!(page.text().contains("Request OTP Again"));
        let first = code(&app);
        let otp = |more: &[(&'static str, &str)]| {
            let mut form: Vec<_> = form.clone();
            form[0].1 = "otp".to_owned();
            form.extend(more.iter().map(|(name, text)| (*name, (*text).to_owned())));
            form
        };
        let page = refused(&asha, &as_form(&otp(&[("resend", "1")])), 429).await;
        assert!(page.text().contains("Request OTP Again"), "at the same step");
        let another = format!("{:06}", (first.parse::<u32>().unwrap() + 1) % 1_000_000);
        for (typed, said) in [
            ("", "Please enter the 6 digits of the OTP."),
            ("12", "Please enter the 6 digits of the OTP."),
            (another.as_str(), "This OTP is not right."),
        ] {
            let page = refused(&asha, &as_form(&otp(&[("otp", typed)])), 400).await;
            assert!(page.text().contains(said), "{typed}");
        }
        assert_eq!(app.balance(&asha).await, Paise::rupees(20_000));
        // Whoever comes back to the page is asked for the code that was sent, and gets no second.
        let messages = inbox(&app.app).len();
        let page = asha.page("/courier").await.expect(200);
        assert!(page.text().contains("Request OTP Again"));
        let to_review = send(&asha, &as_form(&otp(&[("back", "1")]))).await;
        assert_eq!(to_review, "/courier?otp=0");
        let page = asha.page(&to_review).await.expect(200);
        assert!(page.text().contains("Confirm &amp; Book Now"), "{}", page.text());
        assert_eq!(inbox(&app.app).len(), messages);
        let spaced = format!("{} {}", &first[..3], &first[3..]);
        let right = otp(&[("otp", &spaced)]);
        let right = as_form(&right);
        for to in join_all((0..3).map(|_| send(&asha, &right))).await {
            assert_eq!(to, "/courier");
        }
        let booked = history(&asha).await;
        assert_eq!(booked["count"], 1);
        let amount = booked["results"][0]["amount"].as_f64().unwrap();
        let left = app.balance(&asha).await.decimal().parse::<f64>().unwrap();
        assert!((20_000.0 - amount - left).abs() < 0.001, "{amount} and {left}");
        assert!(!draft(&asha).await.to_string().contains(&first));
        app.audit().await;

        // The next booking reuses the documents with one press.
        reaches_next_kyc(&asha).await;
        let page = asha.page("/courier").await.expect(200);
        assert!(page.text().contains("Uploaded before"));
        let path = content["kyc"]["document_path_1"].as_str().unwrap();
        let reuse = [("step", "kyc"), ("use", "/kyc/of-somebody-else")];
        assert_eq!(send(&asha, &reuse).await, "/courier");
        assert_eq!(draft(&asha).await["step"], "kyc");
        assert_eq!(send(&asha, &[("step", "kyc"), ("use", path)]).await, "/courier");
        let next = draft(&asha).await;
        assert_eq!((&next["step"], &next["kyc"]), (&json!("review"), &content["kyc"]));
    });
}

async fn reaches_next_kyc(actor: &Actor) {
    let kept = actor.get("/api/v1/booking/draft/").await.expect(200).json();
    let revision = kept["revision"].to_string();
    let discard = [("revision", revision.as_str())];
    actor.form("/courier/discard", &discard).await.expect(303);
    reaches_kyc(actor).await;
}

#[test]
fn while_the_courier_has_not_answered_the_page_asks_again_and_nothing_is_confirmed() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let form = reviewed(&asha).await;
        send(&asha, &as_form(&form)).await;
        app.tamper("update bookings set status = 'pending'").await.unwrap();
        let page = asha.page("/courier").await.expect(200);
        let refresh = r#"<noscript><meta http-equiv="refresh" content="3; url=/courier">"#;
        assert!(page.text().contains(refresh), "{}", page.text());
        assert!(page.text().contains("Confirming with the courier"));
        assert_eq!(send(&asha, &as_form(&form)).await, "/courier");
        assert_eq!(history(&asha).await["count"], 1);
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_price_that_changed_unseen_is_noticed() {
    crate::faults::must_fail(
        "wizard_plain::a_price_that_changed_is_shown_before_it_is_charged",
        "price-changes-unseen",
    );
}

#[cfg(feature = "faults")]
#[test]
fn presses_that_are_taken_for_several_bookings_are_noticed() {
    crate::faults::must_fail(
        "wizard_plain::of_presses_at_once_one_books_and_all_lead_to_its_page",
        "press-forgotten",
    );
}
