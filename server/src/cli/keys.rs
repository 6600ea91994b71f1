//! `dakiya keys`: the encryption keys of stored data.

use clap::Subcommand;

use super::arguments::{DryRun, GlobalArgs};
use super::desk;
use super::report::Report;
use crate::app;
use dakiya_core::config::Config;
use dakiya_core::services::operators::keys;

/// Keys of sealed data: which are still needed, and changing them
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Count the items that each key has sealed: a key without any may be removed
    #[command(after_help = "Examples:
  dakiya keys show
  dakiya keys show --json")]
    Show,
    /// Reseal everything under the first key, while servers run
    #[command(after_help = "It may be stopped at any time: the next run goes on with the rest.
It fails when something opens under no key that is configured; the rest is resealed all the same.

Examples:
  dakiya keys reseal --dry-run --reason 'yearly change' --as ravi
  dakiya keys reseal --reason 'yearly change' --as ravi")]
    Reseal {
        #[command(flatten)]
        dry: DryRun,
        /// Why, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

impl KeysCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let files = async || app::files(&Config::from_env()?).await;
        match self {
            KeysCommand::Show => {
                Report::of(&keys::in_use(&desk::store().await?, &files().await?).await?)
            }
            KeysCommand::Reseal { dry, reason } => {
                let operators = desk::operators(how, dry).await?;
                let outcome = operators.reseal_all(files().await?, &reason).await?;
                let report = Report::of(&outcome)?;
                Ok(match outcome.result.unreadable {
                    0 => report,
                    unreadable => report.with_problem(format!(
                        "{unreadable} open under no key that is configured, and were left as they \
                         are."
                    )),
                })
            }
        }
    }
}
