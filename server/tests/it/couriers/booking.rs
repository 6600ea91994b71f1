//! Bookings with a partner: sent once, and either charged with one AWB or not charged with none.

use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::services::bookings::tracking;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{Rig, abroad, item, of_partners, scan};
use crate::app::{block_on, rupees};
use crate::bookings::confirm;

const PARTNERS: [&str; 2] = ["karrio", "shiprocket"];

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned()
}

#[test]
fn a_booking_has_the_partners_awb_and_is_charged_what_was_quoted() {
    block_on(async {
        for partner in PARTNERS {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let answer = confirm(&rig.asha, "with-a-partner", &rig.form(partner).await).await;
            let answer = answer.expect(200);
            let awb = text(&item(&answer)["airwaybilno"]);
            let shipments = rig.shipments(partner).await;
            assert_eq!(shipments.len(), 1, "{shipments:?}");
            assert_eq!(shipments[0]["number"], json!(awb));
            assert_eq!((&shipments[0]["created"], &shipments[0]["bought"]), (&json!(1), &json!(1)));
            let paid = rupees(answer.text(), "amount");
            let after = rig.app.balance(&rig.asha).await;
            assert_eq!(before.checked_sub(paid), Some(after));
            let history = rig.asha.get("/api/v1/shipping/history/").await.expect(200).json();
            assert_eq!(history["results"][0]["awb_number"], json!(awb));
            assert_eq!(history["results"][0]["status"], "booked");
            let id = text(&item(&answer)["booking_id"]);
            let label = rig.asha.get(&format!("/bookings/{id}/label.pdf")).await;
            assert!(label.expect(200).body.starts_with(b"%PDF-"));
            assert_eq!(rig.asked(partner, "label").await, 1, "the label is the partner's");
            let track = rig.asha.get(&format!("/api/v1/shipping/track/{awb}/")).await;
            assert!(track.text().contains("Booked"), "{}", track.text());
            rig.app.audit().await;
        }
    });
}

#[test]
fn partners_get_names_and_addresses_in_latin_letters() {
    block_on(async {
        for partner in PARTNERS {
            let rig = Rig::start().await;
            let mut form = rig.form(partner).await;
            form["consigner_name"] = json!("முருகன்");
            form["consignee_name"] = json!("Анна Петрова");
            form["consignee_address_1"] = json!("улица Ленина 7");
            let answer = confirm(&rig.asha, "in-latin", &form).await.expect(200);
            let asked = rig.shipments(partner).await[0]["asked"].to_string();
            for part in ["murukan", "Anna Petrova", "ulitsa Lenina 7"] {
                assert!(
                    partner == "shiprocket" && part == "murukan" || asked.contains(part),
                    "{asked}"
                );
            }
            assert!(asked.is_ascii(), "{asked}");
            // Our own pages and papers keep what the customer wrote.
            let id = text(&item(&answer)["booking_id"]);
            let page = rig.asha.page(&format!("/bookings/{id}")).await.expect(200);
            assert!(page.text().contains("Анна Петрова"));
        }
    });
}

#[test]
fn a_partners_label_may_begin_with_a_byte_order_mark() {
    block_on(async {
        for partner in PARTNERS {
            let rig = Rig::start().await;
            rig.set(partner, json!({"label_prefix": "\u{feff}"})).await;
            let answer = confirm(&rig.asha, "marked-label", &rig.form(partner).await).await;
            let id = text(&item(&answer.expect(200))["booking_id"]);
            let label = rig.asha.get(&format!("/bookings/{id}/label.pdf")).await.expect(200);
            assert!(label.body.starts_with(b"\xef\xbb\xbf%PDF-"), "{partner}");
        }
    });
}

/// Answers every request with a redirect to this address, and returns its own.
async fn redirecting_to(target: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            // Unread bytes would make the end of the connection an error.
            drop(stream.read(&mut [0; 8_192]).await);
            let reply = format!(
                "HTTP/1.1 302 Found\r\nlocation: {target}\r\ncontent-length: 0\r\n\
                 connection: close\r\n\r\n"
            );
            drop(stream.write_all(reply.as_bytes()).await);
        }
    });
    format!("http://{address}/label.pdf")
}

