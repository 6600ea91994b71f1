//! The list of bookings: searched, filtered, and paged by key.

use serde_json::{Value, json};

use super::{add_terms, book_to, confirm};
use crate::app::{Actor, TestApp, block_on};
use crate::couriers::Rig;
use crate::documents::{Booked, book, number};
use crate::operators::dakiya;
use dakiya_core::failpoints::{FailAction, arm};
use dakiya_core::limits;

async fn found(actor: &Actor, query: &str) -> Value {
    let path = format!("/api/v1/shipping/bookings/?{query}");
    actor.get(&path).await.expect(200).json()
}

async fn ids(actor: &Actor, query: &str) -> Vec<String> {
    let found = found(actor, query).await;
    let rows = found["results"].as_array().unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

fn id(booked: &Booked) -> Vec<String> {
    vec![booked.id.clone()]
}

#[test]
fn a_booking_is_found_by_its_number_and_by_its_receivers_name_and_phone() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = book(&asha, &json!({"consignee_name": "Ravi Kumar-Shah"})).await;
        let meera = json!({
            "consignee_name": "मीरा Iyer", "consignee_mobile": "+91 9123456780",
            "consignee_city": "Whitefield",
        });
        let meera = book(&asha, &meera).await;

        let awb = &ravi.awb;
        let spaced = format!("{}%20{}", awb[..6].to_lowercase(), &awb[6..]);
        let ending = &awb[awb.len() - 5..];
        let ravis = ["ravi", "RAVI+kum", "shah", "ra", "9876500000", "98765"];
        let lower = awb[..12].to_lowercase();
        let numbers = [&**awb, &*spaced, ending, &awb[..9], &*lower];
        let ravis = numbers.into_iter().chain(ravis);
        let meeras = ["iyer", "मी", "मीरा", "9123456780", "%2B91+91234+56780", "6780", "whitef"];
        let nobodys = ["ravi+iyer", "avi", "kumars", "%25", "'", "_", "DK00000000"];
        let all: Vec<(&str, Vec<String>)> = ravis
            .map(|typed| (typed, id(&ravi)))
            .chain(meeras.map(|typed| (typed, id(&meera))))
            .chain(nobodys.map(|typed| (typed, vec![])))
            .collect();
        // First before the bookings' search words are added, then with them.
        for _ in 0..2 {
            for (typed, whose) in &all {
                assert_eq!(ids(&asha, &format!("q={typed}")).await, *whose, "{typed}");
            }
            add_terms(&app, &ravi.id).await;
        }
        let both = vec![meera.id.clone(), ravi.id.clone()];
        for typed in ["", "q=bengaluru", "q=Benga", "q=DK"] {
            assert_eq!(ids(&asha, typed).await, both, "the newest first: {typed}");
        }
    });
}

#[test]
fn a_booking_is_found_by_the_customers_own_references() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let references = json!({
            "customer_reference": "INV-2026/0117", "consignee_reference_no": "PO 77-B",
        });
        let booked = book(&asha, &references).await;
        book(&asha, &json!({})).await;
        for typed in ["INV-2026/0117", "inv", "0117", "PO+77", "77-b"] {
            assert_eq!(ids(&asha, &format!("q={typed}")).await, id(&booked), "{typed}");
        }
    });
}

#[test]
fn bookings_are_filtered_by_status_courier_and_days_and_counted_where_it_is_cheap() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let old = book(&asha, &json!({})).await;
        app.app.core.clock.advance_ms(3 * limits::DAY_MS);
        asha.log_in().await;
        let moved = book(&asha, &json!({})).await;
        let cancelled = book(&asha, &json!({})).await;
        let path = format!("/api/v1/shipping/booking/{}/cancel/", cancelled.id);
        asha.post(&path, json!({})).await.expect(200);
        let line = format!("track add {} in_transit --reason scan --as meena", moved.awb);
        assert_eq!(dakiya(&app, &line).code, 0);

        assert_eq!(ids(&asha, "status=waiting").await, id(&old));
        assert_eq!(ids(&asha, "status=moving").await, id(&moved));
        assert_eq!(ids(&asha, "status=cancelled&q=ravi").await, id(&cancelled));
        assert_eq!(ids(&asha, "status=held").await.len(), 0);
        assert_eq!(ids(&asha, "courier=dakiya").await.len(), 3);
        assert_eq!(ids(&asha, "courier=fedex").await.len(), 0);
        assert_eq!(ids(&asha, "courier=dakiya&status=waiting").await, id(&old));
        assert_eq!(ids(&asha, &format!("q={}&courier=fedex", old.awb)).await.len(), 0);
        let now_ms = app.app.core.clock.now_ms();
        let today = dakiya_core::model::calendar::date_in_india(now_ms);
        let first = dakiya_core::model::calendar::date_in_india(now_ms - 3 * limits::DAY_MS);
        assert_eq!(ids(&asha, &format!("to={first}")).await, id(&old));
        assert_eq!(ids(&asha, &format!("from={today}")).await.len(), 2);
        assert_eq!(ids(&asha, &format!("from={first}&to={today}&q=ravi")).await.len(), 3);

        assert_eq!(found(&asha, "").await["count"], 3);
        assert_eq!(found(&asha, "status=cancelled").await["count"], 1);
        assert_eq!(found(&asha, "q=ravi").await["count"], Value::Null);
        let couriers = found(&asha, "").await["couriers"].clone();
        assert!(couriers.to_string().contains(r#"{"code":"fedex","name":"FedEx"}"#), "{couriers}");
    });
}

