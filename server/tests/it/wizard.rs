//! The booking wizard as plain forms, before JavaScript runs or without it.

use serde_json::{Value, json};

use crate::app::{Actor, PASSWORD, TestApp, block_on};
use crate::bookings::{confirm, form, quote};

const STEP_1: &[(&str, &str)] = &[
    ("step", "rate"),
    ("booking_type", "2"),
    ("shipment_type", "1"),
    ("origin_pincode", "110001"),
    ("destination_pincode", "560001"),
    ("weight", "2.5"),
    ("length", "30"),
    ("width", "20"),
    ("height", "10"),
    ("quantity", "1"),
];

pub async fn draft(actor: &Actor) -> Value {
    let kept = actor.get("/api/v1/booking/draft/").await.expect(200);
    kept.json()["content"].clone()
}

/// Sends a form of the wizard; returns the redirect's address.
pub async fn send(actor: &Actor, form: &[(&str, &str)]) -> String {
    let answer = actor.form("/courier", form).await.expect(303);
    answer.header("location").to_owned()
}

/// Does step 1 and chooses a service.
pub async fn choose(actor: &Actor) -> Value {
    assert_eq!(send(actor, STEP_1).await, "/courier?rates=1");
    let service = quote(actor).await["product_id"].to_string();
    let form = [("step", "service"), ("service", service.as_str())];
    assert_eq!(send(actor, &form).await, "/courier");
    draft(actor).await
}

#[test]
fn a_service_of_the_calculator_is_chosen_with_its_shipment() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let service = quote(&asha).await["product_id"].to_string();
        let form = [STEP_1, &[("service", service.as_str())]].concat();
        assert_eq!(send(&asha, &form).await, "/courier");
        let content = draft(&asha).await;
        assert_eq!(content["step"], "details");
        assert_eq!(content["rate"]["width"], "20");
        assert_eq!(content["chosen"]["rate"]["product_id"].to_string(), service);
        // A service that is not sold: the rates are shown to choose from.
        let form = [STEP_1, &[("service", "999999")]].concat();
        assert_eq!(send(&asha, &form).await, "/courier?rates=1");
        assert_eq!(draft(&asha).await["chosen"], Value::Null);
    });
}

#[test]
fn step_1_as_a_plain_form_is_kept_priced_and_chosen_from() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let content = choose(&asha).await;
        assert_eq!(content["step"], "details");
        assert_eq!(content["rate"]["width"], "20");
        assert_eq!(content["chosen"]["origin"]["city_area"], "New Delhi");
        assert_eq!(content["chosen"]["country_name"], "India");
        let fresh = quote(&asha).await;
        let chosen = &content["chosen"]["rate"];
        assert_eq!(chosen["product_id"], fresh["product_id"]);
        assert_eq!(chosen["grand_total_with_gst"], fresh["grand_total_with_gst"]);

        // Another shipment removes price and choice, and keeps the addresses.
        let details = [("step", "details"), ("consignee_name", "Meera"), ("weight", "9")];
        asha.form("/courier", &details).await.expect(400);
        send(&asha, STEP_1).await;
        assert_eq!(draft(&asha).await["chosen"], Value::Null);
        let content = choose(&asha).await;
        assert_eq!(content["details"]["consignee_name"], "Meera");
        assert_eq!(content["details"]["weight"], Value::Null);
    });
}

#[test]
fn step_1_is_read_as_it_was_meant_and_chosen_from_as_numbers() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let mut form = STEP_1.to_vec();
        (form[3].1, form[5].1) = ("110 001", "2,5 kg");
        assert_eq!(send(&asha, &form).await, "/courier?rates=1");
        let page = asha.page("/courier?rates=1").await.expect(200);
        for read in ["value=\"110001\"", "value=\"2.5\""] {
            assert!(page.text().contains(read), "{read}");
        }
        let service = quote(&asha).await["product_id"].to_string();
        let form = [("step", "service"), ("service", service.as_str())];
        assert_eq!(send(&asha, &form).await, "/courier");
        let content = draft(&asha).await;
        let values = &content["chosen"]["values"];
        assert_eq!(values["origin_pincode"], "110001");
        assert_eq!(values["weight"], "2.5");
    });
}

#[test]
fn what_step_1_cannot_price_is_said_beside_its_fields() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let mut form = STEP_1.to_vec();
        form[4].1 = "999998";
        assert_eq!(send(&asha, &form).await, "/courier?rates=1");
        let page = asha.page("/courier?rates=1").await.expect(200);
        assert!(page.text().contains("Destination pincode is not serviceable."));
        assert!(page.text().contains("999998"), "what was typed is still there");
        let nothing = [("step", "service"), ("service", "1")];
        assert_eq!(send(&asha, &nothing).await, "/courier?rates=1");
        assert_eq!(draft(&asha).await["chosen"], Value::Null);
    });
}

