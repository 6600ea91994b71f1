//! Places: Indian PIN codes and the countries of the world, held in memory.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

use regex::Regex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::model::input::postal_code::{self, Custom};
use crate::model::openapi_schema::Text;
use crate::model::shipping::country_names::{self, Fit, TypedName};
use crate::model::shipping::embedded_table::read;
use crate::model::shipping::province::{self, Province, Provinces};

/// India's country id in the API.
pub const INDIA: i64 = 97;

/// The place of an Indian PIN code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub pincode: Cow<'static, str>,
    /// The value for a City field; empty if the PIN code is in no list.
    pub city_area: Cow<'static, str>,
    pub state: &'static str,
    /// ISO 3166-2:IN without the `IN-`.
    pub state_code: &'static str,
    /// The two digits that start a GSTIN of this state.
    pub gst_state_code: &'static str,
}

impl Pin {
    pub fn new(pincode: String, city_area: String, state: &'static IndianState) -> Pin {
        Pin {
            pincode: pincode.into(),
            city_area: city_area.into(),
            state: &state.state,
            state_code: &state.state_code,
            gst_state_code: &state.gst_state_code,
        }
    }

    /// The place of a PIN code that is in no list: its sorting district is known.
    fn of_district(pincode: &str) -> Option<Pin> {
        let district = district(pincode).filter(|_| postal_code::is_pin(pincode))?;
        Some(Pin { pincode: pincode.to_owned().into(), city_area: "".into(), ..district.clone() })
    }

    pub fn is_listed(&self) -> bool {
        !self.city_area.is_empty()
    }

    /// The city by which a shipment is priced: of an unlisted PIN code, the commonest one of its
    /// sorting district.
    pub fn pricing_city(&self) -> &str {
        match self.is_listed() {
            true => &self.city_area,
            false => district(&self.pincode).map_or("", |district| &district.city_area),
        }
    }

    /// The city of an address with this PIN code.
    pub fn city_or<'a>(&'a self, typed: &'a str) -> &'a str {
        if self.is_listed() || typed.is_empty() { self.pricing_city() } else { typed }
    }

    /// Parses a row of our table. Twenty thousand are read at every start, so quotes are not
    /// supported.
    fn of_row(row: &'static str) -> Option<Pin> {
        let mut cells = row.split(',');
        Some(Pin {
            pincode: cells.next()?.into(),
            city_area: cells.next()?.into(),
            // Skips the area and the district.
            state: cells.nth(2)?,
            state_code: cells.next()?,
            gst_state_code: cells.next()?,
        })
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Country {
    pub country_id: i64,
    /// ISO 3166-1 alpha-2.
    pub country_code: String,
    /// ISO 3166-1 alpha-3.
    iso3: String,
    pub country_name: String,
    postal_code_regex: String,
    postal_code_example: String,
    postal_code_use: PostalCodes,
    /// Its place among the ten commonest destinations.
    common: Option<u8>,
    /// Other names in English and Hindi, separated by bars.
    aliases: String,
    /// Compiled on first use: most countries are never used.
    #[serde(skip)]
    pattern: OnceLock<Option<Regex>>,
    #[serde(skip)]
    provinces: OnceLock<Provinces>,
    #[serde(skip)]
    latin_names: OnceLock<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum PostalCodes {
    Required,
    Optional,
    None,
}

/// A state or union territory of India.
#[derive(Clone, Debug, Deserialize)]
pub struct IndianState {
    pub state: String,
    pub state_code: String,
    pub gst_state_code: String,
}

/// One answer of check-zipcode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Zipcode)]
pub struct Zipcode {
    pub state: String,
    /// Empty abroad, and for a PIN code that is in no list: the customer types it.
    pub city_area: String,
    pub state_code: String,
    /// The PIN code is in no list, but in a known sorting district: the state and the prices are
    /// the district's. Told only where it is so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
}

/// A country as lists show it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Country)]
pub struct CountryName {
    pub country_name: &'static str,
    pub country_id: i64,
    pub country_code: &'static str,
    /// Addresses there may do without a postal code; told only where it is so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub postal_code_optional: bool,
    /// ISO 3166-1 alpha-3, and other names in Latin letters, with bars between.
    pub also: &'static str,
    /// From 1 to 10 for the commonest destinations, in their order; left out for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common: Option<u8>,
}

static PINS: LazyLock<Vec<Pin>> = LazyLock::new(|| {
    let rows = include_str!("../../../data/pincodes.csv").lines().skip(1);
    let pins: Option<Vec<Pin>> = rows.map(Pin::of_row).collect();
    let mut pins = pins.expect("embedded data is well formed");
    pins.sort_by(|a, b| a.pincode.cmp(&b.pincode));
    pins
});

static COUNTRIES: LazyLock<Vec<Country>> =
    LazyLock::new(|| read(include_str!("../../../data/countries.csv")));

/// The countries by each of their names.
static COUNTRIES_BY_NAME: LazyLock<HashMap<TypedName, &'static Country>> = LazyLock::new(|| {
    let names = |it: &'static Country| it.names().map(move |name| (TypedName::of(name), it));
    COUNTRIES.iter().flat_map(names).filter(|(name, _)| !name.is_empty()).collect()
});

static STATES: LazyLock<Vec<IndianState>> =
    LazyLock::new(|| read(include_str!("../../../data/states.csv")));

static CITIES: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| PINS.iter().map(|pin| &*pin.city_area).collect());