#[test]
fn every_wrong_value_of_a_filter_is_named_and_the_words_of_the_search_stay() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        book(&asha, &json!({})).await;
        let wrong = "status=lost&from=yesterday&to=2026-02-30&before=x";
        let path = format!("/api/v1/shipping/bookings/?{wrong}");
        let refused = asha.get(&path).await.expect(400).text().to_owned();
        for name in ["status", "from", "to", "before"] {
            assert!(refused.contains(&format!("\"path\":\"{name}\"")), "{refused}");
        }
        let page = asha.page(&format!("/bookings?q=ravi&{wrong}")).await.expect(200);
        let page = page.text();
        for part in [
            "Please choose a status from the list.",
            "Enter a valid date, like 21-11-2026.",
            "This page of the list does not exist. Please begin with the newest.",
            "value=\"ravi\"",
        ] {
            assert!(page.contains(part), "{part}");
        }
        let turned = asha.page("/bookings?from=2026-11-22&to=2026-11-21").await;
        assert!(turned.expect(200).text().contains("The period ends before it begins."));
        let long = format!("/bookings?q={}", "a".repeat(101));
        let long = asha.page(&long).await.expect(200).text().to_owned();
        assert!(long.contains("Please search for at most 100 letters."));
    });
}

#[test]
fn pages_end_where_the_next_begins_also_among_bookings_of_one_moment() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let sample = book(&asha, &json!({})).await;
        // Rows as in a busy shop: many in one millisecond.
        let rows = usize::try_from(limits::BOOKINGS_ROWS).unwrap();
        for count in 1..2 * rows {
            super::copy(&app, &sample.id, count, i64::try_from(count / 20).unwrap()).await;
        }
        for search in
            ["", "q=ravi&", "status=waiting&", "courier=dakiya&", "q=ravi&status=waiting&"]
        {
            let first = found(&asha, search).await;
            let next = first["next"].as_str().expect("a second page").to_owned();
            let second = found(&asha, &format!("{search}before={next}")).await;
            assert_eq!(second["next"], Value::Null, "{search}");
            assert_eq!(first["searched_since"], Value::Null);
            let id = |row: &Value| row["id"].as_str().unwrap().to_owned();
            let mut all: Vec<String> = [&first, &second]
                .into_iter()
                .flat_map(|page| page["results"].as_array().unwrap().iter().map(id))
                .collect();
            assert_eq!(all.len(), 2 * rows, "{search}");
            all.sort();
            all.dedup();
            assert_eq!(all.len(), 2 * rows, "none twice and none left out: {search}");
        }
    });
}

#[test]
fn nobody_finds_the_bookings_of_others() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let ravi = app.user("ravi").await;
        for query in [
            format!("q={}", booked.awb),
            format!("q={}", booked.id),
            "q=ravi".to_owned(),
            "q=9876500000".to_owned(),
            "courier=dakiya".to_owned(),
            "status=waiting".to_owned(),
            String::new(),
        ] {
            assert_eq!(ids(&ravi, &query).await.len(), 0, "{query}");
            assert_eq!(ids(&asha, &query).await.len(), usize::from(!query.contains(&booked.id)));
        }
        anon.get("/api/v1/shipping/bookings/").await.expect(401);
        anon.page("/bookings?q=ravi").await.expect(303);
    });
}

#[test]
fn pages_of_a_search_have_every_booking_once_while_the_words_of_some_are_not_added() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let sample = book_to(&asha, "Ravi Kumar").await;
        super::copy_many(&app, &sample.id, 99).await;
        let every = pages(&asha, "").await;
        assert_eq!(every.len(), 100);
        for third in 0..3 {
            take_words(&app, &is_in(&every, third)).await;
            assert_eq!(pages(&asha, "q=ravi&courier=dakiya").await, every, "{third}");
            assert_eq!(pages(&asha, "q=ravi&status=delivered").await.len(), 0);
            assert_eq!(pages(&asha, "q=meera").await.len(), 0);
        }
        for _ in 0..2 {
            add_terms(&app, &sample.id).await;
            let words = "select count(distinct booking_id) from booking_search_words
                         where term = 'ravi'";
            assert_eq!(number(&app, words.into()).await, 100);
        }
        assert_eq!(pages(&asha, "q=ravi").await, every);
    });
}

