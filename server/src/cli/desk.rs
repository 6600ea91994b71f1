//! The database and the operator's files, on which a command works.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::arguments::GlobalArgs;
use crate::app;
use dakiya_core::config::Config;
use dakiya_core::error::Result;
use dakiya_core::model::operator::Actor;
use dakiya_core::random::random_id;
use dakiya_core::services::core::Core;
use dakiya_core::services::operators::{Mode, Operators};
use dakiya_core::store::Store;

/// Opens the server's database, found by the same environment variables. Its schema stays as it is.
pub(super) async fn core() -> anyhow::Result<Core> {
    let config = Config::from_env()?;
    let store = Store::open(&config.database_url).await?;
    app::core(&random_id(), &config, store).await
}

pub(super) async fn store() -> anyhow::Result<Store> {
    Ok(core().await?.store.clone())
}

/// Returns the services for this operator. The operator is checked first: without one, the database
/// is not opened.
pub(super) async fn operators(
    how: &GlobalArgs,
    mode: impl Into<Mode>,
) -> anyhow::Result<Operators> {
    let actor = actor(how)?;
    Ok(Operators::new(core().await?, actor, mode.into()))
}

/// Returns the operator of a command.
pub(super) fn actor(how: &GlobalArgs) -> Result<Actor> {
    Actor::parse(how.actor.as_deref().unwrap_or_default())
}

/// Returns the services for commands that move no money and so have no dry run.
pub(super) async fn at_once(how: &GlobalArgs) -> anyhow::Result<Operators> {
    operators(how, Mode::default()).await
}

/// Creates a file that only the operator can read.
pub(super) fn create_private(path: &Path) -> anyhow::Result<File> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    options.open(path).with_context(|| path.display().to_string())
}

/// Writes a new file that only the operator can read.
pub(super) fn write_private(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let mut file = create_private(path)?;
    file.write_all(content).with_context(|| path.display().to_string())
}

/// Reads a file of the operator, up to a maximum size.
pub(super) fn file(path: &str, bytes_max: usize) -> anyhow::Result<Vec<u8>> {
    let size = std::fs::metadata(path).with_context(|| path.to_owned())?.len();
    let fits = usize::try_from(size).is_ok_and(|size| size <= bytes_max);
    ensure!(fits, "{path} has more than {bytes_max} bytes");
    std::fs::read(path).with_context(|| path.to_owned())
}
