//! `dakiya calls`: receivers who requested a call.

use anyhow::Context;
use clap::Subcommand;

use super::arguments::{DryRun, GlobalArgs};
use super::desk;
use super::report::Report;
use dakiya_core::model::shipping::awb;

/// Receivers who asked on the tracking page to be called
#[derive(Debug, Subcommand)]
pub enum CallsCommand {
    /// List the receivers who wait for a call, the longest first, with name and phone; recorded
    #[command(after_help = "Examples:\n  dakiya calls list --as ravi --json")]
    List,
    /// Record that a receiver was called
    #[command(after_help = "Examples:
  dakiya calls done 123456789012 --reason 'will be home at six' --as ravi")]
    Done {
        awb: String,
        /// The result of the call, for the record; nothing personal
        #[arg(long, value_name = "TEXT")]
        reason: String,
        #[command(flatten)]
        dry: DryRun,
    },
}

impl CallsCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            CallsCommand::List => Report::of(&desk::at_once(how).await?.calls_waiting().await?),
            CallsCommand::Done { awb, reason, dry } => {
                let awb = awb::normalise(&awb).context("this is no AWB number")?;
                let operators = desk::operators(how, dry).await?;
                Report::of(&operators.complete_call(&awb, &reason).await?)
            }
        }
    }
}
