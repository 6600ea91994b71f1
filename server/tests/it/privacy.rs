//! Rights of customers to their own data: export as a file, and deletion.

mod closing;
mod documents;

use std::collections::BTreeSet;

use dakiya_core::limits::{CUSTOMER_EXPORTS, EXPORT_PAGE_ROWS};
use dakiya_core::model::account::agreement::Agreed;
use dakiya_core::model::digest::sha256_hex;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::documents::book;
use crate::email::of_subject;
use crate::kyc;
use crate::passwords::address;

pub async fn export(actor: &Actor) -> Answer {
    actor.form("/account/export", &[("current_password", PASSWORD)]).await
}

/// The values of one field in all entries of a list.
fn all<'a>(file: &'a Value, list: &str, field: &str) -> Vec<&'a str> {
    let entries = file[list].as_array().unwrap_or_else(|| panic!("{list}"));
    let texts = entries.iter().map(|it| it[field].as_str().expect("a text"));
    texts.collect()
}

#[test]
fn a_customer_downloads_everything_about_themselves_and_nothing_of_others() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        app.recharge(&ravi, 5_000).await;
        let others = book(&ravi, &json!({"consignee_name": "Zubin Mistry"})).await;
        let saved = json!({"kind": "consignee", "fields": {
            "consignee_name": "Meera Nair", "consignee_mobile": "9123456780",
            "consignee_address_1": "22 MG Road", "consignee_pincode": "560001",
            "consignee_city": "Bengaluru", "destination_country_id": "97",
        }});
        let presets = "/api/v1/booking/presets/";
        asha.post(presets, saved).await.expect(200);
        let [document, _] = kyc::uploaded(&asha).await;
        let booked = book(&asha, &json!({})).await;

        let file = export(&asha).await.expect(200);
        assert_eq!(file.header("cache-control"), "no-store");
        assert_eq!(file.header("content-type"), "application/json");
        let disposition = file.header("content-disposition");
        assert!(disposition.starts_with("attachment; filename=dakiya-"), "{disposition}");
        let told = file.json();
        assert_eq!(told["account"]["email"], address(&asha));
        assert_eq!(told["account"]["balance"], "4808.98");
        assert_eq!(all(&told, "agreements", "document"), ["privacy", "terms"]);
        assert_eq!(told["sessions"][0]["this_one"], true);
        assert_eq!(told["address_book"][0]["fields"]["consignee_name"], "Meera Nair");
        assert_eq!(all(&told, "bookings", "booking_id"), [&*booked.id]);
        let booking = &told["bookings"][0];
        assert_eq!(booking["awb"], booked.awb);
        assert_eq!(booking["details"]["consigner_name"], "Asha Rao");
        assert_eq!(booking["amount"], "191.02");
        assert_eq!(booking["quoted_price"]["total"], 191.02);
        assert_eq!(booking["tracking"][0]["status"], "Booked");
        assert_eq!(booking["letters"][0]["status"], "booked");
        assert_eq!(told["bookings_that_failed"], json!([]));
        assert_eq!(all(&told, "documents", "kind"), ["invoice"]);
        assert_eq!(all(&told, "statement", "amount"), ["5000.00", "-191.02"], "{told}");
        assert_eq!(all(&told, "payments", "state"), ["completed"]);
        let kept = all(&told, "identity_documents", "document_id");
        assert_eq!(kept.len(), 2);
        assert!(kept.contains(&document.trim_start_matches("/kyc/")));
        let acts = all(&told, "activity", "act");
        assert_eq!(acts[..2], ["registered", "logged_in"]);
        assert!(acts.contains(&"data_exported"), "{acts:?}");

        let token = asha.token.clone().unwrap();
        let secrets =
            [PASSWORD, "argon2", &token, &sha256_hex(token.as_bytes()), "_hash", "seal", "print"];
        let names = [&*ravi.username, &others.id, &others.awb, "Zubin"];
        for not_here in secrets.into_iter().chain(names) {
            assert!(!file.text().contains(not_here), "{not_here}");
        }
        let guest = anon.form_with("/account/export", &[], "").await;
        let guest = guest.expect(303);
        assert_eq!(guest.header("location"), "/login?next=/account&expired=1");
    });
}

