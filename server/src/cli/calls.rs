//! `dakiya calls`: receivers who requested a call.

use anyhow::Context;
use clap::{Args, Subcommand};
use dakiya::model::shipping::awb;
use dakiya::services::operators::shipments;

use super::arguments::{DryRun, GlobalArgs};
use super::desk::Desk;
use super::report::Report;

/// Receivers who asked on the tracking page to be called
#[derive(Debug, Subcommand)]
pub enum CallsCommand {
    /// List who waits for a call, the longest first, with name and phone
    #[command(after_help = "Examples:\n  dakiya calls list --json")]
    List,
    /// Note that a receiver was called
    #[command(after_help = "Examples:
  dakiya calls done 123456789012 --reason 'will be home at six' --as ravi")]
    Done(CallDoneArgs),
}

#[derive(Debug, Args)]
pub struct CallDoneArgs {
    awb: String,
    /// The result of the call, for the record; nothing personal
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    dry: DryRun,
}

impl CallsCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            CallsCommand::List => {
                let desk = Desk::open().await?;
                let requests = shipments::calls_waiting(&desk.core.store).await;
                Report::of(&requests.context("the requests cannot be read")?)
            }
            CallsCommand::Done(call) => {
                let awb = awb::normalise(&call.awb).context("this is no AWB number")?;
                let operators = Desk::operators(how, call.dry).await?;
                Report::of(&operators.called(&awb, &call.reason).await?)
            }
        }
    }
}
