//! Words in typed values, from `server/data/typed_words.json`. The browser reads the same file.

use std::sync::LazyLock;

use serde::Deserialize;

/// In each list a word stands before those that it begins or ends with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    pub rupees: Vec<String>,
    pub kilograms: Vec<String>,
    pub grams: Vec<String>,
    pub centimetres: Vec<String>,
    pub millimetres: Vec<String>,
    pub months: Vec<String>,
}

pub(super) static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let json = include_str!("../../../data/typed_words.json");
    serde_json::from_str(json).expect("typed_words.json is well formed")
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_hides_a_longer_one() {
        let Words { rupees, kilograms, grams, centimetres, millimetres, months } = &*WORDS;
        for list in [rupees, kilograms, grams, centimetres, millimetres, months] {
            for (at, word) in list.iter().enumerate() {
                let hides = |it: &&String| word.starts_with(*it) || word.ends_with(*it);
                assert_eq!(list[..at].iter().find(hides), None, "{word}");
            }
        }
    }
}
