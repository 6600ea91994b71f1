//! The key that encrypts uploaded documents.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Bytes of an encryption key.
pub const KEY_BYTES: usize = 32;

/// An AES-256 key. `Debug` prints no part of it.
#[derive(Clone, PartialEq, Eq)]
pub struct FilesKey([u8; KEY_BYTES]);

/// A text that is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not 32 bytes in base64")]
pub struct NotAFilesKey;

impl FilesKey {
    pub const fn new(bytes: [u8; KEY_BYTES]) -> FilesKey {
        FilesKey(bytes)
    }

    /// The key itself, for the one place that encrypts with it.
    pub const fn expose(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }

    /// The key as it is configured and stored: in base64.
    pub fn to_base64(&self) -> String {
        STANDARD.encode(self.0)
    }
}

impl FromStr for FilesKey {
    type Err = NotAFilesKey;

    fn from_str(text: &str) -> Result<FilesKey, NotAFilesKey> {
        let bytes = STANDARD.decode(text.trim()).map_err(|_| NotAFilesKey)?;
        bytes.try_into().map(FilesKey).map_err(|_| NotAFilesKey)
    }
}

impl fmt::Debug for FilesKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FilesKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_as_it_is_written_and_is_not_printed() {
        let key = FilesKey::new([7; KEY_BYTES]);
        assert_eq!(key.to_base64().parse(), Ok(key.clone()));
        assert_eq!(format!("{key:?}"), "FilesKey(…)");
        for text in ["", "short", "AAAA", "!"] {
            assert_eq!(text.parse::<FilesKey>(), Err(NotAFilesKey), "{text}");
        }
    }
}
