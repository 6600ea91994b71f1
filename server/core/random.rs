//! Random bytes, ids and credentials from the operating system.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// An id that cannot be guessed: 128 random bits, 22 characters of `A-Za-z0-9_-`.
pub fn random_id() -> String {
    URL_SAFE_NO_PAD.encode(random_bytes::<16>())
}

/// An id for a row, of the same length: the time, then 80 random bits. Rows written at about the
/// same time are neighbours in every index, so that writes change few pages.
pub fn row_id(now_ms: i64) -> String {
    let mut name = [0; 16];
    let (time, rest) = name.split_at_mut(6);
    time.copy_from_slice(&now_ms.to_be_bytes()[2..]);
    rest.copy_from_slice(&random_bytes::<10>());
    URL_SAFE_NO_PAD.encode(name)
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
        assert_eq!(row_id(1_795_609_470_165).len(), 22);
        assert_ne!(row_id(1_795_609_470_165), row_id(1_795_609_470_165));
    }

    #[test]
    fn rows_of_one_minute_have_names_that_begin_alike() {
        let now_ms = 1_795_609_470_165;
        assert_eq!(row_id(now_ms)[..4], row_id(now_ms + 60_000)[..4]);
        assert_ne!(row_id(now_ms)[..8], row_id(now_ms + 60_000)[..8]);
    }
}
