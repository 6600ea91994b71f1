//! Closing an account: only when nothing is open, in one transaction, and the ledger stays
//! unchanged.

use dakiya::jobs;
use dakiya_core::model::task::TaskKind;
use dakiya_core::store::Backend;
use dakiya_core::store::ledger::Posted;
use futures_util::future::join;
use reqwest::Method;
use serde_json::json;

use super::export;
use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on, registration};
use crate::documents::{book, number};
use crate::email::{confirm_link, leads, of_subject, profile};
use crate::kyc;
use crate::ledger::sealing::open_credit;
use crate::operators::{dakiya, rows};
use crate::passwords::{address, letters};
use crate::patience::until;

async fn close(actor: &Actor, password: &str) -> Answer {
    let form = [("current_password", password)];
    actor.form("/account/close", &form).await
}

async fn user_id(app: &TestApp, name: &str) -> String {
    let shown = dakiya(app, &format!("users show {name} --as ravi --json")).json();
    shown["user"].as_str().expect("an id").to_owned()
}

#[test]
fn an_account_is_not_closed_while_something_is_open_or_by_a_wrong_password() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let before = rows(&app).await;
        close(&anon, PASSWORD).await.expect(303);
        let empty = close(&asha, "").await.expect(400);
        assert!(empty.text().contains("Please enter your current password."));
        crate::operators::unchanged(&app, &before).await;
        let wrong = close(&asha, "not-it-at-all").await.expect(400);
        assert!(wrong.text().contains("This is not your current password."));

        let open = async |words: &str| {
            let refused = close(&asha, PASSWORD).await.expect(409);
            assert!(refused.text().contains(words), "{words}: {}", refused.text());
            asha.get("/api/v1/wallet/balance/").await.expect(200);
        };
        let paying = asha.post("/api/v1/payment/phonepe/create/", json!({"amount": 500})).await;
        open("A payment is still being checked").await;
        app.pay(&paying.expect(200).json()).await;
        app.app.core.clock.advance_ms(26_000);
        app.sweep().await;
        open("There is ₹500.00 in your wallet.").await;
        let booked = book(&asha, &json!({})).await;
        open("A shipment is still under way.").await;
        let name = &asha.username;
        for line in [
            format!("track add {} delivered --reason slip --as meena", booked.awb),
            format!("wallet adjust {name} -308.98 --correction --reason paid~out --as meena"),
            format!(
                "weights claim {} --grams 9000 --taxable 100 --courier-amount 60 \
                 --courier-reference H-1 --proof https://courier.example.in/1.jpg \
                 --reason scale --as meena",
                booked.awb
            ),
        ] {
            let done = dakiya(&app, &line);
            assert_eq!(done.code, 0, "{done:?}");
        }
        open("A weight difference is still open.").await;
        app.audit().await;
    });
}

/// SQLite has one writer.
#[test]
fn money_that_arrives_while_an_account_is_closed_keeps_it_open() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        if app.app.core.store.backend() == Backend::Sqlite {
            return;
        }
        let id = user_id(&app, &asha.username).await;
        let (commit, credited) = open_credit(&app.app, &id).await;
        let waits = "select count(*) from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock'";
        let arriving = async {
            until("the closing waits", async || number(&app, waits.to_owned()).await == 1).await;
            commit.send(()).expect("it waits");
        };
        let (refused, ()) = join(close(&asha, PASSWORD), arriving).await;
        assert_eq!(credited.await.expect("an end").expect("a posting"), Posted::Done);
        assert!(refused.expect(409).text().contains("in your wallet."));
        asha.get("/api/v1/wallet/balance/").await.expect(200);
    });
}

