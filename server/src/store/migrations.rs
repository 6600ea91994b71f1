//! Migrations of the database: the files of `migrations`, in the order of their numbers.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, Connection as _, Row, SqlStr};

use super::{Backend, Conn, PerBackend, set_statement_time};
use crate::error::{Error, Result};

include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Brings the schema up to date, on a separate connection.
///
/// # Errors
/// `Internal` if a migration fails, or if the database has one that is missing here or differs.
pub(crate) async fn run(url: &str, backend: Backend) -> Result<()> {
    let mut conn = AnyConnection::connect(url).await?;
    if backend == Backend::Postgres {
        // A migration may take longer than the statement timeout.
        set_statement_time(&mut conn, 0).await?;
    }
    let migrated = migrator(backend).run(&mut conn).await;
    migrated.map_err(Error::internal)?;
    Ok(conn.close().await?)
}

/// True if another role owns the schema: then we only read and write its tables.
pub(crate) async fn is_owned_by_another(conn: &mut Conn) -> Result<bool> {
    let owned = "select case when pg_has_role(relowner, 'usage') then 0 else 1 end from pg_class
                 where oid = to_regclass('_sqlx_migrations')";
    let owned: Option<i32> = sqlx::query_scalar(owned).fetch_optional(conn).await?;
    Ok(owned == Some(1))
}

/// True if exactly these migrations were applied.
pub(crate) async fn are_applied(conn: &mut Conn, backend: Backend) -> Result<bool> {
    const ANY: PerBackend = PerBackend {
        sqlite: "select count(*) from sqlite_schema where name = '_sqlx_migrations'",
        postgres: "select count(*) from pg_class where oid = to_regclass('_sqlx_migrations')",
    };
    let any: i64 = sqlx::query_scalar(ANY.of(conn))
        .fetch_one(&mut *conn)
        .await?;
    if any == 0 {
        return Ok(false);
    }
    let applied = "select version, checksum from _sqlx_migrations where success order by version";
    let applied = sqlx::query(applied).fetch_all(conn).await?;
    let applied = applied
        .iter()
        .map(|row| Ok((row.try_get("version")?, row.try_get("checksum")?)));
    let applied: Vec<(i64, Vec<u8>)> = applied.collect::<Result<_>>()?;
    let ours = migrator(backend);
    let wanted = ours.iter().map(|it| (it.version, it.checksum.to_vec()));
    Ok(wanted.eq(applied))
}

fn migrator(backend: Backend) -> Migrator {
    let due = MIGRATIONS
        .iter()
        .filter(|(.., is_for_sqlite)| !is_for_sqlite || backend == Backend::Sqlite);
    let migration = |&(number, words, text, _): &(i64, &'static str, &'static str, bool)| {
        let text = SqlStr::from_static(text);
        Migration::new(number, words.into(), MigrationType::Simple, text, false)
    };
    Migrator::with_migrations(due.map(migration).collect())
}