/// The commonest place of each sorting district, in the order of their three digits.
static DISTRICTS: LazyLock<Vec<Pin>> = LazyLock::new(|| {
    let districts = PINS.chunk_by(|one, next| one.pincode[..3] == next.pincode[..3]);
    districts.map(commonest_place).collect()
});

/// PIN codes added by operators. They are few, and never removed.
static ADDED: LazyLock<RwLock<HashMap<String, Pin>>> = LazyLock::new(RwLock::default);

/// Loads all tables now, so that the first customer does not wait.
pub fn load() {
    LazyLock::force(&DISTRICTS);
    LazyLock::force(&COUNTRIES_BY_NAME);
    province::load();
}

/// The place of a PIN code of India Post, of one that an operator added, or of one that is in no
/// list, but in a known sorting district: no list is ever complete.
pub fn pin(pincode: &str) -> Option<Pin> {
    if let Ok(at) = PINS.binary_search_by(|pin| (*pin.pincode).cmp(pincode)) {
        return Some(PINS[at].clone());
    }
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner).get(pincode).cloned();
    added.or_else(|| Pin::of_district(pincode))
}

/// The commonest place of a PIN code's sorting district: its first three digits.
fn district(pincode: &str) -> Option<&'static Pin> {
    let digits = pincode.get(..3)?;
    let found = DISTRICTS.binary_search_by(|district| district.pincode[..3].cmp(digits));
    found.ok().map(|at| &DISTRICTS[at])
}

/// The first of the places whose state and city most of them have.
fn commonest_place(pins: &[Pin]) -> Pin {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for pin in pins {
        *counts.entry((pin.state_code, &*pin.city_area)).or_default() += 1;
    }
    let count = |pin: &Pin| counts[&(pin.state_code, &*pin.city_area)];
    let first = pins.iter().rev().max_by_key(|pin| count(pin));
    first.expect("a district has a place").clone()
}

/// Adds PIN codes for the life of the process.
pub fn add(pins: Vec<Pin>) {
    let mut extra_pins = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    for pin in pins {
        extra_pins.insert(pin.pincode.to_string(), pin);
    }
}

/// The cities of all PIN codes of the table.
pub fn cities() -> impl Iterator<Item = &'static str> {
    CITIES.iter().copied()
}

/// True if a PIN code of the table belongs to a city of this name.
pub fn has_city(name: &str) -> bool {
    CITIES.contains(name)
}

pub fn state(state_code: &str) -> Option<&'static IndianState> {
    STATES.iter().find(|state| state.state_code == state_code)
}

/// A state by the two digits that start its GSTINs.
pub fn state_of_gst(code: &str) -> Option<&'static IndianState> {
    STATES.iter().find(|state| state.gst_state_code == code)
}

pub fn country(country_id: i64) -> Option<&'static Country> {
    // The ids are 1, 2, 3 …
    let at = usize::try_from(country_id).ok()?.checked_sub(1)?;
    COUNTRIES.get(at)
}

/// A country by its ISO 3166-1 alpha-2 code.
pub fn country_of_code(country_code: &str) -> Option<&'static Country> {
    COUNTRIES.iter().find(|country| country.country_code == country_code)
}

/// A country as clients may name it: by its id, its code or a name in English or Hindi.
pub fn country_named(text: &str) -> Option<&'static Country> {
    if let Ok(country_id) = text.parse() {
        return country(country_id);
    }
    COUNTRIES_BY_NAME.get(&TypedName::of(text)).copied()
}

