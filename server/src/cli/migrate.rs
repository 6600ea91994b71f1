//! `dakiya migrate`: migrates the database to this version.

use clap::Args;
use serde_json::json;

use super::desk::Desk;
use super::report::Report;

/// Bring the database up to date, as a server does at its start, and end
#[derive(Debug, Args)]
#[command(after_help = "For servers whose role at Postgres does not own the tables.

Examples:
  DATABASE_URL=postgres://dakiya_owner@/dakiya dakiya migrate")]
pub struct MigrateCommand {}

impl MigrateCommand {
    pub async fn run(self) -> anyhow::Result<Report> {
        let desk = Desk::open().await?;
        desk.core.store.close().await;
        let sentence = "The database is up to date.";
        Report::from_value(&json!({ "outcome": sentence }), sentence.to_owned())
    }
}
