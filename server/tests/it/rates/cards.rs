//! Operator commands for rate cards and PIN codes.

use std::collections::{BTreeMap, BTreeSet};

use dakiya_core::model::rates::book::RateBook;
use dakiya_core::model::rates::import;
use dakiya_core::services::pricing::import::SAMPLE_CARDS;
use serde_json::json;
use tempfile::NamedTempFile;

use super::parcel;
use crate::app::{Actor, TestApp, block_on};
use crate::operators::dakiya;
use crate::patience::until;

/// Runs `dakiya rates import`; returns its success and output.
pub fn import(app: &TestApp, text: &str) -> (bool, String) {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let path = file.path().display();
    let ran = dakiya(app, &format!("rates import {path} --reason new --as ravi"));
    (ran.code == 0, ran.out + &ran.err)
}

async fn surface_total(actor: &Actor) -> String {
    let rates = actor.post("/api/v1/shipping/calculate-rate/", parcel()).await;
    let rates = rates.expect(200).json();
    let rates = rates["data"].as_array().unwrap();
    let surface = rates.iter().find(|rate| rate["product_id"] == 1).unwrap();
    surface["grand_total_with_gst"].to_string()
}

#[test]
fn a_file_with_wrong_rows_names_row_column_and_reason_and_changes_nothing() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let text = "#fuel,product_id,month,percent\r\n\
            fuel,1,2026-01,30\r\n\r\n\
            fuel,1,2026-13,14\n\
            fuel,99,2026-01,14\n\
            fuel,2,2026-02,-3\n\
            parcel,1\n\
            slab,1,2026-01-01,a\n";
        let (done, told) = import(&app, text);
        assert!(!done);
        for line in [
            "row 4, month: Please write a month as in 2026-11.",
            "row 5, product_id: There is no such product.",
            "row 6, percent: Please write a percentage as in 22.5, at most 200.",
            "row 7: Please begin the row with one of product, card, slab, oversize, fuel, zone.",
            "row 8: Please put a row #slab with the names of the columns above.",
        ] {
            assert!(told.contains(line), "{line}\nnot in\n{told}");
        }
        assert_eq!(told.matches("row ").count(), 7, "{told}");
        app.app.web.pricing.forget_rates();
        assert_eq!(surface_total(&asha).await, "191.02");
    });
}

#[test]
fn a_running_server_quotes_imported_cards_within_seconds() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        assert_eq!(surface_total(&asha).await, "191.02");
        let (done, told) = import(&app, "#fuel,month,percent,product_id\nfuel,2026-02,20,1\n");
        assert!(done, "{told}");
        assert!(told.contains("Imported 0 products, 0 cards, 1 fuel surcharge and"), "{told}");
        // 142.00, fuel 20 % 28.40, CGST and SGST 9 % of 170.40: 15.34 each.
        let is_new = async || surface_total(&asha).await == "201.08";
        until("the price is the new one", is_new).await;
    });
}

#[test]
fn a_card_for_some_days_stands_in_for_the_lasting_one_and_its_parts_may_come_first() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let text = "#slab,product_id,from,zone,days,first_kg,first_rupees,step_kg,step_rupees,\
            above_kg,above_rupees_kg\n\
            slab,1,2026-11-01,c,3,5,100,1,10,,\n\
            #card,product_id,from,until,round_kg,minimum_rupees,margin_percent,round_rupees,\
            fuel_on,remote_rupees_kg,remote_minimum_rupees\n\
            card,1,2026-11-01,2099-12-31,0.5,,0,0.01,freight,,\n";
        let (done, told) = import(&app, text);
        assert!(done, "{told}");
        app.app.web.pricing.forget_rates();
        // 100.00, fuel 14 % 14.00, 9 % of 114.00 twice.
        assert_eq!(surface_total(&asha).await, "134.52");
    });
}

#[test]
fn the_terminal_explains_a_price_as_the_customer_sees_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let flags = "rates show --from 110001 --to 560001 --weight 2.5 --length 10";
        let shown = dakiya(&app, flags).out;
        let rates = asha.post("/api/v1/shipping/calculate-rate/", parcel()).await;
        for rate in rates.expect(200).json()["data"].as_array().unwrap() {
            let at = shown.find(rate["product_name"].as_str().unwrap()).expect("the product");
            let lines = rate["breakdown"]["lines"].as_array().unwrap();
            let block = shown[at..].split("\n\n").next().unwrap();
            assert!(block.contains(rate["breakdown"]["zone"].as_str().unwrap()));
            for line in lines {
                assert!(block.contains(line["label"].as_str().unwrap()), "{line} in {block}");
            }
        }
        assert!(shown.contains("₹191.02"), "{shown}");

        let abroad = "rates show --from 560001 --to 10001 --country US --weight 0.5 --document";
        let shown = dakiya(&app, abroad).out;
        assert!(shown.contains("Zone 6: United States"), "{shown}");
        dakiya(&app, "rates show --from 999999 --to 1").refused("Please enter");
    });
}