#[test]
fn details_as_a_plain_form_become_the_draft_and_no_other_name_does() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        choose(&asha).await;
        let details = [
            ("step", "details"),
            ("consignee_name", " Meera Iyer "),
            ("consigner_mobile", "9876543210"),
            ("save-consignee", "on"),
            ("otp", "123456"),
        ];
        let page = asha.form("/courier", &details).await.expect(400);
        assert!(page.text().contains("This field is required."));
        assert!(page.text().contains("Meera Iyer"));
        let content = draft(&asha).await;
        assert_eq!(content["step"], "details");
        let expected = json!({
            "consignee_name": "Meera Iyer", "consigner_mobile": "9876543210", "shipment_type": "1",
        });
        assert_eq!(content["details"], expected);

        let back = [("step", "details"), ("remark", "Fragile"), ("back", "1")];
        assert_eq!(send(&asha, &back).await, "/courier?rates=1");
        let content = draft(&asha).await;
        assert_eq!(
            (&content["step"], &content["details"]["remark"]),
            (&json!("rate"), &json!("Fragile"))
        );
    });
}

#[test]
fn a_guests_form_is_sent_on_to_the_login_and_a_strange_one_leads_to_the_wizard() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let guest = asha.without_token();
        let login = "/login?next=/courier&expired=1";
        let of_asha = [STEP_1, &[("owner", asha.username.as_str())]].concat();
        for (form, status) in [(STEP_1, 303), (&of_asha, 307)] {
            let answer = guest.form_with("/courier", form, "").await.expect(status);
            assert_eq!(answer.header("location"), login);
        }
        for strange in [&[][..], &[("step", "otp"), ("otp", "123456")], &[("step", "kyc")]] {
            assert_eq!(send(&asha, strange).await, "/courier");
        }
        assert_eq!(draft(&asha).await, Value::Null);
    });
}

#[test]
fn what_was_sent_when_the_session_had_ended_is_kept_by_the_login_for_whoever_typed_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        choose(&asha).await;
        let (guest, other) = (asha.without_token(), app.user("binod").await);
        let typed = [
            ("step", "details"),
            ("owner", asha.username.as_str()),
            ("consignee_name", "Ravi \"<Rao>\""),
        ];
        let login = "/login?next=/courier&expired=1";
        let page = guest.form_with(login, &typed, "").await.expect(401);
        assert!(page.text().contains("What you entered is kept"));
        let kept = r#"{"consignee_name":"Ravi \"<Rao>\"","owner":"NAME","step":"details"}"#;
        let kept = kept.replace("NAME", &asha.username);
        let attribute = kept.replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
        assert!(page.text().contains(&attribute), "{}", page.text());
        let login = async |username: &str, password: &str| {
            let form = [
                ("username", username),
                ("password", password),
                ("next", "/courier"),
                ("form", kept.as_str()),
            ];
            guest.form_with("/login", &form, "").await
        };
        // A wrong password keeps the form for the next try.
        let page = login(&asha.username, "wrong").await.expect(401);
        assert!(page.text().contains(&attribute));
        let answer = login(&other.username, PASSWORD).await.expect(303);
        assert_eq!(answer.header("location"), "/courier");
        assert_eq!(draft(&other).await, Value::Null);
        assert_eq!(draft(&asha).await["details"]["consignee_name"], Value::Null);
        // Other fields are missing too, and the page names them.
        let page = login(&asha.username, PASSWORD).await.expect(400);
        assert!(page.text().contains("This field is required."));
        let content = draft(&asha).await;
        assert_eq!(content["details"]["consignee_name"], "Ravi \"<Rao>\"");
    });
}

#[test]
fn an_earlier_booking_goes_on_as_a_plain_form() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(1_000).await;
        let booked = confirm(&asha, "a-key-of-its-own", &form(&quote(&asha).await)).await;
        let id = booked.expect(200).json()["data"][0]["booking_id"].clone();
        let mut again = STEP_1.to_vec();
        again.push(("again", id.as_str().unwrap()));
        assert_eq!(send(&asha, &again).await, "/courier?rates=1");
        let content = draft(&asha).await;
        assert_eq!(content["details"]["consigner_name"], "Asha Rao");
    });
}
