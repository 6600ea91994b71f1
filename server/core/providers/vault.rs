//! Encryption at rest.
//!
//! Every sealed value carries the id of its key, so that keys can be rotated: the first key seals,
//! all known keys open.

use std::io::{self, ErrorKind};
use std::sync::{Arc, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac::{self, HMAC_SHA256};

use crate::model::settings::files_key::{FilesKey, FilesKeys, KEY_BYTES, NamedKey};
use crate::random::random_bytes;

/// The purpose of the derived keys that seal customers' files.
pub(super) const FILES: &str = "files";

/// The purpose of the derived keys that seal customers' form input.
pub const FORMS: &str = "forms";

/// The keys of the process, which can be changed while it runs. Clones share them.
#[derive(Clone, Debug)]
pub struct Keyring(Arc<RwLock<Arc<FilesKeys>>>);

impl Keyring {
    pub fn new(keys: FilesKeys) -> Keyring {
        Keyring(Arc::new(RwLock::new(Arc::new(keys))))
    }

    /// Replaces the keys.
    pub fn change(&self, keys: FilesKeys) {
        *self.0.write().expect("no holder panics") = Arc::new(keys);
    }

    /// True if these are the keys in use.
    pub fn holds(&self, keys: &FilesKeys) -> bool {
        *self.all() == *keys
    }

    /// Returns the ids of all keys. The first key seals.
    pub fn ids(&self) -> Vec<String> {
        self.all().iter().map(|key| key.id.clone()).collect()
    }

    /// Returns a vault with keys derived from these, from which these cannot be computed.
    pub fn vault(&self, purpose: &'static str) -> Vault {
        Vault { keyring: self.clone(), purpose }
    }

    /// Returns a signer for another purpose, such as OTPs.
    pub fn signer(&self, purpose: &'static str) -> Signer {
        Signer { keyring: self.clone(), purpose }
    }

    fn all(&self) -> Arc<FilesKeys> {
        self.0.read().expect("no holder panics").clone()
    }
}

/// Derives the key of one purpose. A configured key serves this alone: it encrypts and signs
/// nothing itself.
fn derive_key(key: &FilesKey, purpose: &str) -> [u8; KEY_BYTES] {
    let root = hmac::Key::new(HMAC_SHA256, key.expose());
    let key = hmac::sign(&root, purpose.as_bytes());
    key.as_ref().try_into().expect("SHA-256 gives 32 bytes")
}

/// Signs texts (HMAC-SHA256) and verifies its signatures. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Signer {
    keyring: Keyring,
    purpose: &'static str,
}

impl Signer {
    pub fn sign(&self, text: &str) -> hmac::Tag {
        let keys = self.keyring.all();
        hmac::sign(&self.key(keys.current()), text.as_bytes())
    }

    /// True if one of the keys signed this text. Compares in constant time.
    pub fn verify(&self, text: &str, signature: &[u8]) -> bool {
        let keys = self.keyring.all();
        let signed =
            |key: &NamedKey| hmac::verify(&self.key(key), text.as_bytes(), signature).is_ok();
        keys.iter().any(signed)
    }

    fn key(&self, key: &NamedKey) -> hmac::Key {
        hmac::Key::new(HMAC_SHA256, &derive_key(&key.key, self.purpose))
    }
}

/// Encrypts bytes under a name, and decrypts them only under the same name: a sealed value that is
/// copied to another row or file cannot be read there. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Vault {
    keyring: Keyring,
    purpose: &'static str,
}

/// The start of sealed bytes. The id of the key and a newline follow.
const MARK: &[u8] = b"dakiya\0";

impl Vault {
    /// Seals a text like [`Vault::seal`], as `id:base64`.
    pub fn seal_text(&self, name: &str, text: &str) -> io::Result<String> {
        self.seal_as_text(name, text.as_bytes().to_vec())
    }

    pub fn open_text(&self, name: &str, sealed: &str) -> io::Result<String> {
        String::from_utf8(self.open_from_text(name, sealed)?).map_err(|_| changed_error())
    }

    /// Seals bytes like [`Vault::seal`], as `id:base64`.
    pub fn seal_as_text(&self, name: &str, content: Vec<u8>) -> io::Result<String> {
        let keys = self.keyring.all();
        let key = keys.current();
        let sealed = self.sealed(key, name, content)?;
        Ok(format!("{}:{}", key.id, STANDARD.encode(sealed)))
    }

    pub fn open_from_text(&self, name: &str, sealed: &str) -> io::Result<Vec<u8>> {
        let (id, sealed) = sealed.split_once(':').ok_or_else(changed_error)?;
        let sealed = STANDARD.decode(sealed).map_err(|_| changed_error())?;
        self.decrypt(id, name, &sealed)
    }

