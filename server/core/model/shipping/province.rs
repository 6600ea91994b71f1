//! Provinces of other countries, as far as postal codes tell them.

use std::sync::LazyLock;

use regex::RegexSet;
use serde::Deserialize;

use crate::model::shipping::country_names::{Fit, TypedName};
use crate::model::shipping::embedded_table::read;

#[derive(Debug, Deserialize)]
pub struct Province {
    country_code: String,
    #[serde(rename = "subdivision_code")]
    pub code: String,
    #[serde(rename = "subdivision_name")]
    pub name: String,
    postal_prefix_regex: String,
}

/// Postal codes that belong to another province than the patterns say; to none in particular
/// without a code.
#[derive(Debug, Deserialize)]
struct PostalException {
    country_code: String,
    starts_with: String,
    subdivision_code: String,
}

static PROVINCES: LazyLock<Vec<Province>> =
    LazyLock::new(|| read(include_str!("../../../data/postal_subdivisions.csv")));

static EXCEPTIONS: LazyLock<Vec<PostalException>> =
    LazyLock::new(|| read(include_str!("../../../data/postal_exceptions.csv")));

pub(super) fn load() {
    LazyLock::force(&PROVINCES);
    LazyLock::force(&EXCEPTIONS);
}

/// True for the code of a province of this country.
pub fn has_code(country_code: &str, code: &str) -> bool {
    PROVINCES.iter().any(|it| it.country_code == country_code && it.code == code)
}

/// A country's provinces that can be derived from the start of a postal code.
#[derive(Clone, Debug)]
pub struct Provinces {
    starts: RegexSet,
    all: Vec<&'static Province>,
    exceptions: Vec<&'static PostalException>,
}

impl Provinces {
    pub fn of(country_code: &str) -> Provinces {
        let all: Vec<&Province> =
            PROVINCES.iter().filter(|it| it.country_code == country_code).collect();
        let starts = RegexSet::new(all.iter().map(|it| it.postal_prefix_regex.as_str()));
        let starts = starts.expect("embedded patterns are well formed");
        let exceptions = EXCEPTIONS.iter().filter(|it| it.country_code == country_code);
        Provinces { starts, all, exceptions: exceptions.collect() }
    }

    /// The only province whose pattern matches the start of the code. An exception decides before
    /// the patterns do. `None` where the code lies in several provinces.
    pub fn of_code(&self, postal_code: &str) -> Option<&'static Province> {
        let mut exceptions = self.exceptions.iter();
        if let Some(exception) = exceptions.find(|it| postal_code.starts_with(&it.starts_with)) {
            let mut all = self.all.iter();
            return all.find(|it| it.code == exception.subdivision_code).copied();
        }
        let matches: Vec<usize> = self.starts.matches(postal_code).into_iter().collect();
        match matches[..] {
            [only] => self.all.get(only).copied(),
            _ => None,
        }
    }

    /// The code of a province by its name or code, as customers type them.
    pub fn code_named(&self, typed: &str) -> Option<&'static str> {
        let typed = TypedName::of(typed);
        let is = |name: &str| typed.fit(name) == Some(Fit::Whole);
        let found = self.all.iter().find(|it| is(&it.name) || is(&it.code));
        found.map(|it| it.code.as_str()).filter(|code| !code.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_postal_code_tells_its_province_unless_it_lies_in_several() {
        for (country, code, state) in [
            ("US", "73301", "TX"),
            ("US", "73344-0001", "TX"),
            ("US", "73401", "OK"),
            ("US", "88510", "TX"),
            ("US", "00501", "NY"),
            ("US", "06390", "NY"),
            ("US", "05501", "MA"),
            ("US", "20588", "MD"),
            ("US", "20101", "VA"),
            ("US", "83414", "WY"),
            ("US", "34001", "AA"),
            ("US", "09001", "AE"),
            ("US", "96201", "AP"),
            ("US", "00601", "PR"),
            ("US", "96910", "GU"),
            ("US", "00801", "VI"),
            ("US", "42223", ""),
            ("CA", "K1A 0B1", ""),
            ("CA", "K1P 1J1", "ON"),
            ("CA", "X0A 0H0", "NU"),
            ("CA", "X1A 1A1", "NT"),
            ("AU", "2620", ""),
            ("AU", "0872", ""),
            ("AU", "3000", "VIC"),
        ] {
            let provinces = Provinces::of(country);
            let found = provinces.of_code(code).map_or("", |province| &province.code);
            assert_eq!(found, state, "{code}");
        }
        let us = Provinces::of("US");
        assert_eq!(us.code_named(" texas"), Some("TX"));
        assert_eq!(us.code_named("Tx"), Some("TX"));
        assert_eq!(us.code_named("Texarkana"), None);
        assert_eq!(us.code_named(""), None);
    }
}
