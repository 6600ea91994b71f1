//! `dakiya kyc`: customers' identity documents.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use clap::Subcommand;

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;
use crate::app;
use dakiya_core::config::Config;

/// Identity documents: list, read
#[derive(Debug, Subcommand)]
pub enum KycCommand {
    /// List an account's uploads: which, of what kind, and when
    #[command(after_help = "Examples:
  dakiya kyc list asha --as ravi")]
    List {
        /// The account's id, username or email address
        #[arg(allow_hyphen_values = true)]
        user: String,
    },
    /// Write a document into a new file that only you can read; its customer sees that you did
    #[command(after_help = "Examples:
  dakiya kyc read Zx81 --to /tmp/pan.jpg --reason 'customs ask, ticket 12' --as ravi")]
    Read {
        /// The document, as listed
        #[arg(allow_hyphen_values = true)]
        document: String,
        /// The new file to write; it must not exist
        #[arg(long, value_name = "FILE")]
        to: String,
        /// Why, for the record; nothing personal
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

impl KycCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let operators = desk::at_once(how).await?;
        match self {
            KycCommand::List { user } => Report::of(&operators.uploads(&user).await?),
            KycCommand::Read { document, to, reason } => {
                let files = app::files(&Config::from_env()?).await?;
                let mut file = desk::create_private(Path::new(&to))?;
                let review = operators.review(files, &document, &reason).await;
                let review = match review {
                    Ok(review) => review,
                    Err(error) => {
                        std::fs::remove_file(&to).with_context(|| to.clone())?;
                        return Err(error.into());
                    }
                };
                file.write_all(&review.result.content).with_context(|| to.clone())?;
                Report::of(&review)
            }
        }
    }
}
