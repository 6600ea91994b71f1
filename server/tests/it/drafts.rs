//! Drafts of bookings: stored for their customer on any device, and hidden from others.

mod booked;

use self::booked::form_of_draft;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::kyc::info;
use dakiya::jobs;
use dakiya_core::limits::{DRAFT_BYTES_MAX, DRAFT_MS_MAX, QUOTE_MS_MAX};

const PATH: &str = "/api/v1/booking/draft/";

async fn save(actor: &Actor, revision: i64, content: &Value) -> Answer {
    let body = json!({"revision": revision, "content": content}).to_string();
    actor.send(Method::PUT, PATH, &[], Some(body)).await
}

async fn discard(actor: &Actor, revision: i64) -> Answer {
    let path = format!("{PATH}?revision={revision}");
    actor.send(Method::DELETE, &path, &[], None).await
}

async fn kept(actor: &Actor) -> Value {
    actor.get(PATH).await.expect(200).json()
}

/// A draft at the details step, as the wizard saves it.
fn details(name: &str) -> Value {
    json!({
        "step": "details",
        "rate": rate(),
        "chosen": null,
        "details": {"consignee_name": name, "consignee_address_1": "22 MG Road"},
        "quote": null,
        "old_price": null,
        "kyc": null,
        "attempt": null,
    })
}

fn rate() -> Value {
    json!({
        "booking_type": "2", "destination_country": "", "shipment_type": "1",
        "origin_pincode": "110001", "destination_pincode": "560001", "city": "",
        "weight": "2.5", "length": "30", "width": "20", "height": "10", "quantity": "1",
    })
}

/// A draft at the review step, with this price.
fn review(quote: &Value) -> Value {
    let mut content = details("Ravi Kumar");
    content["step"] = json!("review");
    content["quote"] = quote.clone();
    content["old_price"] = json!(199.5);
    content["chosen"] = json!({
        "values": rate(),
        "origin": {"state": "Delhi", "city_area": "New Delhi", "state_code": "DL"},
        "destination": {"state": "Karnataka", "city_area": "Bengaluru", "state_code": "KA"},
        "country_name": "India",
        "rate": quote,
    });
    content["attempt"] = json!({"key": "a-key-of-its-own", "body": "1-2-3"});
    content
}

#[test]
fn a_new_booking_begins_with_the_kind_of_the_last_one() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        assert_eq!(kept(&asha).await["last"], Value::Null);
        app.recharge(&asha, 5000).await;
        crate::bookings::book_to(&asha, "Ravi Kumar").await;
        let last = json!({"booking_type": "2", "shipment_type": "1"});
        assert_eq!(kept(&asha).await["last"], last);
        let ravi = app.user("ravi").await;
        assert_eq!(kept(&ravi).await["last"], Value::Null);
        save(&asha, 0, &details("Meera")).await.expect(200);
        assert_eq!(kept(&asha).await["last"], Value::Null, "something was begun");
    });
}

#[test]
fn a_draft_is_kept_at_every_step_of_the_wizard() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let steps = ["rate", "details", "kyc", "review"];
        for (revision, step) in (0..).zip(steps) {
            let mut content = details("Ravi Kumar");
            content["step"] = json!(step);
            save(&asha, revision, &content).await.expect(200);
            assert_eq!(kept(&asha).await["content"]["step"], step);
        }
    });
}

#[test]
fn a_draft_comes_back_as_it_was_saved_in_every_browser_of_its_customer() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let nothing = json!({
            "revision": 0, "content": null, "replaces": false, "expired": false,
            "pending": false, "booked": null, "last": null,
        });
        assert_eq!(kept(&asha).await, nothing);
        let content = review(&quote(&asha).await);
        let saved = save(&asha, 0, &content).await.expect(200);
        assert_eq!(saved.json(), json!({"revision": 1}));

        let mut phone = asha.without_token();
        phone.log_in().await;
        let there = kept(&phone).await;
        assert_eq!(there["revision"], 1);
        assert_eq!(there["content"], content);
        assert_eq!(there["expired"], false);
        let page = phone.page("/courier").await.expect(200);
        assert!(page.text().contains("Ravi Kumar, 22 MG Road"), "{}", page.text());
        assert!(page.text().contains("Step 3 of 4"));
    });
}

#[test]
fn nobody_else_sees_or_changes_a_draft() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        save(&asha, 0, &details("Meera")).await.expect(200);
        anon.get(PATH).await.expect(401);
        save(&anon, 0, &details("Meera")).await.expect(401);
        discard(&anon, 1).await.expect(401);
        assert_eq!(kept(&ravi).await["content"], Value::Null);
        discard(&ravi, 1).await.expect(409);
        save(&ravi, 0, &details("Ravi")).await.expect(200);
        let theirs = kept(&asha).await;
        assert_eq!(theirs["content"]["details"]["consignee_name"], "Meera");
        let page = ravi.page("/courier").await.expect(200);
        assert!(!page.text().contains("Meera"));
    });
}

