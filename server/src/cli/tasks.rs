//! `dakiya tasks`: background tasks.

use clap::Subcommand;

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;
use dakiya_core::services::operators::tasks;

/// Background work: tasks that need an operator, and their retries
#[derive(Debug, Subcommand)]
pub enum TasksCommand {
    /// List tasks that need an operator, the longest waiting first
    #[command(after_help = "Examples:
  dakiya tasks list
  dakiya tasks list --all --kind payment --json")]
    List {
        /// Also the tasks that servers are still working on
        #[arg(long)]
        all: bool,
        /// Only of this kind, such as payment, courier_order, cancellation
        #[arg(long, value_name = "KIND")]
        kind: Option<String>,
    },
    /// Retry a task at once, as if it had never failed
    #[command(after_help = "Examples:
  dakiya tasks retry courier_order 1a2b --reason 'their server is back' --as ravi")]
    Retry {
        /// Its kind, as the list says
        kind: String,
        /// The task's subject, as listed
        #[arg(allow_hyphen_values = true)]
        subject: String,
        /// Why, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

impl TasksCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            TasksCommand::List { all, kind } => {
                let kind = kind.as_deref().map(tasks::kind).transpose()?;
                Report::of(&tasks::list(&desk::store().await?, kind, all).await?)
            }
            TasksCommand::Retry { kind, subject, reason } => {
                let kind = tasks::kind(&kind)?;
                let operators = desk::at_once(how).await?;
                Report::of(&operators.retry(kind, &subject, &reason).await?)
            }
        }
    }
}
