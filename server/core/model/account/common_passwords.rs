//! Passwords that are guessed first: common ones, and ones made of the account's own data.

use std::cmp::Ordering;

use crate::limits;
use crate::model::account::user::User;

/// Stolen passwords, in lower case, sorted by bytes. The search in the text needs no other memory.
const COMMON: &str = include_str!("../../../data/common_passwords.txt");

/// True if a password is on the list of common ones, regardless of case.
pub fn is_common(password: &str) -> bool {
    let password = password.to_lowercase();
    let (mut from, mut to) = (0, COMMON.len());
    while from < to {
        let middle = usize::midpoint(from, to);
        // The start of the line with the middle byte; a line's end belongs to that line.
        let begin = COMMON.as_bytes()[from..middle]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(from, |at| from + at + 1);
        let line = COMMON[begin..].lines().next().unwrap_or("");
        match line.cmp(&password) {
            Ordering::Equal => return true,
            Ordering::Less => from = begin + line.len() + 1,
            Ordering::Greater => to = begin,
        }
    }
    false
}

/// True if little remains of a password without its owner's public data and our own name.
pub fn is_known(password: &str, owner: &User) -> bool {
    let password = password.to_lowercase();
    let rest = words(owner).iter().fold(password.clone(), |rest, word| rest.replace(word, ""));
    rest.len() < password.len() && rest.chars().count() < limits::PASSWORD_CHARS_MIN
}

/// Words known about the owner, the longest first, as one may be the prefix of another.
fn words(owner: &User) -> Vec<String> {
    let local_part = owner.email.split('@').next().unwrap_or("");
    let national = owner.phone.strip_prefix("+91").unwrap_or("");
    let whole = [
        "dakiya",
        &owner.username,
        local_part,
        &owner.company_name,
        &owner.first_name,
        &owner.last_name,
        owner.phone.trim_start_matches('+'),
        national,
    ];
    let parts = [&owner.company_name, &owner.first_name, &owner.last_name];
    let parts = parts.into_iter().flat_map(|name| name.split_whitespace());
    let all = whole.into_iter().chain(parts).map(str::to_lowercase);
    let mut all: Vec<String> = all.filter(|word| word.chars().count() >= 3).collect();
    all.sort_by_key(|word| std::cmp::Reverse(word.len()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_common_password_is_found_and_no_other() {
        assert!(COMMON.lines().is_sorted());
        assert!(COMMON.lines().count() >= 36_000);
        for common in COMMON.lines() {
            assert!(is_common(common), "{common}");
        }
        assert!(is_common("Password") && is_common("QWERTY123"));
        assert!(is_common("wolfpack1") && is_common("mickey12"), "stolen elsewhere");
        for other in ["chai-at-four", "", "\n", "123456\n1234567", "zzzzzzzzzzzzzz", "!"] {
            assert!(!is_common(other), "{other:?}");
        }
    }

    #[test]
    fn what_is_known_of_an_account_is_no_password_for_it() {
        let owner = User {
            username: "textiles42".to_owned(),
            email: "meena.k@example.in".to_owned(),
            phone: "+919876543210".to_owned(),
            first_name: "Meenakshi".to_owned(),
            last_name: "Rao".to_owned(),
            company_name: "Lotus Weaves".to_owned(),
            ..User::default()
        };
        let known = "Textiles42 textiles42! meena.k Meena.K2026 9876543210 919876543210 \
                     +919876543210 meenakshirao1 lotus-weaves Lotus@123 dakiya2026 DakiyaDakiya";
        for password in known.split(' ') {
            assert!(is_known(password, &owner), "{password}");
        }
        for good in ["chai-at-four", "lotus-in-the-pond", "dakiya-monsoon", "987654-monsoon"] {
            assert!(!is_known(good, &owner), "{good}");
        }
    }
}
