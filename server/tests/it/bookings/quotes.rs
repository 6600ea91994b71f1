//! A booking costs the quoted price or fails, however the quote was changed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{PRICE, confirm, form, quote};
use crate::app::{Actor, TestApp, block_on};
use crate::rates::parcel;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::random::random_id;

/// All prices of the parcel, made heavier by `more` grams.
async fn prices(actor: &Actor, more: u32) -> Vec<Value> {
    let mut parcel = parcel();
    parcel["weight"] = json!(f64::from(2_500 + more) / 1_000.0);
    let answer = actor.post("/api/v1/shipping/calculate-rate/", parcel);
    let answer = answer.await.expect(200).json();
    answer["data"].as_array().expect("prices").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// The name and the seal of a token.
fn halves(quote: &Value) -> (&str, &str) {
    let token = text(&quote["quote_id"]);
    token.split_once('.').expect("a name and a seal")
}

/// Tokens with one character changed, at several places.
fn misspelt(token: &str) -> Vec<String> {
    let other = |at: usize| {
        let mut letters: Vec<char> = token.chars().collect();
        letters[at] = if letters[at] == 'A' { 'B' } else { 'A' };
        letters.into_iter().collect()
    };
    (0..token.len()).step_by(7).map(other).collect()
}

#[test]
fn a_quote_that_was_tampered_with_gets_the_price_of_the_moment_and_charges_nothing() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        let own = quote(&asha).await;
        let token = text(&own["quote_id"]);
        let (name, seal) = halves(&own);
        let others = quote(&ravi).await;
        let dearer = prices(&asha, 50_000).await.remove(0);
        let mut all = misspelt(token);
        all.extend([
            // Another customer's token, whole and under this customer's name.
            text(&others["quote_id"]).to_owned(),
            format!("{name}.{}", halves(&others).1),
            // This customer's seal under the names of another service, of another quote and of
            // none.
            format!("{name}9.{seal}"),
            format!("{}.{seal}", halves(&dearer).0),
            format!("{name}.{}", halves(&dearer).1),
            format!(".{seal}"),
            // Truncated, or with text appended.
            name.to_owned(),
            format!("{name}."),
            token[..token.len() - 4].to_owned(),
            format!("{token}AAAA"),
        ]);
        let books = app.app.core.store.audit(None).await.expect("an audit");
        for token in &all {
            let mut form = form(&own);
            form["quote_id"] = json!(token);
            let answer = confirm(&asha, &random_id(), &form).await.expect(409).json();
            assert_eq!(answer["code"], "quote_changed", "{token}");
            assert_eq!(answer["data"][0]["product_id"], own["product_id"]);
        }
        let after = app.app.core.store.audit(None).await.expect("an audit");
        assert_eq!((&after.head, &after.faults), (&books.head, &books.faults));
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));

        // The unchanged quote is booked at its price.
        confirm(&asha, &random_id(), &form(&own)).await.expect(200);
        let left = Paise::new(500_000 - PRICE);
        assert_eq!(app.balance(&asha).await, left);
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_quote_that_anyone_may_use_is_noticed() {
    let test = "bookings::quotes::\
        a_quote_that_was_tampered_with_gets_the_price_of_the_moment_and_charges_nothing";
    crate::faults::must_fail(test, "quotes-of-anyone");
}

#[test]
fn a_quote_is_short_and_does_not_tell_its_terms() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let all = prices(&asha, 0).await;
        assert!(all.len() > 1);
        for price in &all {
            // A phone gets one token for each service, and they do not compress.
            assert!(text(&price["quote_id"]).len() < 310, "{price}");
            let (_, sealed) = halves(price).1.split_once(':').expect("a key and bytes");
            let bytes = STANDARD.decode(sealed).expect("base64");
            for term in [&b"110001"[..], b"Freight"] {
                assert!(!bytes.windows(term.len()).any(|bytes| bytes == term));
            }
        }
        // Two quotes of the same price differ: one can be booked after the other.
        let again = prices(&asha, 0).await;
        assert_ne!(all[0]["quote_id"], again[0]["quote_id"]);
    });
}
