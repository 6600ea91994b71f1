//! The documents that customers agree to when they open an account.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::account::security_event::Origin;

/// A text that is agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Agreed {
    Terms,
    Privacy,
}

impl Agreed {
    pub const ALL: [Agreed; 2] = [Agreed::Terms, Agreed::Privacy];

    /// The word in the database.
    pub fn word(self) -> &'static str {
        match self {
            Agreed::Terms => "terms",
            Agreed::Privacy => "privacy",
        }
    }

    pub fn parse(word: &str) -> Option<Agreed> {
        Agreed::ALL.into_iter().find(|it| it.word() == word)
    }

    /// The date from which the present text is in force. The page states it too: when a page's
    /// promises change, both must be changed.
    pub fn version(self) -> &'static str {
        match self {
            Agreed::Terms | Agreed::Privacy => "2026-11-30",
        }
    }
}

/// An agreement as its customer sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Agreement {
    pub document: Agreed,
    /// A day, as in `2026-11-23`.
    pub version: String,
    #[serde(rename = "agreed_at")]
    pub agreed_ms: i64,
    #[serde(skip)]
    pub origin: Origin,
}

impl Agreement {
    /// Agreements to all documents in force now.
    pub fn to_all(origin: &Origin, now_ms: i64) -> Vec<Agreement> {
        let to = |document: Agreed| Agreement {
            document,
            version: document.version().to_owned(),
            agreed_ms: now_ms,
            origin: origin.clone(),
        };
        Agreed::ALL.map(to).into()
    }
}
