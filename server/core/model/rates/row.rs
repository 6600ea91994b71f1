//! Reads a file of rate cards cell by cell, with a sentence for every cell that is wrong.

use std::fmt;
use std::ops::RangeInclusive;

use csv::StringRecord;
use time::Date;

use crate::limits;
use crate::model::calendar::{first_of_month, parse_day};
use crate::model::input::characters::is_digits;
use crate::model::money::paise::Paise;
use crate::model::openapi_schema::thousandths;
use crate::model::shipping::grams::Grams;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line in the file, from 1.
    pub row: u64,
    /// The column's heading; empty when the row as a whole is wrong.
    pub column: String,
    pub sentence: String,
}

impl Problem {
    pub fn new(row: u64, column: &str, sentence: impl Into<String>) -> Problem {
        Problem { row, column: column.to_owned(), sentence: sentence.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column.as_str() {
            "" => write!(f, "row {}: {}", self.row, self.sentence),
            column => write!(f, "row {}, {column}: {}", self.row, self.sentence),
        }
    }
}

/// One row under its heading. An invalid cell becomes a problem and a placeholder value.
pub struct Row<'a> {
    pub number: u64,
    pub columns: &'a [String],
    pub cells: &'a StringRecord,
    pub problems: Vec<Problem>,
}

impl<'a> Row<'a> {
    pub fn add_problem(&mut self, column: &str, sentence: impl Into<String>) {
        self.problems.push(Problem::new(self.number, column, sentence));
    }

    pub fn cell(&self, column: &str) -> &'a str {
        let at = self.columns.iter().position(|name| name == column);
        at.and_then(|at| self.cells.get(at)).unwrap_or("").trim()
    }

    pub fn is_empty(&self, column: &str) -> bool {
        self.cell(column).is_empty()
    }

    /// Reports a problem if a column that does not apply to this row is filled.
    pub fn require_empty(&mut self, column: &str) {
        if !self.is_empty(column) {
            self.add_problem(column, "Please leave this empty here.");
        }
    }

    pub fn text(&mut self, column: &str) -> String {
        let text = self.cell(column);
        let most = limits::RATE_TEXT_CHARS_MAX;
        if text.is_empty() || text.chars().count() > most || text.chars().any(char::is_control) {
            self.add_problem(column, format!("Please write 1 to {most} letters."));
        }
        text.to_owned()
    }

    pub fn one_of(&mut self, column: &str, choices: &[&str]) -> String {
        let text = self.cell(column);
        if !choices.contains(&text) {
            self.add_problem(column, format!("Please write {}.", choices.join(" or ")));
        }
        text.to_owned()
    }

    pub fn yes_or_no(&mut self, column: &str) -> bool {
        self.one_of(column, &["yes", "no"]) == "yes"
    }

    pub fn whole_number(&mut self, column: &str, range: RangeInclusive<i64>) -> i64 {
        let (least, most) = (*range.start(), *range.end());
        let number = digits(self.cell(column)).filter(|number| range.contains(number));
        let sentence = format!("Please write a whole number from {least} to {most}.");
        self.checked(column, number, sentence, least)
    }

    /// Reads rupees; an empty cell is zero.
    pub fn rupees(&mut self, column: &str) -> Paise {
        let most = Paise::new(limits::RATE_PRICE_MAX_PAISE);
        let amount = match self.cell(column) {
            "" => Some(Paise::ZERO),
            text => Paise::parse_rupees(text).ok().filter(|amount| *amount <= most),
        };
        let sentence = format!("Please write rupees as in 46.50, at most {most}.");
        self.checked(column, amount, sentence, Paise::ZERO)
    }

    /// Reads rupees greater than zero.
    pub fn price(&mut self, column: &str) -> Paise {
        let amount = self.rupees(column);
        let is_wrong = self.problems.iter().any(|problem| problem.column == column);
        if amount == Paise::ZERO && !is_wrong {
            self.add_problem(column, "Please write a price above zero.");
        }
        amount
    }

    /// Reads a percentage as basis points; an empty cell is zero.
    pub fn percent(&mut self, column: &str) -> i64 {
        let bp = match self.cell(column) {
            "" => Some(0),
            text => percent_bp(text),
        };
        let most = limits::RATE_PERCENT_MAX;
        let sentence = format!("Please write a percentage as in 22.5, at most {most}.");
        self.checked(column, bp, sentence, 0)
    }

    /// Reads kilograms as grams, at least one.
    pub fn kilograms(&mut self, column: &str) -> Grams {
        let most = limits::RATE_GRAMS_MAX;
        let grams = thousandths(self.cell(column)).filter(|grams| (1..=most).contains(grams));
        let sentence = format!("Please write kilograms as in 0.5, at most {}.", most / 1_000);
        Grams(self.checked(column, grams, sentence, 1))
    }

    pub fn centimetres(&mut self, column: &str) -> i64 {
        let most = limits::SIDE_MM_MAX;
        let hundredths_of_mm = thousandths(self.cell(column)).filter(|size| size % 100 == 0);
        let mm = hundredths_of_mm.map(|size| size / 100).filter(|mm| (1..=most).contains(mm));
        let sentence = format!("Please write centimetres as in 120, at most {}.", most / 10);
        self.checked(column, mm, sentence, 1)
    }

    pub fn day(&mut self, column: &str) -> Date {
        let day = parse_day(self.cell(column));
        self.checked(column, day, "Please write a day as in 2026-04-01.", Date::MIN)
    }

    pub fn month(&mut self, column: &str) -> String {
        let month = self.cell(column);
        if first_of_month(month).is_none() {
            self.add_problem(column, "Please write a month as in 2026-11.");
        }
        month.to_owned()
    }

    /// Returns a cell's value; reports a cell without one, which counts as the placeholder.
    fn checked<T>(
        &mut self,
        column: &str,
        value: Option<T>,
        sentence: impl Into<String>,
        placeholder: T,
    ) -> T {
        value.unwrap_or_else(|| {
            self.add_problem(column, sentence);
            placeholder
        })
    }
}

fn digits(text: &str) -> Option<i64> {
    let plain = !text.is_empty() && is_digits(text);
    plain.then(|| text.parse().ok())?
}

/// Parses a percentage such as `22.5` as basis points; `None` above the limit.
pub fn percent_bp(text: &str) -> Option<i64> {
    // A percentage with two decimals in hundredths is basis points.
    let bp = Paise::parse_rupees(text).ok()?.get();
    (bp <= limits::RATE_PERCENT_MAX * 100).then_some(bp)
}