#[test]
fn a_booking_is_found_by_its_couriers_number_when_its_words_were_added_before_and_after() {
    block_on(async {
        for words_are_first in [false, true] {
            let rig = Rig::start().await;
            let form = rig.form("shiprocket").await;
            arm("called", &rig.user_id().await, FailAction::Panic);
            confirm(&rig.asha, "waits-for-it", &form).await.expect(500);
            let waiting = ids(&rig.asha, "").await;
            if words_are_first {
                add_terms(&rig.app, &waiting[0]).await;
            }
            rig.sweep_later(limits::COURIER_ORDER_TASKS.lease_ms + 1_000).await;
            let number = rig.shipments("shiprocket").await[0]["number"].clone();
            let number = number.as_str().unwrap();
            let by_number = format!("q={}", &number[number.len() - 5..]);
            assert_eq!(ids(&rig.asha, &by_number).await, waiting);
            add_terms(&rig.app, &waiting[0]).await;
            assert_eq!(ids(&rig.asha, &by_number).await, waiting);
        }
    });
}

#[test]
fn words_are_added_for_customers_with_many_bookings_without() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let sample = book_to(&asha, "Ravi Kumar").await;
        let words = || number(&app, "select count(*) from booking_search_words".into());
        // A few bookings without search words are read by each search.
        assert_eq!(ids(&asha, "q=ravi").await, id(&sample));
        app.app.web.bookings.add_terms_of_many().await.unwrap();
        assert_eq!(words().await, 0);

        let many = usize::try_from(limits::BOOKINGS_UNINDEXED_MAX).unwrap();
        super::copy_many(&app, &sample.id, many).await;
        let whole = words().await;
        take_words(&app, &format!("booking_id <> '{}'", sample.id)).await;
        let every = pages(&asha, "q=ravi").await;
        app.app.web.bookings.add_terms_of_many().await.unwrap();
        assert!(words().await < whole, "so many may be without");
        take_words(&app, "booking_id <> ''").await;
        app.app.web.bookings.add_terms_of_many().await.unwrap();
        assert_eq!(words().await, 0, "nobody looked for one");
        assert_eq!(pages(&asha, "q=ravi").await, every);
        app.app.web.bookings.add_terms_of_many().await.unwrap();
        assert_eq!(words().await, whole);
        assert_eq!(pages(&asha, "q=ravi").await, every);
    });
}

/// Removes the search words of some bookings, as if they were not added yet.
async fn take_words(app: &TestApp, some: &str) {
    for statement in [
        format!("delete from booking_search_words where {some}"),
        format!(
            "insert into unindexed_bookings (user_id, created_ms, booking_id)
             select user_id, created_ms, booking_id from bookings where {some}
             on conflict do nothing"
        ),
    ] {
        app.tamper(&statement).await.unwrap();
    }
}

/// Every third booking of these, as a condition.
fn is_in(ids: &[String], third: usize) -> String {
    let chosen = ids.iter().skip(third).step_by(3);
    let chosen: Vec<String> = chosen.map(|id| format!("'{id}'")).collect();
    format!("booking_id in ({})", chosen.join(", "))
}

/// The ids of all pages.
async fn pages(actor: &Actor, query: &str) -> Vec<String> {
    let (mut all, mut before) = (vec![], String::new());
    loop {
        let page = found(actor, &format!("{query}&before={before}")).await;
        let rows = page["results"].as_array().unwrap();
        assert!(rows.len() <= 25);
        let ids = rows.iter().map(|row| row["id"].as_str().unwrap().to_owned());
        all.extend(ids);
        match page["next"].as_str() {
            Some(next) => next.clone_into(&mut before),
            None => return all,
        }
    }
}

#[test]
fn a_search_that_hardly_anything_fits_says_how_far_it_looked() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let sample = book_to(&asha, "Ravi Kumar").await;
        let rare = book_to(&asha, "Zubin Kumar").await;
        let many = usize::try_from(limits::SEARCHED_BOOKINGS_MAX).unwrap() * 2;
        super::copy_many(&app, &sample.id, many).await;
        // All bookings match "kumar", and no index tells which of them are of one day.
        let first = found(&asha, "q=kumar+zub").await;
        assert_eq!(first["results"].as_array().unwrap().len(), 1, "the rarest word leads");
        let first = found(&asha, "q=ravi&status=delivered").await;
        assert_eq!(first["results"].as_array().unwrap().len(), 0);
        let next = first["next"].as_str().expect("more to look through").to_owned();
        assert!(first["searched_since"].is_i64());
        let page = asha.page("/bookings?q=ravi&status=delivered").await.expect(200);
        assert!(page.text().contains("No bookings match so far."));
        assert!(page.text().contains("Look further back"));
        let mut turns = 0;
        let mut next = Some(next);
        while let Some(key) = next {
            let further = found(&asha, &format!("q=ravi&status=delivered&before={key}")).await;
            next = further["next"].as_str().map(str::to_owned);
            turns += 1;
        }
        assert!((1..=3).contains(&turns), "{turns}");
        assert_eq!(ids(&asha, "q=zubin").await, id(&rare));
    });
}
