//! Periods of days in India.

use time::{Date, Duration};

use crate::error::FieldError;
use crate::model::calendar::{is_account_day, midnight_in_india};
use crate::model::input::day;
use crate::model::openapi_schema::Text;

/// A period of days in India, both included; without a day it is open at that end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    pub from: Option<Date>,
    pub to: Option<Date>,
}

impl Period {
    /// Parses two days, which may be empty, and adds the wrong ones to `wrong`.
    pub fn parse(from: &Text, to: &Text, wrong: &mut Vec<FieldError>) -> Period {
        let mut day = |name: &'static str, text: &Text| {
            let day = day::day(text.as_str()).filter(is_account_day);
            if day.is_none() && !text.is_empty() {
                let message = "Enter a valid date, like 21-11-2026.";
                wrong.push(FieldError::new(name, message));
            }
            day
        };
        Period { from: day("from", from), to: day("to", to) }
    }

    /// Adds to `wrong` if the period ends before it begins.
    pub fn check_order(self, wrong: &mut Vec<FieldError>) {
        if self.from.zip(self.to).is_some_and(|(from, to)| from > to) {
            wrong.push(FieldError::new("to", "The period ends before it begins."));
        }
    }

    /// The start, inclusive (UTC milliseconds).
    pub fn from_ms(self) -> i64 {
        self.from.map_or(0, midnight_in_india)
    }

    /// The end, exclusive (UTC milliseconds).
    pub fn until_ms(self) -> i64 {
        self.to.map_or(i64::MAX, |to| midnight_in_india(to + Duration::DAY))
    }
}
