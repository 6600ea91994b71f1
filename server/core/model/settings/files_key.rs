//! Keys for encryption at rest.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::limits;

pub const KEY_BYTES: usize = 32;

/// An AES-256 key. `Debug` prints no part of it.
#[derive(Clone, PartialEq, Eq)]
pub struct FilesKey([u8; KEY_BYTES]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not 32 bytes in base64, nor a list of them like 2026:…,2025:…")]
pub struct NotAFilesKey;

impl FilesKey {
    pub const fn new(bytes: [u8; KEY_BYTES]) -> FilesKey {
        FilesKey(bytes)
    }

    /// The key's bytes, for the only module that encrypts with them.
    pub const fn expose(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }

    /// The key in base64, as it is configured and stored.
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

/// A key and its id, which is stored with everything it encrypts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedKey {
    /// Lower-case letters, digits and hyphens.
    pub id: String,
    pub key: FilesKey,
}

/// Keys in order: the first one encrypts, and all of them decrypt. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilesKeys(Vec<NamedKey>);

impl FilesKeys {
    pub fn current(&self) -> &NamedKey {
        &self.0[0]
    }

    pub fn iter(&self) -> impl Iterator<Item = &NamedKey> {
        self.0.iter()
    }

    /// All keys, the one with this id first.
    pub fn for_opening<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a NamedKey> {
        let is_named = move |key: &&NamedKey| key.id == id;
        let others = self.0.iter().filter(move |key| !is_named(key));
        self.0.iter().filter(is_named).chain(others)
    }
}

impl From<FilesKey> for FilesKeys {
    fn from(key: FilesKey) -> FilesKeys {
        // The id of a key that was configured without one.
        FilesKeys(vec![NamedKey { id: "1".to_owned(), key }])
    }
}

/// Parses `id:base64,id:base64`, with commas or one key per line, or a single key in base64.
impl FromStr for FilesKeys {
    type Err = NotAFilesKey;

    fn from_str(text: &str) -> Result<FilesKeys, NotAFilesKey> {
        if !text.contains(':') {
            return Ok(text.parse::<FilesKey>()?.into());
        }
        let listed = text.split([',', '\n']).map(str::trim);
        let keys = listed
            .filter(|key| !key.is_empty())
            .map(parse_named_key)
            .collect::<Result<Vec<_>, _>>()?;
        let twice = |(at, key): (usize, &NamedKey)| {
            let before = &keys[..at];
            before.iter().any(|it| it.id == key.id || it.key == key.key)
        };
        match keys.len() > limits::FILES_KEYS_MAX || keys.iter().enumerate().any(twice) {
            true => Err(NotAFilesKey),
            false => Ok(FilesKeys(keys)),
        }
    }
}

fn parse_named_key(text: &str) -> Result<NamedKey, NotAFilesKey> {
    let (id, key) = text.split_once(':').ok_or(NotAFilesKey)?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let fits = (1..=limits::FILES_KEY_ID_BYTES_MAX).contains(&id.len());
    match fits && id.bytes().all(plain) {
        true => Ok(NamedKey { id: id.to_owned(), key: key.parse()? }),
        false => Err(NotAFilesKey),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: FilesKey = FilesKey::new([7; KEY_BYTES]);

    const TWO: FilesKey = FilesKey::new([8; KEY_BYTES]);

    #[test]
    fn a_key_reads_as_it_is_written_and_is_not_printed() {
        assert_eq!(ONE.to_base64().parse(), Ok(ONE.clone()));
        assert_eq!(format!("{ONE:?}"), "FilesKey(…)");
        for text in ["", "short", "AAAA", "!"] {
            assert_eq!(text.parse::<FilesKey>(), Err(NotAFilesKey), "{text}");
        }
    }

    #[test]
    fn of_a_list_of_keys_the_first_seals_and_each_has_a_name_of_its_own() {
        let (one, two) = (ONE.to_base64(), TWO.to_base64());
        let ids = |text: &str| {
            let keys = text.parse::<FilesKeys>().expect(text);
            keys.iter().map(|it| it.id.clone()).collect::<Vec<_>>()
        };
        assert_eq!(ids(&one), ["1"]);
        assert_eq!(ids(&format!("2026-b:{two},a:{one}")), ["2026-b", "a"]);
        assert_eq!(ids(&format!("b:{two}\na:{one}\n")), ["b", "a"]);
        let keys: FilesKeys = format!("b:{two},a:{one}").parse().unwrap();
        assert_eq!(keys.current().key, TWO);
        let first = |id| keys.for_opening(id).next().unwrap().id.clone();
        assert_eq!([first("a"), first("z")], ["a", "b"]);
        assert_eq!(keys.for_opening("a").count(), 2);
        for wrong in [
            "a:".to_owned(),
            format!(":{one}"),
            format!("A:{one}"),
            format!("a:{one},{two}"),
            format!("a:{one},a:{two}"),
            format!("a:{one},b:{one}"),
            format!("{}:{one}", "x".repeat(limits::FILES_KEY_ID_BYTES_MAX + 1)),
        ] {
            assert_eq!(wrong.parse::<FilesKeys>(), Err(NotAFilesKey), "{wrong}");
        }
    }
}
