//! `dakiya pickups`: the pickups of our own couriers on a day.

use clap::Args;

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;
use dakiya_core::model::calendar::date_in_india;
use dakiya_core::model::input::day;

/// The pickups of our own couriers on a day: places, hours and parcels; recorded
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dakiya pickups --as ravi
  dakiya pickups --day 2026-11-26 --as ravi --json")]
pub struct PickupsCommand {
    /// The day, as in 2026-11-26; today if not given
    #[arg(long, value_name = "DAY")]
    day: Option<String>,
}

impl PickupsCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let day = self.day.as_deref().map(day::day);
        anyhow::ensure!(day != Some(None), "--day takes 2026-11-26");
        let operators = desk::at_once(how).await?;
        let today = date_in_india(operators.now_ms());
        Report::of(&operators.pickups(day.flatten().unwrap_or(today)).await?)
    }
}
