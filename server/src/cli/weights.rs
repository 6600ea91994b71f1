//! `dakiya weights`: couriers' claims that a parcel was heavier than booked.

use clap::{Args, Subcommand};

use super::arguments::{GlobalArgs, MoneyArgs, rupees};
use super::desk;
use super::report::Report;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::services::books::weight_claims::NewWeightClaim;

/// Weight differences: what couriers claim, and what you decide
#[derive(Debug, Subcommand)]
pub enum WeightsCommand {
    /// List the undecided claims, the disputed ones first, then the oldest; recorded
    #[command(after_help = "Examples:\n  dakiya weights list --as ravi --json")]
    List,
    /// Record a courier's claim; its customer is asked, and nothing is charged yet
    #[command(after_help = "Examples:
  dakiya weights claim 123456789012 --grams 9000 --taxable 100 --courier-amount 60 \\
    --courier-reference SR-77 --proof https://courier.example.in/77.jpg --reason mail --as ravi")]
    Claim {
        /// The shipment's AWB
        #[arg(allow_hyphen_values = true)]
        awb: String,
        /// The weight that the courier claims
        #[arg(long, value_name = "GRAMS")]
        grams: i64,
        /// The amount its customer would owe, in rupees without GST
        #[arg(long, value_name = "RUPEES", value_parser = rupees)]
        taxable: Paise,
        /// The amount the courier bills us for it, in rupees without GST
        #[arg(long, value_name = "RUPEES", value_parser = rupees)]
        courier_amount: Paise,
        /// The courier's own number of the claim, which is recorded once
        #[arg(long, value_name = "NUMBER")]
        courier_reference: String,
        /// Where the courier's photograph or report is; its customer sees it
        #[arg(long, value_name = "ADDRESS")]
        proof: String,
        /// Why, for the record; nothing personal
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// End a claim: charge its customer, with a debit note, or drop it
    #[command(after_help = "Examples:
  dakiya weights decide 1a2b --charge --reason 'the photograph is clear' --as ravi --dry-run
  dakiya weights decide 1a2b --drop --reason 'another parcel' --as ravi")]
    Decide {
        /// Its id, as the list says
        #[arg(allow_hyphen_values = true)]
        claim: String,
        #[command(flatten)]
        decision: Decision,
        #[command(flatten)]
        why: MoneyArgs,
    },
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Decision {
    /// The courier is right: its customer pays
    #[arg(long)]
    charge: bool,
    /// The courier is wrong, or it is not worth it: nothing is owed
    #[arg(long)]
    drop: bool,
}

impl WeightsCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            WeightsCommand::List => {
                Report::of(&desk::at_once(how).await?.undecided_weights().await?)
            }
            WeightsCommand::Claim {
                awb,
                grams: claimed_grams,
                taxable,
                courier_amount: courier,
                courier_reference,
                proof,
                reason,
            } => {
                let operators = desk::at_once(how).await?;
                let new = NewWeightClaim {
                    awb,
                    courier_reference,
                    claimed_grams,
                    taxable,
                    courier,
                    proof,
                };
                Report::of(&operators.claim_weight(new, &reason).await?)
            }
            WeightsCommand::Decide { claim, decision, why } => {
                let operators = desk::operators(how, &why).await?;
                Report::of(&operators.decide_weight(&claim, decision.charge, &why.reason).await?)
            }
        }
    }
}