    /// Returns a keyed hash (HMAC-SHA256) of a text as `id:base64`: equal for equal texts under the
    /// same name, and useless without the key.
    pub fn print(&self, name: &str, text: &str) -> String {
        let keys = self.keyring.all();
        let key = keys.current();
        format!("{}:{}", key.id, self.print_with(key, name, text))
    }

    /// Returns all possible prints of the text, one for each key, the present key first.
    pub fn prints(&self, name: &str, text: &str) -> Vec<String> {
        let keys = self.keyring.all();
        let prints =
            keys.iter().map(|key| format!("{}:{}", key.id, self.print_with(key, name, text)));
        prints.collect()
    }

    /// Seals the content, so that only [`Vault::open`] with the same name can read it.
    pub fn seal(&self, name: &str, content: Vec<u8>) -> io::Result<Vec<u8>> {
        let keys = self.keyring.all();
        let key = keys.current();
        let sealed = self.sealed(key, name, content)?;
        Ok([MARK, key.id.as_bytes(), b"\n", &sealed].concat())
    }

    /// Returns the original content.
    pub fn open(&self, name: &str, sealed: &[u8]) -> io::Result<Vec<u8>> {
        let (id, sealed) = split(sealed).ok_or_else(changed_error)?;
        self.decrypt(id, name, sealed)
    }

    fn sealed(&self, key: &NamedKey, name: &str, mut content: Vec<u8>) -> io::Result<Vec<u8>> {
        let nonce = random_bytes::<NONCE_LEN>();
        cipher(&self.bytes(key))
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(name.as_bytes()),
                &mut content,
            )
            .map_err(|_| invalid_data("it could not be encrypted"))?;
        Ok([nonce.as_slice(), &content].concat())
    }

    /// Decrypts with the key of this id, else with another: a wrong key does not decrypt it.
    fn decrypt(&self, id: &str, name: &str, sealed: &[u8]) -> io::Result<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_LEN>().ok_or_else(changed_error)?;
        let keys = self.keyring.all();
        let opened = keys.for_opening(id).find_map(|key| {
            let mut content = sealed.to_vec();
            let nonce = Nonce::assume_unique_for_key(*nonce);
            let aad = Aad::from(name.as_bytes());
            let cipher = cipher(&self.bytes(key));
            let length = cipher.open_in_place(nonce, aad, &mut content).ok()?.len();
            content.truncate(length);
            Some(content)
        });
        opened.ok_or_else(changed_error)
    }

    fn print_with(&self, key: &NamedKey, name: &str, text: &str) -> String {
        // Prints have a key of their own: no key serves two purposes.
        let prints = derive_key(&key.key, &format!("prints of {}", self.purpose));
        let prints = hmac::Key::new(HMAC_SHA256, &prints);
        STANDARD.encode(hmac::sign(&prints, format!("{name}\n{text}").as_bytes()))
    }

    fn bytes(&self, key: &NamedKey) -> [u8; KEY_BYTES] {
        derive_key(&key.key, self.purpose)
    }
}

fn cipher(key: &[u8; KEY_BYTES]) -> LessSafeKey {
    let key = UnboundKey::new(&AES_256_GCM, key).expect("32 bytes are a key for AES-256");
    LessSafeKey::new(key)
}

/// Returns the id of the key that sealed these bytes; the start of the bytes is enough. `None` for
/// bytes that are not sealed.
pub fn key_of(sealed: &[u8]) -> Option<&str> {
    split(sealed).map(|(id, _)| id)
}

/// Splits sealed bytes into the id of the key and the content.
fn split(sealed: &[u8]) -> Option<(&str, &[u8])> {
    let rest = sealed.strip_prefix(MARK)?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let id = std::str::from_utf8(&rest[..end]).ok()?;
    Some((id, &rest[end + 1..]))
}

fn changed_error() -> io::Error {
    invalid_data("it was changed, or its key is not known")
}

