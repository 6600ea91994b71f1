//! A text that must not appear in logs, errors or panics.

use std::fmt;

use serde::Deserialize;
use subtle::ConstantTimeEq;

/// A password or token. `Debug` prints no part of it; only [`Secret::expose`] returns the text.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    /// True if `other` is this secret, compared in constant time.
    pub fn is(&self, other: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(other).into()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Secret {
        Secret(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Secret {
        Secret(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", Secret::new("hunter2")), "Secret(…)");
    }

    #[test]
    fn only_the_whole_secret_is_the_secret() {
        let secret = Secret::new("hunter2");
        assert!(secret.is(b"hunter2"));
        for text in ["", "hunter", "hunter22", "Hunter2"] {
            assert!(!secret.is(text.as_bytes()), "{text}");
        }
    }
}
