//! `dakiya track`: tracking of our own couriers' shipments, and what all couriers report that an
//! operator must look at.

use anyhow::{Context, ensure};
use clap::Subcommand;

use super::arguments::{DryRun, GlobalArgs, MoneyArgs};
use super::desk;
use super::report::Report;
use dakiya_core::limits;
use dakiya_core::model::calendar::{IST_MINUTES, moment_of};
use dakiya_core::model::courier::order::Scan;
use dakiya_core::model::shipping::awb;
use dakiya_core::model::shipping::loss::Loss;
use dakiya_core::model::shipping::status::ShipmentStatus;
use dakiya_core::services::operators::shipments;

/// Where a shipment of our own couriers is, and findings about all shipments
#[derive(Debug, Subcommand)]
pub enum TrackCommand {
    /// List lost and damaged parcels, deliveries taken back, cancelled parcels that are carried,
    /// parcels that never arrived and unknown words of couriers, the oldest first
    #[command(after_help = "Examples:\n  dakiya track list --json")]
    List,
    /// Settle a finding: it leaves the list; money is given back by `orders refund`
    #[command(after_help = "Examples:
  dakiya track settle 1a2b --reason 'claim paid by the courier' --as ravi")]
    Settle {
        /// Its id, as the list says
        #[arg(allow_hyphen_values = true)]
        finding: String,
        /// Why, for the record; nothing personal
        #[arg(long, value_name = "TEXT")]
        reason: String,
        #[command(flatten)]
        dry: DryRun,
    },
    /// Add what happened to a shipment; `cancelled` pays its customer back
    #[command(after_help = "Examples:
  dakiya track add 123456789012 in_transit --at Nagpur --reason 'hub called' --as ravi
  dakiya track add 123456789012 delivered --when '2026-11-21 16:05' --reason slip --as ravi
  dakiya track add 123456789012 cancelled --reason 'not picked up' --as ravi --dry-run")]
    Add {
        awb: String,
        /// shipped, in_transit, delivered, lost, damaged, …
        status: String,
        /// Where it was
        #[arg(long, value_name = "PLACE", default_value = "", hide_default_value = true)]
        at: String,
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        remarks: String,
        /// When, on India's clocks, as in '2026-11-21 16:05'; now if not given, and at most an hour
        /// from now
        #[arg(long, value_name = "MOMENT")]
        when: Option<String>,
        #[command(flatten)]
        why: MoneyArgs,
    },
}

impl TrackCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            TrackCommand::List => Report::of(&shipments::findings(&desk::store().await?).await?),
            TrackCommand::Settle { finding, reason, dry } => {
                let operators = desk::operators(how, dry).await?;
                Report::of(&operators.settle_finding(&finding, &reason).await?)
            }
            TrackCommand::Add { awb, status, at, remarks, when, why } => {
                let loss = Loss::parse(&status);
                let stage = loss.map(|_| ShipmentStatus::Exception);
                let stage = stage.or_else(|| ShipmentStatus::parse(&status));
                let words = || format!("{}, {}", ShipmentStatus::words(), Loss::words());
                let stage = stage.with_context(|| format!("{status} is none of {}", words()))?;
                let awb = awb::normalise(&awb).context("this is no AWB number")?;
                let most = limits::SCAN_TEXT_CHARS_MAX;
                for (flag, value) in [("--at", &at), ("--remarks", &remarks)] {
                    ensure!(value.chars().count() <= most, "{flag} is too long");
                }
                let when = when.map(|when| moment_of(&when, IST_MINUTES));
                ensure!(when != Some(None), "--when takes 2026-11-21 16:05");
                let operators = desk::operators(how, &why).await?;
                let scan = Scan {
                    stage: Some(stage),
                    loss,
                    location: at,
                    remarks,
                    happened_ms: when.flatten().unwrap_or(operators.now_ms()),
                    ..Scan::default()
                };
                Report::of(&operators.track(&awb, scan, &why.reason).await?)
            }
        }
    }
}
