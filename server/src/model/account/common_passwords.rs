//! Passwords that others would guess first.

/// Whether a password is on the list of common ones, whatever its case.
pub fn is_common(password: &str) -> bool {
    let password = password.to_lowercase();
    COMMON.lines().any(|common| common == password)
}

/// Passwords that guessing programs try first.
const COMMON: &str = include_str!("../../../data/common_passwords.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_passwords_are_known() {
        assert!(is_common("Password") && is_common("123456") && !is_common("chai-at-four"));
    }
}
