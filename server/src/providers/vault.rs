//! Encryption of what must not be readable at rest.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;

use crate::random::random_bytes;

/// Bytes of a vault's key.
pub const KEY_BYTES: usize = 32;

/// Seals bytes under a name. What was sealed under one name cannot be passed off under another.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Vault {
    key: Arc<LessSafeKey>,
    prints: hmac::Key,
}

impl Vault {
    pub fn new(key: &[u8; KEY_BYTES]) -> Vault {
        // Another key follows from this one: no key serves two purposes.
        let prints = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), b"prints");
        let key = UnboundKey::new(&AES_256_GCM, key).expect("32 bytes are a key for AES-256");
        Vault {
            key: Arc::new(LessSafeKey::new(key)),
            prints: hmac::Key::new(hmac::HMAC_SHA256, prints.as_ref()),
        }
    }

    /// A text as [`Vault::seal`] seals it, in base64.
    pub fn seal_text(&self, name: &str, text: &str) -> io::Result<String> {
        Ok(STANDARD.encode(self.seal(name, text.as_bytes().to_vec())?))
    }

    /// The text as it was sealed.
    pub fn open_text(&self, name: &str, sealed: &str) -> io::Result<String> {
        let sealed = STANDARD.decode(sealed).map_err(|_| changed())?;
        String::from_utf8(self.open(name, sealed)?).map_err(|_| changed())
    }

    /// The same for the same text under the same name, and nothing can be learnt from it.
    pub fn print(&self, name: &str, text: &str) -> String {
        let print = hmac::sign(&self.prints, format!("{name}\n{text}").as_bytes());
        STANDARD.encode(print)
    }

    /// The content, readable only by [`Vault::open`] with the same name.
    pub fn seal(&self, name: &str, mut content: Vec<u8>) -> io::Result<Vec<u8>> {
        let nonce = random_bytes::<NONCE_LEN>();
        self.key
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(name.as_bytes()),
                &mut content,
            )
            .map_err(|_| broken("it could not be encrypted"))?;
        Ok([nonce.as_slice(), &content].concat())
    }

    /// The content as it was sealed.
    pub fn open(&self, name: &str, mut sealed: Vec<u8>) -> io::Result<Vec<u8>> {
        let (nonce, _) = sealed.split_first_chunk().ok_or_else(changed)?;
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let aad = Aad::from(name.as_bytes());
        let length = self
            .key
            .open_within(nonce, aad, &mut sealed, NONCE_LEN..)
            .map_err(|_| changed())?
            .len();
        sealed.truncate(length);
        Ok(sealed)
    }
}

fn changed() -> io::Error {
    broken("it was changed, or its key is another")
}

fn broken(words: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_under_its_name_and_key_only() {
        let vault = Vault::new(&[7; KEY_BYTES]);
        let sealed = vault.seal("asha", b"22 MG Road".to_vec()).unwrap();
        assert!(!sealed.windows(2).any(|bytes| bytes == b"MG"));
        assert_ne!(sealed, vault.seal("asha", b"22 MG Road".to_vec()).unwrap());
        assert_eq!(vault.open("asha", sealed.clone()).unwrap(), b"22 MG Road");
        assert!(vault.open("ravi", sealed.clone()).is_err());
        assert!(
            Vault::new(&[8; KEY_BYTES])
                .open("asha", sealed.clone())
                .is_err()
        );
        let text = vault.seal_text("asha", "22 MG Road").unwrap();
        assert_eq!(vault.open_text("asha", &text).unwrap(), "22 MG Road");
        assert!(vault.open_text("asha", "22 MG Road").is_err());
        let print = vault.print("asha", "22 MG Road");
        assert_eq!(print, vault.print("asha", "22 MG Road"));
        assert_ne!(print, vault.print("ravi", "22 MG Road"));
        for length in [0, 5, sealed.len() - 1] {
            assert!(vault.open("asha", sealed[..length].to_vec()).is_err());
        }
    }
}
