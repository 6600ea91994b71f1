//! The hosted pay page, as a browser without JavaScript sees it.

use std::time::Duration;

use dakiya_core::providers::gateway::{NewOrder, OrderState};
use reqwest::StatusCode;
use serde_json::json;

use super::{RETURN_URL, Rig};

/// An order and its page.
struct Visit {
    rig: Rig,
    order: NewOrder,
    page_url: String,
    token: String,
}

impl Visit {
    async fn start() -> Visit {
        let rig = Rig::start().await;
        let (order, created) = rig.created(5_000).await;
        let token = created.page_url.split_once("token=").unwrap().1.to_owned();
        Visit { rig, order, page_url: created.page_url, token }
    }

    async fn look(&self) -> (StatusCode, String) {
        let response = self.rig.client.get(&self.page_url).send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    }

    /// Sends the form; returns the status and the redirect's address.
    async fn press(&self, button: &str, code: &str, then: &str) -> (StatusCode, String) {
        let form = [
            ("token", self.token.as_str()),
            ("do", button),
            ("method", "NET_BANKING"),
            ("code", code),
            ("then", then),
        ];
        let url = format!("{}/transact", self.rig.sandbox.base_url);
        let response = self.rig.client.post(url).form(&form).send().await.unwrap();
        let location = response.headers().get("location");
        let location = location.map(|to| to.to_str().unwrap().to_owned());
        (response.status(), location.unwrap_or_default())
    }

    async fn state(&self) -> OrderState {
        self.rig.state(&self.order).await
    }
}

fn sent_back() -> (StatusCode, String) {
    (StatusCode::SEE_OTHER, RETURN_URL.to_owned())
}

#[tokio::test]
async fn the_page_says_what_is_paid_and_that_it_is_no_real_money() {
    let visit = Visit::start().await;
    let (status, html) = visit.look().await;
    assert_eq!(status, 200);
    assert!(html.contains("₹5,000.00") && html.contains(&visit.order.merchant_order_id));
    assert!(html.contains("Sandbox: no real money"));
    for choice in ["UPI", "Card", "Net banking", "Decline", "Leave pending", "Close without"] {
        assert!(html.contains(choice), "{choice}");
    }
}

#[tokio::test]
async fn the_page_is_plain_html_with_its_own_style_and_no_script() {
    let visit = Visit::start().await;
    let response = visit.rig.client.get(&visit.page_url).send().await.unwrap();
    let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'; style-src 'self'"));
    assert_eq!(response.headers()["cache-control"], "no-store");
    let html = response.text().await.unwrap();
    assert!(!html.contains("<script") && !html.contains("style="));
    assert!(!regex::Regex::new(r"\son[a-z]+=").unwrap().is_match(&html));
    let style = format!("{}/transact/hosted.css", visit.rig.sandbox.base_url);
    let style = visit.rig.client.get(style).send().await.unwrap();
    assert_eq!(style.headers()["content-type"], "text/css; charset=utf-8");
}

#[tokio::test]
async fn paying_completes_the_order_and_sends_the_browser_back() {
    let visit = Visit::start().await;
    assert_eq!(visit.press("pay", "", "").await, sent_back());
    let OrderState::Completed { method, .. } = visit.state().await else { panic!("not paid") };
    assert_eq!(method, "NET_BANKING");
    // A second press, or another button, changes nothing.
    assert_eq!(visit.press("decline", "ZM", "").await, sent_back());
    assert!(matches!(visit.state().await, OrderState::Completed { .. }));
    let (_, html) = visit.look().await;
    assert!(html.contains("This payment is complete.") && html.contains("Back to the shop"));
}

#[tokio::test]
async fn declining_fails_the_order_for_the_chosen_reason() {
    let visit = Visit::start().await;
    assert_eq!(visit.press("decline", "Z9", "").await, sent_back());
    let OrderState::Failed { code, .. } = visit.state().await else { panic!("not failed") };
    assert_eq!(code, "INSUFFICIENT_BALANCE");
    // On the page a failed payment stays failed.
    assert_eq!(visit.press("pay", "", "").await, sent_back());
    assert!(matches!(visit.state().await, OrderState::Failed { .. }));
    assert!(visit.look().await.1.contains("This payment failed."));
}

#[tokio::test]
async fn a_payment_left_pending_ends_as_chosen() {
    for then in ["pay", "decline", "nothing"] {
        let visit = Visit::start().await;
        assert_eq!(visit.press("pending", "", then).await, sent_back());
        assert_eq!(visit.state().await, OrderState::Pending);
        assert!(visit.look().await.1.contains("has not decided"));
        visit.rig.advance(Duration::from_secs(10)).await;
        let state = visit.state().await;
        match then {
            "pay" => assert!(matches!(state, OrderState::Completed { .. })),
            "decline" => assert!(matches!(state, OrderState::Failed { .. })),
            _ => assert_eq!(state, OrderState::Pending),
        }
    }
}

#[tokio::test]
async fn closing_the_page_does_nothing_to_the_order() {
    let visit = Visit::start().await;
    assert_eq!(visit.press("close", "", "").await, sent_back());
    assert_eq!(visit.state().await, OrderState::Pending);
    let path = format!("orders/{}", visit.order.merchant_order_id);
    let order = visit.rig.sim("GET", &path, json!(null)).await;
    assert_eq!(order["paymentDetails"], json!([]));
}

#[tokio::test]
async fn a_form_nobody_could_have_sent_is_refused() {
    let visit = Visit::start().await;
    assert_eq!(visit.press("steal", "", "").await.0, 400);
    assert_eq!(visit.press("decline", "NO SUCH CODE", "").await.0, 400);
    let mut stranger = visit;
    stranger.token = "guess".to_owned();
    assert_eq!(stranger.press("pay", "", "").await.0, 404);
    stranger.page_url = format!("{}/transact?token=guess", stranger.rig.sandbox.base_url);
    assert_eq!(stranger.look().await.0, 404);
    assert_eq!(stranger.state().await, OrderState::Pending);
}

#[tokio::test]
async fn the_page_can_insist_on_being_opened_from_the_shop() {
    let visit = Visit::start().await;
    visit.rig.set(json!({"referrer": "http://shop.test/"})).await;
    assert_eq!(visit.look().await.0, 403);
    let request = visit.rig.client.get(&visit.page_url);
    let response = request.header("referer", "http://shop.test/").send().await.unwrap();
    assert_eq!(response.status(), 200);
}
