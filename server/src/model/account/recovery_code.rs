//! Recovery codes on paper, for customers who lose the phone with the authenticator app.

/// Codes made at a time; the first character of each is its index (count).
pub const RECOVERY_CODES: usize = 10;

/// The characters of a code, its index included (count).
const CHARS: usize = 12;

/// Random bytes of a code, of which 55 bits are used (bytes).
pub const RANDOM_BYTES: usize = CHARS - 1;

/// Crockford's base 32, which avoids characters that look alike.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A recovery code in the normal form that is hashed.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    pub fn new(place: usize, random: [u8; RANDOM_BYTES]) -> RecoveryCode {
        let random = random.into_iter().map(|byte| usize::from(byte % 32));
        let indexes = std::iter::once(place).chain(random);
        RecoveryCode(indexes.map(|at| char::from(ALPHABET[at])).collect())
    }

    /// Parses a code as typed from paper; `None` if it cannot be one.
    pub fn parse(text: &str) -> Option<RecoveryCode> {
        let symbols = text.chars().filter(|c| !c.is_whitespace() && *c != '-');
        let symbols = symbols.map(|c| match c.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            c => c,
        });
        let code: String = symbols.take(CHARS + 1).collect();
        let is_symbol = |byte: &u8| ALPHABET.contains(byte);
        (code.len() == CHARS && code.bytes().all(|byte| is_symbol(&byte)))
            .then_some(RecoveryCode(code))
    }

    /// The code's index among those of its account.
    pub fn place(&self) -> &str {
        &self.0[..1]
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The code for people: in groups of four.
    pub fn in_groups(&self) -> String {
        in_groups(&self.0, "-")
    }
}

/// A text in groups of four characters, which are easier to copy.
pub fn in_groups(text: &str, between: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let groups = chars.chunks(4).map(|group| group.iter().collect::<String>());
    groups.collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let code = RecoveryCode::new(7, [0, 1, 31, 32, 64, 9, 10, 11, 12, 13, 255]);
        assert_eq!(code.in_groups(), "701z-009a-bcdz");
        assert_eq!(code.place(), "7");
        for text in ["701z-009a-bcdz", " 7O1Z 0O9A BCDZ ", "7ol Z009abcdz"] {
            let symbols = RecoveryCode::parse(text).map(|symbols| symbols.0);
            assert_eq!(symbols.as_deref(), Some("701z009abcdz"), "{text}");
        }
        for text in ["", "701z-009a-bcd", "701z-009a-bcdz7", "701z-009a-bcdü", "123456"] {
            assert!(RecoveryCode::parse(text).is_none(), "{text}");
        }
    }
}
