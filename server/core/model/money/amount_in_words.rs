//! Amounts in English and Hindi words, as receipts and invoices write them: in lakh and crore.

use crate::model::money::paise::Paise;

#[rustfmt::skip]
const SMALL: [&str; 20] = [
    "Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine",
    "Ten", "Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen",
    "Eighteen", "Nineteen",
];

const TENS: [&str; 10] =
    ["", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];

/// Units with their names, largest first. Multiples of a crore use the same units (a lakh crore).
type Units = [(u64, &'static str); 4];

const UNITS: Units =
    [(10_000_000, "Crore"), (100_000, "Lakh"), (1_000, "Thousand"), (100, "Hundred")];

/// Each number below a hundred has a word of its own in Hindi.
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

const HINDI_UNITS: Units = [(10_000_000, "करोड़"), (100_000, "लाख"), (1_000, "हज़ार"), (100, "सौ")];

/// Writes an amount without its sign:
/// `Rupees One Lakh Twenty-Three Thousand Four Hundred Five and Sixty Paise Only`.
pub fn in_words(amount: Paise) -> String {
    let paise = amount.get().unsigned_abs();
    let number = |n| number(n, &UNITS, below_hundred);
    let rupees = number(paise / 100);
    match paise % 100 {
        0 => format!("Rupees {rupees} Only"),
        rest => format!("Rupees {rupees} and {} Paise Only", number(rest)),
    }
}

/// Writes an amount without its sign:
/// `एक लाख तेईस हज़ार चार सौ पाँच रुपये और साठ पैसे मात्र`.
pub fn in_hindi(amount: Paise) -> String {
    let paise = amount.get().unsigned_abs();
    let number = |n| number(n, &HINDI_UNITS, |below| BELOW_HUNDRED[below].to_owned());
    let rupees = number(paise / 100);
    match paise % 100 {
        0 => format!("{rupees} रुपये मात्र"),
        rest => format!("{rupees} रुपये और {} पैसे मात्र", number(rest)),
    }
}

/// Writes a number in words, with the units and the words below a hundred of one language.
fn number(n: u64, units: &Units, below_hundred: fn(usize) -> String) -> String {
    for (unit, name) in units {
        if n >= *unit {
            let text = format!("{} {name}", number(n / unit, units, below_hundred));
            return match n % unit {
                0 => text,
                rest => format!("{text} {}", number(rest, units, below_hundred)),
            };
        }
    }
    below_hundred(usize::try_from(n).expect("less than a hundred"))
}

fn below_hundred(n: usize) -> String {
    match (n / 10, n % 10) {
        _ if n < SMALL.len() => SMALL[n].to_owned(),
        (tens, 0) => TENS[tens].to_owned(),
        (tens, ones) => format!("{}-{}", TENS[tens], SMALL[ones]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_are_written_in_lakh_and_crore() {
        for (paise, words) in [
            (0, "Rupees Zero Only"),
            (5, "Rupees Zero and Five Paise Only"),
            (1_000, "Rupees Ten Only"),
            (50_000, "Rupees Five Hundred Only"),
            (16_346, "Rupees One Hundred Sixty-Three and Forty-Six Paise Only"),
            (10_000_000, "Rupees One Lakh Only"),
            (
                12_345_678,
                "Rupees One Lakh Twenty-Three Thousand Four Hundred Fifty-Six and \
                 Seventy-Eight Paise Only",
            ),
            (1_000_000_000, "Rupees One Crore Only"),
            (
                9_999_999_999_999,
                "Rupees Nine Thousand Nine Hundred Ninety-Nine Crore Ninety-Nine Lakh \
                 Ninety-Nine Thousand Nine Hundred Ninety-Nine and Ninety-Nine Paise Only",
            ),
            (100_000_000_000_000, "Rupees One Lakh Crore Only"),
        ] {
            assert_eq!(in_words(Paise::new(paise)), words);
        }
    }

    #[test]
    fn amounts_in_hindi_are_written_in_lakh_and_crore() {
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
    fn read(words: &str, small: impl Fn(&str) -> usize) -> u64 {
        let (mut total, mut group, mut hundreds) = (0, 0, 0);
        for word in words.split([' ', '-']) {
            match word {
                "Crore" | "करोड़" => {
                    (total, group, hundreds) = ((total + group + hundreds) * 10_000_000, 0, 0)
                }
                "Lakh" | "लाख" => (group, hundreds) = (group + hundreds * 100_000, 0),
                "Thousand" | "हज़ार" => (group, hundreds) = (group + hundreds * 1_000, 0),
                "Hundred" | "सौ" => hundreds *= 100,
                word => hundreds += small(word) as u64,
            }
        }
        total + group + hundreds
    }

    proptest! {
        #[test]
        fn the_words_name_the_very_amount(paise in 0i64..1_000_000_000_000_000) {
            let small = |word: &str| {
                let tens = || TENS.iter().position(|name| *name == word).unwrap() * 10;
                SMALL.iter().position(|name| *name == word).unwrap_or_else(tens)
            };
            let words = in_words(Paise::new(paise));
            let text = words.strip_prefix("Rupees ").unwrap().strip_suffix(" Only").unwrap();
            let (rupees, rest) = text.split_once(" and ").unwrap_or((text, "Zero Paise"));
            let rest = rest.strip_suffix(" Paise").unwrap();
            prop_assert_eq!(read(rupees, small) * 100 + read(rest, small), paise as u64);
        }

        #[test]
        fn the_hindi_words_name_the_very_amount(paise in 0i64..1_000_000_000_000_000) {
            let small = |word: &str| BELOW_HUNDRED.iter().position(|it| *it == word).unwrap();
            let words = in_hindi(Paise::new(paise));
            let text = words.strip_suffix(" मात्र").unwrap();
            let (rupees, rest) = text.split_once(" रुपये").unwrap();
            let rest = rest.strip_prefix(" और ").and_then(|it| it.strip_suffix(" पैसे"));
            let value = read(rupees, small) * 100 + read(rest.unwrap_or("शून्य"), small);
            prop_assert_eq!(value, paise as u64);
        }
    }
}
