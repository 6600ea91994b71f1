//! Random bytes, names and credentials from the operating system.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_length_and_differ() {
        assert_eq!(random_id().len(), 22);
        assert_eq!(random_token().len(), 43);
        assert_ne!(random_token(), random_token());
    }
}
