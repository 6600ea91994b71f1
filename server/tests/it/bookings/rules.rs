//! Bookings that break a rule of the form are refused: nothing is booked, and no money moves.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{PRICE, confirm, form, quote};
use crate::app::{Actor, TestApp, block_on, inbox};
use crate::kyc;
use dakiya_core::model::booking::form::rules::RULES;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::random::random_id;
use dakiya_core::store::audit::Audit;

/// Values of a field, as the unit tests of server and browser have them too.
#[derive(Deserialize)]
struct Case {
    wire: Option<String>,
    sentence: String,
    bad: Vec<String>,
    #[serde(default)]
    with: std::collections::BTreeMap<String, String>,
    #[serde(default)]
    international: bool,
}

fn put(form: &mut Value, path: &str, text: &str) {
    let entry = match path.split_once('.') {
        Some(("shipment_dimensions", name)) => &mut form["shipment_dimensions"][0][name],
        Some((group, name)) => &mut form[group][name],
        None => &mut form[path],
    };
    *entry = json!(text);
}

/// Changes the form's destination to New York.
fn abroad(form: &Value) -> Value {
    let mut form = form.clone();
    form["booking_type"] = json!(1);
    form["destination_country_id"] = json!(229);
    form["destination_pincode"] = json!("10001");
    form["consignee_mobile"] = json!("+12125550100");
    form
}

/// Asserts that nothing is booked, and that the ledger is unchanged.
async fn nothing_happened(app: &TestApp, actor: &Actor, books: &Audit) {
    let history = actor.get("/api/v1/shipping/history/").await.expect(200);
    assert_eq!(history.json()["count"], 0);
    assert_eq!(app.balance(actor).await, Paise::rupees(5_000));
    let audit = app.app.core.store.audit(None).await.expect("an audit");
    assert_eq!((&audit.head, &audit.faults), (&books.head, &books.faults));
}

#[test]
fn every_rule_refuses_a_bad_value_by_its_field_and_charges_nothing() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let good = form(&quote(&asha).await);
        let books = app.app.core.store.audit(None).await.expect("an audit");
        assert_eq!(books.faults, []);
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../booking_values.json")).unwrap();
        for case in cases {
            let Some(wire) = case.wire else { continue };
            let mut form = if case.international { abroad(&good) } else { good.clone() };
            for (name, value) in &case.with {
                put(&mut form, &RULES.of_form(name).expect(name).wire, value);
            }
            for value in &case.bad {
                put(&mut form, &wire, value);
                let answer = confirm(&asha, &random_id(), &form).await.expect(400).json();
                let errors = answer["errors"].as_array().expect("wrong fields");
                let said = errors.iter().find(|error| error["path"] == wire.as_str());
                let said = said.unwrap_or_else(|| panic!("{wire}: {value}: {answer}"));
                assert_eq!(said["message"], case.sentence.as_str(), "{wire}: {value}");
                assert_eq!(answer["code"], "invalid_fields");
                nothing_happened(&app, &asha, &books).await;
            }
        }
        // A refusal is not stored as an outcome: its quote can still be booked.
        confirm(&asha, "right-at-last", &good).await.expect(200);
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));
        app.audit().await;
    });
}

#[test]
fn goods_above_fifty_thousand_rupees_without_an_e_way_bill_are_booked_with_a_warning() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        for (value, bill, is_warned) in
            [("50000.00", "", false), ("50000.01", "", true), ("50000.01", "123456789012", false)]
        {
            let mut form = form(&quote(&asha).await);
            put(&mut form, "shipment_dimensions.value", value);
            put(&mut form, "eway_bill", bill);
            let answer = confirm(&asha, &random_id(), &form).await.expect(200).json();
            let warning = answer["data"][0]["warning"].as_str().unwrap_or_default();
            assert_eq!(warning.contains("e-way bill"), is_warned, "{value} {bill}: {answer}");
        }
    });
}

#[test]
fn all_wrong_fields_of_a_booking_are_told_at_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let mut form = form(&quote(&asha).await);
        for (path, bad) in [
            ("consigner_mobile", "12"),
            ("consigner_email", "bad"),
            ("consigner_doc_type", "9"),
            ("consigner_gst_number", "BAD"),
            ("consignee_mobile", "hello"),
            ("shipment_dimensions.length", "0"),
            ("shipment_dimensions.hsn_code", "zz"),
            ("booking_invoice_date", "2027-13-40"),
            ("pickup_location", "2"),
        ] {
            put(&mut form, path, bad);
        }
        let answer = confirm(&asha, "all-of-it-wrong", &form).await.expect(400);
        assert_eq!(
            answer.wrong_fields(),
            [
                "consigner_mobile",
                "consigner_email",
                "consigner_doc_type",
                "consigner_gst_number",
                "consignee_mobile",
                "shipment_dimensions.length",
                "shipment_dimensions.hsn_code",
                "booking_invoice_date",
                "pickup_name",
                "pickup_pincode",
                "pickup_city",
                "pickup_state",
                "pickup_address_1",
            ]
        );
        app.audit().await;
    });
}

#[test]
fn a_dhl_booking_wants_a_mobile_and_an_email_address_that_its_otp_can_reach() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let mut form = abroad(&form(&quote(&asha).await));
        form["kyc_info"] = kyc::info(&asha).await;
        for (path, bad) in [
            ("consigner_mobile", "hello"),
            ("consigner_email", "asha@home"),
            ("consignee_mobile", "call Meera"),
            ("consignee_email", "meera"),
        ] {
            let mut form = form.clone();
            put(&mut form, path, bad);
            let answer = confirm(&asha, &random_id(), &form).await.expect(400);
            assert_eq!(answer.wrong_fields(), [path]);
        }
        let sent = inbox(&app.app).len();
        assert_eq!(sent, 0);
        assert_eq!(app.balance(&asha).await, Paise::rupees(10_000));
        app.audit().await;
    });
}

#[test]
fn what_is_kept_with_a_booking_is_its_form_without_codes_and_strange_fields() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let mut form = form(&quote(&asha).await);
        form["consigner_gst_number"] = json!("07 aaacd 1234e 1zb");
        form["otp"] = json!("123456");
        form["grand_total_with_gst"] = json!(1);
        let answer = confirm(&asha, "kept-as-a-form", &form).await.expect(200);
        let id = answer.json()["data"][0]["booking_id"].clone();
        let mut conn = app.app.core.store.read().await.unwrap();
        let credentials = dakiya_core::store::users::credentials(&mut conn, &asha.username).await;
        let user_id = credentials.unwrap().unwrap().user.user_id;
        let id = id.as_str().unwrap();
        let booking = dakiya_core::store::bookings::find(&mut conn, &user_id, id).await;
        let form = booking.unwrap().unwrap().form;
        let kept = form.as_json();
        assert!(kept.contains("\"consigner_gst_number\":\"07AAACD1234E1ZB\""), "{kept}");
        for strange in ["otp", "123456", "grand_total", "quote_id"] {
            assert!(!kept.contains(strange), "{strange} in {kept}");
        }
    });
}

#[test]
fn a_booking_has_a_status_that_there_is() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let form = form(&quote(&asha).await);
        confirm(&asha, "to-be-misled", &form).await.expect(200);
        for (status, taken) in [("lost", false), ("", false), ("BOOKED", false), ("on_hold", true)]
        {
            let set = format!("update bookings set status = '{status}'");
            assert_eq!(app.tamper(&set).await.is_ok(), taken, "{status}");
        }
        let history = asha.get("/api/v1/shipping/history/").await.expect(200);
        assert_eq!(history.json()["results"][0]["status"], "on_hold");
    });
}