#[test]
fn a_closed_account_leaves_the_books_and_nothing_that_says_whose_it_was() {
    block_on(async {
        let (app, anon, mut asha) = TestApp::with_money(500).await;
        let preset = json!({"kind": "consignee", "fields": {
            "consignee_name": "Meera Nair", "consignee_address_1": "22 MG Road",
            "consignee_mobile": "9123456780", "consignee_pincode": "560001",
            "consignee_city": "Bengaluru", "destination_country_id": "97",
        }});
        asha.post("/api/v1/booking/presets/", preset).await.expect(200);
        let [document, _] = kyc::uploaded(&asha).await;
        let booked = book(&asha, &json!({})).await;
        let (name, email) = (asha.username.clone(), address(&asha));
        let id = user_id(&app, &name).await;
        for line in [
            format!("track add {} delivered --reason slip --as meena", booked.awb),
            format!("wallet adjust {name} -308.98 --correction --reason paid~out --as meena"),
        ] {
            let done = dakiya(&app, &line);
            assert_eq!(done.code, 0, "{done:?}");
        }
        app.round(TaskKind::Notices).await;
        let other = asha.clone();
        asha.log_in().await;
        // A closed booking gets no search words, although it is queued for them.
        let bookings = &app.app.web.bookings;
        bookings.add_terms(&id).await.unwrap();
        let words = "select count(*) from booking_search_words";
        assert!(number(&app, words.into()).await > 0);
        app.tamper(
            "insert into unindexed_bookings (user_id, created_ms, booking_id)
             select user_id, created_ms, booking_id from bookings",
        )
        .await
        .unwrap();
        let lines = number(&app, "select count(*) from ledger_entries".into()).await;

        let done = close(&asha, PASSWORD).await.expect(303);
        assert_eq!(done.header("location"), "/privacy-policy?closed=1");
        assert!(done.header("set-cookie").contains("Max-Age=0"));
        assert_eq!(done.header("clear-site-data"), "\"storage\"");
        let page = anon.page("/privacy-policy?closed=1").await.expect(200);
        assert!(page.text().contains("Your account is closed."));
        for actor in [&asha, &other] {
            actor.get("/api/v1/wallet/balance/").await.expect(401);
            actor.get(&document).await.expect(401);
        }
        let log_in = json!({"username": name, "password": PASSWORD});
        anon.post("/api/v1/auth/login/", log_in).await.expect(401);

        // The letter is sent while its address is stored; then the address is deleted.
        app.round(TaskKind::ClosingLetter).await;
        let subject = "Your Dakiya account is closed";
        of_subject(&app, &email, subject, 1).await;
        jobs::delete_expired(&app.app).await.expect("upkeep");
        bookings.add_terms(&id).await.unwrap();
        let files = std::fs::read_dir(app.app.web.config.data_dir.join("kyc")).unwrap();
        assert_eq!(files.count(), 2, "the key and the mark are left");
        let left = rows(&app).await.join("\n").to_lowercase();
        for gone in [&*name, &*email, "meera nair"] {
            assert!(!left.contains(&gone.to_lowercase()), "{gone}");
        }
        let gone = "select count(*) from kyc_documents where file_deleted_ms is null";
        assert_eq!(number(&app, gone.into()).await, 0);

        assert_eq!(number(&app, words.into()).await, 0, "no word of its bookings is left");

        // Records that the law requires are kept, and are correct.
        app.audit().await;
        let entries = number(&app, "select count(*) from ledger_entries".into()).await;
        assert_eq!(entries, lines);
        let kept = format!(
            "select count(*) from bookings b join invoices i on i.booking_id = b.booking_id
             where b.user_id = '{id}' and i.user_id = '{id}'"
        );
        assert_eq!(number(&app, kept).await, 1);
        let told = dakiya(&app, &format!("users events {id} --as ravi --json")).json();
        assert!(told.to_string().contains("\"account_closed\""), "{told}");
        let shown = dakiya(&app, &format!("users show {id} --full --as ravi --json")).json();
        assert!(shown["closed_at"].is_i64(), "{shown}");
        assert_eq!([&shown["phone"], &shown["gstin"]], ["", ""]);

        // Username and address are free again, for an account without the old data.
        let path = "/api/v1/auth/register/";
        anon.post(path, registration(&name)).await.expect(201);
        asha.log_in().await;
        let told = export(&asha).await.expect(200).json();
        assert_eq!(told["bookings"], json!([]));
        assert_eq!(told["statement"], json!([]));
    });
}

#[test]
fn an_operator_closes_an_account_under_the_same_rules() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(50).await;
        let name = &asha.username;
        let id = user_id(&app, name).await;
        let line = format!("users close {name} --reason asked~by~letter --as meena");
        dakiya(&app, &line).refused("There is ₹50.00 in your wallet.");
        let adjust = format!("wallet adjust {name} -50 --correction --reason paid~out --as meena");
        assert_eq!(dakiya(&app, &adjust).code, 0);
        let closed = dakiya(&app, &format!("{line} --json")).json();
        assert_eq!(closed["outcome"], "Closed; 1 session ended.");
        asha.get("/api/v1/wallet/balance/").await.expect(401);
        let again = line.replace(name, &id);
        dakiya(&app, &again).refused("This account is closed already.");
        let unfreeze = format!("users unfreeze {id} --reason oops --as meena");
        dakiya(&app, &unfreeze).refused("This account is not frozen.");
        app.round(TaskKind::ClosingLetter).await;
        letters(&app, &address(&asha), 1).await;
        app.audit().await;
    });
}

