//! NUL in what is sent: Postgres stores it in no text, so it becomes Unicode's replacement
//! character before anything is read.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// Replaces NUL in the encoded pairs of a form or a query.
pub fn pairs_without_nul(encoded: &str) -> String {
    encoded.replace("%00", "%EF%BF%BD").replace('\0', "\u{fffd}")
}

/// Reads JSON that was sent within a form's field.
pub fn read_json<T: DeserializeOwned>(json: &str) -> serde_json::Result<T> {
    serde_json::from_str(&json_without_nul(json))
}

/// Replaces NUL in the texts of JSON, where it can only be escaped.
pub fn json_without_nul(json: &str) -> Cow<'_, str> {
    const NUL: &str = "\\u0000";
    if !json.contains(NUL) {
        return Cow::Borrowed(json);
    }
    let (mut plain, mut rest) = (String::with_capacity(json.len()), json);
    while let Some((before, escape)) = rest.find('\\').map(|at| rest.split_at(at)) {
        plain.push_str(before);
        if let Some(after) = escape.strip_prefix(NUL) {
            plain.push_str("\\ufffd");
            rest = after;
            continue;
        }
        // A backslash and the character after it, which may be a backslash too.
        let length: usize = escape.chars().take(2).map(char::len_utf8).sum();
        let (escape, after) = escape.split_at(length);
        plain.push_str(escape);
        rest = after;
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_an_escaped_nul_is_replaced() {
        for (json, plain) in [
            (r#"{"a\u0000":"\u0000b"}"#, r#"{"a\ufffd":"\ufffdb"}"#),
            (r#""\\u0000""#, r#""\\u0000""#),
            (r#""\\\u0000\"""#, r#""\\\ufffd\"""#),
            (r#""\u0000\"#, r#""\ufffd\"#),
            (r#""\u00001\u0001""#, r#""\ufffd1\u0001""#),
            ("{}", "{}"),
        ] {
            assert_eq!(json_without_nul(json), plain);
        }
        assert_eq!(pairs_without_nul("a%00=b\0&c=%2500"), "a%EF%BF%BD=b\u{fffd}&c=%2500");
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_it_was_sent_but_for_nul(text in r#"[\x00"\\u0a-c\u{915}]{0,20}"#) {
            let json = serde_json::to_string(&text).unwrap();
            let read: String = read_json(&json).unwrap();
            prop_assert_eq!(read, text.replace('\0', "\u{fffd}"));
        }
    }
}
