//! `dakiya actions`: the log of operators' actions.

use clap::Subcommand;

use super::desk;
use super::report::Report;
use dakiya_core::model::operator::ActionFilter;
use dakiya_core::services::operators::events;

/// The record of operators' actions
#[derive(Debug, Subcommand)]
pub enum ActionsCommand {
    /// List the actions, the newest first
    #[command(after_help = "Examples:
  dakiya actions list
  dakiya actions list --by ravi --limit 10 --json
  dakiya actions list --about DKR1a2b")]
    List {
        /// Only of this operator
        #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
        by: String,
        /// Only about this user, payment, booking or service, by its id
        #[arg(long, value_name = "ID", allow_hyphen_values = true)]
        about: Option<String>,
        /// At most so many, 1000 at most
        #[arg(long, value_name = "COUNT", default_value_t = 50)]
        limit: i64,
    },
}

impl ActionsCommand {
    pub async fn run(self) -> anyhow::Result<Report> {
        let ActionsCommand::List { by, about, limit } = self;
        let filter = ActionFilter { actor: by, reference: about.unwrap_or_default(), limit };
        Report::of(&events::actions(&desk::store().await?, &filter).await?)
    }
}
