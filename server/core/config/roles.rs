//! The work that a process does.

use std::fmt;
use std::str::FromStr;

use super::reader::Reader;

/// The variable that names the roles.
pub(super) const NAME: &str = "DAKIYA_ROLES";

const EXPECTED: &str = "web, worker, or both with a comma";

/// At least one of them is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// It serves customers.
    pub web: bool,
    /// It does background work.
    pub worker: bool,
}

impl Roles {
    const BOTH: Roles = Roles { web: true, worker: true };
}

impl FromStr for Roles {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Roles, &'static str> {
        let mut roles = Roles { web: false, worker: false };
        for word in text.split(',') {
            match word.trim() {
                "web" => roles.web = true,
                "worker" => roles.worker = true,
                _ => return Err(EXPECTED),
            }
        }
        Ok(roles)
    }
}

impl fmt::Display for Roles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match (self.web, self.worker) {
            (true, true) => "web,worker",
            (true, false) => "web",
            (false, _) => "worker",
        })
    }
}

impl Reader<'_> {
    pub(super) fn roles(&mut self) -> Roles {
        self.parse(NAME, &Roles::BOTH.to_string(), EXPECTED).unwrap_or(Roles::BOTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::read;

    #[test]
    fn a_process_has_both_roles_unless_it_is_told_one() {
        assert_eq!(read(&[]).unwrap().roles, Roles::BOTH);
        for (text, web, worker) in
            [("web", true, false), ("worker", false, true), ("worker, web", true, true)]
        {
            let roles = read(&[(NAME, text)]).unwrap().roles;
            assert_eq!(roles, Roles { web, worker }, "{text}");
            assert_eq!(roles.to_string().parse(), Ok(roles));
        }
        for wrong in ["none", "web,", "web worker"] {
            let problems = read(&[(NAME, wrong)]).unwrap_err().to_string();
            assert!(problems.contains("DAKIYA_ROLES must be web, worker, or both"), "{problems}");
        }
    }
}
