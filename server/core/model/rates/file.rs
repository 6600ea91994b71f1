//! Parser for a file of rate cards, row by row.
//!
//! A row begins with its kind. A row that begins with `#` and a kind names the columns of the
//! rows of that kind that follow (`server/data/README.md` lists them).

use std::collections::HashMap;

use csv::StringRecord;
use time::Date;

use crate::limits;
use crate::model::courier::HOUSE;
use crate::model::input::characters::is_digits;
use crate::model::rates::price::{Above, Card, Effect, Oversize, Product, Size, Slab, ZoneRate};
use crate::model::rates::row::{Problem, Row};
use crate::model::rates::zone::ZoneRule;
use crate::model::shipping::grams::Grams;
use crate::model::shipping::place;

const KINDS: &[(&str, &str)] = &[
    (
        "product",
        "product_id name vendor scope kinds divisor minimum_kg maximum_kg zoning kyc otp on_sale",
    ),
    (
        "card",
        "product_id from until round_kg minimum_rupees margin_percent round_rupees fuel_on \
         remote_rupees_kg remote_minimum_rupees",
    ),
    (
        "slab",
        "product_id from zone days first_kg first_rupees step_kg step_rupees above_kg \
         above_rupees_kg",
    ),
    ("oversize", "product_id from over_cm over_kg effect value"),
    ("fuel", "product_id month percent"),
    ("zone", "zoning what name zone"),
];

#[derive(Clone, Debug)]
pub struct RateFileRow {
    pub row: u64,
    pub fact: RateFact,
}

/// A row's value. Cards and their parts name the product; parts name their card's first day.
#[derive(Clone, Debug)]
pub enum RateFact {
    Product(Product),
    Card(i64, Card),
    Slab(i64, Date, String, ZoneRate),
    Oversize(i64, Date, Oversize),
    Fuel(i64, String, i64),
    Rule(ZoneRule),
}

pub fn read(bytes: &[u8]) -> (Vec<RateFileRow>, Vec<Problem>) {
    let mut reader = RateFileReader::default();
    // Spreadsheets often begin a file with a byte order mark.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text)
        .into_records();
    for cells in rows {
        match cells {
            Ok(cells) => reader.row(line(text, &cells), &cells),
            Err(error) => {
                let row = error.position().map_or(0, csv::Position::line);
                reader.problem(row, "", "This row is not CSV in UTF-8.");
            }
        }
    }
    (reader.rows, reader.problems)
}

/// Returns a row's first line. The reader's count leaves out empty lines before the row.
fn line(text: &[u8], cells: &StringRecord) -> u64 {
    let Some(position) = cells.position() else {
        return 0;
    };
    let at = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let rest = text.get(at..).unwrap_or_default().iter();
    let empty = rest.take_while(|byte| b"\r\n".contains(byte));
    empty.fold(position.line(), |line, byte| line + u64::from(*byte == b'\n'))
}

#[derive(Default)]
struct RateFileReader {
    headings: HashMap<String, Vec<String>>,
    rows: Vec<RateFileRow>,
    problems: Vec<Problem>,
}

