//! The databases that the store works on.

use super::conn::Conn;

/// One statement in the dialect of each database.
pub(crate) struct PerBackend {
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

impl PerBackend {
    pub fn of(&self, conn: &Conn) -> &'static str {
        match conn {
            Conn::Sqlite(_) => self.sqlite,
            Conn::Postgres(_) => self.postgres,
        }
    }
}

/// The database behind the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Sqlite,
    Postgres,
}