#[test]
fn of_two_browsers_the_later_is_told_and_loses_nothing() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        save(&asha, 0, &details("First")).await.expect(200);
        save(&asha, 1, &details("Second")).await.expect(200);
        let stale = save(&asha, 1, &details("Third")).await.expect(409).json();
        assert_eq!(stale["code"], "stale");
        assert_eq!(stale["data"]["revision"], 2);
        assert_eq!(stale["data"]["content"], details("Second"));
        save(&asha, 0, &details("Fourth")).await.expect(409);
        // The greatest revision has no successor and is refused like any wrong one.
        save(&asha, i64::MAX, &details("Fourth")).await.expect(409);
        discard(&asha, i64::MAX).await.expect(409);
        // A repeated save whose response was lost is no conflict.
        let again = save(&asha, 1, &details("Second")).await.expect(200).json();
        assert_eq!(again["revision"], 2);
        assert_eq!(kept(&asha).await["content"], details("Second"));
        // A browser that has read the newer revision may replace it.
        save(&asha, 2, &details("Third")).await.expect(200);
        assert_eq!(kept(&asha).await["content"], details("Third"));
    });
}

#[test]
fn of_many_changes_at_once_exactly_one_is_taken() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for revision in [0, 1] {
            let names: Vec<String> = (0..8).map(|n| format!("Name {n}")).collect();
            let saves = names.iter().map(|name| {
                let content = details(name);
                let asha = asha.clone();
                async move { save(&asha, revision, &content).await.status.as_u16() }
            });
            let mut statuses = join_all(saves).await;
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
            assert_eq!(kept(&asha).await["revision"], revision + 1);
        }
    });
}

#[test]
fn a_discarded_draft_is_gone_and_its_revision_is_not_used_again() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        save(&asha, 0, &details("Meera")).await.expect(200);
        discard(&asha, 0).await.expect(409);
        let discarded = discard(&asha, 1).await.expect(200);
        assert_eq!(discarded.json(), json!({"revision": 2}));
        assert_eq!(kept(&asha).await["content"], Value::Null);
        let late = save(&asha, 1, &details("Too late")).await.expect(409);
        assert_eq!(late.json()["data"]["content"], Value::Null);

        save(&asha, 2, &details("Meera")).await.expect(200);
        let answer = asha.form("/courier/discard", &[("revision", "3")]).await;
        assert_eq!(answer.expect(303).header("location"), "/courier");
        assert_eq!(kept(&asha).await["content"], Value::Null);
        save(&asha, 4, &details("Meera")).await.expect(200);
        let stale = asha.form("/courier/discard", &[("revision", "3")]).await;
        stale.expect(303);
        assert_ne!(kept(&asha).await["content"], Value::Null);
        let guest = asha.without_token();
        let answer = guest.form("/courier/discard", &[("revision", "5")]).await;
        assert!(answer.expect(303).header("location").starts_with("/login"));
    });
}

#[test]
fn what_no_wizard_sends_is_refused() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let with = |name: &str, value: Value| {
            let mut content = details("Meera");
            content[name] = value;
            content
        };
        let quote = quote(&asha).await;
        let mut broken = quote.clone();
        broken["breakdown"] = json!({"lines": "none"});
        for (name, value) in [
            ("step", json!("otp")),
            ("step", json!(7)),
            ("otp", json!("123456")),
            ("rate", json!({"origin": "110001"})),
            ("details", json!({"otp": "123456"})),
            ("details", json!({"consignee_name": ["Meera"]})),
            ("details", json!({"": ""})),
            ("quote", json!({"quote_id": "x"})),
            ("quote", broken),
            ("chosen", json!({"rate": quote})),
            ("old_price", json!("free")),
            ("old_price", json!(1e99)),
            ("attempt", json!({"key": "x"})),
            ("id", json!("two words")),
            ("id", json!("x".repeat(65))),
        ] {
            let refused = save(&asha, 0, &with(name, value.clone())).await;
            assert_eq!(refused.status, 400, "{name}: {value}");
        }
        let named = save(&asha, 0, &with("details", json!({"otp": "1"}))).await;
        assert_eq!(named.wrong_fields(), ["content.details.otp"]);
        for body in ["", "7", "{\"content\": 1}", "{\"revision\": \"1\"}", "{"] {
            let answer = asha.send(Method::PUT, PATH, &[], Some(body.into())).await;
            assert_eq!(answer.status, 400, "{body}");
        }
        let long = with("details", json!({"remark": "x".repeat(DRAFT_BYTES_MAX)}));
        let answer = save(&asha, 0, &long).await.expect(413);
        assert!(answer.text().contains("shorten"), "{}", answer.text());
        assert_eq!(kept(&asha).await["revision"], 0);
    });
}