#[test]
fn a_pin_code_that_an_operator_adds_is_served_without_a_restart() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let mut body = parcel();
        body["destination_pincode"] = json!("560999");
        let path = "/api/v1/shipping/calculate-rate/";
        let add = |pin: &str| dakiya(&app, &format!("pins add {pin} --reason new --as ravi"));
        assert!(add("560999 Bengaluru KA").out.contains("Added 560999"));
        app.app.web.pricing.forget_rates();
        asha.post(path, parcel()).await.expect(200);
        let rates = asha.post(path, body).await.expect(200).json();
        assert_eq!(rates["data"][0]["breakdown"]["zone"], "Metro to metro");
        let zipcode = json!({"country_id": 97, "zipcode": "560999"});
        let found = asha.post("/api/v1/shipping/check-zipcode/", zipcode).await.expect(200);
        let place = json!({"city_area": "Bengaluru", "state": "Karnataka", "state_code": "KA"});
        assert_eq!(found.json()["data"], json!([place]));
        for (wrong, said) in [
            ("56099 B KA", "not six digits"),
            ("560998 B XX", "a code as in KA"),
            ("560001 B KA", "in our table already"),
        ] {
            add(wrong).refused(said);
        }
    });
}

#[test]
fn the_sample_cards_serve_all_zones_and_nearly_all_countries() {
    let known = RateBook::default();
    let file = import::parse(SAMPLE_CARDS, &known).expect("good rows");
    let domestic = |id: i64| file.products.iter().any(|p| p.product_id == id && !p.international);
    let cards = file.cards.iter().filter(|((id, _), _)| domestic(*id));
    assert!(cards.clone().count() >= 4);
    for ((id, from), card) in cards {
        assert_eq!(card.zones.len(), 5, "product {id} from {from}");
    }
    let abroad = |zoning: &str| {
        let rules = file.rules.iter();
        rules.filter(|rule| rule.zoning == zoning && rule.what == "country").count()
    };
    for zoning in ["dhl", "fedex", "ups"] {
        assert!(abroad(zoning) > 225, "{zoning} serves {} countries", abroad(zoning));
    }
}

#[test]
fn every_cell_of_the_sample_cards_is_checked() {
    // A wrong word in a cell that matters is reported, with its row.
    let known = RateBook::default();
    let text = std::str::from_utf8(SAMPLE_CARDS).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let mut spoiled = 0;
    for rows in spoiled_together(&lines) {
        for cell in 0..lines[rows[0]].len() {
            let mut rows = rows.clone();
            rows.retain(|&at| !is_free_text(&lines[at], cell));
            let mut changed: Vec<String> = lines.iter().map(|cells| cells.join(",")).collect();
            for &at in &rows {
                let word = format!("१२ rupees {at}");
                let mut cells = lines[at].clone();
                cells[cell] = &word;
                changed[at] = cells.join(",");
            }
            let problems = import::parse(changed.join("\n").as_bytes(), &known).err();
            let named: BTreeSet<u64> = problems.iter().flatten().map(|it| it.row).collect();
            for at in rows {
                let row = &changed[at];
                assert!(named.contains(&(at as u64 + 1)), "{row}: {named:?}");
                spoiled += 1;
            }
        }
    }
    assert!(spoiled > 1_500, "{spoiled}");
}

/// Lines with content. Rows of one kind are spoiled together where none of them refers to another.
fn spoiled_together(lines: &[Vec<&str>]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
    for (at, cells) in lines.iter().enumerate().filter(|(_, cells)| cells[..] != [""]) {
        let group = match cells[0] {
            "slab" | "oversize" | "fuel" | "zone" => at % 8,
            _ => at,
        };
        groups.entry((cells[0], group)).or_default().push(at);
    }
    groups.into_values().collect()
}

/// True for names, and for the last cell of a rule about a city, state or remote area, which is
/// empty.
fn is_free_text(cells: &[&str], cell: usize) -> bool {
    match cells[0] {
        "product" => [2, 3].contains(&cell),
        "zone" => cell == 1 || (cell == 4 && cells[2] == "country"),
        _ => false,
    }
}
