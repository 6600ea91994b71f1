//! Two-step login: the data of its set-up, typed codes, and recovery codes on paper, for
//! customers who lose the phone with the authenticator app.

use qrcode::{Color, EcLevel, QrCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::account::totp;
use crate::model::input::characters::{code, is_digits};

pub const OFF: &str = "Two-step login is off. You were logged out everywhere else.";

/// Shown when the second step came too late.
pub const TOO_LATE: &str = "That took too long. Please log in again.";

pub enum TypedCode {
    /// A code of the authenticator app.
    Totp(String),
    Recovery(RecoveryCode),
}

impl TypedCode {
    /// Returns `None` for a text that is neither.
    pub fn parse(text: &str) -> Option<TypedCode> {
        let digits = code(text);
        let is_totp = digits.len() == totp::DIGITS && is_digits(&digits);
        match is_totp {
            true => Some(TypedCode::Totp(digits)),
            false => RecoveryCode::parse(text).map(TypedCode::Recovery),
        }
    }
}

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
        let typed = code(text);
        let symbols = typed.chars().map(|c| match c.to_ascii_lowercase() {
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

/// The second step of a login, as it comes over the wire.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = LoginCode)]
pub struct RawLoginCode {
    /// From the authenticator app, or a recovery code.
    #[schema(required)]
    pub code: String,
    /// The answer of the first step; a browser has it as a cookie.
    pub challenge: String,
}

/// The secret for an authenticator app.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AppSecret {
    /// To be typed, in groups of four.
    pub secret: String,
    /// Opens the app on the same device; the QR code says the same.
    pub uri: String,
    /// The QR code's modules along one side.
    pub qr_side: usize,
    /// Its dark modules as an SVG path, in which a module is 1 by 1.
    pub qr_path: String,
}

impl AppSecret {
    /// The secret for the account with this username. `None` if it is too long for a QR code.
    pub fn new(secret: &[u8], username: &str) -> Option<AppSecret> {
        let secret = totp::in_base32(secret);
        let label: String = url::form_urlencoded::byte_serialize(username.as_bytes()).collect();
        // In a URL's path a plus sign is not a space.
        let label = label.replace('+', "%20");
        let uri = format!("otpauth://totp/Dakiya:{label}?secret={secret}&issuer=Dakiya");
        let qr = QrCode::with_error_correction_level(&uri, EcLevel::M).ok()?;
        let (qr_side, qr_path) = (qr.width(), path(&qr));
        Some(AppSecret { secret: in_groups(&secret, " "), uri, qr_side, qr_path })
    }
}

/// An SVG path with one stroke for each run of dark modules in a row.
fn path(qr: &QrCode) -> String {
    use std::fmt::Write;
    let (side, colors) = (qr.width(), qr.to_colors());
    let mut path = String::new();
    for (y, row) in colors.chunks(side).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            if run[0] == Color::Dark {
                let length = run.len();
                let _ = write!(path, "M{x} {y}h{length}v1h-{length}z");
            }
            x += run.len();
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_of_an_app_is_told_from_a_recovery_code() {
        let is_totp = |text| matches!(TypedCode::parse(text), Some(TypedCode::Totp(_)));
        assert!(is_totp("123456") && is_totp(" 123 456 "));
        let recovery = TypedCode::parse("701z-009a-bcdz");
        assert!(matches!(recovery, Some(TypedCode::Recovery(_))));
        for nothing in ["", "12345", "1234567", "12345a", "१२३४५"] {
            assert!(TypedCode::parse(nothing).is_none(), "{nothing}");
        }
    }

    #[test]
    fn the_longest_name_fits_into_a_qr_code() {
        let app_secret = AppSecret::new(&[7; totp::SECRET_BYTES], &"आ".repeat(64)).unwrap();
        assert_eq!(app_secret.secret.split(' ').count(), 8);
        let key = app_secret.secret.replace(' ', "");
        assert!(app_secret.uri.starts_with("otpauth://totp/Dakiya:%E0%A4%86"));
        assert!(app_secret.uri.ends_with(&format!("?secret={key}&issuer=Dakiya")));
        assert!(app_secret.qr_side > 40 && app_secret.qr_path.starts_with("M0 0h7v1h-7z"));
    }

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
