//! Characters as phones, keyboards and spreadsheets write them, replaced by plain ones.

use std::sync::LazyLock;

use regex::Regex;

static INVISIBLE: LazyLock<Regex> = LazyLock::new(|| class(r"[\p{Cf}\x{FE00}-\x{FE0F}]"));
static DASH: LazyLock<Regex> = LazyLock::new(|| class(r"[\p{Pd}\x{2212}]"));
static DIGIT: LazyLock<Regex> = LazyLock::new(|| class(r"\p{Nd}"));

/// Distance of a full-width character from its ASCII one (code points).
const FULL_WIDTH: u32 = 0xFEE0;

fn class(pattern: &str) -> Regex {
    Regex::new(&format!("^{pattern}$")).expect("the class is well formed")
}

/// Returns a text without invisible marks and outer spaces, with ASCII digits and with one kind of
/// space and of dash.
pub fn unmarked(text: &str) -> String {
    // Nearly every text.
    if text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') {
        return text.trim().to_owned();
    }
    let plain: String = text.chars().filter_map(plain).collect();
    plain.trim().to_owned()
}

/// Returns a number of letters and digits in capitals, without the characters that group them.
pub fn code(text: &str) -> String {
    let mut code = unmarked(text);
    code.retain(|c| !" -./".contains(c));
    code.make_ascii_uppercase();
    code
}

/// True if every character is an ASCII digit; also for an empty text.
pub fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns `None` for an invisible mark.
fn plain(c: char) -> Option<char> {
    match c {
        c if c.is_whitespace() => Some(' '),
        c if c.is_ascii() => Some(c),
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - FULL_WIDTH),
        // The decimal point and the separator of thousands in Arabic.
        '\u{66B}' => Some('.'),
        '\u{66C}' => Some(','),
        c if is_of(&INVISIBLE, c) => None,
        c if is_of(&DASH, c) => Some('-'),
        c if is_of(&DIGIT, c) => Some(ascii_digit(c)),
        c => Some(c),
    }
}

fn is_of(class: &Regex, c: char) -> bool {
    class.is_match(c.encode_utf8(&mut [0; 4]))
}

/// Returns a digit of any script in ASCII. Every script has its ten digits in a row from zero.
fn ascii_digit(digit: char) -> char {
    let number = u32::from(digit);
    let is_digit = |number: &u32| char::from_u32(*number).is_some_and(|c| is_of(&DIGIT, c));
    let first = (0..number).rev().take_while(is_digit).last().unwrap_or(number);
    char::from_digit((number - first) % 10, 10).unwrap_or(digit)
}
