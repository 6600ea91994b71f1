//! The main flow: a price, a booking, a charge, an AWB, a first event.

mod at_once;
mod chosen;
mod list;
mod one;
mod proof_kills;
mod quotes;
mod rules;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, block_on};
use crate::documents::number;
use crate::rates::parcel;
use dakiya::jobs;
use dakiya_core::limits;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::random::random_id;

/// Delhi to Bengaluru, 2.5 kg, 30 x 20 x 10 cm by Dakiya Surface: see rates.rs.
pub const PRICE: i64 = 19_102;

pub async fn quote(actor: &Actor) -> Value {
    let mut parcel = parcel();
    (parcel["length"], parcel["width"], parcel["height"]) = (json!(30), json!(20), json!(10));
    let answer = actor.post("/api/v1/shipping/calculate-rate/", parcel).await.expect(200);
    answer.json()["data"][0].clone()
}

pub fn form(quote: &Value) -> Value {
    json!({
        "quote_id": quote["quote_id"],
        "courier_id": quote["product_id"],
        "courier_name": quote["product_name"],
        "booking_type": 2,
        "origin_pincode": "110001",
        "destination_pincode": "560001",
        "shipment_type": 1,
        "weight": 2.5,
        "description": "Books",
        "consigner_name": "Asha Rao",
        "consigner_mobile": "9876543210",
        "consigner_address_1": "12 Janpath",
        "consignee_name": "Ravi <b>Kumar</b>",
        "consignee_mobile": "9876500000",
        "consignee_address_1": "1 MG Road",
        "consignee_city": "Bengaluru",
        "shipment_dimensions": [{
            "item_description": "Books", "value": "1500.00", "quantity": 1,
            "length": 30, "breadth": 20, "height": 10, "hsn_code": "4901",
        }],
    })
}

pub async fn confirm(actor: &Actor, key: &str, form: &Value) -> Answer {
    let answer = try_confirm(actor, key, form).await;
    answer.expect("an answer")
}

/// Confirms a booking; an error if the program dies before it answers.
pub async fn try_confirm(actor: &Actor, key: &str, form: &Value) -> Result<Answer, reqwest::Error> {
    let (path, headers) = ("/api/v1/shipping/create-booking/", [("idempotency-key", key)]);
    let asked = actor.try_send(Method::POST, path, &headers, Some(form.to_string()));
    asked.await
}

fn awb(answer: &Answer) -> String {
    answer.json()["data"][0]["airwaybilno"].as_str().unwrap().to_owned()
}

/// Books the usual parcel for a receiver.
pub async fn book_to(actor: &Actor, name: &str) -> crate::documents::Booked {
    crate::documents::book(actor, &json!({"consignee_name": name})).await
}

/// Adds copies of a booking, each a minute older, with all that a list needs.
pub async fn copy_many(app: &TestApp, booking_id: &str, copies: usize) {
    copies_of(app, booking_id, &format!("n < {copies}"), "n * 60000", "1").await;
}

/// Adds one copy of a booking, this many minutes older.
pub async fn copy(app: &TestApp, booking_id: &str, number: usize, minutes: i64) {
    let older = format!("{minutes} * 60000");
    copies_of(app, booking_id, "n < 0", &older, &number.to_string()).await;
}

/// Adds the search words of all bookings of this booking's customer.
pub async fn add_terms(app: &TestApp, booking_id: &str) {
    let mut conn = app.app.core.store.read().await.unwrap();
    let owner = dakiya_core::store::bookings::owner(&mut conn, booking_id).await;
    drop(conn);
    let owner = owner.unwrap().expect("an owner");
    app.app.web.bookings.add_terms(&owner).await.unwrap();
}

