//! Arguments of several commands.

use std::process::ExitCode;

use clap::Args;

use super::report;
use dakiya_core::model::input::amount;
use dakiya_core::model::money::paise::{NotMoney, Paise};
use dakiya_core::services::operators::Mode;

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct GlobalArgs {
    /// Print the result as JSON, for programs
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Your name; it is recorded with every change you make, and when you see personal data
    #[arg(long = "as", global = true, value_name = "NAME", env = "DAKIYA_OPERATOR")]
    pub(super) actor: Option<String>,
}

/// For commands that move money.
#[derive(Clone, Copy, Debug, Args)]
pub struct DryRun {
    /// Run it, print what it would post to the books, and roll it back
    #[arg(long)]
    dry_run: bool,
}

/// The reason and the dry run of a command that moves money.
#[derive(Debug, Args)]
pub struct MoneyArgs {
    /// Why, for the record; nothing personal
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: String,
    #[command(flatten)]
    dry: DryRun,
}

/// For commands that move money and have no number that prevents a repetition.
#[derive(Debug, Args)]
pub struct Again {
    #[command(flatten)]
    pub(super) why: MoneyArgs,
    /// Run it although the same command was run before
    #[arg(long)]
    again: bool,
}

impl From<DryRun> for Mode {
    fn from(dry: DryRun) -> Mode {
        Mode { dry_run: dry.dry_run, again: false }
    }
}

impl From<&MoneyArgs> for Mode {
    fn from(why: &MoneyArgs) -> Mode {
        why.dry.into()
    }
}

impl From<&Again> for Mode {
    fn from(how: &Again) -> Mode {
        Mode { again: how.again, ..Mode::from(&how.why) }
    }
}

impl GlobalArgs {
    /// Returns the exit code; prints the error of a failure.
    pub fn exit_code(&self, done: anyhow::Result<()>) -> ExitCode {
        done.map_or_else(
            |error| {
                eprintln!("{}", report::failure(&error, self.json));
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        )
    }
}

/// Parses an amount in rupees: `50`, `12.50`, `1,000`, `-12.50`.
pub(super) fn rupees(text: &str) -> Result<Paise, String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let amount = amount::rupees(digits).ok_or_else(|| NotMoney.to_string())?;
    Ok(if sign < 0 { amount.negated() } else { amount })
}
