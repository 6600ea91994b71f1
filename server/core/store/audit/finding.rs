//! Errors in the books that an audit found.

use serde::{Deserialize, Serialize};

use crate::limits;

/// An error in the books.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFinding {
    /// The number of the first wrong transaction, if the error is in one.
    pub seq: Option<i64>,
    /// The error in words, for operators. Names ids, never people.
    pub text: String,
}

impl AuditFinding {
    pub(super) fn of_row(text: String) -> AuditFinding {
        AuditFinding { seq: None, text }
    }
}

/// The findings of an audit, each once. The first wrong transaction comes first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Findings(Vec<AuditFinding>);

impl Findings {
    pub fn add(&mut self, found: AuditFinding) {
        if self.0.contains(&found) {
            return;
        }
        match found.seq {
            Some(_) => self.0.insert(0, found),
            None => self.0.push(found),
        }
    }

    pub fn list(&self) -> &[AuditFinding] {
        &self.0
    }

    /// True if an operator has more than enough to look at.
    pub fn are_enough(&self) -> bool {
        self.0.len() >= limits::AUDIT_FAULTS_MAX
    }
}
