//! NUL, which Postgres stores in no text, in everything that can be sent.

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, PASSWORD, TestApp, block_on};

/// A text with NUL in it.
const NUL: &str = "a\0b";

/// A passkey and a kept form as JSON with an escaped NUL.
const ESCAPED: &str = r#"{"challenge": "a\u0000b", "owner": "a\u0000b", "credential": {}}"#;

/// The addresses of the plain forms, with the names of their fields.
const FORMS: &[(&str, &str)] = &[
    ("/login", "username password next form"),
    ("/login/code", "code next form"),
    ("/register", "username email password password_confirm first_name last_name phone"),
    ("/forgot-password", "username"),
    ("/reset-password", "token password password_confirm"),
    ("/undo-email", "token"),
    ("/letters-off", "of account seal List-Unsubscribe"),
    ("/letters-off?of=%00&account=%00&seal=%00", "List-Unsubscribe"),
    ("/language", "language next"),
    ("/track/DK0000000000/call", "awb"),
    ("/account", "owner first_name last_name company_name email phone gstin passkey"),
    ("/account/close", "current_password code passkey"),
    ("/account/language", "language"),
    ("/account/letters", "booked low_balance low_balance_below"),
    ("/account/password", "current_password code passkey password password_confirm"),
    ("/account/phone/confirm", "otp"),
    ("/account/sessions/end", "session current_password code passkey"),
    ("/account/two-step/set-up", "current_password code passkey"),
    ("/account/two-step/on", "code"),
    ("/account/two-step/off", "current_password code passkey"),
    ("/account/two-step/codes", "current_password code passkey"),
    ("/account/passkeys/remove", "id current_password code passkey"),
    ("/addresses/rename", "owner id name kind"),
    ("/addresses/save", "owner id name kind consignee_name consigner_name"),
    ("/addresses/x/default", "kind"),
    ("/addresses/x/delete", "kind"),
    ("/bookings", "owner do booking when"),
    ("/bookings/x/pickup", "when"),
    ("/bookings/x/cancel", "reason"),
    ("/courier", "owner step again service order use otp consignee_name origin_pincode"),
    ("/courier/discard", "revision again"),
    ("/recharge", "owner amount next"),
    ("/recharge/dismiss", "merchant_order_id"),
    ("/wallet/weight-differences", "owner do id reason"),
];

async fn send(actor: &Actor, path: &str, fields: &[(&str, &str)]) {
    let answer = actor.form(path, fields).await;
    assert!(answer.status.as_u16() < 500, "{path} {fields:?}: {}", answer.text());
}

#[test]
fn a_nul_in_an_address_is_refused_with_a_sentence() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        for path in [
            "/api/v1/shipping/track/%00",
            "/api/v1/shipping/booking/x%00y",
            "/api/v1/payment/phonepe/status/%00",
            "/api/v1/auth/sessions/%00/end",
            "/bookings/%00/label.pdf",
            "/kyc/%00",
            "/recharge/receipt/%00.pdf",
            "/track/%00",
        ] {
            for actor in [&anon, &asha] {
                let answer = actor.get(path).await;
                assert_eq!(answer.status, 400, "{path}");
            }
        }
        app.audit().await;
    });
}

#[test]
fn a_nul_in_a_plain_form_is_never_a_fault_of_ours() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let known = ("current_password", PASSWORD);
        for (path, names) in FORMS {
            let names: Vec<&str> = names.split(' ').collect();
            let all: Vec<_> = names.iter().map(|name| (*name, NUL)).collect();
            send(&anon, path, &all).await;
            send(&asha, path, &all).await;
            for name in names {
                let owner = ("owner", asha.username.as_str());
                let others = [owner, known].into_iter().filter(|it| it.0 != name);
                let fields: Vec<_> = others.chain([(name, NUL)]).collect();
                // Closing the account would end the test.
                if *path != "/account/close" || name == known.0 {
                    send(&asha, path, &fields).await;
                }
                if ["passkey", "form"].contains(&name) {
                    send(&asha, path, &[(name, ESCAPED)]).await;
                }
            }
        }
        // A name with NUL is stored as a name.
        let (first, last) = (("first_name", NUL), ("last_name", "Rao"));
        let saved = asha.form("/account", &[first, last, ("phone", "9876543210")]).await;
        assert!([303, 400].contains(&saved.status.as_u16()), "{}", saved.status);
        app.audit().await;
    });
}

/// The names of the fields of a call's body.
fn body_fields(document: &Value, call: &Value) -> Vec<String> {
    let body = &call["requestBody"]["content"]["application/json"]["schema"];
    let schema = match body["$ref"].as_str() {
        Some(place) => document.pointer(place.trim_start_matches('#')).expect("a schema"),
        None => body,
    };
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    properties.keys().cloned().collect()
}

#[test]
fn a_nul_in_a_call_of_the_api_is_never_a_fault_of_ours() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let document = anon.get("/api/v1/openapi.json").await.expect(200).json();
        let mut sent = 0;
        for (path, item) in document["paths"].as_object().expect("paths") {
            for (method, call) in item.as_object().expect("an item") {
                let path = path.replace("{id}", "x").replace("{awb}", "x");
                let method: Method = method.to_uppercase().parse().expect("a method");
                for field in body_fields(&document, call) {
                    let mut body = json!({"current_password": PASSWORD, "revision": 0});
                    body[&field] = json!(NUL);
                    let body = Some(body.to_string());
                    for actor in [&anon, &asha] {
                        let answer = actor.send(method.clone(), &path, &[], body.clone()).await;
                        let status = answer.status.as_u16();
                        assert!(status < 500, "{method} {path} {field}: {}", answer.text());
                        sent += 1;
                    }
                }
            }
        }
        assert!(sent > 50, "{sent}");
        let found = asha.get("/api/v1/shipping/bookings?q=%00&status=a%00b").await;
        assert!(found.status.as_u16() < 500, "{}", found.text());
        app.audit().await;
    });
}
