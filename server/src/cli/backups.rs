//! `dakiya backup`, `restore`, `recover` and `resume`: the way back after a loss.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;
use crate::app;
use dakiya_core::config::Config;
use dakiya_core::model::backup::{BackupEngine, BackupManifest};
use dakiya_core::model::calendar::{IST_MINUTES, moment_of};
use dakiya_core::providers::backup_folder::{BackupFolder, FileFault};
use dakiya_core::providers::files::{Inbound, SealedFiles};
use dakiya_core::providers::vault::Keyring;
use dakiya_core::random::random_id;
use dakiya_core::services::operators::{Mode, Operators};
use dakiya_core::services::shared_facts;
use dakiya_core::store::{Store, refill, sqlite_file};

/// Copy the database and the sealed files into a new folder, while servers work; recorded
#[derive(Debug, Args)]
#[command(after_help = "The folder has a manifest.json at the end: without it, it is no backup.
The keys of the files are never in it: keep them elsewhere. With Postgres, the program pg_dump must
be there. It fails if files of identity documents are missing; the backup of the rest is whole.

Examples:
  dakiya backup --to /var/backups/dakiya/2026-11-30 --as ravi")]
pub struct BackupCommand {
    /// The folder to write to: a new or an empty one
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

/// Restore a backup into empty places; servers wait for `resume`; recorded
#[derive(Debug, Args)]
#[command(
    after_help = "DATABASE_URL, DAKIYA_DATA_DIR and DAKIYA_FILES name empty places, and the keys
must be configured. All hashes are compared first. Then the books are audited, and their head must
be that of the backup. A backup of SQLite may go into Postgres, if it is of this version.

Examples:
  dakiya restore --from /var/backups/dakiya/2026-11-30 --as ravi"
)]
pub struct RestoreCommand {
    /// The folder of the backup
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Restore although keys or files of identity documents are missing
    #[arg(long)]
    incomplete: bool,
}

/// Find what couriers and the gateway did after the backup that was restored; recorded
#[derive(Debug, Args)]
#[command(
    after_help = "It asks each partner for its orders since then: one that has no booking here
becomes a row of `track list`. It reads the gateway's reports of the days since then in
DAKIYA_GATEWAY_REPORTS: a payment that is unknown here becomes a row of `reconciliation list`. It
may be repeated.

Examples:
  dakiya recover --since '2026-11-30 02:00' --as ravi"
)]
pub struct RecoverCommand {
    /// The time of the backup, on India's clocks, as in '2026-11-30 02:00'
    #[arg(long, value_name = "MOMENT")]
    since: String,
}

/// Let servers work on a restored database: before, they serve no pages and run no tasks
#[derive(Debug, Args)]
#[command(
    after_help = "Customers may have got invoices after the backup. Their numbers must not be
given again, so the next numbers of each series of this financial year are left out: more than were
issued since the backup. Choose 0 only if no server worked after it.

Examples:
  dakiya resume --invoice-gap 1000 --reason 'the head is the one of Monday' --as ravi"
)]
pub struct ResumeCommand {
    /// Numbers to leave out: of invoices, of credit notes and of debit notes
    #[arg(long, value_name = "COUNT")]
    invoice_gap: i64,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl BackupCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let operators = desk::at_once(how).await?;
        let to = BackupFolder::create(&self.to)?;
        let files = SealedFiles::of(&Config::from_env()?.files)?;
        let made = operators.back_up(&files, to).await?;
        let report = Report::of(&made)?;
        Ok(match &made.result.without_file[..] {
            [] => report,
            missing => {
                let missing = missing.join(", ");
                report.with_problem(format!("These documents have no file: {missing}"))
            }
        })
    }
}

