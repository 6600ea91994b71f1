//! `dakiya payments`: recharges.

use clap::{Args, Subcommand};
use dakiya::services::operators::payments;

use super::{Desk, DryRun, How, Report};

/// Recharges: see, settle, refund
#[derive(Debug, Subcommand)]
pub enum Payments {
    /// List payments that do not fit their order and wait for you
    #[command(after_help = "Examples:\n  dakiya payments disputes --json")]
    Disputes,
    /// Show a payment and what became of it
    #[command(after_help = "Examples:\n  dakiya payments show DKR1a2b")]
    Show {
        /// Our number of the payment
        order: String,
    },
    /// End a disputed payment
    #[command(after_help = "Examples:
  dakiya payments settle-dispute DKR1a2b --credit --reason 'paid 1 less' --as ravi --dry-run")]
    SettleDispute(Settle),
}

#[derive(Debug, Args)]
pub struct Settle {
    /// Our number of the payment
    order: String,
    /// Credit what the gateway says was paid
    #[arg(long)]
    credit: bool,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    dry: DryRun,
}

impl Payments {
    pub async fn run(self, how: &How) -> anyhow::Result<Report> {
        match self {
            Payments::Disputes => {
                Report::of(&payments::disputes(&Desk::open().await?.core.store).await?)
            }
            Payments::Show { order } => {
                Report::of(&payments::show(&Desk::open().await?.core.store, &order).await?)
            }
            Payments::SettleDispute(settle) => {
                let operators = Desk::operators(how, settle.dry).await?;
                Report::of(
                    &operators
                        .credit_dispute(&settle.order, &settle.reason)
                        .await?,
                )
            }
        }
    }
}
