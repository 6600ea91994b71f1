//! `dakiya gst`: the monthly return for the GST portal.

use std::path::Path;

use anyhow::Context;
use clap::Args;

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;
use dakiya_core::model::calendar::{first_of_month, is_account_day};

/// Write the GSTR-1 of a month into new files that only you can read; recorded
#[derive(Debug, Args)]
#[command(after_help = "The folder gets the portal's JSON and a CSV file for each section.

Examples:
  dakiya gst --month 2026-11 --to /tmp/gstr1 --as ravi")]
pub struct GstCommand {
    /// The month, as in 2026-11
    #[arg(long)]
    month: String,
    /// The folder to write to; none of the files may exist in it
    #[arg(long, value_name = "DIR")]
    to: String,
}

impl GstCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let first = first_of_month(&self.month).filter(is_account_day);
        let first = first.context("--month takes 2026-11")?;
        let operators = desk::at_once(how).await?;
        let figures = operators.gst_return(first).await?;
        std::fs::create_dir_all(&self.to).with_context(|| self.to.clone())?;
        for file in &figures.result.files {
            desk::write_private(&Path::new(&self.to).join(&file.name), &file.content)?;
        }
        Report::of(&figures)
    }
}
