//! Invented rate cards for an installation that has none yet.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::money::Paise;
use super::rate::{Grams, Product, Slab, Zone, ZoneMap};
use crate::app::App;
use crate::error::Result;
use crate::store;

/// A product with its zones (zone, days, slab) and fuel surcharge.
#[derive(Clone, Debug)]
pub struct SampleCard {
    pub product: Product,
    pub zones: Vec<(Zone, i64, Slab)>,
    pub fuel_from_month: String,
    pub fuel_bp: i64,
}

#[derive(Debug, Deserialize)]
struct Row {
    product_id: i64,
    product_name: String,
    parent_vendor: String,
    kinds: String,
    divisor: i64,
    minimum_grams: i64,
    maximum_grams: i64,
    fuel_from: String,
    fuel_percent: String,
    zone: String,
    tat_days: i64,
    first_grams: i64,
    first_rupees: String,
    step_grams: i64,
    step_rupees: String,
}

#[derive(Debug, Deserialize)]
struct ZoneRow {
    what: String,
    name: String,
}

/// Loads the sample cards unless the data base has products already.
pub async fn load(app: &App) -> Result<()> {
    if !store::rates::products(&mut *app.store.read().await?)
        .await?
        .is_empty()
    {
        return Ok(());
    }
    let (cards, zones) = (cards(), zones());
    app.store
        .write(move |conn| {
            Box::pin(async move {
                // Another process may have come first.
                if !store::rates::products(conn).await?.is_empty() {
                    return Ok(());
                }
                for card in &cards {
                    store::rates::add_card(conn, card).await?;
                }
                store::rates::add_zone_map(conn, &zones).await
            })
        })
        .await
}

fn cards() -> Vec<SampleCard> {
    let mut cards: BTreeMap<i64, SampleCard> = BTreeMap::new();
    let mut rows = csv::Reader::from_reader(&include_bytes!("../../data/sample_cards.csv")[..]);
    for row in rows.deserialize() {
        let row: Row = row.expect("embedded cards are well formed");
        let rupees = |text: &str| Paise::parse_rupees(text).expect("embedded prices are rupees");
        let slab = Slab {
            first: Grams(row.first_grams),
            first_price: rupees(&row.first_rupees),
            step: Grams(row.step_grams),
            step_price: rupees(&row.step_rupees),
        };
        let zone = Zone::from_letter(&row.zone).expect("embedded zones are letters");
        let card = cards.entry(row.product_id).or_insert_with(|| SampleCard {
            // A percentage with two decimals in hundredths is basis points.
            fuel_bp: rupees(&row.fuel_percent).get(),
            fuel_from_month: row.fuel_from.clone(),
            zones: Vec::new(),
            product: product(&row),
        });
        card.zones.push((zone, row.tat_days, slab));
    }
    cards.into_values().collect()
}

fn product(row: &Row) -> Product {
    Product {
        product_id: row.product_id,
        product_name: row.product_name.clone(),
        parent_vendor: row.parent_vendor.clone(),
        international: false,
        takes_parcels: row.kinds.contains("parcel"),
        takes_documents: row.kinds.contains("document"),
        volumetric_divisor: row.divisor,
        minimum: Grams(row.minimum_grams),
        maximum: Grams(row.maximum_grams),
        needs_kyc: false,
        needs_otp: false,
    }
}

fn zones() -> ZoneMap {
    let mut map = ZoneMap::default();
    let mut rows = csv::Reader::from_reader(&include_bytes!("../../data/sample_zones.csv")[..]);
    for row in rows.deserialize() {
        let row: ZoneRow = row.expect("embedded zones are well formed");
        match row.what.as_str() {
            "metro" => map.metros.insert(row.name),
            _ => map.special_states.insert(row.name),
        };
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_product_serves_every_zone() {
        let cards = cards();
        assert!(cards.len() >= 4);
        for card in cards {
            assert_eq!(
                card.zones.len(),
                Zone::ALL.len(),
                "{}",
                card.product.product_name
            );
        }
    }

    #[test]
    fn every_sample_metro_is_a_city_of_the_pin_code_table() {
        let known = [
            "110001", "400001", "700001", "600001", "560001", "500001", "380001", "411001",
        ]
        .map(|pin| super::super::place::pin(pin).unwrap().city_area.clone());
        for city in known {
            assert!(zones().metros.contains(&city), "{city}");
        }
    }
}