#[test]
fn any_text_comes_back_and_none_of_it_is_markup() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let name = "</script><b>\u{0}\u{2028}मीरा";
        save(&asha, 0, &details(name)).await.expect(200);
        let there = kept(&asha).await;
        // No database stores NUL.
        let stored = name.replace('\0', "\u{fffd}");
        assert_eq!(there["content"]["details"]["consignee_name"], stored);
        let page = asha.page("/courier").await.expect(200);
        assert!(!page.text().contains("</script><b>"));
    });
}

#[test]
fn a_draft_is_not_readable_in_the_data_base() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        save(&asha, 0, &details("Meera Iyer")).await.expect(200);
        // A seal for another customer is not valid for this one.
        let ravi = app.user("ravi").await;
        save(&ravi, 0, &details("Ravi")).await.expect(200);
        let theirs = "update drafts set content = (select max(d.content) from drafts d)";
        app.tamper(theirs).await.unwrap();
        let (one, other) = (kept(&asha).await, kept(&ravi).await);
        let opened = [&one, &other].map(|kept| !kept["content"].is_null());
        assert_eq!(opened.into_iter().filter(|&open| open).count(), 1);
        let path = app.app.web.config.data_dir.join("dakiya.sqlite-wal");
        if let Ok(log) = std::fs::read(path) {
            assert!(!log.windows(10).any(|bytes| bytes == b"Meera Iyer"));
        }
    });
}

#[test]
fn an_expired_quote_is_told() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        let content = review(&quote(&asha).await);
        save(&asha, 0, &content).await.expect(200);
        app.app.core.clock.advance_ms(QUOTE_MS_MAX);
        asha.log_in().await;
        assert_eq!(kept(&asha).await["expired"], true);
        // Another customer's quote is not valid.
        let ravi = app.user("ravi").await;
        let content = review(&quote(&ravi).await);
        save(&asha, 1, &content).await.expect(200);
        assert_eq!(kept(&asha).await["expired"], true);
    });
}

#[test]
fn a_booking_whose_answer_nobody_saw_is_shown_to_whoever_comes_back() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let quote = quote(&asha).await;
        save(&asha, 0, &review(&quote)).await.expect(200);
        let answer = confirm(&asha, "a-key-of-its-own", &form(&quote)).await;
        let booked = answer.expect(200).json()["data"][0].clone();

        let there = kept(&asha).await;
        assert_eq!(there["booked"], booked);
        assert_eq!((&there["pending"], &there["expired"]), (&json!(false), &json!(false)));
        let page = asha.page("/courier").await.expect(200);
        assert!(page.text().contains("Booking Successful!"));
        assert!(page.text().contains(booked["airwaybilno"].as_str().unwrap()));
        app.audit().await;

        // A booking still at its courier is pending; a failed one is priced again.
        for (status, pending, expired) in [("pending", true, false), ("failed", false, true)] {
            let set = format!("update bookings set status = '{status}'");
            app.tamper(&set).await.unwrap();
            let there = kept(&asha).await;
            assert_eq!(
                (&there["pending"], &there["expired"], &there["booked"]),
                (&json!(pending), &json!(expired), &Value::Null)
            );
        }
        app.tamper("update bookings set status = 'pending'").await.unwrap();
        let page = asha.page("/courier").await.expect(200);
        assert!(page.text().contains("Confirming with the courier"));
    });
}

