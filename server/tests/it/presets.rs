//! Saved addresses and packages: per customer, without duplicates, and limited in number.

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, block_on};
use dakiya_core::limits::{PRESET_TEXT_CHARS_MAX, PRESETS_MAX};

const PATH: &str = "/api/v1/booking/presets/";

fn ravi() -> Value {
    json!({"kind": "consignee", "fields": {
        "consignee_name": "Ravi Kumar", "consignee_mobile": "9123456780",
        "consignee_address_1": "22 MG Road", "consignee_pincode": "560001",
        "consignee_city": "Bengaluru", "destination_country_id": "97",
    }})
}

pub fn lamps(number: i64) -> Value {
    json!({"kind": "package", "name": format!("Lamps {number}"), "fields": {
        "shipment_type": "1", "description": format!("Brass lamps, {number}"),
        "weight": "2.5",
    }})
}

pub async fn save(actor: &Actor, preset: &Value) -> Answer {
    actor.post(PATH, preset.clone()).await
}

async fn list(actor: &Actor) -> Value {
    actor.get(PATH).await.expect(200).json()["results"].clone()
}

async fn rename(actor: &Actor, id: &str, name: &str) -> Answer {
    let body = json!({"name": name}).to_string();
    actor.send(Method::PUT, &format!("{PATH}{id}/"), &[], Some(body)).await
}

async fn delete(actor: &Actor, id: &str) -> Answer {
    actor.send(Method::DELETE, &format!("{PATH}{id}/"), &[], None).await
}

fn id(list: &Value) -> String {
    list[0]["id"].as_str().expect("an entry").to_owned()
}

fn asha_in(pincode: &str) -> Value {
    json!({"kind": "consignor", "name": format!("Asha in {pincode}"), "fields": {
        "consigner_name": "Asha Rao", "consigner_address_1": "14 Janpath",
        "consigner_pincode": pincode,
    }})
}

/// The names of the presets used by default in new bookings.
async fn defaults(actor: &Actor) -> Vec<String> {
    let all = list(actor).await;
    let chosen = all.as_array().expect("a list").iter();
    chosen
        .filter(|entry| entry["is_default"] == true)
        .map(|entry| entry["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn new_bookings_begin_with_the_sender_that_was_chosen_for_that() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        save(&asha, &ravi()).await.expect(200);
        assert_eq!(defaults(&asha).await, [""; 0], "a receiver is no sender");
        save(&asha, &asha_in("110001")).await.expect(200);
        assert_eq!(defaults(&asha).await, ["Asha in 110001"]);
        app.app.core.clock.advance_ms(1_000);
        save(&asha, &asha_in("560001")).await.expect(200);

        let id_of = |all: &Value, name: &str| {
            let found = all.as_array().unwrap().iter().find(|one| one["name"] == name);
            found.expect(name)["id"].as_str().unwrap().to_owned()
        };
        let all = list(&asha).await;
        let choose = |actor: Actor, id: String| async move {
            let path = format!("{PATH}{id}/default/");
            actor.send(Method::PUT, &path, &[], None).await
        };
        let delhi = id_of(&all, "Asha in 110001");
        choose(asha.clone(), delhi.clone()).await.expect(200);
        assert_eq!(defaults(&asha).await, ["Asha in 110001"]);
        choose(asha.clone(), id_of(&all, "Ravi Kumar, Bengaluru")).await.expect(404);
        choose(app.user("mallory").await, delhi).await.expect(404);
        assert_eq!(defaults(&asha).await, ["Asha in 110001"]);
        let wizard = asha.page("/courier").await.expect(200);
        assert!(wizard.text().contains("value=\"110001\""));

        let bengaluru = id_of(&all, "Asha in 560001");
        let form = asha.form(&format!("/addresses/{bengaluru}/default"), &[]).await;
        assert_eq!(form.header("location"), "/addresses?saved=sender");
    });
}

