//! Zones of rate cards: distance classes within India, and groups of countries.

use std::collections::{HashMap, HashSet};

use crate::model::rates::price::Lane;
use crate::model::shipping::place::{self, Country, Pin};
use crate::model::shipping::shipment::Shipment;

/// The distance class of a domestic shipment on Indian rate cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    City,
    State,
    Metro,
    Rest,
    Special,
}

impl Zone {
    pub const ALL: [Zone; 5] = [Zone::City, Zone::State, Zone::Metro, Zone::Rest, Zone::Special];

    /// The zone's letter on rate cards, and its name for customers.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Zone::City => ("a", "Within city"),
            Zone::State => ("b", "Within state"),
            Zone::Metro => ("c", "Metro to metro"),
            Zone::Rest => ("d", "Rest of India"),
            Zone::Special => ("e", "North East, J&K and other special areas"),
        }
    }
}

/// The class of a PIN code for a shipment that leaves its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Metro,
    Special,
    Rest,
}

/// The zones of one courier: the places that belong to each.
#[derive(Clone, Debug, Default)]
pub struct Zoning {
    /// Cities by their name in the PIN code table.
    pub metros: HashSet<String>,
    pub special_states: HashSet<String>,
    /// Classes by PIN code or its first digits. They take priority over city and state.
    pub pins: HashMap<String, Class>,
    /// Zones abroad by the country's two letters.
    pub countries: HashMap<String, String>,
    /// Prefixes of postal codes in remote areas, by country.
    pub remote: HashMap<String, HashSet<String>>,
}

/// One rule about a place, as in files and in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneRule {
    pub zoning: String,
    /// `metro`, `special`, `pin`, `country` or `remote`.
    pub what: String,
    /// A city, a state code, a PIN code prefix, a country, or a country and a postal code prefix
    /// (`US 995`).
    pub name: String,
    /// The zone of a country, the class of a PIN code, else empty.
    pub zone: String,
}

#[derive(Clone, Debug)]
pub struct Endpoints<'a> {
    pub from: Pin,
    pub to: Endpoint<'a>,
}

#[derive(Clone, Debug)]
pub enum Endpoint<'a> {
    India(Pin),
    Abroad(&'a Country, &'a str),
}

impl<'a> Endpoints<'a> {
    pub fn of(shipment: &'a Shipment) -> Option<Endpoints<'a>> {
        let from = place::pin(&shipment.origin_pincode)?;
        let to = match shipment.is_international() {
            false => Endpoint::India(place::pin(&shipment.destination_code)?),
            true => {
                let country = place::country(shipment.destination_country_id)?;
                Endpoint::Abroad(country, &shipment.destination_code)
            }
        };
        Some(Endpoints { from, to })
    }
}

impl Zoning {
    /// Adds a rule; ignores an invalid one.
    pub fn add(&mut self, rule: ZoneRule) {
        match rule.what.as_str() {
            "metro" => drop(self.metros.insert(rule.name)),
            "special" => drop(self.special_states.insert(rule.name)),
            "country" => drop(self.countries.insert(rule.name, rule.zone)),
            "pin" => {
                let class = match rule.zone.as_str() {
                    "metro" => Class::Metro,
                    "special" => Class::Special,
                    "rest" => Class::Rest,
                    _ => return,
                };
                self.pins.insert(rule.name, class);
            }
            _ => {
                if let Some((country, start)) = rule.name.split_once(' ') {
                    let codes = self.remote.entry(country.to_owned()).or_default();
                    codes.insert(start.to_owned());
                }
            }
        }
    }