#[test]
fn who_wants_a_new_booking_is_asked_what_becomes_of_the_one_that_was_begun() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let line = "Unfinished booking to Meera Iyer";
        assert!(!asha.page("/dashboard").await.expect(200).text().contains("Unfinished"));
        let page = asha.page("/courier?new=1").await.expect(200);
        assert!(page.text().contains("Step 1 of"), "nothing was begun");

        save(&asha, 0, &details("Meera Iyer")).await.expect(200);
        assert!(asha.page("/dashboard").await.expect(200).text().contains(line));
        let page = asha.page("/courier?new=1").await.expect(200);
        assert!(page.text().contains(line), "{}", page.text());
        assert!(page.text().contains(r#"action="/courier/discard""#));
        assert!(page.text().contains(r#"name="revision" value="1""#), "{}", page.text());
        assert!(!page.text().contains("Step 2 of"));
        let page = asha.page("/courier").await.expect(200);
        assert!(page.text().contains("Meera Iyer") && !page.text().contains("Unfinished"));
        let ravi = app.user("ravi").await;
        assert!(!ravi.page("/dashboard").await.expect(200).text().contains("Unfinished"));

        asha.form("/courier/discard", &[("revision", "1")]).await.expect(303);
        assert!(!asha.page("/dashboard").await.expect(200).text().contains("Unfinished"));

        // Once it is booked it waits for nobody.
        let mut content = review(&quote(&asha).await);
        content["id"] = json!("draft-1");
        save(&asha, 2, &content).await.expect(200);
        assert!(asha.page("/dashboard").await.expect(200).text().contains("to Ravi Kumar"));
        let booked = form_of_draft(&asha, "draft-1").await;
        confirm(&asha, "the-draft", &booked).await.expect(200);
        assert!(!asha.page("/dashboard").await.expect(200).text().contains("Unfinished"));
    });
}

#[test]
fn drafts_that_were_given_up_are_forgotten() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        save(&asha, 0, &details("Meera")).await.expect(200);
        app.app.core.clock.advance_ms(DRAFT_MS_MAX - 60_000);
        jobs::delete_expired(&app.app).await.unwrap();
        asha.log_in().await;
        assert_eq!(kept(&asha).await["revision"], 1);
        app.app.core.clock.advance_ms(60_001);
        jobs::delete_expired(&app.app).await.unwrap();
        asha.log_in().await;
        assert_eq!(kept(&asha).await["revision"], 0);
    });
}

#[test]
fn a_booking_is_begun_again_with_all_but_its_price_and_numbers() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let quote = quote(&asha).await;
        let mut form = form(&quote);
        form["kyc_info"] = info(&asha).await;
        form["msme_id"] = json!("UDYAM-DL-01-0000001");
        form["shipper_type"] = json!("2");
        form["otp"] = json!("123456");
        form["unit"] = json!({"currency": "24"});
        form["pickup_location"] = json!("1");
        form["pickup_name"] = json!("Asha Rao");
        form["booking_invoice_date"] = json!("2026-01-31");
        form["eway_bill"] = json!("1234 5678 9012");
        let answer = confirm(&asha, "to-be-repeated", &form).await.expect(200);
        let id = answer.json()["data"][0]["booking_id"].as_str().unwrap().to_owned();

        let path = format!("{PATH}?again={id}");
        let again = asha.get(&path).await.expect(200).json();
        assert_eq!((&again["revision"], &again["booked"]), (&json!(0), &Value::Null));
        let content = &again["content"];
        assert_eq!(content["step"], "rate");
        assert_eq!(content["rate"], rate());
        assert_eq!(content["quote"], Value::Null);
        for (name, value) in [
            ("consigner_name", "Asha Rao"),
            ("consignee_name", "Ravi <b>Kumar</b>"),
            ("consignee_pincode", "560001"),
            ("breadth", "20"),
            ("hsn_code", "4901"),
            ("msme_id", "UDYAM-DL-01-0000001"),
            ("currency", "INR"),
        ] {
            assert_eq!(content["details"][name], value, "{name}");
        }
        for name in ["booking_invoice_date", "eway_bill", "pickup_name"] {
            assert_eq!(content["details"][name], Value::Null, "{name}");
        }
        assert_eq!(content["kyc"]["document_path_1"], form["kyc_info"]["document_path_1"]);
        assert!(!again.to_string().contains("123456"));
        // Viewing changes nothing; the old draft is replaced only when this one is saved.
        assert_eq!(kept(&asha).await["revision"], 0);
        assert_eq!(again["replaces"], false);
        save(&asha, 0, content).await.expect(200);
        let again = asha.get(&path).await.expect(200).json();
        assert_eq!((&again["revision"], &again["replaces"]), (&json!(1), &json!(true)));

        let page = asha.page(&format!("/courier?again={id}")).await.expect(200);
        assert!(page.text().contains("value=\"560001\""), "{}", page.text());
        assert!(page.text().contains("Step 1 of 4"));
        let list = asha.page("/dashboard?tab=bookings").await.expect(200);
        assert!(list.text().contains(&format!("href=\"/courier?again={id}\"")));

        let ravi = app.user("ravi").await;
        ravi.get(&path).await.expect(404);
        ravi.page(&format!("/courier?again={id}")).await.expect(404);
        asha.get(&format!("{PATH}?again=nothing")).await.expect(404);
    });
}

#[test]
fn a_nul_in_an_address_names_no_booking_on_either_database() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        asha.get(&format!("{PATH}?again=2%00")).await.expect(404);
        asha.page("/courier?again=2%00").await.expect(404);
    });
}