#[test]
fn an_address_is_saved_listed_renamed_and_deleted() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        assert_eq!(list(&asha).await, json!([]));
        let saved = save(&asha, &ravi()).await.expect(200).json();
        assert_eq!(saved["results"], list(&asha).await);
        let entry = &list(&asha).await[0];
        assert_eq!(entry["name"], "Ravi Kumar, Bengaluru");
        assert_eq!((&entry["kind"], &entry["fields"]), (&json!("consignee"), &ravi()["fields"]));

        let id = id(&list(&asha).await);
        rename(&asha, &id, " Ravi at work ").await.expect(200);
        assert_eq!(list(&asha).await[0]["name"], "Ravi at work");
        assert_eq!(rename(&asha, &id, "  ").await.expect(400).wrong_fields(), ["name"]);
        let page = asha.page("/addresses").await.expect(200);
        assert!(page.text().contains("Ravi at work"));
        let wizard = asha.page("/courier").await.expect(200);
        assert!(wizard.text().contains("Ravi at work"));
        delete(&asha, &id).await.expect(200);
        assert_eq!(list(&asha).await, json!([]));
        delete(&asha, &id).await.expect(404);
    });
}

#[test]
fn nobody_else_sees_or_changes_an_address_book() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let other = app.user("ravi").await;
        save(&asha, &ravi()).await.expect(200);
        let id = id(&list(&asha).await);
        anon.get(PATH).await.expect(401);
        save(&anon, &ravi()).await.expect(401);
        assert_eq!(list(&other).await, json!([]));
        rename(&other, &id, "Mine").await.expect(404);
        delete(&other, &id).await.expect(404);
        other.form("/addresses/rename", &[("id", &id), ("name", "Mine")]).await.expect(404);
        other.form(&format!("/addresses/{id}/delete"), &[]).await.expect(303);
        assert_eq!(list(&asha).await[0]["name"], "Ravi Kumar, Bengaluru");
        // An address may be in the address books of two customers.
        save(&other, &ravi()).await.expect(200);
        assert_eq!(list(&other).await.as_array().unwrap().len(), 1);
        let page = anon.page("/addresses").await.expect(303);
        assert_eq!(page.header("location"), "/login?next=/addresses");
    });
}

#[test]
fn an_address_that_is_there_already_is_renewed_and_keeps_its_name() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        save(&asha, &ravi()).await.expect(200);
        rename(&asha, &id(&list(&asha).await), "Office").await.expect(200);
        let mut again = ravi();
        again["fields"]["consignee_name"] = json!("RAVI  Kumar");
        again["fields"]["consignee_address_1"] = json!("22, mg road");
        again["fields"]["consignee_mobile"] = json!("9000000000");
        let saves = (0..6).map(|_| save(&asha, &again));
        for saved in futures_util::future::join_all(saves).await {
            saved.expect(200);
        }
        let book = list(&asha).await;
        assert_eq!(book.as_array().unwrap().len(), 1);
        assert_eq!(book[0]["name"], "Office");
        assert_eq!(book[0]["fields"]["consignee_mobile"], "9000000000");
        again["fields"]["consignee_pincode"] = json!("560002");
        save(&asha, &again).await.expect(200);
        assert_eq!(list(&asha).await.as_array().unwrap().len(), 2);
    });
}

#[test]
fn a_book_that_is_full_says_so_and_still_renews() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for number in 0..PRESETS_MAX {
            save(&asha, &lamps(number)).await.expect(200);
        }
        let full = save(&asha, &lamps(PRESETS_MAX)).await.expect(409);
        assert_eq!(full.json()["code"], "too_many_presets");
        save(&asha, &lamps(0)).await.expect(200);
        save(&asha, &ravi()).await.expect(200);
        asha.page("/courier").await.expect(200);
    });
}

