//! `dakiya e-invoices`: documents for the portal that registers them, and its answers.

use std::path::Path;

use anyhow::{Context, ensure};
use clap::Subcommand;

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;
use dakiya_core::limits;
use dakiya_core::model::input::day;

/// E-invoices: write the portal's file, store its answers
#[derive(Debug, Subcommand)]
pub enum EInvoicesCommand {
    /// Write documents of registered buyers without an IRN into a new file for the portal; recorded
    #[command(after_help = "The file is JSON of schema INV-01, version 1.1.

Examples:
  dakiya e-invoices write --to /tmp/inv01.json --as ravi
  dakiya e-invoices write --since 2026-11-01 --to /tmp/inv01.json --as ravi")]
    Write {
        /// The new file to write; it must not exist
        #[arg(long, value_name = "FILE")]
        to: String,
        /// Only documents from this day on
        #[arg(long, value_name = "DAY")]
        since: Option<String>,
    },
    /// Store the portal's answers: all of them or, if one is wrong, none
    #[command(
        after_help = "The file is a JSON list or CSV with headings: DocNo, Irn, AckNo, AckDt,
SignedQRCode.

Examples:
  dakiya e-invoices store answers.json --reason 'upload of November' --as ravi"
    )]
    Store {
        file: String,
        /// Why, for the record; nothing personal
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

impl EInvoicesCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let operators = desk::at_once(how).await?;
        match self {
            EInvoicesCommand::Write { to, since } => {
                let day = since.as_deref().map(day::day);
                ensure!(day != Some(None), "--since takes 2026-11-26");
                let to = Path::new(&to);
                ensure!(!to.exists(), "{} exists already", to.display());
                let written = operators.unregistered_documents(day.flatten()).await?;
                desk::write_private(to, &written.result.content)?;
                Report::of(&written)
            }
            EInvoicesCommand::Store { file, reason } => {
                let answers = desk::file(&file, limits::E_INVOICE_FILE_BYTES_MAX)?;
                let stored = operators.store_registrations(&answers, &reason).await;
                Report::of(&stored.context("nothing was stored")?)
            }
        }
    }
}
