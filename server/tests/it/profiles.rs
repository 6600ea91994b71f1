//! The account page: the customer's details, and the recipient of the tax invoices.

use dakiya_core::model::money::paise::Paise;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::documents::{book, document, register_gstin, text};
use crate::passwords::address;

const PROFILE: &str = "/api/v1/auth/profile/";
const KARNATAKA: &str = "29AAACR5055K1Z3";

async fn save(actor: &Actor, profile: Value) -> Answer {
    actor.post(PROFILE, profile).await
}

async fn profile(actor: &Actor) -> Value {
    actor.get(PROFILE).await.expect(200).json()
}

#[test]
fn a_profile_is_seen_and_changed_and_nothing_else_with_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let ravi = app.user("ravi").await;
        let change = json!({
            "first_name": " Asha Devi ", "last_name": "Rao-Kumar", "phone": "080 4123 4567",
            "company_name": "Rao & Sons", "gstin": "29 aaacr 5055k 1z3",
            "current_password": PASSWORD, "balance": 1_000_000, "username": "admin",
            "user_id": ravi.username,
        });
        let saved = save(&asha, change).await.expect(200).json();
        assert_eq!(saved["message"], "Your profile was saved.");
        let now = profile(&asha).await;
        assert_eq!(saved["user"], now);
        for (name, value) in [
            ("first_name", "Asha Devi"),
            ("last_name", "Rao-Kumar"),
            ("phone", "+918041234567"),
            ("company_name", "Rao & Sons"),
            ("gstin", KARNATAKA),
            ("username", &asha.username),
        ] {
            assert_eq!(now[name], value, "{name}");
        }
        assert_eq!(app.balance(&asha).await, Paise::rupees(500));
        assert_eq!(profile(&ravi).await["first_name"], "Asha");
        // An omitted field stays; an empty one is cleared.
        save(&asha, json!({"gstin": ""})).await.expect(200);
        let now = profile(&asha).await;
        assert_eq!((&now["gstin"], &now["company_name"]), (&json!(""), &json!("Rao & Sons")));
        app.audit().await;
    });
}

#[test]
fn what_is_wrong_in_a_profile_is_named_and_nothing_is_kept() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let before = profile(&asha).await;
        let bad = json!({
            "first_name": "", "last_name": "x".repeat(101), "phone": "12", "email": "asha",
            "company_name": "y".repeat(101), "gstin": "29AAACR5055K1Z4",
        });
        let refused = save(&asha, bad).await.expect(400);
        let all = [
            "first_name",
            "last_name",
            "email",
            "phone",
            "company_name",
            "gstin",
            "current_password",
        ];
        assert_eq!(refused.wrong_fields(), all);
        assert!(refused.text().contains("Check the GSTIN"), "{}", refused.text());
        assert_eq!(profile(&asha).await, before);
        anon.post(PROFILE, json!({})).await.expect(401);
        save(&asha, json!({"gstin": {"a": 1}})).await.expect(400);
    });
}

#[test]
fn without_script_the_profile_is_a_plain_form() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("name=\"gstin\""), "{}", page.text());
        let email = address(&asha);
        let form = |gstin: &'static str| {
            [
                ("first_name", "Asha"),
                ("last_name", "<b>Rao</b>"),
                ("email", email.as_str()),
                ("phone", "9876543210"),
                ("company_name", "Rao & Sons"),
                ("gstin", gstin),
                ("current_password", ""),
            ]
        };
        let refused = asha.form("/account", &form("29AAACR5055K1Z4")).await.expect(400);
        assert!(refused.text().contains("Check the GSTIN"), "{}", refused.text());
        assert!(refused.text().contains("value=\"29AAACR5055K1Z4\""));
        let saved = asha.form("/account", &form(KARNATAKA)).await.expect(303);
        assert_eq!(saved.header("location"), "/account?saved=profile");
        let page = asha.page("/account?saved=profile").await.expect(200);
        assert!(page.text().contains("Your profile was saved."), "{}", page.text());
        assert!(page.text().contains(&format!("value=\"{KARNATAKA}\"")));
        assert!(!page.text().contains("<b>Rao"), "{}", page.text());
        for path in ["/account", "/account/password", "/account/sessions/end"] {
            let to_login = anon.form(path, &[("first_name", "Eve")]).await.expect(303);
            assert_eq!(to_login.header("location"), "/login?next=/account&expired=1");
        }
        let to_login = anon.get("/account").await.expect(303);
        assert_eq!(to_login.header("location"), "/login?next=/account");
    });
}

/// Delhi to Bengaluru by a Delhi company: CGST and SGST, except for customers registered in other
/// states, who pay IGST.
#[test]
fn a_quote_is_void_once_the_gstin_is_another() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let taxes = |quote: &Value| quote["breakdown"]["lines"].to_string();
        let (open, other) = (quote(&asha).await, quote(&asha).await);
        assert!(taxes(&open).contains("CGST"), "{open}");
        register_gstin(&asha, KARNATAKA).await;
        let refused = confirm(&asha, "after-gstin", &form(&open)).await.expect(409).json();
        assert_eq!(refused["code"], "quote_changed");
        let fresh = &refused["data"][0];
        assert!(taxes(fresh).contains("IGST") && !taxes(fresh).contains("CGST"), "{fresh}");
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        confirm(&asha, "fresh-price", &form(fresh)).await.expect(200);
        // With the GSTIN removed, the first quotes are valid as long as before.
        register_gstin(&asha, "").await;
        confirm(&asha, "as-before", &form(&other)).await.expect(200);
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_quote_that_outlives_its_gstin_is_noticed() {
    let test = "profiles::a_quote_is_void_once_the_gstin_is_another";
    crate::faults::must_fail(test, "quote-outlives-gstin");
}

#[test]
fn company_and_gstin_stand_on_the_tax_invoice() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let company = json!({"company_name": "Rao & Sons", "gstin": KARNATAKA});
        save(&asha, company).await.expect(200);
        let booked = book(&asha, &json!({})).await;
        let printed = text(&document(&asha, &booked.invoice).await);
        for part in ["Rao & Sons", KARNATAKA, "Karnataka (29)", "IGST 18 %", "12 Janpath"] {
            assert!(printed.contains(part), "{part} in {printed}");
        }
        app.audit().await;
    });
}