#[test]
fn what_is_no_entry_is_refused_by_its_field() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let long = "x".repeat(PRESET_TEXT_CHARS_MAX + 1);
        for (name, value, wrong) in [
            ("consignee_name", json!(" "), "fields.consignee_name"),
            ("consignee_address_1", json!(""), "fields.consignee_address_1"),
            ("consignee_address_2", json!(long), "fields.consignee_address_2"),
            ("consigner_name", json!("Asha"), "fields.consigner_name"),
            ("otp", json!("123456"), "fields.otp"),
            ("consignee_mobile", json!(7), "fields.consignee_mobile"),
            ("consignee_mobile", json!("hello"), "fields.consignee_mobile"),
            ("consignee_email", json!("ravi"), "fields.consignee_email"),
            ("consignee_gst_number", json!("BAD"), "fields.consignee_gst_number"),
        ] {
            let mut preset = ravi();
            preset["fields"][name] = value;
            assert_eq!(save(&asha, &preset).await.expect(400).wrong_fields(), [wrong]);
        }
        let mut named = ravi();
        named["name"] = json!(long);
        assert_eq!(save(&asha, &named).await.expect(400).wrong_fields(), ["name"]);
        for (name, value) in [("kind", json!("pickup")), ("fields", json!("none"))] {
            let mut preset = ravi();
            preset[name] = value;
            assert_eq!(save(&asha, &preset).await.status, 400, "{name}");
        }
        assert_eq!(list(&asha).await, json!([]));
    });
}

#[test]
fn addresses_are_added_and_corrected_in_the_address_book_and_booked_to() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let save = async |actor: &Actor, id: &str, name: &str, pin: &str| {
            let form = [
                ("kind", "consignee"),
                ("id", id),
                ("consignee_name", name),
                ("consignee_mobile", "9123456780"),
                ("consignee_address_1", "22 MG Road"),
                ("consignee_pincode", pin),
            ];
            actor.form("/addresses/save", &form).await
        };
        let saved = save(&asha, "", "Ravi Kumar", "560001").await.expect(303);
        assert_eq!(saved.header("location"), "/addresses?saved=address");
        let entry = list(&asha).await[0].clone();
        assert_eq!(entry["name"], "Ravi Kumar, Bengaluru");
        assert_eq!(entry["fields"]["consignee_state"], "Karnataka");
        assert_eq!(entry["fields"]["destination_country_id"], "97");
        let id = id(&list(&asha).await);

        // A correction keeps the entry's name; what is wrong is said, and nothing changes.
        for (name, pin, said) in [
            ("", "560001", "This field is required."),
            ("Ravi Kumar", "999999", "This PIN code is not serviceable."),
            ("Ravi Kumar", "", "This PIN code is not serviceable."),
        ] {
            let refused = save(&asha, &id, name, pin).await.expect(400);
            assert!(refused.text().contains(said), "{name} {pin}");
        }
        assert_eq!(list(&asha).await[0], entry);
        save(&asha, &id, "Ravi K", "560 998").await.expect(303);
        assert_eq!(list(&asha).await[0]["fields"]["consignee_city"], "Bengaluru");
        save(&asha, &id, "Ravi K", "110 001").await.expect(303);
        let corrected = list(&asha).await[0].clone();
        assert_eq!(corrected["fields"]["consignee_pincode"], "110001");
        assert_eq!(corrected["name"], "Ravi Kumar, Bengaluru");
        assert_eq!(corrected["fields"]["consignee_name"], "Ravi K");
        assert_eq!(corrected["fields"]["consignee_city"], "New Delhi");
        let page = asha.page("/addresses").await.expect(200);
        assert!(page.text().contains("href=\"tel:9123456780\""));

        // Nobody else's, and never the same address twice.
        save(&app.user("mallory").await, &id, "Mine", "110001").await.expect(404);
        save(&anon, &id, "Mine", "110001").await.expect(303);
        save(&asha, "", "Ravi Kumar", "560001").await.expect(303);
        let refused = save(&asha, &id, "Ravi Kumar", "560001").await.expect(409);
        assert!(refused.text().contains("Another entry of your address book has this address."));
        assert_eq!(list(&asha).await.as_array().map(Vec::len), Some(2));

        let form = [("step", "rate"), ("fill", "consignee"), ("preset-consignee", id.as_str())];
        asha.form("/courier", &form).await.expect(303);
        let wizard = asha.page("/courier").await.expect(200);
        assert!(wizard.text().contains("value=\"110001\""), "{}", wizard.text());
    });
}

