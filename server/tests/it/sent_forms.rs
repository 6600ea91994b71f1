//! Forms sent after their session has ended, and forms of another customer.

use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};

/// Sends a page's form as a browser without JavaScript after its session has ended: it follows to
/// the login page, which contains the form.
pub async fn sent_too_late(asha: &Actor, page: &str, path: &str, form: &[(&str, &str)]) -> String {
    let guest = asha.without_token();
    let mut form = form.to_vec();
    form.push(("owner", &asha.username));
    let answer = guest.form_with(path, &form, "").await.expect(307);
    let login = answer.header("location");
    assert_eq!(login, format!("/login?next={page}&expired=1"));
    let page = guest.form_with(login, &form, "").await.expect(401);
    assert!(page.text().contains("What you entered is kept"));
    hidden(page.text(), "form")
}

/// The value of a hidden field.
fn hidden(page: &str, name: &str) -> String {
    let from = format!("<input type=\"hidden\" name=\"{name}\" value=\"");
    let (_, value) = page.split_once(&from).expect("the field");
    let (value, _) = value.split_once('"').unwrap();
    let value = value.replace("&quot;", "\"").replace("&lt;", "<");
    value.replace("&gt;", ">").replace("&amp;", "&")
}

pub async fn log_in(actor: &Actor, page: &str, form: &str) -> Answer {
    let form = [
        ("username", actor.username.as_str()),
        ("password", PASSWORD),
        ("next", page),
        ("form", form),
    ];
    actor.without_token().form_with("/login", &form, "").await
}

async fn profile(actor: &Actor) -> Value {
    let answer = actor.get("/api/v1/auth/profile/").await;
    answer.expect(200).json()
}

async fn presets(actor: &Actor) -> Value {
    let answer = actor.get("/api/v1/booking/presets/").await;
    answer.expect(200).json()["results"].clone()
}

const PROFILE: &[(&str, &str)] =
    &[("first_name", "Asha \"<Devi>\""), ("phone", "98765 43210"), ("current_password", PASSWORD)];

#[test]
fn a_profile_that_was_sent_too_late_is_saved_once_its_customer_has_logged_in() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let binod = app.user("binod").await;
        let kept = sent_too_late(&asha, "/account", "/account", PROFILE).await;
        assert!(!kept.contains(PASSWORD), "{kept}");
        let answer = log_in(&binod, "/account", &kept).await.expect(303);
        assert_eq!(answer.header("location"), "/account");
        assert_eq!(profile(&binod).await["phone"], "+919876543210");
        assert_eq!(profile(&asha).await["first_name"], "Asha");
        let answer = log_in(&asha, "/account", &kept).await.expect(303);
        assert_eq!(answer.header("location"), "/account?saved=profile");
        assert!(answer.header("set-cookie").contains("dakiya_session"));
        assert_eq!(profile(&asha).await["first_name"], "Asha \"<Devi>\"");
    });
}

#[test]
fn a_profile_that_is_refused_after_the_login_is_shown_as_it_was_typed() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let typed = [("email", "asha.new@example.com"), ("company_name", "Rao & Sons")];
        let typed = [&typed[..], &[("current_password", PASSWORD)]].concat();
        let kept = sent_too_late(&asha, "/account", "/account", &typed).await;
        let page = log_in(&asha, "/account", &kept).await.expect(400);
        assert!(page.header("set-cookie").contains("dakiya_session"));
        for shown in ["Please enter your password", "asha.new@example.com", "Rao &amp; Sons"] {
            assert!(page.text().contains(shown), "{shown}");
        }
        assert_eq!(profile(&asha).await["company_name"], "");
    });
}

#[test]
fn a_new_name_in_the_address_book_comes_through_the_login() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let lamps = json!({"kind": "package", "name": "Lamps", "fields": {
            "shipment_type": "1", "description": "Brass lamps", "weight": "2.5",
        }});
        let saved = asha.post("/api/v1/booking/presets/", lamps).await;
        saved.expect(200);
        let id = presets(&asha).await[0]["id"].as_str().unwrap().to_owned();
        let form = [("id", id.as_str()), ("name", "Brass lamps")];
        let kept = sent_too_late(&asha, "/addresses", "/addresses/rename", &form).await;
        let answer = log_in(&asha, "/addresses", &kept).await.expect(303);
        assert_eq!(answer.header("location"), "/addresses?saved=renamed");
        assert_eq!(presets(&asha).await[0]["name"], "Brass lamps");
    });
}

#[test]
fn a_recharge_that_was_sent_too_late_goes_on_to_the_gateway_after_the_login() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let binod = app.user("binod").await;
        let form = [("amount", "750"), ("next", "/courier")];
        let kept = sent_too_late(&asha, "/recharge", "/recharge", &form).await;
        let answer = log_in(&binod, "/recharge", &kept).await.expect(303);
        assert_eq!(answer.header("location"), "/recharge");
        let answer = log_in(&asha, "/recharge", &kept).await.expect(303);
        assert!(!answer.header("location").starts_with("/recharge?"));
        let pending = async |actor: &Actor| {
            let answer = actor.get("/api/v1/payment/phonepe/pending/").await.expect(200);
            answer.json()["results"].clone()
        };
        assert_eq!(pending(&binod).await, json!([]));
        let ours = pending(&asha).await;
        assert_eq!(ours[0]["amount"], json!(750.0), "{ours}");
        app.audit().await;
    });
}

#[test]
fn a_form_does_nothing_for_a_customer_who_has_logged_in_beside_its_page() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let binod = app.user("binod").await;
        let forms = [
            ("/account", "/account", "first_name", "Asha Devi"),
            ("/courier", "/courier", "step", "rate"),
            ("/recharge", "/recharge", "amount", "750"),
            ("/addresses", "/addresses/rename", "name", "Office"),
        ];
        for (page, path, name, value) in forms {
            let form = [(name, value), ("owner", asha.username.as_str())];
            let answer = binod.form(path, &form).await.expect(303);
            assert_eq!(answer.header("location"), format!("{page}?expired=other"));
            let shown = binod.page(answer.header("location")).await.expect(200);
            let said = "You are logged in as someone else now. Reload the page.";
            assert!(shown.text().contains(said), "{page}");
        }
        assert_eq!(profile(&binod).await["first_name"], "Asha");
        assert_eq!(app.balance(&binod).await, app.balance(&asha).await);
        app.audit().await;
    });
}

#[test]
fn a_form_that_the_login_was_given_by_a_stranger_leads_nowhere() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let owner = asha.username.as_str();
        let kept = json!({"owner": owner, "step": "rate"}).to_string();
        for page in ["", "/privacy", "/nowhere", "//evil.example"] {
            let answer = log_in(&asha, page, &kept).await.expect(303);
            assert_eq!(answer.header("location"), "/dashboard", "{page}");
        }
        for broken in ["{", "[]", "{\"owner\":1}", "\"owner\""] {
            let answer = log_in(&asha, "/account", broken).await.expect(303);
            assert_eq!(answer.header("location"), "/account", "{broken}");
        }
    });
}