impl RateFileReader {
    fn row(&mut self, number: u64, cells: &StringRecord) {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            return;
        }
        let kind = cells.get(0).unwrap_or("").trim();
        if let Some(kind) = kind.strip_prefix('#') {
            return self.heading(number, kind.trim(), cells);
        }
        let Some(columns) = self.headings.get(kind) else {
            let sentence = match columns_of(kind) {
                Some(_) => format!("Please put a row #{kind} with the names of the columns above."),
                None => format!("Please begin the row with one of {}.", kinds()),
            };
            return self.problem(number, "", sentence);
        };
        let mut row = Row { number, columns, cells, problems: Vec::new() };
        let mut more = cells.iter().skip(columns.len());
        if more.any(|cell| !cell.trim().is_empty()) {
            row.add_problem("", "This row has more cells than its heading.");
        }
        let facts = match kind {
            "product" => vec![product(&mut row)],
            "card" => vec![card(&mut row)],
            "slab" => vec![slab(&mut row)],
            "oversize" => vec![oversize(&mut row)],
            "fuel" => vec![fuel(&mut row)],
            _ => rules(&mut row),
        };
        let to_row = |fact| RateFileRow { row: number, fact };
        self.rows.extend(facts.into_iter().map(to_row));
        self.problems.extend(row.problems);
    }

    /// Reads a row that names columns. Reports wrong names once, here, not again at every cell.
    fn heading(&mut self, number: u64, kind: &str, cells: &StringRecord) {
        let Some(names) = columns_of(kind) else {
            return self.problem(number, "", format!("Please write # and one of {}.", kinds()));
        };
        let columns: Vec<String> = cells.iter().map(|cell| cell.trim().to_owned()).collect();
        let names: Vec<&str> = names.split(' ').collect();
        for missing in names.iter().filter(|name| !columns.iter().any(|c| c == *name)) {
            self.problem(number, missing, "This column is missing.");
        }
        for (at, name) in columns.iter().enumerate().skip(1) {
            if !name.is_empty() && !names.contains(&name.as_str()) {
                self.problem(number, name, format!("A {kind} has no such column."));
            }
            if !name.is_empty() && columns[..at].contains(name) {
                self.problem(number, name, "This column is there twice.");
            }
        }
        self.headings.insert(kind.to_owned(), columns);
    }

    fn problem(&mut self, row: u64, column: &str, sentence: impl Into<String>) {
        self.problems.push(Problem::new(row, column, sentence));
    }
}

fn columns_of(kind: &str) -> Option<&'static str> {
    let entry = KINDS.iter().find(|(name, _)| *name == kind);
    entry.map(|(_, columns)| *columns)
}

