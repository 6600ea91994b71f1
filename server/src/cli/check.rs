//! `dakiya check`: looks at all that a server needs, before it is started.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::fs::{Access, access};
use serde::Serialize;

use super::report::Report;
use crate::app;
use dakiya_core::config::{Config, ConfigError, Roles};
use dakiya_core::error::Error;
use dakiya_core::limits;
use dakiya_core::model::settings::database_url::DatabaseUrl;
use dakiya_core::model::settings::files_place::FilesPlace;
use dakiya_core::providers::files::{SealedFiles, list_one, probe, stored_mark};
use dakiya_core::providers::vault::{FORMS, Keyring};
use dakiya_core::services::{kept_keys, shared_facts};
use dakiya_core::store::{self, DatabaseFacts, SchemaState, Store, sqlite_file};

/// One line of the report.
#[derive(Debug, Serialize)]
struct CheckRow {
    check: &'static str,
    ok: bool,
    finding: String,
}

impl CheckRow {
    fn of(check: &'static str, found: Result<String, String>) -> CheckRow {
        let ok = found.is_ok();
        CheckRow { check, ok, finding: found.unwrap_or_else(|wrong| wrong) }
    }
}

/// Runs all checks that can be made. Nothing is created or changed, except for an object that is
/// removed again.
pub(crate) async fn run() -> anyhow::Result<Report> {
    let rows = match Config::from_env() {
        Ok(config) => rows(&config).await,
        Err(ConfigError(problems)) => {
            let row =
                |problem: &String| CheckRow::of("configuration", Err(problem.trim().to_owned()));
            problems.iter().map(row).collect()
        }
    };
    let wrong = rows.iter().filter(|row| !row.ok).count();
    let report = Report::of(&rows)?;
    Ok(match wrong {
        0 => report,
        wrong => report.with_problem(format!("{wrong} of {} checks failed.", rows.len())),
    })
}

async fn rows(config: &Config) -> Vec<CheckRow> {
    let mut rows = vec![
        CheckRow::of("configuration", Ok("all values make sense".to_owned())),
        CheckRow::of("roles", Ok(roles(config.roles).to_owned())),
    ];
    let mark = mark(&config.files).await;
    match facts(config).await {
        Err(wrong) => rows.push(CheckRow::of("database", Err(wrong))),
        Ok((facts, room, shared)) => {
            rows.push(CheckRow::of("database", Ok("it answers".to_owned())));
            rows.push(CheckRow::of("schema", schema(facts.schema)));
            rows.push(CheckRow::of("key", key(config, facts.sealed_key.as_deref(), &shared)));
            let documents = documents(config, &mark, shared).await;
            rows.push(CheckRow::of("documents", documents));
            rows.extend(room.map(|room| CheckRow::of("connections", connections(config, room))));
        }
    }
    rows.push(CheckRow::of("data folder", data_folder(&config.data_dir)));
    rows.push(match &config.files {
        FilesPlace::Folder(folder) => {
            CheckRow::of("uploads folder", uploads_folder(folder, &config.data_dir))
        }
        FilesPlace::Bucket(bucket) => {
            let found = mark.map(|_| format!("{} can be written and read", bucket.name));
            CheckRow::of("uploads bucket", found)
        }
    });
    match &config.gateway_reports {
        Some(FilesPlace::Folder(folder)) => {
            let found = usable(folder, Access::READ_OK | Access::EXEC_OK);
            rows.push(CheckRow::of("reports folder", found));
        }
        Some(FilesPlace::Bucket(bucket)) => {
            let found = list_one(bucket).await.map_err(|error| error.to_string());
            let found = found.map(|()| format!("{} can be read", bucket.name));
            rows.push(CheckRow::of("reports bucket", found));
        }
        None => {}
    }
    rows
}

/// Returns the mark of the documents' place; `None` if it has none yet. An object of no meaning is
/// stored in a bucket, read and removed.
async fn mark(place: &FilesPlace) -> Result<Option<String>, String> {
    let mark = match place {
        FilesPlace::Folder(folder) => stored_mark(folder),
        FilesPlace::Bucket(bucket) => probe(bucket).await,
    };
    mark.map_err(|error| error.to_string())
}

fn roles(roles: Roles) -> &'static str {
    match (roles.web, roles.worker) {
        (true, true) => "it serves customers and does background work",
        (true, false) => "it serves customers; another server must do the background work",
        (false, _) => "it does background work; another server must serve customers",
    }
}

/// The facts that all servers share.
#[derive(Default)]
struct SharedFacts {
    known: BTreeMap<String, String>,
    /// The name of a database that knows no documents.
    name_without_documents: Option<String>,
}