impl RestoreCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let (actor, config) = (desk::actor(how)?, Config::from_env()?);
        let (backup, files) = (BackupFolder::of(&self.from), SealedFiles::of(&config.files)?);
        let manifest = backup.manifest()?;
        check_fits(&config, &manifest)?;
        refill::require_empty(&config.database_url).await?;
        require_unused(&files, &manifest).await?;
        let faults = backup.faults(&manifest)?;
        let missing = self.missing(&config, &manifest, &faults)?;
        let place = files.fill(shared_facts::mark(&manifest.shared)).await?;
        let copy = backup.database(manifest.engine);
        let filled = refill::fill(&config.database_url, manifest.engine, &copy).await?;
        let inner = Config { database_url: filled.url().to_owned(), ..config };
        let store = Store::connect(&inner.database_url).await?;
        let core = app::core(&random_id(), &inner, store).await?;
        let operators = Operators::new(core.clone(), actor, Mode::default());
        let restored = operators.check_restored(&manifest, missing).await?;
        if !restored.result.faults.is_empty() {
            core.store.close().await;
            let end = if filled.give_up()? { NOTHING } else { STAYS };
            bail!("{}\n{end}", restored.result.faults.join("\n"));
        }
        backup.give_files(&manifest, &faults, &place).await?;
        refill::set_whole(&core.store).await?;
        core.store.close().await;
        filled.finish()?;
        Report::of(&restored)
    }

    /// Returns what is missing in the backup or in the configuration, each in a sentence. Fails if
    /// anything is, unless that is accepted, and in any case without the database or its keys.
    fn missing(
        &self,
        config: &Config,
        manifest: &BackupManifest,
        faults: &[FileFault],
    ) -> anyhow::Result<Vec<String>> {
        if let Some(fault) = faults.iter().find(|it| it.path == manifest.engine.file()) {
            bail!("{}\n{NOTHING}", fault.words);
        }
        let keyring = app::known_keys(config)?.map(Keyring::new);
        if let Err(other) = shared_facts::compare_keys(&manifest.shared, keyring.as_ref()) {
            bail!("{other}\n{NOTHING}");
        }
        let keys = shared_facts::missing_keys(&manifest.shared, keyring.as_ref(), &manifest.keys);
        let key =
            |id: &str| format!("The key {id} is not configured: what it sealed cannot be read.");
        let document = |name: &String| format!("The document {name} had no file before.");
        let mut missing: Vec<String> = faults.iter().map(|fault| fault.words.clone()).collect();
        missing.extend(keys.into_iter().map(key));
        missing.extend(manifest.without_file.iter().map(document));
        if !missing.is_empty() && !self.incomplete {
            let missing = missing.join("\n");
            bail!("{missing}\n{NOTHING} Find what is missing, or add --incomplete.");
        }
        Ok(missing)
    }
}

/// Fails if the place holds documents, or is another database's.
async fn require_unused(files: &SealedFiles, manifest: &BackupManifest) -> anyhow::Result<()> {
    let mark = files.mark().await?;
    ensure!(
        mark.is_none() || mark.as_deref() == shared_facts::mark(&manifest.shared),
        "{files} is the place of another database's documents: DAKIYA_FILES must name an unused \
         one. {NOTHING}"
    );
    ensure!(!files.has_content().await?, "{files} has files already. {NOTHING}");
    Ok(())
}

const NOTHING: &str = "Nothing was restored.";

/// For a database on a server, which cannot be given its name at the end.
const STAYS: &str =
    "The restored database is not that of the backup. No server works on it: drop it.";

fn check_fits(config: &Config, manifest: &BackupManifest) -> anyhow::Result<()> {
    let engine = match sqlite_file(&config.database_url) {
        Some(_) => BackupEngine::Sqlite,
        None => BackupEngine::Postgres,
    };
    let (of_backup, ours) = (manifest.engine, engine);
    ensure!(
        of_backup == ours || of_backup == BackupEngine::Sqlite,
        "the backup is of {}, and DATABASE_URL is of {}",
        of_backup.name(),
        ours.name()
    );
    ensure!(
        manifest.schema <= refill::newest_schema(),
        "the backup was made by the newer version {}: restore it with that version",
        manifest.version
    );
    Ok(())
}

impl RecoverCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let since_ms = moment_of(&self.since, IST_MINUTES);
        let since_ms = since_ms.context("--since takes 2026-11-30 02:00")?;
        let operators = desk::at_once(how).await?;
        let config = Config::from_env()?;
        let couriers = app::start_couriers(&config, None)?;
        let reports = config.gateway_reports.as_ref().map(Inbound::open).transpose()?;
        let found = operators.recover(&couriers, reports.as_ref(), since_ms).await?;
        let report = Report::of(&found)?;
        let missing = found.result.reports_missing.iter();
        let missing = missing.map(|day| format!("The gateway's report of {day} is missing."));
        let wrong: Vec<String> = found.result.silent.iter().cloned().chain(missing).collect();
        Ok(match wrong.is_empty() {
            true => report,
            false => report.with_problem(wrong.join("\n")),
        })
    }
}

impl ResumeCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let operators = desk::at_once(how).await?;
        Report::of(&operators.resume(self.invoice_gap, &self.reason).await?)
    }
}