fn kinds() -> String {
    let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

fn product_id(row: &mut Row<'_>) -> i64 {
    row.whole_number("product_id", 1..=limits::PRODUCT_ID_MAX)
}

fn product(row: &mut Row<'_>) -> RateFact {
    let kinds = row.one_of("kinds", &["parcel", "document", "parcel+document"]);
    let product_id = product_id(row);
    let product = Product {
        product_id,
        courier: HOUSE.to_owned(),
        service: product_id.to_string(),
        product_name: row.text("name"),
        parent_vendor: row.text("vendor"),
        international: row.one_of("scope", &["domestic", "international"]) == "international",
        takes_parcels: kinds.contains("parcel"),
        takes_documents: kinds.contains("document"),
        volumetric_divisor: row.whole_number("divisor", limits::RATE_DIVISORS),
        minimum: row.kilograms("minimum_kg"),
        maximum: row.kilograms("maximum_kg"),
        needs_kyc: row.yes_or_no("kyc"),
        needs_otp: row.yes_or_no("otp"),
        zoning: row.text("zoning"),
        active: row.yes_or_no("on_sale"),
    };
    if product.maximum < product.minimum {
        row.add_problem("maximum_kg", "This is less than minimum_kg.");
    }
    RateFact::Product(product)
}

fn card(row: &mut Row<'_>) -> RateFact {
    let from = row.day("from");
    let until = (!row.is_empty("until")).then(|| row.day("until"));
    if until.is_some_and(|until| until < from) {
        row.add_problem("until", "This day is before the day in from.");
    }
    let card = Card {
        from,
        until,
        round: row.kilograms("round_kg"),
        minimum_freight: row.rupees("minimum_rupees"),
        margin_bp: row.percent("margin_percent"),
        round_freight: row.price("round_rupees"),
        fuel_on_extras: row.one_of("fuel_on", &["freight", "all"]) == "all",
        remote_per_kg: row.rupees("remote_rupees_kg"),
        remote_minimum: row.rupees("remote_minimum_rupees"),
        zones: HashMap::new(),
        oversize: Vec::new(),
    };
    RateFact::Card(product_id(row), card)
}

fn slab(row: &mut Row<'_>) -> RateFact {
    let mut slab = Slab {
        first: row.kilograms("first_kg"),
        first_price: row.price("first_rupees"),
        step: row.kilograms("step_kg"),
        step_price: row.rupees("step_rupees"),
        above: None,
    };
    if !row.is_empty("above_kg") {
        let over = row.kilograms("above_kg");
        if over < slab.first || (over.0 - slab.first.0) % slab.step.0 != 0 {
            row.add_problem("above_kg", "This must be first_kg and some whole steps.");
        }
        let kg_price = row.rupees("above_rupees_kg");
        slab.above = Some(Above { over, kg_price });
    } else if !row.is_empty("above_rupees_kg") {
        row.add_problem("above_kg", "Please write above which weight above_rupees_kg counts.");
    }
    let rate = ZoneRate { tat_days: row.whole_number("days", 0..=limits::TAT_DAYS_MAX), slab };
    RateFact::Slab(product_id(row), row.day("from"), row.text("zone"), rate)
}

fn oversize(row: &mut Row<'_>) -> RateFact {
    let over = match (row.is_empty("over_cm"), row.is_empty("over_kg")) {
        (false, true) => Size::LongestSideMm(row.centimetres("over_cm")),
        (true, false) => Size::Weight(row.kilograms("over_kg")),
        _ => {
            row.add_problem("over_cm", "Please fill in either over_cm or over_kg.");
            Size::Weight(Grams(0))
        }
    };
    let effect = match row.one_of("effect", &["charge", "weight", "refuse"]).as_str() {
        "charge" => Effect::Charge(row.price("value")),
        "weight" => Effect::WeightPercent(row.whole_number("value", limits::RATE_WEIGHT_PERCENTS)),
        _ => {
            row.require_empty("value");
            Effect::Refuse
        }
    };
    RateFact::Oversize(product_id(row), row.day("from"), Oversize { over, effect })
}

fn fuel(row: &mut Row<'_>) -> RateFact {
    RateFact::Fuel(product_id(row), row.month("month"), row.percent("percent"))
}

/// Reads a zone rule row. One row may name several places of a kind, separated by spaces.
fn rules(row: &mut Row<'_>) -> Vec<RateFact> {
    let zoning = row.text("zoning");
    let what = row.one_of("what", &["metro", "special", "pin", "country", "remote"]);
    let zone = match what.as_str() {
        "pin" => row.one_of("zone", &["metro", "special", "rest"]),
        "country" => row.text("zone"),
        _ => {
            row.require_empty("zone");
            String::new()
        }
    };
    let rule = |name: String| {
        RateFact::Rule(ZoneRule {
            zoning: zoning.clone(),
            what: what.clone(),
            name,
            zone: zone.clone(),
        })
    };
    names(row, &what).into_iter().map(rule).collect()
}

fn names(row: &mut Row<'_>, what: &str) -> Vec<String> {
    let cell = row.text("name");
    let words: Vec<&str> = cell.split_whitespace().collect();
    match what {
        "metro" => {
            if !place::has_city(&cell) {
                row.add_problem("name", "No PIN code belongs to a city of this name.");
            }
            vec![cell]
        }
        "remote" => match words.split_first() {
            Some((country, starts)) if is_country(country) && !starts.is_empty() => {
                let rule = |start: &&str| format!("{country} {start}");
                starts.iter().map(rule).collect()
            }
            _ => {
                let sentence = "Please write a country and starts of postal codes, as in US 995.";
                row.add_problem("name", sentence);
                Vec::new()
            }
        },
        _ => {
            for word in &words {
                let (is_good, description) = match what {
                    "special" => (place::state(word).is_some(), "a state code, as in AS"),
                    "country" => (is_country(word) && *word != "IN", "a country code, as in US"),
                    _ => (is_start_of_pin(word), "the start of a PIN code, as in 7441"),
                };
                if !is_good {
                    row.add_problem("name", format!("{word} is not {description}."));
                }
            }
            words.into_iter().map(str::to_owned).collect()
        }
    }
}

fn is_country(code: &str) -> bool {
    place::country_of_code(code).is_some()
}

fn is_start_of_pin(word: &str) -> bool {
    (1..=6).contains(&word.len()) && is_digits(word)
}
