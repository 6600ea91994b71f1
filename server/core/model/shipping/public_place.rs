//! Places as strangers may read them. Couriers write streets, names and phones in place of a city.

use std::collections::HashMap;
use std::iter;
use std::sync::LazyLock;

use crate::limits;
use crate::model::shipping::{place, province};

/// Names that couriers still use, in small letters, and our names of these cities.
const EARLIER_NAMES: [(&str, &str); 11] = [
    ("allahabad", "Prayagraj"),
    ("bangalore", "Bengaluru"),
    ("bombay", "Mumbai"),
    ("calcutta", "Kolkata"),
    ("cochin", "Kochi"),
    ("gurgaon", "Gurugram"),
    ("madras", "Chennai"),
    ("mangalore", "Mangaluru"),
    ("mysore", "Mysuru"),
    ("pondicherry", "Puducherry"),
    ("trivandrum", "Thiruvananthapuram"),
];

/// Words for buildings that stand behind the name of a city.
const BUILDINGS: [&str; 11] = [
    "airport",
    "branch",
    "center",
    "centre",
    "dc",
    "facility",
    "gateway",
    "hub",
    "office",
    "sorting",
    "warehouse",
];

/// Our names of cities, by their names in small letters.
static CITIES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let listed = place::cities().map(|city| (city.to_ascii_lowercase(), city));
    let earlier = EARLIER_NAMES.map(|(name, city)| (name.to_owned(), city));
    listed.chain(earlier).collect()
});

/// Returns the city that a courier's text names, by our lists and the booking's own cities; abroad
/// at least its country. Empty if it names none of them. `destination` is the code of the booking's
/// country.
pub fn known_place(text: &str, own_cities: [&str; 2], destination: &str) -> String {
    let parts = || {
        let parts = text.split([',', ';', '(', ')', '/', '_', '|']);
        parts.flat_map(|part| iter::once(part).chain(part.split('-'))).map(str::trim)
    };
    let city = parts().find_map(|part| {
        let own = own_cities.into_iter().find(|city| city.eq_ignore_ascii_case(part));
        own.filter(|city| !city.is_empty()).or_else(|| listed_city(part))
    });
    let country = |part| country(part, destination);
    let place = city.or_else(|| parts().fold(None, |last, part| country(part).or(last)));
    place.unwrap_or_default().to_owned()
}

/// Returns a city that a customer typed; empty if it looks like anything else.
pub fn plain_city(typed: &str) -> &str {
    let is_foreign = |c: char| c.is_numeric() || c.is_control() || "@:/\\<>#+_".contains(c);
    let fits = typed.chars().count() <= limits::CITY_CHARS_MAX && !typed.contains(is_foreign);
    if fits { typed.trim() } else { "" }
}

fn listed_city(part: &str) -> Option<&'static str> {
    let part = part.to_ascii_lowercase();
    let mut words: Vec<&str> = part.split_whitespace().collect();
    loop {
        if let Some(city) = CITIES.get(&words.join(" ")) {
            return Some(city);
        }
        words.pop().filter(|last| BUILDINGS.contains(last))?;
    }
}

/// Two letters are the code of a state, here or at the destination, rather than of a country.
fn country(part: &str, destination: &str) -> Option<&'static str> {
    let is_name = part.len() >= 2 && !part.contains(char::is_numeric);
    let code = part.to_ascii_uppercase();
    let is_state = place::state(&code).is_some() || province::has_code(destination, &code);
    let country = Some(part).filter(|_| is_name && !is_state).and_then(place::country_named)?;
    Some(&country.country_name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_place_is_told_by_our_lists_and_nothing_beside_it() {
        for (text, place) in [
            ("Nagpur", "Nagpur"),
            ("DELHI HUB", "Delhi"),
            ("Mumbai_Andheri_D (Maharashtra)", "Mumbai"),
            ("BANGALORE-WHITEFIELD", "Bengaluru"),
            ("Ravi, 98765 43210, Nagpur", "Nagpur"),
            ("LEIPZIG - GERMANY", "Germany"),
            ("Memphis, TN, 38116, US", "United States"),
            ("Memphis, TN", ""),
            ("Lyon, FR", "Lyon"),
            ("Paris, FR", "France"),
            ("Leipzig, DE", "Germany"),
            ("Ramesh Kumar", ""),
            ("Call Ramesh on 98765 43210", ""),
            ("Nagpur 9876543210", ""),
            ("97", ""),
            ("Hub", ""),
            ("-", ""),
            ("", ""),
        ] {
            assert_eq!(known_place(text, ["", "Lyon"], "FR"), place, "{text:?}");
        }
    }

    #[test]
    fn the_code_of_a_state_at_the_destination_is_no_country() {
        for (text, destination, place) in [
            ("LOS ANGELES, CA", "US", ""),
            ("LOS ANGELES, CA, US", "US", "United States"),
            ("Denver, CO", "US", ""),
            ("Leipzig, DE", "US", ""),
            ("Leipzig, DE", "GB", "Germany"),
            ("Toronto, ON, CA", "CA", "Canada"),
            ("Dubai, AE", "AE", "United Arab Emirates"),
        ] {
            assert_eq!(known_place(text, [""; 2], destination), place, "{text}: {destination}");
        }
    }

    #[test]
    fn every_earlier_name_is_of_a_city_in_the_list() {
        for (name, city) in EARLIER_NAMES {
            assert!(place::has_city(city), "{city}");
            assert_eq!(known_place(name, [""; 2], "IN"), city);
        }
    }

    #[test]
    fn a_typed_city_is_shown_only_if_it_may_be_one() {
        for city in ["Bengaluru", " St. John’s ", "Zürich", "बेंगलुरु", "Aix-en-Provence"]
        {
            assert_eq!(plain_city(city), city.trim());
        }
        let long = "a".repeat(limits::CITY_CHARS_MAX + 1);
        for other in ["98765 43210", "९८७६५४३२१०", "ravi@example.com", "a\nb", "http://x", &long]
        {
            assert_eq!(plain_city(other), "", "{other:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_gives_a_name_of_our_lists(text in "\\PC{0,60}") {
            let place = known_place(&text, [""; 2], "US");
            let is_listed = place.is_empty() || place::has_city(&place)
                || place::country_named(&place).is_some();
            prop_assert!(is_listed, "{place}");
        }
    }
}
