//! Names of countries as people type them, in English or Hindi.

/// The ways in which a typed text fits a name, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The whole name.
    Whole,
    /// The name begins with it.
    Beginning,
    /// A later word of the name begins with it.
    LaterWord,
}

/// A short form, such as UK, counts only as a whole.
const SHORT_FORM_LETTERS: usize = 3;

/// A typed text without spaces and marks, in small letters.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct TypedName(String);

impl TypedName {
    pub fn of(text: &str) -> TypedName {
        TypedName(words(text).concat())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The best fit of this text to a name; `None` if there is none, or if nothing was typed.
    pub fn fit(&self, name: &str) -> Option<Fit> {
        let words = words(name);
        let whole_name = words.concat();
        if self.0.is_empty() || whole_name.is_empty() {
            return None;
        }
        if whole_name == self.0 {
            return Some(Fit::Whole);
        }
        if is_latin(name) && whole_name.len() <= SHORT_FORM_LETTERS {
            return None;
        }
        if whole_name.starts_with(&self.0) {
            return Some(Fit::Beginning);
        }
        let begins = |at: usize| words[at..].concat().starts_with(&self.0);
        (1..words.len()).any(begins).then_some(Fit::LaterWord)
    }
}

/// True for a name that is not in Hindi's letters.
pub fn is_latin(name: &str) -> bool {
    !name.contains(is_devanagari)
}

fn is_devanagari(letter: char) -> bool {
    ('\u{900}'..='\u{97f}').contains(&letter)
}

fn words(name: &str) -> Vec<String> {
    let is_mark = |c: char| !c.is_alphanumeric() && !is_devanagari(c);
    let words = name.split(is_mark).map(|word| word.chars().filter_map(plain_letter).collect());
    words.map(|word: String| word.to_lowercase()).filter(|word| !word.is_empty()).collect()
}

/// Hindi writes some letters with or without a dot below, and two signs for a nasal vowel.
fn plain_letter(letter: char) -> Option<char> {
    match letter {
        '\u{93c}' => None,
        '\u{901}' => Some('\u{902}'),
        '\u{958}'..='\u{95f}' => "कखगजडढफय".chars().nth((u32::from(letter) - 0x958) as usize),
        _ => Some(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_text_fits_a_name_from_the_start_of_a_word_only() {
        for (typed, name, fit) in [
            ("U.S.A.", "USA", Some(Fit::Whole)),
            ("unitedST", "United States", Some(Fit::Beginning)),
            (" states", "United States", Some(Fit::LaterWord)),
            ("ates", "United States", None),
            ("u", "UK", None),
            ("cote divoire", "Cote d'Ivoire", Some(Fit::Whole)),
            ("", "Chad", None),
            ("  ", "Chad", None),
            ("Chad", "", None),
            ("फ़्रांस", "फ्राँस", Some(Fit::Whole)),
            ("न्यू", "न्यूज़ीलैंड", Some(Fit::Beginning)),
            ("\u{95b}", "ज", Some(Fit::Whole)),
        ] {
            assert_eq!(TypedName::of(typed).fit(name), fit, "{typed} {name}");
        }
    }
}