#[test]
fn a_frozen_account_closes_nothing_and_wipes_nothing_by_itself() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        let presets = "/api/v1/booking/presets/";
        let preset = json!({"kind": "consignee", "fields": {
            "consignee_name": "Meera Nair", "consignee_address_1": "22 MG Road",
            "consignee_mobile": "9123456780", "consignee_pincode": "560001",
            "consignee_city": "Bengaluru", "destination_country_id": "97",
        }});
        asha.post(presets, preset).await.expect(200);
        let book = asha.get(presets).await.expect(200).json();
        let entry = book["results"][0]["id"].as_str().expect("an id").to_owned();
        let profile_path = "/api/v1/auth/profile/";
        let change = json!({"email": "new@example.in", "current_password": PASSWORD});
        asha.post(profile_path, change.clone()).await.expect(200);
        let to_confirm = confirm_link(&app, "new@example.in", 1).await;

        let freeze = format!("users freeze {} --reason fraud --as meena", asha.username);
        assert_eq!(dakiya(&app, &freeze).code, 0);
        asha.log_in().await;
        let before = profile(&asha).await;
        let frozen =
            "Your account is frozen: you cannot close it or change what it says about you.";
        let refused = close(&asha, PASSWORD).await.expect(409);
        assert!(refused.text().contains(frozen), "{}", refused.text());
        let one = format!("{presets}{entry}/");
        let name = Some(json!({"name": "Somebody"}).to_string());
        for refused in [
            asha.post(profile_path, json!({"first_name": "Nobody"})).await,
            asha.post(profile_path, change).await,
            asha.send(Method::PUT, &one, &[], name).await,
            asha.send(Method::DELETE, &one, &[], None).await,
        ] {
            let refused = refused.expect(409);
            assert_eq!(refused.json()["code"], "account_frozen");
            assert!(refused.text().contains(frozen), "{}", refused.text());
        }
        let renamed = [("id", &*entry), ("name", "Somebody")];
        let page = asha.form("/addresses/rename", &renamed).await.expect(409);
        assert!(page.text().contains(frozen), "{}", page.text());
        let delete = format!("/addresses/{entry}/delete");
        leads(asha.form(&delete, &[]).await, "/addresses?saved=frozen");
        leads(asha.page(&to_confirm).await, "/account?saved=frozen");
        let page = asha.page("/account?saved=frozen").await.expect(200);
        assert!(page.text().contains(frozen), "{}", page.text());
        assert_eq!(profile(&asha).await, before);
        assert_eq!(asha.get(presets).await.expect(200).json(), book);

        // Its owner can still lock a thief out, and an operator can close it.
        let form = [("current_password", PASSWORD), ("session", "")];
        leads(asha.form("/account/sessions/end", &form).await, "/account?saved=sessions");
        let line = format!("users close {} --reason asked~by~letter --as meena", asha.username);
        assert_eq!(dakiya(&app, &line).code, 0);
        asha.get(presets).await.expect(401);
    });
}

#[test]
fn no_payment_begins_on_an_account_that_is_closed_at_the_same_time() {
    block_on(async {
        let app = TestApp::start().await;
        let mut closed = 0;
        for _ in 0..8 {
            let asha = app.user("asha").await;
            let body = json!({"amount": 500});
            let paying = asha.post("/api/v1/payment/phonepe/create/", body);
            let (ended, begun) = join(close(&asha, PASSWORD), paying).await;
            let is_closed = ended.status == 303;
            assert!(is_closed || ended.status == 409, "{}", ended.text());
            assert!(!is_closed || begun.status != 200, "{}", begun.text());
            closed += i64::from(is_closed);
        }
        let paying = "select count(*) from payment_orders o join users u on u.user_id = o.user_id
                      where u.closed_ms is not null";
        assert_eq!(number(&app, paying.into()).await, 0);
        let all = "select count(*) from users where closed_ms is not null";
        assert_eq!(number(&app, all.into()).await, closed);
        app.audit().await;
    });
}