#[test]
fn a_label_is_fetched_from_no_address_that_leads_inwards_or_on() {
    block_on(async {
        let rig = Rig::start().await;
        let answer = confirm(&rig.asha, "label-elsewhere", &rig.form("shiprocket").await).await;
        let id = text(&item(&answer.expect(200))["booking_id"]);
        let label = format!("/bookings/{id}/label.pdf");
        let sandbox = &rig.app.app.sandbox.as_ref().expect("a sandbox").base_url;
        let ours = format!("{sandbox}/shiprocket/labels/1.pdf");
        for address in [
            "http://10.0.0.1/label.pdf".to_owned(),
            "http://169.254.169.254/latest/meta-data/".to_owned(),
            "http://[fd00::1]/label.pdf".to_owned(),
            "http://[::ffff:10.0.0.1]/label.pdf".to_owned(),
            "http://0x0a000001/label.pdf".to_owned(),
            // The sandbox is on this machine, so nothing beyond it is its own.
            "https://1.1.1.1/label.pdf".to_owned(),
            "file:///etc/passwd".to_owned(),
            ours.replace("http://", "http://user@"),
            String::new(),
            redirecting_to(ours).await,
        ] {
            rig.set("shiprocket", json!({"label_address": address})).await;
            let refused = rig.asha.get(&label).await.expect(502);
            let sentence = "The courier did not send the label. Please try again in a minute.";
            assert!(refused.text().contains(sentence), "{address}: {}", refused.text());
        }
        assert_eq!(rig.asked("shiprocket", "label_file").await, 0);
        rig.set("shiprocket", json!({"label_address": null})).await;
        let label = rig.asha.get(&label).await.expect(200);
        assert!(label.body.starts_with(b"%PDF-"));
    });
}

#[test]
fn a_long_address_is_broken_over_the_lines_of_its_service_or_refused_at_its_field() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        for rate in of_partners(&rig.rates(abroad("2.5")).await.json()) {
            let most = if rate["parent_vendor"] == "dhl" { 45 } else { 35 };
            assert_eq!(rate["addresses"]["receiver"], json!({"line": most, "both": 2 * most}));
        }
        let mut form = rig.form("karrio").await;
        form["consigner_address_2"] = json!("Opposite the Metro Station ".repeat(3).trim());
        form["consignee_address_1"] = json!("Long Street ".repeat(10).trim());
        let refused = confirm(&rig.asha, "too-long", &form).await.expect(400);
        let fields = ["consigner_address_2", "consignee_address_1"];
        assert_eq!(refused.wrong_fields(), fields);
        let sentence = "This courier takes at most 70 letters in two lines of 35";
        assert!(refused.text().contains(sentence), "{}", refused.text());
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        assert_eq!(rig.asked("karrio", "create").await, 0);

        form["consigner_address_2"] = json!("");
        form["consignee_address_1"] = json!("Flat 402, Sunrise Apartments, 14th Cross Road");
        form["consignee_address_2"] = json!("Block B");
        confirm(&rig.asha, "broken-at-words", &form).await.expect(200);
        let to = rig.shipments("karrio").await[0]["asked"]["recipient"].clone();
        assert_eq!(to["address_line1"], "Flat 402, Sunrise Apartments, 14th");
        assert_eq!(to["address_line2"], "Cross Road Block B");

        let mut form = rig.form("shiprocket").await;
        form["consignee_address_1"] = json!("x".repeat(150));
        form["consignee_address_2"] = json!("y".repeat(41));
        let refused = confirm(&rig.asha, "too-long-at-home", &form).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["consignee_address_2"]);
        form["consignee_address_2"] = json!("y".repeat(40));
        form["eway_bill"] = json!("1234 5678-9012");
        form["consigner_address_1"] = json!("14 Okhla Road, ".repeat(6).trim());
        form["consigner_address_2"] = json!("Phase 2");
        confirm(&rig.asha, "fits-at-home", &form).await.expect(200);
        let order = rig.shipments("shiprocket").await[0]["asked"].clone();
        assert_eq!(order["ewaybill_no"], "123456789012");
        let place = rig.sim(Method::GET, "shiprocket/places", Value::Null).await[0].clone();
        assert_eq!(place["address"], format!("{}14", "14 Okhla Road, ".repeat(5)));
        assert_eq!(place["address_2"], "Okhla Road, Phase 2");
        rig.app.audit().await;
    });
}