/// The countries that a typed text may mean, the likeliest first; all of them for an empty text.
pub fn countries(text: &str) -> Vec<CountryName> {
    let typed = TypedName::of(text);
    let mut found: Vec<(Option<Fit>, &'static Country)> =
        COUNTRIES.iter().map(|it| (None, it)).collect();
    if !text.trim().is_empty() {
        found.iter_mut().for_each(|(fit, country)| *fit = country.fit(&typed));
        found.retain(|(fit, _)| fit.is_some());
        found.sort_by_key(|(fit, country)| (*fit, country.common.unwrap_or(u8::MAX)));
    }
    found.into_iter().map(|(_, country)| country.listed()).collect()
}

/// The place of a postal code; `None` if it is not valid in that country.
///
/// Outside India the format is checked, and the province returned if the code determines it.
pub fn find(country_id: i64, postal_code: &str) -> Option<Zipcode> {
    find_normalised(country_id, &normalise(country_id, postal_code))
}

/// Returns the place of a code that [`normalise`] returned.
pub fn find_normalised(country_id: i64, code: &str) -> Option<Zipcode> {
    if country_id == INDIA {
        return pin(code).map(|pin| Zipcode {
            state: pin.state.to_owned(),
            unlisted: !pin.is_listed(),
            city_area: pin.city_area.into_owned(),
            state_code: pin.state_code.to_owned(),
        });
    }
    let country = country(country_id)?;
    if !country.accepts(code) {
        return None;
    }
    let province = country.province(code);
    Some(Zipcode {
        state: province.map_or_else(String::new, |p| p.name.clone()),
        city_area: String::new(),
        state_code: province.map_or_else(String::new, |p| p.code.clone()),
        unlisted: false,
    })
}

impl Country {
    /// Returns its name, its codes and its other names; some may be empty.
    fn names(&self) -> impl Iterator<Item = &str> {
        let names = [&*self.country_name, &*self.country_code, &*self.iso3];
        names.into_iter().chain(self.aliases.split('|'))
    }

    fn fit(&self, typed: &TypedName) -> Option<Fit> {
        self.names().filter_map(|name| typed.fit(name)).min()
    }

    fn listed(&'static self) -> CountryName {
        let latin_names = || {
            let names = self.aliases.split('|').filter(|name| country_names::is_latin(name));
            [&*self.iso3].into_iter().chain(names).collect::<Vec<_>>().join("|")
        };
        CountryName {
            country_name: &self.country_name,
            country_id: self.country_id,
            country_code: &self.country_code,
            postal_code_optional: self.does_without_codes(),
            also: self.latin_names.get_or_init(latin_names),
            common: self.common,
        }
    }

    /// True if addresses there may do without a postal code.
    pub fn does_without_codes(&self) -> bool {
        self.postal_code_use != PostalCodes::Required
    }

    fn accepts(&self, code: &str) -> bool {
        match self.postal_code_use {
            PostalCodes::Optional | PostalCodes::None if code.is_empty() => true,
            // Forms that require a postal code are filled with 0, 00000 or 999077 there.
            PostalCodes::None => {
                let customary = |byte: u8| byte.is_ascii_alphanumeric() || b" -".contains(&byte);
                code.len() <= limits::POSTAL_CODE_BYTES_MAX && code.bytes().all(customary)
            }
            _ => {
                let pattern = || Regex::new(&self.postal_code_regex).ok();
                let pattern = self.pattern.get_or_init(pattern).as_ref();
                pattern.is_some_and(|pattern| pattern.is_match(code))
            }
        }
    }

    fn province(&self, code: &str) -> Option<&'static Province> {
        self.provinces().of_code(code)
    }

    /// The code of a province by its name or code, as customers type them.
    pub fn province_code(&self, typed: &str) -> Option<&'static str> {
        self.provinces().code_named(typed)
    }

    fn provinces(&self) -> &Provinces {
        self.provinces.get_or_init(|| Provinces::of(&self.country_code))
    }
}

/// Returns a postal code as its country writes it. A code that the country cannot have stays as
/// typed, in capitals.
pub fn normalise(country_id: i64, postal_code: &str) -> String {
    if country_id == INDIA {
        return postal_code::pin(postal_code);
    }
    let typed = postal_code::plain(postal_code);
    let has_codes = |it: &&Country| it.postal_code_use != PostalCodes::None && !typed.is_empty();
    let Some(country) = country(country_id).filter(has_codes) else {
        return typed;
    };
    let custom = Custom {
        country_code: &country.country_code,
        iso3: &country.iso3,
        example: &country.postal_code_example,
    };
    let accepted = postal_code::spellings(&typed, custom).find(|code| country.accepts(code));
    accepted.unwrap_or(typed)
}