    /// Returns the zone of a shipment and its remote ends; `None` for a country without a zone.
    pub fn lane(&self, ends: &Endpoints<'_>) -> Option<Lane<'_>> {
        let remote_pickup = self.is_remote("IN", &ends.from.pincode);
        let (zone, label, remote_delivery) = match &ends.to {
            Endpoint::India(to) => {
                let (zone, label) = self.domestic(&ends.from, to).names();
                (zone, label.to_owned(), self.is_remote("IN", &to.pincode))
            }
            Endpoint::Abroad(country, code) => {
                let zone = self.countries.get(&country.country_code)?;
                let label = format!("Zone {zone}: {}", country.country_name);
                (zone.as_str(), label, self.is_remote(&country.country_code, code))
            }
        };
        Some(Lane { zone, label, remote_pickup, remote_delivery })
    }

    /// City and state are compared first, so a parcel inside Guwahati is local, not special.
    fn domestic(&self, from: &Pin, to: &Pin) -> Zone {
        if from.state_code == to.state_code {
            return match from.pricing_city() == to.pricing_city() {
                true => Zone::City,
                false => Zone::State,
            };
        }
        match (self.class(from), self.class(to)) {
            (Class::Special, _) | (_, Class::Special) => Zone::Special,
            (Class::Metro, Class::Metro) => Zone::Metro,
            _ => Zone::Rest,
        }
    }

    /// Returns the class of the longest PIN code prefix with a rule, else of city or state.
    fn class(&self, pin: &Pin) -> Class {
        let code = &*pin.pincode;
        let ruled = starts(code).rev().find_map(|start| self.pins.get(start));
        match ruled {
            Some(class) => *class,
            None if self.metros.contains(pin.pricing_city()) => Class::Metro,
            None if self.special_states.contains(pin.state_code) => Class::Special,
            None => Class::Rest,
        }
    }

    fn is_remote(&self, country_code: &str, postal_code: &str) -> bool {
        let codes = self.remote.get(country_code);
        codes.is_some_and(|codes| starts(postal_code).any(|start| codes.contains(start)))
    }
}

/// Returns the prefixes of a text, the shortest first, the whole text last.
fn starts(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.map(|end| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zoning() -> Zoning {
        Zoning {
            metros: ["New Delhi", "Bengaluru"].map(str::to_owned).into(),
            special_states: ["AS".to_owned(), "KL".to_owned()].into(),
            pins: HashMap::from([
                ("302".to_owned(), Class::Metro),
                ("302012".to_owned(), Class::Special),
                ("682".to_owned(), Class::Rest),
            ]),
            countries: HashMap::from([("US".to_owned(), "6".to_owned())]),
            remote: HashMap::from([("US".to_owned(), ["995".to_owned()].into())]),
        }
    }

    fn zone(from: &str, to: &str) -> Zone {
        zoning().domestic(&place::pin(from).unwrap(), &place::pin(to).unwrap())
    }

    #[test]
    fn zones_follow_city_state_special_and_metro() {
        assert_eq!(zone("560001", "560034"), Zone::City);
        assert_eq!(zone("560001", "570001"), Zone::State);
        assert_eq!(zone("110001", "560001"), Zone::Metro);
        assert_eq!(zone("110001", "781001"), Zone::Special);
        assert_eq!(zone("781001", "781001"), Zone::City);
        assert_eq!(zone("110001", "226001"), Zone::Rest);
        // 560998 is in no list: its district is Bengaluru's.
        assert_eq!(zone("560001", "560998"), Zone::City);
        assert_eq!(zone("110001", "560998"), Zone::Metro);
    }

    #[test]
    fn a_rule_for_a_pin_code_comes_before_city_and_state_the_longest_first() {
        assert_eq!(zone("110001", "302001"), Zone::Metro); // Jaipur counts as one by 302
        assert_eq!(zone("110001", "302012"), Zone::Special);
        assert_eq!(zone("110001", "682001"), Zone::Rest); // Kochi in special Kerala
    }

    #[test]
    fn abroad_the_country_decides_and_the_postal_code_tells_remote_areas() {
        let country = |id: i64| place::country(id).unwrap();
        let (us, gb) = (country(229), country(228));
        assert_eq!((&*us.country_code, &*gb.country_code), ("US", "GB"));
        let zoning = zoning();
        let from = place::pin("110001").unwrap();
        let lane = |to| zoning.lane(&Endpoints { from: from.clone(), to });
        let alaska = lane(Endpoint::Abroad(us, "99501")).unwrap();
        assert_eq!((alaska.zone, alaska.remote_delivery), ("6", true));
        assert_eq!(alaska.label, "Zone 6: United States");
        assert!(!lane(Endpoint::Abroad(us, "10001")).unwrap().remote_delivery);
        assert_eq!(lane(Endpoint::Abroad(gb, "SW1A 1AA")), None);
    }
}
