//! `dakiya reconciliation`: the gateway's daily report against payments and books.

use anyhow::Context;
use clap::Subcommand;

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;
use dakiya_core::limits;
use dakiya_core::model::input::day;
use dakiya_core::services::operators::gateway;

/// The gateway's report of a day against payments and books
#[derive(Debug, Subcommand)]
pub enum ReconciliationCommand {
    /// Read a day's report and list the open exceptions; fails while there are any
    #[command(after_help = "Its findings are stored, also when it fails because some are open.

Examples:
  dakiya reconciliation day report.csv --day 2026-11-21 --reason daily --as ravi")]
    Day {
        /// The CSV of the gateway's dashboard
        file: String,
        /// The day of the report, as in 2026-11-21
        #[arg(long, value_name = "DAY")]
        day: String,
        /// Why, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// List the open exceptions, the oldest day first
    #[command(after_help = "Examples:\n  dakiya reconciliation list --json")]
    List,
    /// Close an exception, with its outcome
    #[command(after_help = "Examples:
  dakiya reconciliation close 1a2b --reason 'credited by hand, their ticket 7' --as ravi")]
    Close {
        /// Its id, as the list says
        #[arg(allow_hyphen_values = true)]
        exception: String,
        /// The outcome; it is kept with the exception. Nothing personal
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

impl ReconciliationCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            ReconciliationCommand::Day { file: path, day, reason } => {
                let day = day::day(&day).context("--day takes a day as in 2026-11-21")?;
                let operators = desk::at_once(how).await?;
                let report = desk::file(&path, limits::GATEWAY_REPORT_BYTES_MAX)?;
                let outcome = operators.reconcile(day, &report, &reason).await?;
                let report = Report::of(&outcome)?;
                Ok(match outcome.result.open.len() {
                    0 => report,
                    count => report.with_problem(format!("{count} open")),
                })
            }
            ReconciliationCommand::List => {
                Report::of(&gateway::exceptions(&desk::store().await?).await?)
            }
            ReconciliationCommand::Close { exception, reason } => {
                let operators = desk::at_once(how).await?;
                Report::of(&operators.close_exception(&exception, &reason).await?)
            }
        }
    }
}
