//! `dakiya track`: tracking of our own couriers' shipments.

use anyhow::{Context, ensure};
use clap::Subcommand;
use dakiya::clock::Clock;
use dakiya::limits;
use dakiya::model::calendar::{IST_MINUTES, moment_of};
use dakiya::model::courier::order::Scan;
use dakiya::model::shipping::awb;
use dakiya::model::shipping::status::ShipmentStatus;

use super::arguments::{GlobalArgs, MoneyArgs};
use super::desk;
use super::report::Report;

/// Where a shipment of our own couriers is
#[derive(Debug, Subcommand)]
pub enum TrackCommand {
    /// Add what happened to a shipment; `cancelled` pays its customer back
    #[command(after_help = "Examples:
  dakiya track add 123456789012 in_transit --at Nagpur --reason 'hub called' --as ravi
  dakiya track add 123456789012 delivered --when '2026-11-21 16:05' --reason slip --as ravi
  dakiya track add 123456789012 cancelled --reason 'not picked up' --as ravi --dry-run")]
    Add {
        awb: String,
        /// shipped, in_transit, delivered, …
        status: String,
        /// Where it was
        #[arg(long, value_name = "PLACE", default_value = "", hide_default_value = true)]
        at: String,
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        remarks: String,
        /// When, on India's clocks, as in '2026-11-21 16:05'; now if not given
        #[arg(long, value_name = "MOMENT")]
        when: Option<String>,
        #[command(flatten)]
        why: MoneyArgs,
    },
}

impl TrackCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let TrackCommand::Add { awb, status, at, remarks, when, why } = self;
        let stage = ShipmentStatus::parse(&status);
        let stage =
            stage.with_context(|| format!("{status} is none of {}", ShipmentStatus::words()))?;
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
            location: at,
            remarks,
            comments: String::new(),
            happened_ms: when.flatten().unwrap_or(Clock::default().now_ms()),
        };
        Report::of(&operators.track(&awb, scan, &why.reason).await?)
    }
}