#[test]
fn a_long_history_is_written_page_by_page_without_losing_or_repeating_a_row() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        let booked = book(&asha, &json!({})).await;
        let more = 2 * EXPORT_PAGE_ROWS;
        let key = asha.username.to_lowercase();
        // All in one millisecond: a page ends among them.
        let numbers = format!(
            "with recursive n (i) as (select 1 union all select i + 1 from n where i < {more})"
        );
        let statements = [
            format!(
                "insert into payment_orders (merchant_order_id, user_id, provider, amount_paise,
                   state, created_ms, expires_ms, checked_ms, checks)
                 {numbers} select 'M' || i, u.user_id, 'phonepe', 100, 'failed', 5, 6, 0, 0
                 from n cross join users u where u.username_key = '{key}'"
            ),
            format!(
                "insert into quotes (quote_id, user_id, product_id, shipment_hash, shipment, price,
                   total_paise, created_ms, expires_ms)
                 {numbers} select 'Q' || i, q.user_id, q.product_id, q.shipment_hash, q.shipment,
                   q.price, q.total_paise, q.created_ms, q.expires_ms
                 from n cross join quotes q"
            ),
            format!(
                "insert into bookings (booking_id, user_id, awb, status, quote_id, product_id,
                   product_name, courier_code, consignee_name, origin_pincode, origin_city,
                   destination_pincode, destination_city, weight_grams, amount_paise, details,
                   created_ms, sealed_numbers)
                 {numbers} select 'B' || i, b.user_id, 'A' || i, b.status, 'Q' || i, b.product_id,
                   b.product_name, b.courier_code, b.consignee_name, b.origin_pincode,
                   b.origin_city, b.destination_pincode, b.destination_city, b.weight_grams,
                   b.amount_paise, b.details, b.created_ms, b.sealed_numbers
                 from n cross join bookings b where b.booking_id = '{}'",
                booked.id
            ),
        ];
        for statement in statements {
            app.tamper(&statement).await.expect("rows");
        }
        let told = export(&asha).await.expect(200).json();
        let all_there = usize::try_from(more + 1).unwrap();
        for (list, id) in [("bookings", "booking_id"), ("payments", "merchant_order_id")] {
            let ids = all(&told, list, id);
            assert_eq!(ids.len(), all_there, "{list}");
            assert_eq!(BTreeSet::from_iter(ids).len(), all_there, "{list}");
        }
        let bookings = told["bookings"].as_array().unwrap();
        let tracked = bookings.iter().filter(|it| it["tracking"] != json!([]));
        assert_eq!(tracked.count(), 1);
    });
}

#[test]
fn all_data_is_downloaded_by_the_password_and_the_customer_is_told() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let subject = "All data of your Dakiya account was downloaded";
        let refused = asha.form("/account/export", &[]).await.expect(400);
        assert!(refused.text().contains("Please enter your current password."));
        let wrong = [("current_password", "not-it-at-all")];
        let refused = asha.form("/account/export", &wrong).await.expect(400);
        assert!(refused.text().contains("This is not your current password."));
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("Your data was not downloaded: the password was wrong."));
        assert!(!page.text().contains("All your data was downloaded."));
        assert_eq!(of_subject(&app, &address(&asha), subject, 0).await.len(), 0);

        export(&asha).await.expect(200);
        let letters = of_subject(&app, &address(&asha), subject, 1).await;
        assert!(letters[0].text.contains("If it was not you"), "{}", letters[0].text);
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("All your data was downloaded."));
    });
}

#[test]
fn files_with_all_data_have_a_pace() {
    block_on(async {
        let app = TestApp::start_with(&[("DAKIYA_LIMIT_CLIENTS", "1")]).await;
        let asha = app.user("asha").await;
        for _ in 0..CUSTOMER_EXPORTS.at_once {
            export(&asha).await.expect(200).json();
        }
        let refused = export(&asha).await.expect(429);
        let words = "Too many downloads of your data. Try again in 20 min.";
        assert!(refused.text().contains(words), "{}", refused.text());
        assert_ne!(refused.header("retry-after"), "");
        app.app.core.clock.advance_ms(CUSTOMER_EXPORTS.pause_ms);
        export(&asha).await.expect(200);
    });
}

#[test]
fn whoever_opens_an_account_agrees_to_the_texts_that_are_shown() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let page = anon.page("/register").await.expect(200);
        assert!(page.text().contains("By signing up you agree to:"));
        for (document, path) in
            [(Agreed::Terms, "/terms-and-conditions"), (Agreed::Privacy, "/privacy-policy")]
        {
            assert!(page.text().contains(&format!("href=\"{path}\"")), "{path}");
            let text = anon.page(path).await.expect(200);
            let version = format!("dateTime=\"{}\"", document.version());
            assert!(text.text().contains(&version), "{path} has no {version}");
        }
        let agreed = asha.get("/api/v1/auth/activity/").await.expect(200);
        let agreed = agreed.json();
        assert_eq!(all(&agreed, "agreements", "document"), ["terms", "privacy"]);
        let version = Agreed::Terms.version();
        assert_eq!(all(&agreed, "agreements", "version"), [version; 2]);
        let account = asha.page("/account").await.expect(200);
        for text in ["our terms and conditions of", "our privacy policy of"] {
            assert!(account.text().contains(text), "{text}");
        }
    });
}
