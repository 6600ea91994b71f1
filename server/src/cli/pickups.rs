//! `dakiya pickups`: the pickups of our own couriers on a day.

use anyhow::Context;
use clap::Args;
use dakiya::model::calendar::{date_in_india, parse_day};
use dakiya::services::operators::shipments;

use super::desk;
use super::report::Report;

/// The pickups of our own couriers on a day: places, hours and parcels
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dakiya pickups
  dakiya pickups --day 2026-11-26 --json")]
pub struct PickupsCommand {
    /// The day, as in 2026-11-26; today if not given
    #[arg(long, value_name = "DAY")]
    day: Option<String>,
}

impl PickupsCommand {
    pub async fn run(self) -> anyhow::Result<Report> {
        let day = self.day.as_deref().map(parse_day);
        anyhow::ensure!(day != Some(None), "--day takes 2026-11-26");
        let core = desk::core().await?;
        let today = date_in_india(core.clock.now_ms());
        let day_pickups = shipments::pickups(&core.store, day.flatten().unwrap_or(today)).await;
        Report::of(&day_pickups.context("the pickups cannot be read")?)
    }
}
