//! Recharging during another action: pending payments, the way back, the launch page.

use dakiya_core::model::money::paise::Paise;
use serde_json::{Value, json};

use crate::app::{Actor, TestApp, block_on, rupees};

const CREATE: &str = "/api/v1/payment/phonepe/create/";
const PENDING: &str = "/api/v1/payment/phonepe/pending/";

async fn create(actor: &Actor, body: Value) -> Value {
    actor.post(CREATE, body).await.expect(200).json()
}

fn id(created: &Value) -> String {
    let id = &created["payment_data"]["merchant_order_id"];
    id.as_str().unwrap().to_owned()
}

async fn verify(actor: &Actor, id: &str) -> Value {
    let body = json!({"merchant_order_id": id});
    let answer = actor.post("/api/v1/payment/phonepe/verify/", body).await;
    answer.expect(200).json()
}

#[test]
fn a_pending_payment_is_listed_until_it_is_decided_and_continued_until_it_expires() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        anon.get(PENDING).await.expect(401);
        let created = create(&asha, json!({"amount": 500})).await;
        let list = asha.get(PENDING).await.expect(200);
        assert_eq!(rupees(list.text(), "amount"), Paise::rupees(500));
        let list = list.json();
        let order = &list["results"][0];
        assert_eq!(order["merchant_order_id"], id(&created));
        let page = created["payment_data"]["redirect_url"].clone();
        assert_eq!(order["continue_url"], page);
        let screen = asha.page("/recharge").await.expect(200).text().to_owned();
        for words in ["Check now", "Continue payment", "You can pay until"] {
            assert!(screen.contains(words), "{words} in {screen}");
        }
        let others = ravi.get(PENDING).await.expect(200).json();
        assert_eq!(others["results"], json!([]));

        app.app.core.clock.advance_ms(16 * 60 * 1_000);
        let list = asha.get(PENDING).await.expect(200).json();
        assert_eq!(list["results"][0]["continue_url"], Value::Null);
        let screen = asha.page("/recharge").await.expect(200).text().to_owned();
        assert!(screen.contains("The time to pay is over."), "{screen}");
        assert!(!screen.contains("Continue payment"));

        app.pay(&created).await;
        verify(&asha, &id(&created)).await;
        let list = asha.get(PENDING).await.expect(200).json();
        assert_eq!(list["results"], json!([]));
        assert_eq!(app.balance(&asha).await, Paise::rupees(500));
    });
}

#[test]
fn after_a_payment_the_customer_goes_back_to_where_they_were_and_nowhere_else() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        for (next, leads_to) in [
            ("/courier?resume=1", Some("/courier?resume=1")),
            ("//evil.example", None),
            ("https://evil.example/", None),
            ("/\\evil.example", None),
            ("", None),
        ] {
            let created = create(&asha, json!({"amount": 10, "next": next})).await;
            app.pay(&created).await;
            let path = format!("/recharge/callback?merchantTransactionId={}", id(&created));
            let page = asha.page(&path).await.expect(200).text().to_owned();
            let refresh = format!("content=\"3; url={}\"", leads_to.unwrap_or("/recharge"));
            assert!(page.contains(&refresh), "{next}: {page}");
            assert!(!page.contains("evil"), "{page}");
            let verified = verify(&asha, &id(&created)).await;
            assert_eq!(verified["next"], json!(leads_to));
        }
    });
}

#[test]
fn without_a_script_the_return_page_asks_again_by_itself_while_it_is_pending() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let form = [("amount", "20"), ("next", "/courier?resume=1")];
        let away = asha.form("/recharge", &form).await.expect(303);
        let url = away.header("location").to_owned();
        let list = asha.get(PENDING).await.expect(200).json();
        let id = list["results"][0]["merchant_order_id"].as_str().unwrap();
        let path = format!("/recharge/callback?merchantTransactionId={id}");
        let page = asha.page(&path).await.expect(200).text().to_owned();
        let again =
            format!("<noscript><meta http-equiv=\"refresh\" content=\"5; url={path}\"></noscript>");
        assert!(page.contains(&again), "{page}");
        let created = json!({"payment_data": {"redirect_url": url}});
        let refused = [("do", "decline"), ("code", "ZM")];
        app.at_gateway(&created, &refused).await;
        app.app.core.clock.advance_ms(3_000);
        let page = asha.page(&path).await.expect(200).text().to_owned();
        assert!(page.contains("Payment Failed"), "{page}");
        assert!(!page.contains("http-equiv"), "a failure stays to be read");
    });
}