/// A check-zipcode request.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = ZipcodeRequest)]
pub struct RawZipcode {
    #[schema(required)]
    pub country_id: Text,
    /// May be left out where the country has no codes.
    pub zipcode: Text,
}

/// Returns the place of a postal code, or nothing if it is not serviceable.
///
/// # Errors
/// `Fields` if the country is unknown or the code is too long.
pub fn check_zipcode(raw: &RawZipcode) -> Result<Vec<Zipcode>> {
    let country_id = country_named(raw.country_id.as_str()).map(|country| country.country_id);
    let mut wrong = Vec::new();
    if country_id.is_none() {
        wrong.push(FieldError::new("country_id", "Please choose a country from the list."));
    }
    let zipcode = postal_code::plain(raw.zipcode.as_str());
    if zipcode.len() > limits::POSTAL_CODE_BYTES_MAX {
        wrong.push(FieldError::new("zipcode", "A postal code has at most 20 letters and digits."));
    }
    Error::check(wrong)?;
    Ok(find(country_id.unwrap_or(INDIA), &zipcode).into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_pins_have_their_city_and_state() {
        let delhi = find(INDIA, " 110001 ").unwrap();
        assert_eq!((delhi.city_area.as_str(), delhi.state_code.as_str()), ("New Delhi", "DL"));
        assert_eq!(find(INDIA, "560001").unwrap().city_area, "Bengaluru");
        assert_eq!(find(INDIA, "000000"), None);
        assert_eq!(find(INDIA, "5600011"), None);
        assert_eq!(find(INDIA, "56000a"), None);
        assert_eq!(find(INDIA, "११०००१"), Some(delhi));
    }

    #[test]
    fn india_is_country_97_of_242() {
        assert_eq!(country(INDIA).unwrap().country_code, "IN");
        assert_eq!(countries("").len(), 242);
    }

    #[test]
    fn no_two_countries_have_a_name_in_common() {
        for country in COUNTRIES.iter() {
            for name in country.names() {
                let typed = TypedName::of(name);
                let found = country_named(name).map(|it| it.country_id);
                assert_eq!(found, (!name.is_empty()).then_some(country.country_id), "{name}");
                let fits = |it: &&Country| it.fit(&typed) == Some(Fit::Whole);
                let called: Vec<&str> =
                    COUNTRIES.iter().filter(fits).map(|it| &*it.country_code).collect();
                assert!(name.is_empty() || called == [&*country.country_code], "{name} {called:?}");
            }
        }
    }

    #[test]
    fn foreign_codes_are_checked_by_form_and_located_where_they_tell() {
        let id = |name: &str| countries(name)[0].country_id;
        assert_eq!(find(id("United States"), "94105-1234").unwrap().state_code, "CA");
        assert_eq!(find(id("United States"), "9410"), None);
        assert!(find(id("Hong Kong"), "").is_some());
        assert!(find(id("United Kingdom"), "sw1a  1aa").is_some());
    }

    #[test]
    fn a_foreign_code_is_kept_as_its_country_writes_it() {
        for (country_code, typed, code) in [
            ("DE", "D-10115", "10115"),
            ("DE", "DE 10115", "10115"),
            ("DE", "10 115", "10115"),
            ("CA", "K1A-0B1", "K1A 0B1"),
            ("CA", "k1a0b1", "K1A 0B1"),
            ("GB", "sw1a1aa", "SW1A 1AA"),
            ("GB", "\u{202a}SW1A\u{a0}1AA\u{202c}", "SW1A 1AA"),
            ("NL", "NL-1012 ab", "1012 AB"),
            ("US", "941051234", "94105-1234"),
            ("US", "94105 – 1234", "94105-1234"),
            ("US", "USA 94105", "94105"),
            ("FR", "F-75008", "75008"),
            ("SE", "114 55", "11455"),
            ("JP", "1000001", "100-0001"),
            ("BR", "01.310-100", "01310-100"),
            ("PT", "1000 205", "1000-205"),
            ("LV", "lv 1050", "LV-1050"),
            ("KY", "KY11100", "KY1-1100"),
            ("CH", "CH-8001", "8001"),
            ("HK", "999077", "999077"),
            ("US", "not a code", "NOT A CODE"),
        ] {
            let country_id = country_of_code(country_code).unwrap().country_id;
            assert_eq!(normalise(country_id, typed), code, "{typed}");
            assert_eq!(normalise(country_id, code), code, "{code}");
        }
        for typed in ["110 001", "110-001", "\u{202a}110001\u{202c}", "IN-110001", "Pin 110001"] {
            assert_eq!(normalise(INDIA, typed), "110001", "{typed}");
        }
    }
}
