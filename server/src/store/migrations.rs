//! How the database came to be: the files of `migrations`, in the order of their numbers.

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::Conn;
use crate::error::{Error, Result};

include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Brings the schema up to date.
///
/// # Errors
/// `Internal` when a migration fails, or the database knows one that is not here or is another.
pub async fn run(conn: &mut Conn) -> Result<()> {
    let migration = |&(number, words, text): &(i64, &'static str, &'static str)| {
        let text = SqlStr::from_static(text);
        Migration::new(number, words.into(), MigrationType::Simple, text, false)
    };
    let migrations = MIGRATIONS.iter().map(migration).collect();
    let migrator = Migrator::with_migrations(migrations);
    migrator.run(conn).await.map_err(Error::internal)
}
