//! Random names and the hashes of secrets.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Random bytes from the operating system.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// A name nobody can guess: 128 random bits, 22 characters of `A-Za-z0-9_-`.
pub fn random_id() -> String {
    URL_SAFE_NO_PAD.encode(random_bytes::<16>())
}

/// A credential: 256 random bits, 43 characters.
pub fn random_token() -> String {
    URL_SAFE_NO_PAD.encode(random_bytes::<32>())
}

/// SHA-256 in lower-case hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_hash() {
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex(b"abc"), hash);
    }

    #[test]
    fn names_have_their_length_and_differ() {
        assert_eq!(random_id().len(), 22);
        assert_eq!(random_token().len(), 43);
        assert_ne!(random_token(), random_token());
    }
}