#[test]
fn a_package_is_added_and_corrected_in_the_address_book() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let save = async |actor: &Actor, id: &str, description: &str, weight: &str| {
            let form = [
                ("kind", "package"),
                ("id", id),
                ("description", description),
                ("weight", weight),
                ("quantity", ""),
                ("shipment_type", "1"),
                ("consignee_name", "Of another kind"),
            ];
            actor.form("/addresses/save", &form).await
        };
        let saved = save(&asha, "", "Brass lamps", "2.5 kg").await.expect(303);
        assert_eq!(saved.header("location"), "/addresses?saved=package");
        let entry = list(&asha).await[0].clone();
        assert_eq!((&entry["kind"], &entry["name"]), (&json!("package"), &json!("Brass lamps")));
        let fields = json!({"description": "Brass lamps", "weight": "2.5", "shipment_type": "1"});
        assert_eq!(entry["fields"], fields);
        let page = asha.page("/addresses?saved=package").await.expect(200);
        assert!(page.text().contains("The package was saved."));

        let id = id(&list(&asha).await);
        for (description, weight) in [("", "2"), ("Brass lamps", ""), ("Brass lamps", "heavy")] {
            save(&asha, &id, description, weight).await.expect(400);
        }
        save(&app.user("mallory").await, &id, "Mine", "1").await.expect(404);
        assert_eq!(list(&asha).await[0], entry);
        save(&asha, &id, "Brass lamps", "3").await.expect(303);
        assert_eq!(list(&asha).await[0]["fields"]["weight"], "3");
        save(&asha, "", "Brass lamps", "2.5").await.expect(303);
        let refused = save(&asha, &id, "Brass lamps", "2.5").await.expect(409);
        assert!(refused.text().contains("Another entry of your address book has this package."));
    });
}

#[test]
fn without_javascript_entries_are_renamed_and_deleted_by_forms() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        save(&asha, &ravi()).await.expect(200);
        let id = id(&list(&asha).await);
        let rename = async |name| {
            let form = [("id", id.as_str()), ("name", name)];
            asha.form("/addresses/rename", &form).await
        };
        let renamed = rename("<Office>").await.expect(303);
        assert_eq!(renamed.header("location"), "/addresses?saved=renamed");
        let page = asha.page("/addresses?saved=renamed").await.expect(200);
        assert!(page.text().contains("&lt;Office&gt;"));
        assert!(page.text().contains("The entry has its new name."));
        let long = "x".repeat(201);
        for (name, said) in [("", "Please enter a name."), (&*long, "These are 201.")] {
            let refused = rename(name).await.expect(400);
            assert!(refused.text().contains(said), "{name}");
        }
        let at = format!("/addresses/{id}");
        let answer = anon.form(&format!("{at}/delete"), &[]).await;
        assert!(answer.expect(303).header("location").starts_with("/login"));
        let answer = asha.form(&format!("{at}/delete"), &[]).await;
        assert_eq!(answer.expect(303).header("location"), "/addresses?saved=deleted");
        assert_eq!(list(&asha).await, json!([]));
    });
}

#[test]
fn an_address_is_not_readable_in_the_data_base() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        save(&asha, &ravi()).await.expect(200);
        let other = app.user("ravi").await;
        let stolen = format!(
            "update presets set user_id =
               (select user_id from users where username = '{}')",
            other.username
        );
        app.tamper(&stolen).await.unwrap();
        assert_eq!(list(&other).await, json!([]), "sealed for somebody else");
        let path = app.app.web.config.data_dir.join("dakiya.sqlite-wal");
        if let Ok(log) = std::fs::read(path) {
            assert!(!log.windows(10).any(|bytes| bytes == b"Ravi Kumar"));
        }
    });
}
