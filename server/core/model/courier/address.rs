//! The length of an address that a courier's service takes. The browser's script has the same
//! rules, in `ui/src/booking/addresses.ts`; tests on both sides read
//! `server/tests/address_lines.json`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Limits of an address, which couriers take in two lines (characters).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AddressLimits {
    pub line: usize,
    /// Of both lines together.
    pub both: usize,
}

/// The limits of a service for the addresses of both parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ServiceAddresses {
    pub sender: AddressLimits,
    pub receiver: AddressLimits,
    /// True if the first line where a parcel is collected must have a number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sender_number: bool,
}

/// The sentence beside a first line without its number.
pub const NO_NUMBER: &str = "This courier wants a house, flat or road number here.";

impl ServiceAddresses {
    /// Returns true if the courier refuses this first line where it collects.
    pub fn lacks_number(self, first_line: &str) -> bool {
        self.sender_number && !first_line.chars().any(char::is_numeric)
    }
}

impl AddressLimits {
    /// Two lines of this length.
    pub const fn of_lines(line: usize) -> AddressLimits {
        AddressLimits { line, both: 2 * line }
    }

    /// Returns an address in lines that fit: as typed, or broken at other words. `None` if it does
    /// not fit at all.
    pub fn lines(self, typed: [&str; 2]) -> Option<[String; 2]> {
        let lines = match typed.iter().all(|line| chars(line) <= self.line) {
            true => typed.map(str::to_owned),
            false => self.broken_at_words(typed)?,
        };
        let both: usize = lines.iter().map(|line| chars(line)).sum();
        (both <= self.both).then_some(lines)
    }

    fn broken_at_words(self, typed: [&str; 2]) -> Option<[String; 2]> {
        let mut lines = [String::new(), String::new()];
        let mut at = 0;
        for word in typed.into_iter().flat_map(str::split_whitespace) {
            let longer = match lines[at].is_empty() {
                true => word.to_owned(),
                false => format!("{} {word}", lines[at]),
            };
            if chars(&longer) <= self.line {
                lines[at] = longer;
                continue;
            }
            at += 1;
            if at == lines.len() || chars(word) > self.line {
                return None;
            }
            lines[at] = word.to_owned();
        }
        Some(lines)
    }

    /// The sentence beside an address that does not fit.
    pub fn sentence(self) -> String {
        let AddressLimits { line, both } = self;
        format!(
            "This courier takes at most {both} letters in two lines of {line}: please shorten the \
             address."
        )
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Deserialize)]
    struct Case {
        #[serde(flatten)]
        limits: AddressLimits,
        typed: [String; 2],
        lines: Option<[String; 2]>,
    }

    #[test]
    fn a_long_line_continues_in_the_next() {
        let cases = include_str!("../../../tests/address_lines.json");
        let cases: Vec<Case> = serde_json::from_str(cases).unwrap();
        for Case { limits, typed: [first, second], lines } in cases {
            assert_eq!(limits.lines([&first, &second]), lines, "{first} {second}");
        }
    }

    proptest! {
        #[test]
        fn lines_that_fit_have_every_word_in_its_order(
            first in "[a-zआ]{1,9}( [a-z,]{1,9}){0,12}",
            second in "([a-z]{1,9}( [a-z]{1,9}){0,6})?",
            line in 10usize..60,
        ) {
            let limits = AddressLimits::of_lines(line);
            let words = |lines: &[&str]| -> Vec<String> {
                let words = lines.iter().flat_map(|line| line.split_whitespace());
                words.map(str::to_owned).collect()
            };
            let typed = [&*first, &*second];
            if let Some(lines) = limits.lines(typed) {
                prop_assert!(lines.iter().all(|it| chars(it) <= line));
                prop_assert_eq!(words(&[&lines[0], &lines[1]]), words(&typed));
            } else {
                prop_assert!(chars(&first) + chars(&second) + 1 > line);
            }
        }
    }
}