#[test]
fn a_refused_form_keeps_where_to_go_on() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let form = [("amount", "5"), ("next", "/courier?resume=1")];
        let page = asha.form("/recharge", &form).await.expect(400);
        let kept = "name=\"next\" value=\"/courier?resume=1\"";
        assert!(page.text().contains(kept), "{}", page.text());
    });
}

#[test]
fn what_is_short_is_offered_to_the_rupee() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let path = "/recharge?amount=164&short=163.46&next=%2Fcourier%3Fresume%3D1";
        let page = asha.page(path).await.expect(200).text().to_owned();
        for part in ["Short by ₹163.46.", "value=\"164\"", "value=\"/courier?resume=1\""] {
            assert!(page.contains(part), "{part} in {page}");
        }
        let path = "/recharge?amount=<b>&short=alert(1)&next=//evil.example";
        let page = asha.page(path).await.expect(200).text().to_owned();
        let form = page.split("<form").find(|form| form.contains("name=\"amount\""));
        let form = form.and_then(|form| form.split("</form>").next()).unwrap();
        assert!(!form.contains("evil") && !page.contains("Short by"), "{page}");
    });
}

#[test]
fn the_launch_page_opens_the_gateway_by_its_own_script() {
    block_on(async {
        let app = TestApp::start_with(&[("DAKIYA_PHONEPE_LAUNCH", "page")]).await;
        let (asha, ravi) = (app.user("asha").await, app.user("ravi").await);
        let created = create(&asha, json!({"amount": 250})).await;
        let path = created["payment_data"]["redirect_url"].as_str().unwrap();
        assert_eq!(path, format!("/recharge/launch/{}", id(&created)));
        let page = asha.page(path).await.expect(200);
        let gateway = app.app.web.gateway_pages.to_string();
        let policy = page.header("content-security-policy");
        let scripts = policy.split(';').find(|part| part.contains("script-src")).unwrap();
        assert!(scripts.contains("'self'") && scripts.contains(&gateway), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        let text = page.text();
        assert!(text.contains(&format!("{gateway}/web/bundle/checkout.js")), "{text}");
        let link = text.split("href=\"").find(|link| link.contains("?token="));
        let link = link.and_then(|link| link.split('"').next()).expect("a plain link");
        let dashboard = asha.page("/dashboard").await.expect(200);
        let policy = dashboard.header("content-security-policy");
        let scripts = policy.split(';').find(|part| part.contains("script-src")).unwrap();
        assert!(!scripts.contains(&gateway), "only the launch page: {policy}");

        ravi.page(path).await.expect(404);
        let guest = app.anon().get(path).await.expect(303);
        assert!(guest.header("location").starts_with("/login?next=/recharge/launch/"));
        asha.page("/recharge/launch/DKRnothing").await.expect(404);

        let at_gateway = json!({"payment_data": {"redirect_url": link}});
        app.pay(&at_gateway).await;
        verify(&asha, &id(&created)).await;
        let done = asha.page(path).await.expect(303);
        let callback = format!("/recharge/callback?merchantTransactionId={}", id(&created));
        assert_eq!(done.header("location"), callback);
        assert_eq!(app.balance(&asha).await, Paise::rupees(250));
    });
}

#[test]
fn a_dakiya_can_use_a_sandbox_that_runs_apart() {
    block_on(async {
        let apart = TestApp::start().await;
        let url = apart.app.web.gateway_pages.to_string();
        let app = TestApp::start_with(&[
            ("DAKIYA_GATEWAY", "phonepe"),
            ("DAKIYA_PHONEPE_OAUTH_URL", &url),
            ("DAKIYA_PHONEPE_PG_URL", &url),
            ("DAKIYA_PHONEPE_CLIENT_ID", "SANDBOX"),
            ("DAKIYA_PHONEPE_CLIENT_SECRET", "not-its-secret"),
            ("DAKIYA_PHONEPE_CALLBACK_USERNAME", "sandbox"),
            ("DAKIYA_PHONEPE_CALLBACK_PASSWORD", "not-its-password"),
        ])
        .await;
        let asha = app.user("asha").await;
        let page = asha.page("/recharge").await.expect(200);
        let policy = page.header("content-security-policy");
        assert!(policy.contains(&format!("form-action 'self' {url};")), "{policy}");
        asha.post(CREATE, json!({"amount": 10})).await.expect(502);
    });
}
