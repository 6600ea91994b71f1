//! `dakiya wallet` and `dakiya couriers`: movements of money by operators.

use clap::{Args, Subcommand};

use super::arguments::{Again, DryRun, GlobalArgs, MoneyArgs, rupees};
use super::desk;
use super::report::Report;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::services::operators::money::Adjustment;

/// Wallets: give and correct
#[derive(Debug, Subcommand)]
pub enum WalletCommand {
    /// Give money to a customer, or correct a balance
    #[command(after_help = "Examples:
  dakiya wallet adjust asha 50 --goodwill --awb 123456789012 --reason 'late' --as ravi --dry-run
  dakiya wallet adjust asha -12.50 --correction --reason 'credited twice' --as ravi")]
    Adjust {
        /// The account's id, username or email address
        #[arg(allow_hyphen_values = true)]
        user: String,
        /// In rupees; a correction may be below zero
        #[arg(value_parser = rupees, allow_negative_numbers = true)]
        amount: Paise,
        #[command(flatten)]
        kind: AdjustmentKind,
        /// The AWB that a goodwill credit is for
        #[arg(long, requires = "goodwill", default_value = "", hide_default_value = true)]
        awb: String,
        #[command(flatten)]
        again: Again,
    },
}

/// Couriers: what we owe them
#[derive(Debug, Subcommand)]
pub enum CouriersCommand {
    /// Record that a courier's bill was paid from our bank account
    #[command(after_help = "Examples:
  dakiya couriers settle shiprocket 12345.60 --reference UTR7 --reason 'bill 77' --as ravi \\
    --dry-run")]
    Settle {
        /// The courier's code, as services list says
        courier: String,
        /// In rupees
        #[arg(value_parser = rupees)]
        amount: Paise,
        /// The bank's number of it, which is recorded once
        #[arg(long, value_name = "NUMBER")]
        reference: String,
        /// The bill, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
        #[command(flatten)]
        dry: DryRun,
    },
    /// Record that a courier bills more than we calculated, or less
    #[command(after_help = "Examples:
  dakiya couriers bill-differs shiprocket 80 --bill 77 --reason 'fuel' --as ravi --dry-run
  dakiya couriers bill-differs shiprocket -12.50 --bill 78 --reason 'their credit' --as ravi")]
    BillDiffers {
        /// The courier's code, as services list says
        courier: String,
        /// In rupees; below zero where it bills less
        #[arg(value_parser = rupees, allow_negative_numbers = true)]
        amount: Paise,
        /// The courier's own number of the bill, which is recorded once
        #[arg(long, value_name = "NUMBER")]
        bill: String,
        #[command(flatten)]
        why: MoneyArgs,
    },
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct AdjustmentKind {
    /// We give something that no sale gives back
    #[arg(long)]
    goodwill: bool,
    /// The balance was wrong
    #[arg(long)]
    correction: bool,
}

impl WalletCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let WalletCommand::Adjust { user, amount, kind, awb, again } = self;
        let operators = desk::operators(how, &again).await?;
        let kind = match kind.goodwill {
            true => Adjustment::Goodwill(awb),
            false => Adjustment::Correction,
        };
        Report::of(&operators.adjust(&user, amount, kind, &again.why.reason).await?)
    }
}

impl CouriersCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            CouriersCommand::Settle { courier, amount, reference, reason, dry } => {
                let operators = desk::operators(how, dry).await?;
                let settlement = operators.settle_courier(&courier, amount, &reference, &reason);
                Report::of(&settlement.await?)
            }
            CouriersCommand::BillDiffers { courier, amount, bill, why } => {
                let operators = desk::operators(how, &why).await?;
                Report::of(&operators.bill_differs(&courier, amount, &bill, &why.reason).await?)
            }
        }
    }
}
