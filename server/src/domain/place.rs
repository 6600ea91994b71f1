//! Places: Indian PIN codes and the countries of the world, looked up in memory.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::text::Text;
use crate::error::{Error, FieldError, Result};

/// India in the specification's numbering of countries.
pub const INDIA: i64 = 97;

/// What an Indian PIN code stands for.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Pin {
    pub pincode: String,
    /// What belongs in a City field.
    pub city_area: String,
    pub state: String,
    /// ISO 3166-2:IN without the `IN-`.
    pub state_code: String,
    /// The two digits that start a GSTIN of this state.
    pub gst_state_code: String,
}

/// A country one can send to.
#[derive(Clone, Debug, Deserialize)]
pub struct Country {
    pub country_id: i64,
    /// ISO 3166-1 alpha-2.
    pub country_code: String,
    pub country_name: String,
    postal_code_regex: String,
    postal_code_use: String,
}

/// One answer of check-zipcode (specification section 3, Zipcode result).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Zipcode {
    pub state: String,
    pub city_area: String,
    pub state_code: String,
}

/// A country as lists show it.
#[derive(Clone, Debug, Serialize)]
pub struct CountryName {
    pub country_name: &'static str,
    pub country_id: i64,
    pub country_code: &'static str,
}

static PINS: LazyLock<Vec<Pin>> = LazyLock::new(|| {
    let mut pins: Vec<Pin> = read(include_str!("../../data/pincodes.csv"));
    pins.sort_by(|a, b| a.pincode.cmp(&b.pincode));
    pins
});

static COUNTRIES: LazyLock<Vec<Country>> =
    LazyLock::new(|| read(include_str!("../../data/countries.csv")));

static SUBDIVISIONS: LazyLock<Vec<Subdivision>> =
    LazyLock::new(|| read(include_str!("../../data/postal_subdivisions.csv")));

#[derive(Debug, Deserialize)]
struct Subdivision {
    country_code: String,
    subdivision_code: String,
    subdivision_name: String,
    postal_prefix_regex: String,
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Vec<T> {
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    rows.deserialize()
        .collect::<std::result::Result<_, _>>()
        .expect("embedded data is well formed")
}

/// Reads all tables now, so that the first customer does not wait for it.
pub fn load() {
    LazyLock::force(&PINS);
    LazyLock::force(&COUNTRIES);
    LazyLock::force(&SUBDIVISIONS);
}

/// The place of a PIN code, if India Post has it.
pub fn pin(pincode: &str) -> Option<&'static Pin> {
    let at = PINS
        .binary_search_by(|pin| pin.pincode.as_str().cmp(pincode))
        .ok()?;
    Some(&PINS[at])
}

pub fn country(country_id: i64) -> Option<&'static Country> {
    COUNTRIES
        .iter()
        .find(|country| country.country_id == country_id)
}

/// All countries, or those whose name contains the text, ignoring case and spaces.
pub fn countries(containing: &str) -> Vec<CountryName> {
    let plain = |text: &str| -> String {
        text.chars()
            .filter(|c| !c.is_whitespace())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let wanted = plain(containing);
    let named = COUNTRIES
        .iter()
        .filter(|country| plain(&country.country_name).contains(&wanted));
    named
        .map(|country| CountryName {
            country_name: &country.country_name,
            country_id: country.country_id,
            country_code: &country.country_code,
        })
        .collect()
}

/// Where a postal code is; `None` when it is no code of that country.
///
/// Outside India the form is checked and the province told where the code gives it away.
pub fn find(country_id: i64, postal_code: &str) -> Option<Zipcode> {
    let code = normalise(postal_code);
    if country_id == INDIA {
        return pin(&code).map(|pin| Zipcode {
            state: pin.state.clone(),
            city_area: pin.city_area.clone(),
            state_code: pin.state_code.clone(),
        });
    }
    let country = country(country_id)?;
    if !country.accepts(&code) {
        return None;
    }
    let within = SUBDIVISIONS
        .iter()
        .find(|s| s.country_code == country.country_code && matches(&s.postal_prefix_regex, &code));
    Some(Zipcode {
        state: within
            .map(|s| s.subdivision_name.clone())
            .unwrap_or_default(),
        city_area: String::new(),
        state_code: within
            .map(|s| s.subdivision_code.clone())
            .unwrap_or_default(),
    })
}

impl Country {
    fn accepts(&self, code: &str) -> bool {
        match self.postal_code_use.as_str() {
            "none" => true,
            "optional" if code.is_empty() => true,
            _ => matches(&self.postal_code_regex, code),
        }
    }
}

fn matches(expression: &str, code: &str) -> bool {
    regex::Regex::new(expression).is_ok_and(|expression| expression.is_match(code))
}

/// Capital letters, single spaces, nothing around.
fn normalise(postal_code: &str) -> String {
    postal_code
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_uppercase()
}

/// A check-zipcode request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawZipcode {
    pub country_id: Text,
    pub zipcode: Text,
}

/// Answers check-zipcode: one place, or none when the code is not serviceable.
///
/// # Errors
/// `Fields` when the country is not one of ours or the code is absurdly long.
pub fn check_zipcode(raw: &RawZipcode) -> Result<Vec<Zipcode>> {
    let country_id: Option<i64> = raw.country_id.as_str().parse().ok();
    let known = country_id.filter(|&id| country(id).is_some());
    let mut wrong = Vec::new();
    if known.is_none() {
        wrong.push(FieldError::new(
            "country_id",
            "Please choose a country from the list.",
        ));
    }
    if raw.zipcode.as_str().len() > 20 {
        wrong.push(FieldError::new(
            "zipcode",
            "A postal code has at most 20 characters.",
        ));
    }
    Error::check(wrong)?;
    Ok(find(known.unwrap_or(INDIA), raw.zipcode.as_str())
        .into_iter()
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_pins_have_their_city_and_state() {
        let delhi = find(INDIA, " 110001 ").unwrap();
        assert_eq!(
            (delhi.city_area.as_str(), delhi.state_code.as_str()),
            ("New Delhi", "DL")
        );
        assert_eq!(find(INDIA, "560001").unwrap().city_area, "Bengaluru");
        assert_eq!(find(INDIA, "000000"), None);
        assert_eq!(find(INDIA, "११०००१"), None);
    }

    #[test]
    fn india_is_country_97_of_242() {
        assert_eq!(country(INDIA).unwrap().country_code, "IN");
        assert_eq!(countries("").len(), 242);
    }

    #[test]
    fn countries_are_found_ignoring_case_and_spaces() {
        let found = countries("united arab EMIRATES ");
        assert_eq!(found.len(), 1);
        assert_eq!(
            countries("unitedarab")[0].country_code,
            found[0].country_code
        );
    }

    #[test]
    fn foreign_codes_are_checked_by_form_and_located_where_they_tell() {
        let id = |name: &str| countries(name)[0].country_id;
        assert_eq!(
            find(id("United States"), "94105-1234").unwrap().state_code,
            "CA"
        );
        assert_eq!(find(id("United States"), "9410"), None);
        assert!(find(id("Hong Kong"), "").is_some());
        assert!(find(id("United Kingdom"), "sw1a  1aa").is_some());
    }
}