#[test]
fn lines_for_customs_add_up_to_the_declared_value() {
    block_on(async {
        let rig = Rig::start().await;
        let mut form = rig.form("karrio").await;
        form["shipment_dimensions"][0]["quantity"] = json!(3);
        form["shipment_dimensions"][0]["value"] = json!("0.02");
        let refused = confirm(&rig.asha, "of-no-value", &form).await.expect(400);
        assert_eq!(refused.wrong_fields(), ["shipment_dimensions.value"]);
        form["shipment_dimensions"][0]["value"] = json!("100.00");
        let other_price = confirm(&rig.asha, "one-piece-priced", &form).await.expect(409);
        form["quote_id"] = other_price.json()["data"][0]["quote_id"].clone();
        confirm(&rig.asha, "three-pieces", &form).await.expect(200);
        let customs = rig.shipments("karrio").await[0]["asked"]["customs"].clone();
        let lines = customs["commodities"].as_array().expect("lines").iter();
        let lines: Vec<_> = lines.map(|it| [&it["quantity"], &it["value_amount"]]).collect();
        assert_eq!(lines, [[&json!(2), &json!(33.33)], [&json!(1), &json!(33.34)]]);
        assert_eq!(customs["duty"]["declared_value"], json!(100));
        rig.app.audit().await;
    });
}

#[test]
fn a_hundred_identical_confirmations_are_one_debit_one_awb_and_equal_answers() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let form = rig.form("shiprocket").await;
        let answers = join_all((0..100).map(|_| confirm(&rig.asha, "the-same-key", &form))).await;
        let first = answers[0].text().to_owned();
        for answer in &answers {
            assert_eq!((answer.status.as_u16(), answer.text()), (200, &*first));
        }
        let paid = rupees(&first, "amount");
        assert_eq!(before.checked_sub(paid), Some(rig.app.balance(&rig.asha).await));
        assert_eq!(rig.shipments("shiprocket").await.len(), 1);
        rig.app.audit().await;
    });
}

#[test]
fn an_answer_that_is_lost_after_the_partner_booked_is_found_again() {
    block_on(async {
        for (partner, operation) in [("karrio", "purchase"), ("shiprocket", "assign")] {
            for kind in ["drop", "truncated", "garbage", "internal_error"] {
                let rig = Rig::start().await;
                let form = rig.form(partner).await;
                let fault = json!({"operation": operation, "kind": kind, "when": "after_work"});
                rig.fault(partner, fault).await;
                let answer = confirm(&rig.asha, "lost-answer", &form).await.expect(200);
                let shipments = rig.shipments(partner).await;
                assert_eq!(shipments.len(), 1, "{kind}: {shipments:?}");
                assert_eq!(shipments[0]["number"], item(&answer)["airwaybilno"]);
                assert_eq!(rig.asked(partner, operation).await, 1, "{kind}");
                rig.app.audit().await;
            }
        }
    });
}

