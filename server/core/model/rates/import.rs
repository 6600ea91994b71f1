//! Checks that the rows of a file of rate cards agree with each other and with the stored cards.

use std::collections::{BTreeMap, HashMap, HashSet};

use time::Date;

use crate::model::rates::book::RateBook;
use crate::model::rates::file::{self, RateFact, RateFileRow};
use crate::model::rates::price::{Card, Product};
use crate::model::rates::row::Problem;
use crate::model::rates::zone::{Zone, ZoneRule};

#[derive(Clone, Debug, Default)]
pub struct RateFile {
    pub products: Vec<Product>,
    /// Cards by product id and first day.
    pub cards: BTreeMap<(i64, Date), Card>,
    /// Fuel surcharges: product, month, basis points.
    pub fuel: Vec<(i64, String, i64)>,
    /// All rules of each zoning that the file mentions.
    pub rules: Vec<ZoneRule>,
}

/// Reads a whole file. Its rows may also refer to what is in `book`.
///
/// # Errors
/// Every problem of every row, in the order of the rows.
pub fn parse(bytes: &[u8], book: &RateBook) -> std::result::Result<RateFile, Vec<Problem>> {
    let (mut rows, problems) = file::read(bytes);
    let mut check = Check { book, file: RateFile::default(), problems };
    check.check_repeats(&rows);
    check.references(&rows);
    // The file may list parts before their card.
    rows.sort_by_key(|row| matches!(row.fact, RateFact::Slab(..) | RateFact::Oversize(..)));
    rows.into_iter().for_each(|row| check.add_row(row));
    check.problems.sort_by_key(|problem| problem.row);
    match check.problems.is_empty() {
        true => Ok(check.file),
        false => Err(check.problems),
    }
}

struct Check<'a> {
    book: &'a RateBook,
    file: RateFile,
    problems: Vec<Problem>,
}