/// Returns the facts about the database, the number of connections that it has for us, and the
/// facts that all servers share.
async fn facts(config: &Config) -> Result<(DatabaseFacts, Option<i64>, SharedFacts), String> {
    // Opening a file that is not there would create it.
    if let Some(file) = sqlite_file(&config.database_url)
        && !file.exists()
    {
        return Err(format!("{} is not there: the first start creates it", file.display()));
    }
    let store = Store::unopened(&config.database_url).map_err(cause)?;
    let facts = store.facts(kept_keys::SIGNATURES).await;
    let room = store.count_room().await;
    let facts = facts.map_err(cause);
    let shared = match &facts {
        Ok(DatabaseFacts { schema: SchemaState::Same | SchemaState::Newer, .. }) => {
            read_shared(&store).await.map_err(cause)
        }
        _ => Ok(SharedFacts::default()),
    };
    store.close().await;
    let facts = facts?;
    // PgBouncer has more room than Postgres behind it.
    let is_pooled = DatabaseUrl::parse(&config.database_url).is_ok_and(|url| url.is_pooled);
    Ok((facts, room.map_err(cause)?.filter(|_| !is_pooled), shared?))
}

async fn read_shared(store: &Store) -> Result<SharedFacts, Error> {
    let mut conn = store.read().await?;
    Ok(SharedFacts {
        known: store::shared_facts::all(&mut conn).await?,
        name_without_documents: store::shared_facts::name_without_documents(&mut conn).await?,
    })
}

/// Returns the cause of an error, which customers are not told.
fn cause(error: Error) -> String {
    match error {
        Error::Storage { cause, .. } | Error::Internal(cause) => format!("{cause:#}"),
        other => other.to_string(),
    }
}

fn schema(state: SchemaState) -> Result<String, String> {
    state.require()?;
    Ok(match state {
        SchemaState::Newer => "a newer version has migrated it, and this one still works on it",
        _ => "it is the one of this version",
    }
    .to_owned())
}

fn connections(config: &Config, room: i64) -> Result<String, String> {
    let others = limits::DATABASE_CHECKS + limits::DATABASE_LISTENERS;
    let each = config.database_connections + others;
    match room / i64::try_from(each).unwrap_or(i64::MAX) {
        0 => Err(format!(
            "a process opens up to {each}, and the database has {room} for us: see \
             DAKIYA_DATABASE_CONNECTIONS"
        )),
        processes => Ok(format!(
            "a process opens up to {each}, and the database has {room} for us: enough for \
             {processes}"
        )),
    }
}

fn key(config: &Config, sealed: Option<&str>, shared: &SharedFacts) -> Result<String, String> {
    let keys = app::known_keys(config).map_err(|error| error.to_string())?;
    let Some(sealed) = sealed else {
        return Ok("the database has no sealed key yet".to_owned());
    };
    let keys = keys.ok_or("there is no key, and the database has what one has sealed")?;
    let keyring = Keyring::new(keys);
    shared_facts::compare_keys(&shared.known, Some(&keyring)).map_err(|other| other.to_string())?;
    match kept_keys::opens(&keyring.vault(FORMS), sealed) {
        true => Ok("it opens the key in the database".to_owned()),
        false => Err("no configured key opens the key in the database".to_owned()),
    }
}

/// Compares the mark of the documents' place with the one that the database knows.
async fn documents(
    config: &Config,
    mark: &Result<Option<String>, String>,
    shared: SharedFacts,
) -> Result<String, String> {
    let (mark, place) = (mark.as_ref().map_err(String::clone)?, config.files.to_string());
    let compared = shared_facts::compare_mark(&shared.known, mark.as_deref(), &place);
    compared.map_err(|wrong| wrong.to_string())?;
    if shared_facts::mark(&shared.known).is_some() {
        return Ok(format!("{place} is the place of this database's documents"));
    }
    if mark.is_some() && has_content(&config.files).await.map_err(|error| error.to_string())? {
        let name = shared.name_without_documents;
        let compared = shared_facts::compare_documents(&shared.known, name, &place);
        compared.map_err(|wrong| wrong.to_string())?;
    }
    Ok("the first start decides their place".to_owned())
}

async fn has_content(place: &FilesPlace) -> io::Result<bool> {
    SealedFiles::of(place)?.has_content().await
}

fn data_folder(folder: &Path) -> Result<String, String> {
    let found = usable(folder, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK)?;
    match rights(folder) & 0o022 {
        0 => Ok(found),
        _ => Err(format!("others may write into {}", folder.display())),
    }
}

fn uploads_folder(folder: &Path, data_dir: &Path) -> Result<String, String> {
    if !folder.exists() {
        return Ok(format!("{} is not there: the first start creates it", folder.display()));
    }
    let found = usable(folder, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK)?;
    match rights(folder) & rights(data_dir) & 0o077 {
        0 => Ok(found),
        _ => Err(format!("others may look into {}", folder.display())),
    }
}

fn usable(folder: &Path, wanted: Access) -> Result<String, String> {
    let name = folder.display();
    if !folder.is_dir() {
        return Err(format!("{name} is no folder"));
    }
    match access(folder, wanted) {
        Ok(()) => Ok(format!("{name} can be used")),
        Err(error) => Err(format!("{name}: {}", io::Error::from(error))),
    }
}

/// Returns the rights to a folder; all rights if they are not known.
fn rights(folder: &Path) -> u32 {
    fs::metadata(folder).map_or(0o777, |found| found.permissions().mode())
}