/// Adds unpaid copies with the numbers from `first` on while `more` holds.
async fn copies_of(app: &TestApp, id: &str, more: &str, older: &str, first: &str) {
    add_terms(app, id).await;
    let numbers = format!(
        "with recursive numbers (n) as (select {first} union all
           select n + 1 from numbers where {more})"
    );
    let quotes = "quote_id, user_id, product_id, shipment_hash, shipment, price, total_paise,
                  courier_paise, gstin, tat_days, created_ms, expires_ms";
    let copied = quotes.replacen("quote_id", "quote_id || '-' || n", 1);
    let bookings = "user_id, status, product_id, product_name, courier_code, consignee_name,
                    origin_pincode, origin_city, destination_pincode, destination_city,
                    weight_grams, amount_paise, details, sealed_numbers";
    for statement in [
        format!(
            "insert into quotes ({quotes}) {numbers} select {copied} from quotes, numbers
             where quote_id = (select quote_id from bookings where booking_id = '{id}')"
        ),
        format!(
            "insert into bookings (booking_id, awb, quote_id, created_ms, {bookings}) {numbers}
             select booking_id || '-' || n, awb || 'C' || n, quote_id || '-' || n,
               created_ms - {older}, {bookings} from bookings, numbers where booking_id = '{id}'"
        ),
        format!(
            "insert into booking_search_words (user_id, term, created_ms, booking_id) {numbers}
             select user_id, term, created_ms - {older}, booking_id || '-' || n
             from booking_search_words, numbers where booking_id = '{id}'"
        ),
    ] {
        app.tamper(&statement).await.unwrap();
    }
}

#[test]
fn a_booking_charges_the_quoted_price_and_gives_an_awb_with_its_first_event() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let answer = confirm(&asha, "first-booking", &form(&quote(&asha).await)).await.expect(200);
        assert_eq!(answer.json()["message"], "Booking created successfully!");
        let awb = awb(&answer);
        assert!(awb.starts_with("DK"), "{awb}");
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));

        let history = asha.get("/api/v1/shipping/history/").await.expect(200).json();
        assert_eq!(history["count"], 1);
        assert_eq!(history["results"][0]["awb_number"], awb.as_str());
        assert_eq!(history["results"][0]["weight"], 2.5);
        assert_eq!(history["stats"]["pending"], 1);
        let months = history["months"].as_array().unwrap();
        assert_eq!(months.len(), 6);
        assert_eq!(months[5]["bookings"], 1);
        assert_eq!(months[5]["amount"], history["results"][0]["amount"]);
        assert_eq!(months[4]["bookings"], 0);

        let statement = asha.get("/api/v1/wallet/transactions/").await.expect(200);
        assert!(statement.text().contains("\"amount\":191.02"), "{}", statement.text());
        assert_eq!(statement.json()["results"][0]["transaction_type"], "debit");

        let path = format!("/api/v1/shipping/track/{}/", awb.to_lowercase());
        let track = anon.get(&path).await.expect(200);
        assert_eq!(track.json()["data"][0]["status"], "Booked");
        assert!(!track.text().contains("Ravi") && !track.text().contains("191.02"));
        app.audit().await;
    });
}

#[test]
fn the_same_key_and_form_get_the_same_answer_and_one_debit() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let form = form(&quote(&asha).await);
        let answers = join_all((0..20).map(|_| confirm(&asha, "twenty-at-once", &form))).await;
        let bodies: Vec<Vec<u8>> =
            answers.into_iter().map(|answer| answer.expect(200).body).collect();
        assert!(bodies.iter().all(|body| *body == bodies[0]));
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));
        let history = asha.get("/api/v1/shipping/history/").await.expect(200).json();
        assert_eq!(history["count"], 1);

        let mut other = form.clone();
        other["description"] = json!("Something else");
        let reused = confirm(&asha, "twenty-at-once", &other).await.expect(422);
        assert_eq!(reused.json()["code"], "idempotency_key_reused");
        let other_key = confirm(&asha, "another-key", &form).await.expect(409);
        assert_eq!(other_key.json()["code"], "quote_used");
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));
        app.audit().await;
    });
}

#[test]
fn the_answer_to_a_key_is_kept_for_a_week_and_its_quote_books_once_for_ever() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let form = form(&quote(&asha).await);
        let first = confirm(&asha, "for-a-week", &form).await.expect(200);
        let keys = async || number(&app, "select count(*) from idempotency_keys".to_owned()).await;
        let clock = &app.app.core.clock;
        clock.advance_ms(limits::IDEMPOTENCY_KEPT_MS - limits::HOUR_MS);
        asha.log_in().await;
        jobs::delete_expired(&app.app).await.unwrap();
        let again = confirm(&asha, "for-a-week", &form).await.expect(200);
        assert_eq!(again.text(), first.text());

        // A key without an outcome is kept as long as necessary.
        let open = "update idempotency_keys set status = 0";
        app.tamper(open).await.unwrap();
        clock.advance_ms(2 * limits::HOUR_MS);
        jobs::delete_expired(&app.app).await.unwrap();
        assert_eq!(keys().await, 1);
        app.tamper("update idempotency_keys set status = 200").await.unwrap();
        jobs::delete_expired(&app.app).await.unwrap();
        assert_eq!(keys().await, 0);
        asha.log_in().await;
        confirm(&asha, "for-a-week", &form).await.expect(409);
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));
        app.audit().await;
    });
}

