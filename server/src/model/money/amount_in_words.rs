//! Amounts in words, as Indian receipts and invoices write them: in lakh and crore.

use crate::model::money::paise::Paise;

const SMALL: [&str; 20] = [
    "Zero",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
];

const TENS: [&str; 10] =
    ["", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];

/// Units with their names, largest first. Multiples of a crore use the same units (a lakh crore).
pub(super) type Units = [(u64, &'static str); 4];

const UNITS: Units =
    [(10_000_000, "Crore"), (100_000, "Lakh"), (1_000, "Thousand"), (100, "Hundred")];

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

/// Writes a number in words, with the units and the words below a hundred of one language.
pub(super) fn number(n: u64, units: &Units, below_hundred: fn(usize) -> String) -> String {
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

    /// Parses the words back into a number: the words before a unit are multiplied by it.
    fn read(words: &str) -> u64 {
        let (mut total, mut group, mut hundreds) = (0, 0, 0);
        for word in words.split([' ', '-']) {
            match word {
                "Crore" => {
                    (total, group, hundreds) = ((total + group + hundreds) * 10_000_000, 0, 0)
                }
                "Lakh" => (group, hundreds) = (group + hundreds * 100_000, 0),
                "Thousand" => (group, hundreds) = (group + hundreds * 1_000, 0),
                "Hundred" => hundreds *= 100,
                word => {
                    let small = SMALL.iter().position(|name| *name == word);
                    let tens = || TENS.iter().position(|name| *name == word).unwrap() * 10;
                    hundreds += small.unwrap_or_else(tens) as u64;
                }
            }
        }
        total + group + hundreds
    }

    proptest! {
        #[test]
        fn the_words_name_the_very_amount(paise in 0i64..1_000_000_000_000_000) {
            let words = in_words(Paise::new(paise));
            let text = words.strip_prefix("Rupees ").unwrap().strip_suffix(" Only").unwrap();
            let (rupees, rest) = text.split_once(" and ").unwrap_or((text, "Zero Paise"));
            let value = read(rupees) * 100 + read(rest.strip_suffix(" Paise").unwrap());
            prop_assert_eq!(value, paise as u64);
        }
    }
}
