//! Devices at which an account was logged in before. Each has a word of its own, which says for one
//! account: strangers' wrong passwords do not keep this one out. It is no credential.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;

use crate::limits;
use crate::random::random_id;

/// Gives devices their words and knows them again. Nothing is kept: a word is sealed.
#[derive(Clone, Debug)]
pub struct KnownDevices(hmac::Key);

impl KnownDevices {
    pub fn new(key: hmac::Key) -> KnownDevices {
        KnownDevices(key)
    }

    /// A word for a device at which this account was just logged in.
    pub fn word(&self, user_id: &str) -> String {
        let device = random_id();
        let seal = hmac::sign(&self.0, sealed(user_id, &device).as_bytes());
        format!("{device}.{}", URL_SAFE_NO_PAD.encode(seal))
    }

    /// The device of a word, if it is one for this account. Compares in constant time.
    pub fn device<'a>(&self, user_id: &str, word: &'a str) -> Option<&'a str> {
        if word.len() > limits::DEVICE_WORD_BYTES_MAX {
            return None;
        }
        let (device, seal) = word.split_once('.')?;
        let seal = URL_SAFE_NO_PAD.decode(seal).ok()?;
        let sealed = sealed(user_id, device);
        let genuine = hmac::verify(&self.0, sealed.as_bytes(), &seal).is_ok();
        genuine.then_some(device)
    }
}

fn sealed(user_id: &str, device: &str) -> String {
    format!("{user_id}\n{device}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn devices(key: &[u8]) -> KnownDevices {
        KnownDevices::new(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    #[test]
    fn a_word_is_good_for_its_own_account_only() {
        let devices = devices(b"one");
        let word = devices.word("asha");
        let device = devices.device("asha", &word);
        assert!(device.is_some_and(|device| word.starts_with(device)));
        assert_eq!(devices.device("ravi", &word), None);
        assert_eq!(self::devices(b"other").device("asha", &word), None);
        for wrong in ["", ".", "x.", &word[1..], &"x.".repeat(1_000)] {
            assert_eq!(devices.device("asha", wrong), None, "{wrong}");
        }
    }
}
