//! Hundreds of shipments whose prices an independent script (worked.py) computed from the cards.

use std::collections::BTreeMap;

use dakiya_core::model::calendar::{IST, parse_day};
use dakiya_core::model::money::paise::Paise;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::{Actor, TestApp, block_on};

/// One shipment with one product that accepts it; without a product if none does.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    shipment: u32,
    day: String,
    from: String,
    country_id: i64,
    to: String,
    kind: String,
    kg: String,
    length: String,
    width: String,
    height: String,
    pieces: String,
    product_id: Option<i64>,
    zone: String,
    chargeable_grams: Option<i64>,
    lines: String,
    total_paise: Option<i64>,
}

/// The lightest piece that is taken. The script also worked out lighter ones.
const LIGHTEST_KG: f64 = 0.1;

/// The fields of a price, by product.
type Prices = BTreeMap<i64, (String, i64, String, i64)>;

#[test]
fn hundreds_of_shipments_cost_what_an_independent_script_worked_out_to_the_paisa() {
    let mut shipments: BTreeMap<(String, u32), Vec<Row>> = BTreeMap::new();
    let mut rows = csv::Reader::from_reader(&include_bytes!("worked.csv")[..]);
    for row in rows.deserialize() {
        let row: Row = row.expect("worked.csv is well formed");
        if row.kg.parse::<f64>().is_ok_and(|kg| kg < LIGHTEST_KG) {
            continue;
        }
        let of = (row.day.clone(), row.shipment);
        shipments.entry(of).or_default().push(row);
    }
    assert!(shipments.len() >= 200);
    block_on(async {
        let (app, _, mut asha) = TestApp::with_user().await;
        let mut today = String::new();
        for ((day, _), rows) in &shipments {
            if *day != today {
                today.clone_from(day);
                set_clock(&app, day);
                asha.log_in().await;
            }
            let expected: Prices = rows.iter().filter_map(expected).collect();
            assert_eq!(asked(&asha, &rows[0]).await, expected, "{:?}", rows[0]);
        }
    });
}

/// Sets the clock to noon in India on this day.
fn set_clock(app: &TestApp, day: &str) {
    let noon = parse_day(day).unwrap().with_hms(12, 0, 0).unwrap();
    let noon_ms = noon.assume_offset(IST).unix_timestamp() * 1_000;
    let clock = &app.app.core.clock;
    clock.advance_ms(noon_ms - clock.now_ms());
}

fn expected(row: &Row) -> Option<(i64, (String, i64, String, i64))> {
    let price = (row.zone.clone(), row.chargeable_grams?, row.lines.clone(), row.total_paise?);
    Some((row.product_id?, price))
}

async fn asked(actor: &Actor, row: &Row) -> Prices {
    let international = row.country_id != 97;
    let answer = actor
        .post(
            "/api/v1/shipping/calculate-rate/",
            json!({
                "booking_type": if international { 1 } else { 2 },
                "origin_pincode": row.from, "destination_pincode": row.to,
                "destination_country": international.then_some(row.country_id),
                "shipment_type": row.kind, "weight": row.kg, "quantity": row.pieces,
                "length": row.length, "width": row.width, "height": row.height,
            }),
        )
        .await
        .expect(200)
        .json();
    let rates = answer["data"].as_array().unwrap();
    let totals: Vec<i64> = rates.iter().map(|rate| paise(&rate["grand_total_with_gst"])).collect();
    assert!(totals.is_sorted(), "cheapest first: {totals:?}");
    rates.iter().map(price).collect()
}

fn price(rate: &Value) -> (i64, (String, i64, String, i64)) {
    let breakdown = &rate["breakdown"];
    let lines = breakdown["lines"].as_array().unwrap();
    let sum: i64 = lines.iter().map(|line| paise(&line["amount"])).sum();
    let total = paise(&rate["grand_total_with_gst"]);
    assert_eq!(sum, total, "{rate}");
    let text = |line: &Value| {
        let label = line["label"].as_str().unwrap();
        format!("{label} = {}", paise(&line["amount"]))
    };
    let lines: Vec<String> = lines.iter().map(text).collect();
    let zone = breakdown["zone"].as_str().unwrap().to_owned();
    let grams = breakdown["chargeable_grams"].as_i64().unwrap();
    (rate["product_id"].as_i64().unwrap(), (zone, grams, lines.join("; "), total))
}

/// Parses a JSON number of rupees from its shortest text, never through a float.
fn paise(rupees: &Value) -> i64 {
    Paise::parse_rupees(&rupees.to_string()).unwrap().get()
}
