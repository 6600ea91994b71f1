//! Budgets of messages: to strangers, for everybody, and for messages that were never sent.

use dakiya_core::limits::{
    CONFIRM_AGAIN_LETTERS, CONFIRM_LETTERS, DAY_MS, OTP_PAUSE_MS_MIN, RESET_LETTERS,
};
use dakiya_core::model::message::{BudgetScope, MessageKind};
use reqwest::Method;
use serde_json::json;

use crate::app::{Actor, PASSWORD, TestApp, block_on};
use crate::documents::number;
use crate::email::{confirm_link, leads, newcomer};
use crate::passwords::{address, letters};
use crate::patience::{eventually, until};

const FORGOT: &str = "/api/v1/auth/forgot-password/";
const PROFILE: &str = "/api/v1/auth/profile/";

/// The messages of a kind that the total counts.
async fn counted(app: &TestApp, kind: MessageKind) -> i64 {
    let sum = format!(
        "select cast(coalesce(sum(sent), 0) as bigint) from message_counts
         where kind = '{}' and scope = '{}'",
        kind.word(),
        BudgetScope::Total.word()
    );
    number(app, sum).await
}

/// Waits until an address got this many letters, and returns their number.
async fn letters_to(app: &TestApp, to: &str, count: usize) -> usize {
    eventually(async || {
        let kept = app.app.sandbox.as_ref().expect("a sandbox").inbox.read();
        let here = kept.iter().filter(|letter| letter.to == to).count();
        (here >= count).then_some(here)
    })
    .await
}

#[test]
fn a_strangers_address_gets_few_links_from_all_accounts_of_a_network_together() {
    block_on(async {
        let (app, _, last) = TestApp::with_user().await;
        let to = "stranger@example.org";
        let most = CONFIRM_LETTERS.receiver + CONFIRM_AGAIN_LETTERS.receiver;
        let most = usize::try_from(most).unwrap();
        let change = json!({"email": to, "current_password": PASSWORD});
        for number in 0..most {
            let actor = app.user(&format!("actor{number}")).await;
            actor.post(PROFILE, change.clone()).await.expect(200);
        }
        letters_to(&app, to, most).await;
        let refused = last.post(PROFILE, change).await.expect(429);
        assert!(refused.text().contains("We sent you many links."), "{}", refused.text());
        let seconds: i64 = refused.header("retry-after").parse().unwrap();
        assert!((3_600..=DAY_MS / 1_000).contains(&seconds), "{seconds}");
        assert_eq!(last.get(PROFILE).await.expect(200).json()["email"], address(&last));
        // Other addresses are not affected.
        let other = json!({"email": "asha@example.org", "current_password": PASSWORD});
        last.post(PROFILE, other).await.expect(200);
        letters_to(&app, "asha@example.org", 1).await;
        assert_eq!(letters_to(&app, to, most).await, most);
    });
}

#[test]
fn strangers_elsewhere_do_not_keep_an_owner_from_confirming_an_address() {
    block_on(async {
        let app = TestApp::start_with(&[("DAKIYA_TRUSTED_PROXIES", "127.0.0.1")]).await;
        let owner = newcomer(&app, "asha").await;
        let to = address(&owner);
        letters_to(&app, &to, 1).await;
        let used_up = format!(
            "update message_counts set sent = {}
             where kind = 'confirm_letter' and scope = 'receiver'",
            CONFIRM_LETTERS.receiver
        );
        app.tamper(&used_up).await.expect("a count");
        let claim = json!({"email": to, "current_password": PASSWORD}).to_string();
        let claim_elsewhere = async |stranger: &Actor| {
            let headers = [("x-forwarded-for", "203.0.113.7")];
            let sent = stranger.send(Method::POST, PROFILE, &headers, Some(claim.clone()));
            sent.await.status.as_u16()
        };
        let more = usize::try_from(CONFIRM_AGAIN_LETTERS.receiver).unwrap();
        for number in 0..more {
            let stranger = app.user(&format!("eve{number}")).await;
            assert_eq!(claim_elsewhere(&stranger).await, 200);
        }
        let last = app.user("mallory").await;
        assert_eq!(claim_elsewhere(&last).await, 429);
        letters_to(&app, &to, 1 + more).await;
        leads(owner.form("/account/email/send", &[]).await, "/account?saved=link");
        let link = confirm_link(&app, &to, 2 + more).await;
        leads(owner.page(&link).await, "/account?saved=email");
        assert_eq!(
            counted(&app, MessageKind::ConfirmAgainLetter).await,
            1 + i64::try_from(more).unwrap()
        );
    });
}

#[test]
fn a_password_link_over_the_budget_leaves_the_earlier_one_valid() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let ask = async || anon.post(FORGOT, json!({"username": asha.username})).await.expect(200);
        let first = ask().await;
        let letter = letters(&app, &address(&asha), 1).await.remove(0);
        let (_, token) = letter.text.split_once("/reset-password?token=").expect("a link");
        let token = token.split_whitespace().next().expect("a token");
        let used_up = format!(
            "update message_counts set sent = {}
             where kind = 'reset_letter' and scope = 'receiver'",
            RESET_LETTERS.receiver
        );
        app.tamper(&used_up).await.expect("a count");
        assert_eq!(ask().await.body, first.body);
        // Somebody else's request comes after hers.
        let ravi = app.user("ravi").await;
        anon.post(FORGOT, json!({"username": ravi.username})).await.expect(200);
        letters(&app, &address(&ravi), 1).await;
        let password = "monsoon-at-nine";
        let body = json!({"token": token, "password": password, "password_confirm": password});
        anon.post("/api/v1/auth/reset-password/", body).await.expect(200);
        assert_eq!(counted(&app, MessageKind::ResetLetter).await, 2);
    });
}

#[test]
fn a_message_that_was_certainly_not_sent_is_not_counted() {
    block_on(async {
        let app = TestApp::start_with(&[
            ("DAKIYA_SMS_URL", "http://127.0.0.1:9/sms"),
            ("DAKIYA_SMS_TOKEN", "secret"),
        ])
        .await;
        let asha = app.user("asha").await;
        for _ in 0..2 {
            asha.form("/account/phone/send", &[]).await.expect(502);
            assert_eq!(counted(&app, MessageKind::AccountOtp).await, 0);
            app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
        }
    });
}

#[test]
fn old_counts_are_deleted_and_name_nobody() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        asha.form("/account/phone/send", &[]).await.expect(303);
        let first = async || counted(&app, MessageKind::ConfirmLetter).await == 1;
        until("the letter of the registration is counted", first).await;
        let rows = async || number(&app, "select count(*) from message_counts".to_owned()).await;
        assert!(rows().await > 0);
        let named = "select count(*) from message_counts
                     where print like '%98765%' or print like '%asha%'";
        assert_eq!(number(&app, named.to_owned()).await, 0);
        app.app.core.clock.advance_ms(DAY_MS + 1);
        dakiya::jobs::delete_expired(&app.app).await.unwrap();
        assert_eq!(rows().await, 0);
    });
}