#[test]
fn a_partner_that_refuses_costs_nothing_and_the_next_try_has_a_fresh_price() {
    block_on(async {
        for (partner, operation) in [("karrio", "purchase"), ("shiprocket", "assign")] {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let form = rig.form(partner).await;
            rig.fault(partner, json!({"operation": operation, "kind": "reject"})).await;
            let refused = confirm(&rig.asha, "refused-once", &form).await.expect(409);
            assert_eq!(refused.json()["code"], "courier_refused");
            assert_eq!(rig.app.balance(&rig.asha).await, before);
            let again = confirm(&rig.asha, "refused-once", &form).await.expect(409);
            assert_eq!(again.text(), refused.text());
            let fresh = confirm(&rig.asha, "another-try", &form).await.expect(409);
            assert_eq!(fresh.json()["code"], "quote_changed");
            let mut form = form;
            form["quote_id"] = fresh.json()["data"][0]["quote_id"].clone();
            confirm(&rig.asha, "third-try", &form).await.expect(200);
            let history = rig.asha.get("/api/v1/shipping/history/").await.expect(200).json();
            assert_eq!(history["count"], 1, "what no courier took is no booking");
            rig.app.audit().await;
        }
    });
}

#[test]
fn a_price_that_rose_since_the_quote_is_not_booked() {
    block_on(async {
        for partner in PARTNERS {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let form = rig.form(partner).await;
            rig.set(partner, json!({"price_percent": 110})).await;
            let refused = confirm(&rig.asha, "dearer-now", &form).await.expect(409);
            assert_eq!(refused.json()["code"], "courier_refused");
            assert_eq!(rig.app.balance(&rig.asha).await, before);
            let live = rig.shipments(partner).await;
            assert!(live.iter().all(|it| it["bought"] == 0), "{live:?}");
            rig.app.audit().await;
        }
    });
}

#[test]
fn a_price_that_cannot_be_checked_again_is_not_booked_and_leaves_nothing_open() {
    block_on(async {
        for kind in ["garbage", "internal_error", "bad_gateway", "truncated", "drop"] {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let form = rig.form("shiprocket").await;
            let fault = json!({"operation": "rates", "kind": kind});
            rig.fault("shiprocket", fault).await;
            let refused = confirm(&rig.asha, "not-checked", &form).await.expect(409);
            assert_eq!(refused.json()["code"], "courier_refused", "{kind}");
            assert_eq!(rig.app.balance(&rig.asha).await, before);
            assert_eq!(rig.asked("shiprocket", "read").await, 0, "{kind}: nothing to look up");
            assert_eq!(rig.shipments("shiprocket").await.len(), 0);
            rig.app.audit().await;
        }
    });
}

#[test]
fn a_partners_awb_that_cannot_be_one_is_never_stored() {
    block_on(async {
        for partner in PARTNERS {
            let rig = Rig::start().await;
            let before = rig.app.balance(&rig.asha).await;
            let form = rig.form(partner).await;
            rig.set(partner, json!({"awb_suffix": "/<b>"})).await;
            // The outcome of the booking is unknown.
            rig.hangs_up("strange-awb", &form, (partner, "read", 1)).await;
            for _ in 0..4 {
                rig.sweep_a_minute_later().await;
            }
            let history = rig.asha.get("/api/v1/shipping/history/").await;
            let history = history.expect(200).json();
            assert_eq!(history["results"][0]["status"], "pending");
            assert_eq!(history["results"][0]["awb_number"], "");
            let reference = rig.shipments(partner).await[0]["reference"].clone();
            let now_ms = rig.app.app.core.clock.now_ms();
            let scans = vec![scan(ShipmentStatus::PickedUp, now_ms)];
            let reference = reference.as_str().expect("a reference");
            tracking::record(&rig.app.app.core.store, reference, scans, now_ms)
                .await
                .expect_err("what no courier has surely taken is nowhere");
            assert!(rig.app.balance(&rig.asha).await < before, "the money is set aside");
            assert_eq!(rig.shipments(partner).await.len(), 1);
            rig.app.audit().await;
        }
    });
}

#[test]
fn a_partners_empty_wallet_is_not_the_customers_trouble() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let form = rig.form("shiprocket").await;
        rig.set("shiprocket", json!({"wallet_paise": 0})).await;
        let refused = confirm(&rig.asha, "their-wallet", &form).await.expect(409);
        let message = text(&refused.json()["message"]);
        assert!(message.contains("nothing was charged"), "{message}");
        assert!(!message.to_lowercase().contains("wallet"), "{message}");
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        rig.app.audit().await;
    });
}