pub(super) fn invalid_data(words: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyring(ids: &[&str]) -> Keyring {
        let key = |id: &&str| {
            let byte = id.bytes().next().expect("an id");
            format!("{id}:{}", FilesKey::new([byte; KEY_BYTES]).to_base64())
        };
        let list: Vec<String> = ids.iter().map(key).collect();
        Keyring::new(list.join(",").parse().expect("a list"))
    }

    #[test]
    fn what_was_sealed_opens_under_its_name_and_key_only() {
        for vault in [keyring(&["a"]).vault(FILES), keyring(&["a"]).vault(FORMS)] {
            let sealed = vault.seal("asha", b"22 MG Road".to_vec()).unwrap();
            // Shorter words would sometimes occur in sealed bytes by chance.
            assert!(!sealed.windows(7).any(|bytes| bytes == b"MG Road"));
            assert_ne!(sealed, vault.seal("asha", b"22 MG Road".to_vec()).unwrap());
            assert_eq!(vault.open("asha", &sealed).unwrap(), b"22 MG Road");
            assert!(vault.open("ravi", &sealed).is_err());
            let other = Vault { keyring: keyring(&["b"]), ..vault.clone() };
            assert!(other.open("asha", &sealed).is_err());
            let text = vault.seal_text("asha", "22 MG Road").unwrap();
            assert_eq!(vault.open_text("asha", &text).unwrap(), "22 MG Road");
            assert!(vault.open_text("asha", "22 MG Road").is_err());
            let print = vault.print("asha", "22 MG Road");
            assert_eq!(print, vault.print("asha", "22 MG Road"));
            assert_ne!(print, vault.print("ravi", "22 MG Road"));
            for length in [0, 5, 7, 9, 10, sealed.len() - 1] {
                assert!(vault.open("asha", &sealed[..length]).is_err(), "{length}");
            }
        }
    }

    #[test]
    fn a_configured_key_is_used_for_deriving_only_and_each_derived_key_for_one_purpose() {
        let keyring = keyring(&["a"]);
        let root = keyring.all().current().clone();
        let opens = |key: &[u8; KEY_BYTES], sealed: &str| {
            let (_, sealed) = sealed.split_once(':').unwrap();
            let sealed = STANDARD.decode(sealed).unwrap();
            let (nonce, sealed) = sealed.split_first_chunk::<NONCE_LEN>().unwrap();
            let nonce = Nonce::assume_unique_for_key(*nonce);
            cipher(key).open_in_place(nonce, Aad::from(b"asha"), &mut sealed.to_vec()).is_ok()
        };
        let signs = |key: &[u8; KEY_BYTES], text: &str, tag: &[u8]| {
            hmac::verify(&hmac::Key::new(HMAC_SHA256, key), text.as_bytes(), tag).is_ok()
        };
        for purpose in [FILES, FORMS, "quotes"] {
            let vault = keyring.vault(purpose);
            let own = vault.bytes(&root);
            let sealed = vault.seal_text("asha", "22 MG Road").unwrap();
            assert!(opens(&own, &sealed) && !opens(root.key.expose(), &sealed));
            let print = vault.print("asha", "22 MG Road");
            let print = STANDARD.decode(print.split_once(':').unwrap().1).unwrap();
            let text = "asha\n22 MG Road";
            assert!(!signs(root.key.expose(), text, &print) && !signs(&own, text, &print));
            let other = if purpose == FILES { FORMS } else { FILES };
            assert!(!opens(&keyring.vault(other).bytes(&root), &sealed));
        }
        let tag = keyring.signer("otp").sign("123456");
        assert!(!signs(root.key.expose(), "123456", tag.as_ref()));
        assert!(!keyring.signer("letters").verify("123456", tag.as_ref()));
    }

    #[test]
    fn keys_are_changed_while_what_they_sealed_stays_readable() {
        let keyring = keyring(&["a"]);
        let (vault, signer) = (keyring.vault("forms"), keyring.signer("otp"));
        let (text, bytes) = (
            vault.seal_text("asha", "22 MG Road").unwrap(),
            vault.seal("asha", b"22 MG Road".to_vec()).unwrap(),
        );
        let (print, signed) = (vault.print("asha", "x"), signer.sign("123456"));
        assert!(text.starts_with("a:") && key_of(&bytes) == Some("a"));
        assert_eq!(key_of(&bytes[MARK.len() + 2..]), None);

        keyring.change((*self::keyring(&["b", "a"]).all()).clone());
        assert_eq!(keyring.ids(), ["b", "a"]);
        assert_eq!(vault.open_text("asha", &text).unwrap(), "22 MG Road");
        assert_eq!(vault.open("asha", &bytes).unwrap(), b"22 MG Road");
        let fresh = vault.seal_text("asha", "22 MG Road").unwrap();
        assert!(fresh.starts_with("b:"));
        assert_eq!(vault.prints("asha", "x")[0], vault.print("asha", "x"));
        assert!(vault.prints("asha", "x").contains(&print));
        assert!(
            signer.verify("123456", signed.as_ref()) && !signer.verify("123457", signed.as_ref())
        );

        keyring.change((*self::keyring(&["b"]).all()).clone());
        assert!(vault.open_text("asha", &text).is_err());
        assert_eq!(vault.open_text("asha", &fresh).unwrap(), "22 MG Road");
        assert!(!signer.verify("123456", signed.as_ref()));
    }
}
