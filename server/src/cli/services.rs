//! `dakiya services`: the couriers' services on sale.

use clap::Subcommand;

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;
use dakiya_core::services::operators::rates;

/// Services of couriers: on and off sale
#[derive(Debug, Subcommand)]
pub enum ServicesCommand {
    /// List every service with its number, on sale or not
    #[command(after_help = "Examples:\n  dakiya services list --json")]
    List,
    /// Put a service on sale again
    #[command(after_help = "Examples:
  dakiya services on 3 --reason 'strike is over' --as ravi")]
    On(ServiceArgs),
    /// Take a service off sale: it is not quoted nor booked, and open quotes for it are refused
    #[command(after_help = "Examples:
  dakiya services off 3 --reason 'strike' --as ravi")]
    Off(ServiceArgs),
}

#[derive(Debug, clap::Args)]
pub struct ServiceArgs {
    /// The service's number
    service: i64,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl ServicesCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let (which, on) = match self {
            ServicesCommand::List => {
                return Report::of(&rates::services(&desk::store().await?).await?);
            }
            ServicesCommand::On(which) => (which, true),
            ServicesCommand::Off(which) => (which, false),
        };
        let operators = desk::at_once(how).await?;
        Report::of(&operators.sell(which.service, on, &which.reason).await?)
    }
}
