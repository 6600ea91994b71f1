//! Addresses of an account that is taken back: other accounts that have them meanwhile, and the
//! letter with the undo link, without which no address is changed.

use dakiya_core::limits::ACCOUNT_LETTERS;
use serde_json::json;

use super::{
    ADDRESS_CHANGED, ANOTHER, LOGIN, PROFILE, asks_for_reset, logged_in, moves, profile, token_in,
    undo, undo_of,
};
use crate::app::{PASSWORD, TestApp, block_on};
use crate::claims::claims;
use crate::email::{confirm_link, leads, of_subject};
use crate::passwords::{address, choose};

/// The thief opens another account with the address that was freed, which is its username too.
async fn undone_although_another_account_has_it(is_confirmed: bool) {
    let (app, _, asha) = TestApp::with_user().await;
    let owners = address(&asha);
    moves(&app, &asha, "thief@example.in").await;
    let other = claims(&app, &owners, &owners).await;
    let link = confirm_link(&app, &owners, 2).await;
    if is_confirmed {
        leads(other.page(&link).await, "/account?saved=email");
    }
    undo(&app, &undo_of(&app, &owners).await).await.expect(303);
    let token = asks_for_reset(&app, &owners).await;
    choose(&app, &token, ANOTHER).await.expect(200);
    let asha = logged_in(&asha, ANOTHER).await;
    assert_eq!(profile(&asha).await["email"], *owners);

    // The other account keeps everything but the address, and is told why.
    let left = profile(&other).await;
    assert_eq!(left["email"], "");
    assert!(left["unconfirmed_email"].is_null(), "{left}");
    // Its username opens only itself, until upkeep gives the username up.
    let login = json!({"username": owners, "password": PASSWORD});
    let answer = app.anon().post(LOGIN, login).await;
    match is_confirmed {
        true => drop(answer.expect(401)),
        false => assert_eq!(answer.expect(200).json()["user"]["email"], ""),
    }
    leads(other.page(&link).await, "/account?saved=email-over");
    let page = other.page("/account").await.expect(200);
    let said = "Your email address went back to the account that had it before.";
    assert_eq!(page.text().contains(said), is_confirmed, "{}", page.text());
}

#[test]
fn an_account_that_only_claims_the_old_address_does_not_stop_its_owner() {
    block_on(undone_although_another_account_has_it(false));
}

#[test]
fn an_account_that_confirmed_the_old_address_meanwhile_loses_it() {
    block_on(undone_although_another_account_has_it(true));
}

#[test]
fn an_account_that_had_an_address_later_does_not_take_it_from_the_earlier_one() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let owners = address(&asha);
        moves(&app, &asha, "thief@example.in").await;
        let earlier = undo_of(&app, &owners).await;
        let other = claims(&app, "other", &owners).await;
        let link = confirm_link(&app, &owners, 2).await;
        leads(other.page(&link).await, "/account?saved=email");
        moves(&app, &other, "den@example.in").await;
        let letters = of_subject(&app, &owners, ADDRESS_CHANGED, 2).await;
        let later = token_in(&letters[0], "/undo-email?token=");
        undo(&app, &earlier).await.expect(303);
        let refused = undo(&app, &later).await.expect(400);
        let said = "There is an account with this email address.";
        assert!(refused.text().contains(said), "{}", refused.text());
        assert_eq!(profile(&other).await["email"], "den@example.in");
    });
}

#[test]
fn an_address_is_not_changed_while_its_owner_would_get_no_letter_about_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let owners = address(&asha);
        let number = json!({"phone": "9811111111", "current_password": PASSWORD});
        asha.post(PROFILE, number).await.expect(200);
        of_subject(&app, &owners, "Your Dakiya phone number was changed", 1).await;
        let counts = async |sent: i64| {
            let update = format!(
                "update message_counts set sent = {sent}
                 where kind = 'account_letter' and scope = 'receiver'"
            );
            app.tamper(&update).await.expect("a count");
        };
        counts(ACCOUNT_LETTERS.receiver).await;
        let change = json!({"email": "thief@example.in", "current_password": PASSWORD});
        asha.post(PROFILE, change).await.expect(200);
        let link = confirm_link(&app, "thief@example.in", 1).await;
        leads(asha.page(&link).await, "/account?saved=link-late");
        assert_eq!(profile(&asha).await["email"], *owners);
        counts(0).await;
        leads(asha.page(&link).await, "/account?saved=email");
        undo(&app, &undo_of(&app, &owners).await).await.expect(303);
    });
}

#[test]
fn the_oldest_address_wins_although_the_clocks_of_two_servers_differ() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        moves(&app, &asha, "thief@example.in").await;
        let right = undo_of(&app, &address(&asha)).await;
        moves(&app, &asha, "den@example.in").await;
        let wrong = undo_of(&app, "thief@example.in").await;
        let early = "update email_links set created_ms = 1
                     where purpose = 'undo' and email = 'thief@example.in'";
        app.tamper(early).await.expect("an early link");
        undo(&app, &wrong).await.expect(303);
        undo(&app, &right).await.expect(303);
    });
}