#[test]
fn while_the_fate_is_unknown_the_money_is_held_and_in_the_end_it_is_free_or_spent() {
    block_on(async {
        let rig = Rig::start().await;
        let before = rig.app.balance(&rig.asha).await;
        let form = rig.form("shiprocket").await;
        // The partner fails after the order was made and before it had an AWB.
        rig.fault("shiprocket", json!({"operation": "assign", "kind": "drop"})).await;
        let gone = json!({"operation": "read", "kind": "drop", "times": 3});
        rig.fault("shiprocket", gone).await;
        rig.hangs_up("unknown-fate", &form, ("shiprocket", "read", 1)).await;
        let held = rig.app.balance(&rig.asha).await;
        assert!(held < before, "the money is set aside");
        let history = rig.asha.get("/api/v1/shipping/history/").await.expect(200).json();
        assert_eq!(history["results"][0]["status"], "pending");
        assert_eq!(history["results"][0]["awb_number"], "");
        rig.app.audit().await;
        for _ in 0..8 {
            rig.sweep_a_minute_later().await;
        }
        let answer = confirm(&rig.asha, "unknown-fate", &form).await.expect(409);
        assert_eq!(answer.json()["code"], "courier_refused");
        assert_eq!(rig.app.balance(&rig.asha).await, before);
        let shipments = rig.shipments("shiprocket").await;
        assert_eq!(shipments[0]["status"], "cancelled", "{shipments:?}");
        rig.app.audit().await;
    });
}

#[test]
fn a_customer_who_hangs_up_has_a_booking_all_the_same() {
    block_on(async {
        let rig = Rig::start().await;
        let form = rig.form("shiprocket").await;
        let slow = json!({"operation": "assign", "kind": "slow", "delay_ms": 4_000});
        rig.fault("shiprocket", slow).await;
        rig.hangs_up("client-hung-up", &form, ("shiprocket", "assign", 1)).await;
        let answer = confirm(&rig.asha, "client-hung-up", &form).await.expect(200);
        let shipments = rig.shipments("shiprocket").await;
        assert_eq!(shipments.len(), 1);
        assert_eq!(shipments[0]["number"], item(&answer)["airwaybilno"]);
        assert!(rig.app.balance(&rig.asha).await < Paise::rupees(50_000));
        rig.app.audit().await;
    });
}

#[test]
fn karrio_gets_names_contents_and_postal_codes_as_its_schema_requires() {
    block_on(async {
        let rig = Rig::start().await;
        let zip = "94105 1234";
        let mut shipment = abroad("2.5");
        shipment["destination_pincode"] = json!(zip);
        let services = of_partners(&rig.rates(shipment).await.json());
        let service = services.iter().find(|rate| rate["otp_required"] == false);
        let service = service.expect("a service");
        let mut form = rig.form("karrio").await;
        form["quote_id"] = service["quote_id"].clone();
        form["courier_id"] = service["product_id"].clone();
        form["courier_name"] = service["product_name"].clone();
        form["destination_pincode"] = json!(zip);
        form["consigner_name"] = json!("Asha ".repeat(30).trim());
        form["consignee_city"] = json!("San Francisco ".repeat(5).trim());
        form["description"] = json!("щ".repeat(150));
        confirm(&rig.asha, "long-texts", &form).await.expect(200);
        let asked = rig.shipments("karrio").await[0]["asked"].clone();
        assert_eq!(asked["recipient"]["postal_code"], "94105-1234");
        for (pointer, letters) in [
            ("/shipper/person_name", 100),
            ("/recipient/city", 50),
            ("/customs/signer", 50),
            ("/customs/commodities/0/title", 200),
        ] {
            let sent = asked.pointer(pointer).and_then(Value::as_str);
            assert_eq!(sent.map(str::len), Some(letters), "{pointer}");
        }
        rig.app.audit().await;
    });
}