impl Check<'_> {
    /// Rejects a row that repeats the subject of an earlier row.
    fn check_repeats(&mut self, rows: &[RateFileRow]) {
        let mut earlier: HashMap<String, u64> = HashMap::new();
        for RateFileRow { row, fact } in rows {
            let about = match fact {
                RateFact::Product(product) => vec![
                    ("product_id", format!("product {}", product.product_id)),
                    ("name", format!("name {}", product.product_name)),
                ],
                RateFact::Card(id, card) => vec![("from", format!("card {id} {}", card.from))],
                RateFact::Slab(id, from, zone, _) => {
                    vec![("zone", format!("slab {id} {from} {zone}"))]
                }
                RateFact::Oversize(id, from, rule) => {
                    vec![("effect", format!("oversize {id} {from} {rule:?}"))]
                }
                RateFact::Fuel(id, month, _) => vec![("month", format!("fuel {id} {month}"))],
                RateFact::Rule(rule) => {
                    let ZoneRule { zoning, what, name, .. } = rule;
                    vec![("name", format!("rule {zoning} {what} {name}"))]
                }
            };
            for (column, about) in about {
                if let Some(first) = earlier.insert(about, *row) {
                    self.add_problem(*row, column, format!("Row {first} says this already."));
                }
            }
        }
    }

    fn references(&mut self, rows: &[RateFileRow]) {
        let products = self.products(rows);
        let zonings = self.zonings(rows);
        let (mut cards, mut priced) = (HashSet::new(), HashSet::new());
        for RateFileRow { fact, .. } in rows {
            match fact {
                RateFact::Card(id, card) => drop(cards.insert((*id, card.from))),
                RateFact::Slab(id, from, ..) => drop(priced.insert((*id, *from))),
                _ => {}
            }
        }
        for RateFileRow { row, fact } in rows {
            let id = match fact {
                RateFact::Product(product) => {
                    self.product(*row, product, &zonings);
                    continue;
                }
                RateFact::Rule(_) => continue,
                RateFact::Card(id, card) => {
                    if !priced.contains(&(*id, card.from)) {
                        self.add_problem(*row, "from", "This card has no slab.");
                    }
                    id
                }
                RateFact::Slab(id, from, zone, _) => {
                    let product = products.get(id);
                    if product.is_some_and(|product| !serves_zone(product, zone, &zonings)) {
                        self.add_problem(*row, "zone", "This product's zoning has no such zone.");
                    }
                    self.check_card(*row, &cards, (*id, *from));
                    id
                }
                RateFact::Oversize(id, from, _) => {
                    self.check_card(*row, &cards, (*id, *from));
                    id
                }
                RateFact::Fuel(id, ..) => id,
            };
            if !products.contains_key(id) {
                self.add_problem(*row, "product_id", "There is no such product.");
            }
        }
    }

    /// Returns the products of the file and the known ones, by id.
    fn products(&self, rows: &[RateFileRow]) -> HashMap<i64, Product> {
        let before = self.book.entries.iter().map(|entry| &entry.product);
        let new = rows.iter().filter_map(|row| match &row.fact {
            RateFact::Product(product) => Some(product),
            _ => None,
        });
        let by_id = |product: &Product| (product.product_id, product.clone());
        before.chain(new).map(by_id).collect()
    }

    /// Returns each zoning's zones abroad; none if its rules are for India only.
    fn zonings(&self, rows: &[RateFileRow]) -> HashMap<String, HashSet<String>> {
        let mut zonings: HashMap<String, HashSet<String>> = HashMap::new();
        for row in rows {
            if let RateFact::Rule(rule) = &row.fact {
                let zones = zonings.entry(rule.zoning.clone()).or_default();
                zones.extend((rule.what == "country").then(|| rule.zone.clone()));
            }
        }
        // A zoning that the file does not replace stays as it is.
        for (name, zoning) in &self.book.zonings {
            let zones = || zoning.countries.values().cloned().collect();
            zonings.entry(name.clone()).or_insert_with(zones);
        }
        zonings
    }

    fn product(&mut self, row: u64, product: &Product, zonings: &HashMap<String, HashSet<String>>) {
        let others = self.book.entries.iter().map(|entry| &entry.product);
        let mut namesakes = others.filter(|other| other.product_name == product.product_name);
        if let Some(other) = namesakes.find(|other| other.product_id != product.product_id) {
            let sentence = format!("Product {} has this name already.", other.product_id);
            self.add_problem(row, "name", sentence);
        }
        if !zonings.contains_key(&product.zoning) {
            self.add_problem(row, "zoning", "There is no such zoning.");
        }
    }

    fn check_card(&mut self, row: u64, cards: &HashSet<(i64, Date)>, of: (i64, Date)) {
        if !cards.contains(&of) {
            self.add_problem(row, "from", "This file has no card of the product from this day.");
        }
    }

    fn add_row(&mut self, row: RateFileRow) {
        match row.fact {
            RateFact::Product(product) => self.file.products.push(product),
            RateFact::Card(id, card) => drop(self.file.cards.insert((id, card.from), card)),
            RateFact::Slab(id, from, zone, rate) => {
                if let Some(card) = self.card(id, from) {
                    card.zones.insert(zone, rate);
                }
            }
            RateFact::Oversize(id, from, rule) => {
                if let Some(card) = self.card(id, from) {
                    card.oversize.push(rule);
                }
            }
            RateFact::Fuel(id, month, bp) => self.file.fuel.push((id, month, bp)),
            RateFact::Rule(rule) => self.file.rules.push(rule),
        }
    }

    fn card(&mut self, product_id: i64, from: Date) -> Option<&mut Card> {
        self.file.cards.get_mut(&(product_id, from))
    }

    fn add_problem(&mut self, row: u64, column: &str, sentence: impl Into<String>) {
        self.problems.push(Problem::new(row, column, sentence));
    }
}

fn serves_zone(product: &Product, zone: &str, zonings: &HashMap<String, HashSet<String>>) -> bool {
    match product.international {
        false => Zone::ALL.iter().any(|it| it.names().0 == zone),
        true => zonings.get(&product.zoning).is_none_or(|zones| zones.contains(zone)),
    }
}
