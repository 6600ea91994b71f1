//! How the database came to be: the files of `migrations`, in the order of their numbers.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, Connection as _, Row, SqlStr};

use super::{Conn, set_statement_time};
use crate::error::{Error, Result};

include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Brings the schema up to date, on a connection of its own.
///
/// # Errors
/// `Internal` when a migration fails, or the database knows one that is not here or is another.
pub async fn run(url: &str) -> Result<()> {
    let mut conn = AnyConnection::connect(url).await?;
    if conn.backend_name() != "SQLite" {
        // A migration takes its time.
        set_statement_time(&mut conn, 0).await?;
    }
    migrator().run(&mut conn).await.map_err(Error::internal)?;
    Ok(conn.close().await?)
}

/// Whether the schema is somebody else's: then we only read and write what is in it.
pub async fn is_owned_by_another(conn: &mut Conn) -> Result<bool> {
    let owned = "select case when pg_has_role(relowner, 'usage') then 0 else 1 end from pg_class
                 where oid = to_regclass('_sqlx_migrations')";
    let owned: Option<i32> = sqlx::query_scalar(owned).fetch_optional(conn).await?;
    Ok(owned == Some(1))
}

/// That the schema is as this program wants it, where we may not change it.
///
/// # Errors
/// `Internal`, saying what to do, when it is older or newer.
pub async fn check(conn: &mut Conn) -> Result<()> {
    let applied = "select version, checksum from _sqlx_migrations where success order by version";
    let applied = sqlx::query(applied).fetch_all(conn).await?;
    let applied = applied
        .iter()
        .map(|row| Ok((row.try_get("version")?, row.try_get("checksum")?)));
    let applied: Vec<(i64, Vec<u8>)> = applied.collect::<Result<_>>()?;
    let ours = migrator();
    let wanted = ours.iter().map(|it| (it.version, it.checksum.to_vec()));
    match wanted.eq(applied) {
        true => Ok(()),
        false => Err(Error::internal(anyhow::anyhow!(
            "the database is not as this program wants it, and belongs to another role: \
             run `dakiya migrate` of this version as that role first"
        ))),
    }
}

fn migrator() -> Migrator {
    let migration = |&(number, words, text): &(i64, &'static str, &'static str)| {
        let text = SqlStr::from_static(text);
        Migration::new(number, words.into(), MigrationType::Simple, text, false)
    };
    let migrations = MIGRATIONS.iter().map(migration).collect();
    Migrator::with_migrations(migrations)
}