#[test]
fn money_for_three_books_exactly_three_of_sixteen() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(600).await; // three cost 573.06
        let quotes = join_all((0..16).map(|_| quote(&asha))).await;
        let keys: Vec<String> = (0..16).map(|_| random_id()).collect();
        let confirms = quotes.iter().zip(&keys).map(|(quote, key)| {
            let (asha, form) = (asha.clone(), form(quote));
            async move { confirm(&asha, key, &form).await.status.as_u16() }
        });
        let statuses = join_all(confirms).await;
        assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 3, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 402].contains(status)), "{statuses:?}");
        assert_eq!(app.balance(&asha).await, Paise::new(60_000 - 3 * PRICE));
        app.audit().await;
    });
}

#[test]
fn an_empty_wallet_books_nothing() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let answer =
            confirm(&asha, "no-money-at-all", &form(&quote(&asha).await)).await.expect(402);
        let message = "Insufficient balance. Please recharge your wallet first.";
        assert_eq!(answer.json()["message"], message);
        let history = asha.get("/api/v1/shipping/history/").await.expect(200).json();
        assert_eq!(history["count"], 0);
        app.recharge(&asha, 500).await;
        app.audit().await;
        // A refusal is not stored as an outcome: the same key may be confirmed once there is money.
        let quote = quote(&asha).await;
        confirm(&asha, "no-money-at-all", &form(&quote)).await.expect(200);
    });
}

#[test]
fn a_quote_holds_for_its_user_its_shipment_and_half_an_hour() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        let others = quote(&ravi).await;
        let fresh = confirm(&asha, "somebody-elses", &form(&others)).await.expect(409);
        assert_eq!(fresh.json()["code"], "quote_changed");
        assert_eq!(fresh.json()["data"][0]["product_id"], others["product_id"]);

        let own = quote(&asha).await;
        let mut heavier = form(&own);
        heavier["weight"] = json!(20);
        confirm(&asha, "heavier-than-told", &heavier).await.expect(409);
        let mut cheaper = form(&own);
        cheaper["grand_total_with_gst"] = json!(1);
        app.app.core.clock.advance_ms(dakiya_core::limits::QUOTE_MS_MAX - 60_000);
        let mut asha = asha;
        asha.log_in().await;
        confirm(&asha, "price-is-ignored", &cheaper).await.expect(200);
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));

        let late = quote(&asha).await;
        app.app.core.clock.advance_ms(dakiya_core::limits::QUOTE_MS_MAX);
        asha.log_in().await;
        confirm(&asha, "half-an-hour-later", &form(&late)).await.expect(409);
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));
        app.audit().await;
    });
}

#[test]
fn a_wrong_form_or_key_is_told_and_charges_nothing() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let good = form(&quote(&asha).await);
        for key in ["short", "has spaces in it", &"x".repeat(65)] {
            let answer = confirm(&asha, key, &good).await.expect(400);
            assert_eq!(answer.wrong_fields(), ["Idempotency-Key"]);
        }
        let mut blank = good.clone();
        blank["consignee_name"] = json!("   ");
        blank["shipment_dimensions"][0]["value"] = json!("");
        let answer = confirm(&asha, "blank-fields", &blank).await.expect(400);
        assert_eq!(answer.wrong_fields(), ["consignee_name", "shipment_dimensions.value"]);
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
    });
}

#[test]
fn another_users_booking_does_not_exist() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        let answer = confirm(&asha, "ashas-booking", &form(&quote(&asha).await)).await.expect(200);
        let id = answer.json()["data"][0]["booking_id"].as_str().unwrap().to_owned();
        for name in [id, awb(&answer)] {
            let path = format!("/api/v1/shipping/booking/{name}/");
            asha.get(&path).await.expect(200);
            ravi.get(&path).await.expect(404);
        }
        let history = ravi.get("/api/v1/shipping/history/").await.expect(200).json();
        assert_eq!(history["count"], 0);
    });
}
