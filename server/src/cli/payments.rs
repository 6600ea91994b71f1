//! `dakiya payments`: recharges.

use clap::{Args, Subcommand};

use super::arguments::{Again, DryRun, GlobalArgs, MoneyArgs, rupees};
use super::desk;
use super::report::Report;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::services::operators::payments;

/// Recharges: see, settle, refund, and what the gateway pays out and takes back
#[derive(Debug, Subcommand)]
pub enum PaymentsCommand {
    /// List payments that do not fit their order and need an operator
    #[command(after_help = "Examples:\n  dakiya payments disputes --json")]
    Disputes,
    /// Show a payment with its result
    #[command(after_help = "Examples:\n  dakiya payments show DKR1a2b")]
    Show {
        /// Our number of the payment
        order: String,
    },
    /// End a disputed payment: credit what was paid, or send it back
    #[command(after_help = "Examples:
  dakiya payments settle-dispute DKR1a2b --credit --reason 'paid 1 less' --as ravi --dry-run
  dakiya payments settle-dispute DKR1a2b --refund --reason 'not theirs' --as ravi")]
    SettleDispute {
        /// Our number of the payment
        order: String,
        #[command(flatten)]
        end: SettleArgs,
        #[command(flatten)]
        why: MoneyArgs,
    },
    /// Have the gateway send a payment back to its payer; the money leaves the wallet at once
    #[command(after_help = "Examples:
  dakiya payments refund DKR1a2b --reason 'asked for it' --as ravi --dry-run
  dakiya payments refund DKR1a2b --amount 250 --reason 'asked for it' --as ravi")]
    Refund {
        #[command(flatten)]
        part: PaymentPart,
        #[command(flatten)]
        again: Again,
    },
    /// Record a payout of the gateway to our bank account, and the fee that it kept
    #[command(after_help = "Examples:
  dakiya payments settled 90000 --fee 1062 --reference UTR7 --reason daily --as ravi --dry-run")]
    Settled {
        /// The amount it settled, in rupees, its fee included
        #[arg(value_parser = rupees)]
        amount: Paise,
        /// Of it, what the gateway kept, with GST
        #[arg(long, value_name = "RUPEES", value_parser = rupees)]
        fee: Paise,
        /// The bank's number of the payout, which is recorded once
        #[arg(long, value_name = "NUMBER")]
        reference: String,
        /// Why, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
        #[command(flatten)]
        dry: DryRun,
    },
    /// Record a chargeback of a payment: from the wallet as far as that covers it; the customer
    /// owes the rest, and the account is frozen
    #[command(after_help = "Examples:
  dakiya payments chargeback DKR1a2b --reference CB77 --reason 'not theirs' --as ravi --dry-run
  dakiya payments chargeback DKR1a2b --amount 250 --reference CB77 --reason part --as ravi \\
    --no-freeze")]
    Chargeback {
        #[command(flatten)]
        part: PaymentPart,
        /// The gateway's number of the chargeback, which is recorded once
        #[arg(long, value_name = "NUMBER")]
        reference: String,
        /// Leave the account as it is
        #[arg(long)]
        no_freeze: bool,
        #[command(flatten)]
        why: MoneyArgs,
    },
    /// Record that a chargeback was decided for us: the wallet gets the amount back, after what is
    /// still owed
    #[command(after_help = "Examples:
  dakiya payments chargeback-won CB77 --reason 'their letter of today' --as ravi --dry-run")]
    ChargebackWon {
        /// The gateway's number of the chargeback
        chargeback: String,
        #[command(flatten)]
        why: MoneyArgs,
    },
}

#[derive(Debug, Args)]
pub struct PaymentPart {
    /// Our number of the payment
    order: String,
    /// In rupees; all that is left of the payment if not given
    #[arg(long, value_name = "RUPEES", value_parser = rupees)]
    amount: Option<Paise>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct SettleArgs {
    /// Credit what the gateway says was paid
    #[arg(long)]
    credit: bool,
    /// Send what was paid back to its payer
    #[arg(long)]
    refund: bool,
}

impl PaymentsCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            PaymentsCommand::Disputes => {
                Report::of(&payments::disputes(&desk::store().await?).await?)
            }
            PaymentsCommand::Show { order } => {
                Report::of(&payments::show(&desk::store().await?, &order).await?)
            }
            PaymentsCommand::SettleDispute { order, end, why } => {
                let operators = desk::operators(how, &why).await?;
                Report::of(&match end.credit {
                    true => operators.credit_dispute(&order, &why.reason).await?,
                    false => operators.send_dispute_back(&order, &why.reason).await?,
                })
            }
            PaymentsCommand::Refund { part: PaymentPart { order, amount }, again } => {
                let operators = desk::operators(how, &again).await?;
                Report::of(&operators.refund(&order, amount, &again.why.reason).await?)
            }
            PaymentsCommand::Settled { amount, fee, reference, reason, dry } => {
                let operators = desk::operators(how, dry).await?;
                Report::of(&operators.record_payout(amount, fee, &reference, &reason).await?)
            }
            PaymentsCommand::Chargeback { part, reference, no_freeze, why } => {
                let operators = desk::operators(how, &why).await?;
                let PaymentPart { order, amount } = part;
                let (freeze, why) = (!no_freeze, &why.reason);
                Report::of(&operators.charge_back(&order, amount, &reference, freeze, why).await?)
            }
            PaymentsCommand::ChargebackWon { chargeback, why } => {
                let operators = desk::operators(how, &why).await?;
                Report::of(&operators.chargeback_won(&chargeback, &why.reason).await?)
            }
        }
    }
}
