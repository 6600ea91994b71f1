//! Amounts in Hindi words. Each number below a hundred has a word of its own.

use super::amount_in_words::{Units, number};
use crate::model::money::paise::Paise;

#[rustfmt::skip]
const BELOW_HUNDRED: [&str; 100] = [
    "शून्य", "एक", "दो", "तीन", "चार",
    "पाँच", "छह", "सात", "आठ", "नौ",
    "दस", "ग्यारह", "बारह", "तेरह", "चौदह",
    "पंद्रह", "सोलह", "सत्रह", "अठारह", "उन्नीस",
    "बीस", "इक्कीस", "बाईस", "तेईस", "चौबीस",
    "पच्चीस", "छब्बीस", "सत्ताईस", "अट्ठाईस", "उनतीस",
    "तीस", "इकतीस", "बत्तीस", "तैंतीस", "चौंतीस",
    "पैंतीस", "छत्तीस", "सैंतीस", "अड़तीस", "उनतालीस",
    "चालीस", "इकतालीस", "बयालीस", "तैंतालीस", "चौवालीस",
    "पैंतालीस", "छियालीस", "सैंतालीस", "अड़तालीस", "उनचास",
    "पचास", "इक्यावन", "बावन", "तिरपन", "चौवन",
    "पचपन", "छप्पन", "सत्तावन", "अट्ठावन", "उनसठ",
    "साठ", "इकसठ", "बासठ", "तिरसठ", "चौंसठ",
    "पैंसठ", "छियासठ", "सड़सठ", "अड़सठ", "उनहत्तर",
    "सत्तर", "इकहत्तर", "बहत्तर", "तिहत्तर", "चौहत्तर",
    "पचहत्तर", "छिहत्तर", "सतहत्तर", "अठहत्तर", "उनासी",
    "अस्सी", "इक्यासी", "बयासी", "तिरासी", "चौरासी",
    "पचासी", "छियासी", "सत्तासी", "अट्ठासी", "नवासी",
    "नब्बे", "इक्यानवे", "बानवे", "तिरानवे", "चौरानवे",
    "पचानवे", "छियानवे", "सत्तानवे", "अट्ठानवे", "निन्यानवे",
];

const UNITS: Units = [(10_000_000, "करोड़"), (100_000, "लाख"), (1_000, "हज़ार"), (100, "सौ")];

/// Writes an amount without its sign:
/// `एक लाख तेईस हज़ार चार सौ पाँच रुपये और साठ पैसे मात्र`.
pub fn in_hindi(amount: Paise) -> String {
    let paise = amount.get().unsigned_abs();
    let number = |n| number(n, &UNITS, |below| BELOW_HUNDRED[below].to_owned());
    let rupees = number(paise / 100);
    match paise % 100 {
        0 => format!("{rupees} रुपये मात्र"),
        rest => format!("{rupees} रुपये और {} पैसे मात्र", number(rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_are_written_in_lakh_and_crore() {
        for (paise, words) in [
            (0, "शून्य रुपये मात्र"),
            (5, "शून्य रुपये और पाँच पैसे मात्र"),
            (50_000, "पाँच सौ रुपये मात्र"),
            (16_346, "एक सौ तिरसठ रुपये और छियालीस पैसे मात्र"),
            (12_345_678, "एक लाख तेईस हज़ार चार सौ छप्पन रुपये और अठहत्तर पैसे मात्र"),
            (1_000_000_000, "एक करोड़ रुपये मात्र"),
            (100_000_000_000_000, "एक लाख करोड़ रुपये मात्र"),
        ] {
            assert_eq!(in_hindi(Paise::new(paise)), words);
        }
    }

    /// Parses the words back into a number: the words before a unit are multiplied by it.
    fn read(words: &str) -> u64 {
        let (mut total, mut group, mut hundreds) = (0, 0, 0);
        for word in words.split(' ') {
            match word {
                "करोड़" => {
                    (total, group, hundreds) = ((total + group + hundreds) * 10_000_000, 0, 0)
                }
                "लाख" => (group, hundreds) = (group + hundreds * 100_000, 0),
                "हज़ार" => (group, hundreds) = (group + hundreds * 1_000, 0),
                "सौ" => hundreds *= 100,
                word => {
                    hundreds += BELOW_HUNDRED.iter().position(|it| *it == word).unwrap() as u64;
                }
            }
        }
        total + group + hundreds
    }

    proptest! {
        #[test]
        fn the_words_name_the_very_amount(paise in 0i64..1_000_000_000_000_000) {
            let words = in_hindi(Paise::new(paise));
            let text = words.strip_suffix(" मात्र").unwrap();
            let (rupees, rest) = text.split_once(" रुपये").unwrap();
            let rest = rest.strip_prefix(" और ").and_then(|it| it.strip_suffix(" पैसे"));
            let value = read(rupees) * 100 + read(rest.unwrap_or("शून्य"));
            prop_assert_eq!(value, paise as u64);
        }
    }
}
