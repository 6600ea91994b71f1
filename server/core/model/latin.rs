//! Names and addresses in Latin letters, for couriers that take no others.

use std::iter::Peekable;
use std::str::Chars;

/// Spells a text in Latin letters. Letters up to U+00FF stay, as couriers take them.
pub fn latin(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\0'..='\u{ff}' => spelled.push(c),
            _ => {
                spelled.push_str(any_ascii::any_ascii_char(c));
                if has_inherent_vowel(c, &mut rest) {
                    spelled.push('a');
                }
            }
        }
    }
    spelled
}

/// True for a consonant of India that is spoken with an "a" after it: no other vowel, no sign that
/// takes its vowel away and, in the scripts of the north, no end of the word follows.
fn has_inherent_vowel(c: char, rest: &mut Peekable<Chars<'_>>) -> bool {
    let Some(Sign::Consonant) = sign(c) else {
        return false;
    };
    match rest.peek().map(|next| (sign(*next), next.is_alphabetic())) {
        Some((Some(Sign::Vowel | Sign::Silencer | Sign::Dot), _)) => false,
        Some((Some(Sign::Consonant | Sign::Nasal), _) | (None, true)) => true,
        _ => !is_northern(c),
    }
}

enum Sign {
    Consonant,
    /// A vowel that is written at a consonant.
    Vowel,
    /// Takes the consonant's own vowel away.
    Silencer,
    /// Changes the consonant itself.
    Dot,
    /// Follows the vowel.
    Nasal,
}

/// The blocks of India's scripts from Devanagari to Malayalam have one order of 128 places.
fn sign(c: char) -> Option<Sign> {
    let code = u32::from(c);
    if !(0x0900..0x0d80).contains(&code) {
        return None;
    }
    match code % 0x80 {
        0x01..=0x03 => Some(Sign::Nasal),
        0x15..=0x39 | 0x58..=0x5f => Some(Sign::Consonant),
        0x3c => Some(Sign::Dot),
        0x3e..=0x4c => Some(Sign::Vowel),
        0x4d => Some(Sign::Silencer),
        _ => None,
    }
}

/// Devanagari, Bengali, Gurmukhi and Gujarati: "राम" is spoken as "Ram".
fn is_northern(c: char) -> bool {
    u32::from(c) < 0x0b00
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_scripts_can_be_read_in_latin_letters() {
        for (text, spelled) in [
            ("Asha Rao, Café 7", "Asha Rao, Café 7"),
            ("राम नगर", "ram nagar"),
            ("முருகன்", "murukan"),
            ("Анна Петрова", "Anna Petrova"),
            ("Ελένη", "Eleni"),
            ("Nguyễn", "Nguyen"),
        ] {
            assert_eq!(latin(text), spelled, "{text}");
        }
    }

    #[test]
    fn each_script_of_indias_currency_note_is_spelled_in_latin_letters() {
        for text in [
            "রবি কুমার",
            "ৰাজু",
            "હિતેશ પટેલ",
            "ಶ್ರೀನಿವಾಸ",
            "سلمیٰ بیگم",
            "ശ്രീകുമാർ",
            "ସୁମିତ୍ରା",
            "ਸੁਖਵਿੰਦਰ",
            "శ్రీనివాస్",
            "王小明",
            "서울",
            "สมชาย",
        ] {
            let spelled = latin(text);
            assert!(spelled.is_ascii() && spelled.len() > 2, "{text}: {spelled}");
        }
    }
}
