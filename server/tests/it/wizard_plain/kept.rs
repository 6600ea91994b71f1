//! Plain forms of the wizard: confirmations sent after the session has ended, and saved entries
//! that fill in its steps.

use super::{DETAILS, as_form, documents, history, reviewed, upload};
use crate::app::{TestApp, block_on};
use crate::bookings::PRICE;
use crate::kyc::picture;
use crate::presets::{lamps, save};
use crate::sent_forms::{log_in, sent_too_late};
use crate::wizard::{choose, draft, send};
use dakiya_core::limits::PRESETS_MAX;
use dakiya_core::model::money::paise::Paise;

#[test]
fn a_confirmation_that_was_sent_too_late_books_once_after_the_login_of_its_customer() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let binod = app.user("binod").await;
        let form = reviewed(&asha).await;
        let kept = sent_too_late(&asha, "/courier", "/courier", &as_form(&form)).await;
        let answer = log_in(&binod, "/courier", &kept).await.expect(303);
        assert_eq!(answer.header("location"), "/courier");
        assert_eq!(history(&asha).await["count"], 0);
        for _ in 0..2 {
            let answer = log_in(&asha, "/courier", &kept).await.expect(303);
            assert_eq!(answer.header("location"), "/courier");
        }
        assert_eq!(history(&asha).await["count"], 1);
        assert_eq!(app.balance(&asha).await, Paise::new(500_000 - PRICE));
        // Codes must be entered again.
        let otp = [("step", "otp"), ("otp", "123456")];
        let kept = sent_too_late(&asha, "/courier", "/courier", &otp).await;
        assert!(!kept.contains("123456"), "{kept}");
        // The login does not keep uploaded files.
        let guest = asha.without_token();
        let answer = upload(&guest, documents(picture(), ["1.2", "1.7"])).await.expect(303);
        let login = "/login?next=/courier&expired=documents";
        assert_eq!(answer.header("location"), login);
        let page = guest.page(login).await.expect(200);
        assert!(page.text().contains("then choose your documents once more."));
        app.audit().await;
    });
}

#[test]
fn a_ticked_section_that_cannot_be_saved_is_told_and_the_booking_goes_on() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        for number in 0..PRESETS_MAX {
            save(&asha, &lamps(number)).await.expect(200);
        }
        let tick = async |section: &str| {
            choose(&asha).await;
            send(&asha, &[DETAILS, &[(section, "on")]].concat()).await
        };
        let full = tick("save-package").await;
        app.tamper("alter table presets rename to presets_gone").await.expect("renamed");
        let failed = tick("save-consignee").await;
        app.tamper("alter table presets_gone rename to presets").await.expect("renamed");
        for (next, address, sentence) in [
            (full, "/courier?saved=book-full", "Your address book is full."),
            (failed, "/courier?saved=no-entry", "The address book could not be changed."),
        ] {
            assert_eq!(next, address);
            let page = asha.page(address).await.expect(200);
            assert!(page.text().contains(sentence), "{sentence}");
        }
        assert_eq!(draft(&asha).await["step"], "review");
    });
}

#[test]
fn saved_entries_fill_in_both_steps_and_ticked_sections_are_saved() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        choose(&asha).await;
        let ticked = [("save-consignee", "on"), ("save-consignor", "on")];
        assert_eq!(send(&asha, &[DETAILS, &ticked].concat()).await, "/courier");
        let presets = asha.get("/api/v1/booking/presets/").await.expect(200).json();
        let presets = presets["results"].as_array().unwrap().clone();
        assert_eq!(presets.len(), 2, "{presets:?}");
        let id = |kind: &str| {
            let preset = presets.iter().find(|preset| preset["kind"] == kind);
            preset.unwrap()["id"].as_str().unwrap().to_owned()
        };
        let (sender, receiver) = (id("consignor"), id("consignee"));
        let kept = asha.get("/api/v1/booking/draft/").await.expect(200).json();
        let revision = kept["revision"].to_string();
        let discard = [("revision", revision.as_str())];
        asha.form("/courier/discard", &discard).await.expect(303);

        let fill = [
            ("step", "rate"),
            ("booking_type", "1"),
            ("weight", "3"),
            ("preset-consignor", sender.as_str()),
            ("preset-consignee", receiver.as_str()),
            ("fill", "consignee"),
        ];
        assert_eq!(send(&asha, &fill).await, "/courier");
        let content = draft(&asha).await;
        assert_eq!(content["rate"]["origin_pincode"], "110001");
        assert_eq!(content["rate"]["destination_pincode"], "560001");
        assert_eq!(content["rate"]["booking_type"], "2");
        assert_eq!(content["rate"]["weight"], "3");
        assert_eq!(content["details"]["consignee_name"], "Ravi Kumar");

        choose(&asha).await;
        let fill = [
            ("step", "details"),
            ("consignee_name", "Somebody"),
            ("remark", "Fragile"),
            ("preset-consignee", receiver.as_str()),
            ("fill", "consignee"),
        ];
        assert_eq!(send(&asha, &fill).await, "/courier");
        let content = draft(&asha).await;
        assert_eq!(content["details"]["consignee_name"], "Ravi Kumar");
        assert_eq!(content["details"]["remark"], "Fragile");

        let order = [("step", "service"), ("order", "Fastest")];
        assert_eq!(send(&asha, &order).await, "/courier?rates=1&order=Fastest");
        let chosen = [order[0], order[1], ("service", "7")];
        let sorted = "/courier?rates=1&order=Fastest&service=7";
        assert_eq!(send(&asha, &chosen).await, sorted);
    });
}
