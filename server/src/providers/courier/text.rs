//! Texts of partners.

use crate::limits;

/// Returns a partner's text on one line, cut to the maximum length of a name.
pub(super) fn plain(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let words: String = visible.take(limits::PARTNER_TEXT_CHARS_MAX).collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partners_text_becomes_one_short_line() {
        assert_eq!(plain(" Blue\r\nDart\u{0}  Air "), "Blue Dart Air");
        assert!(plain(&"x".repeat(10_000)).len() <= limits::PARTNER_TEXT_CHARS_MAX);
    }
}
