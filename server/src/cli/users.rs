//! `dakiya users`: accounts.

use clap::{Args, Subcommand};

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;

/// Accounts: see, freeze, log out, switch two-step login off, confirm SEZ units, close
#[derive(Debug, Subcommand)]
pub enum UsersCommand {
    /// Show an account without its secrets; personal data is masked
    #[command(after_help = "Examples:
  dakiya users show asha --as ravi
  dakiya users show asha@example.in --full --as ravi")]
    Show {
        /// The account's id, username or email address
        #[arg(allow_hyphen_values = true)]
        user: String,
        /// Mask nothing; this is recorded
        #[arg(long)]
        full: bool,
    },
    /// List the events of an account, or from an address; the look-up is recorded
    #[command(after_help = "Examples:
  dakiya users events asha --as ravi
  dakiya users events --address 203.0.113.7 --limit 200 --as ravi")]
    Events {
        /// The account's id, username or email address
        #[arg(allow_hyphen_values = true, default_value = "", hide_default_value = true)]
        user: String,
        /// Only from this address, of IPv6 the network as it is listed
        #[arg(long, default_value = "", hide_default_value = true)]
        address: String,
        /// At most so many, 1000 at most
        #[arg(long, value_name = "COUNT", default_value_t = 50)]
        limit: i64,
    },
    /// Freeze an account: it is logged out and may read, but not book, recharge, close or change
    #[command(after_help = "Examples:
  dakiya users freeze asha --reason 'chargeback of DKR1' --as ravi")]
    Freeze(Whom),
    /// Allow a frozen account to book and recharge again
    #[command(after_help = "Examples:
  dakiya users unfreeze asha --reason 'bank took it back' --as ravi")]
    Unfreeze(Whom),
    /// Close an account for good: the books keep their entries, personal data is deleted
    #[command(after_help = "Examples:
  dakiya users close asha --reason 'asked for in letter 4711' --as ravi")]
    Close(Whom),
    /// Switch two-step login off for who lost phone and recovery codes, and log the account out
    #[command(
        after_help = "Be sure who asks: call back at the number of the account, if it is confirmed
for seven days and nobody has protested (users show).

Examples:
  dakiya users two-step-off asha --reason 'lost phone, called back' --as ravi"
    )]
    TwoStepOff(Whom),
    /// Confirm that a GSTIN is an SEZ unit's: this account pays IGST for it, none under an LUT
    #[command(after_help = "Look at the letter of approval first.

Examples:
  dakiya users sez asha --gstin 07AAACR5055K1Z9 --reason 'letter of approval 12/2026' --as ravi")]
    Sez {
        #[command(flatten)]
        whom: Whom,
        /// The GSTIN of the unit; another one of the account stays as it is
        #[arg(long)]
        gstin: String,
    },
    /// Withdraw the confirmation of an SEZ unit
    #[command(after_help = "Examples:
  dakiya users sez-off asha --reason 'approval expired' --as ravi")]
    SezOff(Whom),
    /// Log an account out everywhere, and end the links that were sent out
    #[command(after_help = "After a stolen password, or when somebody else was in the account:
--credentials. The customer then chooses a password by a link to the email address.

Examples:
  dakiya users end-sessions asha --reason 'lost phone' --as ravi
  dakiya users end-sessions asha --credentials --reason 'password stolen' --as ravi")]
    EndSessions {
        #[command(flatten)]
        whom: Whom,
        /// End the password too, and passkeys, two-step login, recovery codes, known browsers and
        /// the confirmation of the phone number that are younger than the oldest email address
        #[arg(long)]
        credentials: bool,
    },
}

#[derive(Debug, Args)]
pub struct Whom {
    /// The account's id, username or email address
    #[arg(allow_hyphen_values = true)]
    user: String,
    /// Why, for the record; nothing personal
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl UsersCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        let operators = desk::at_once(how).await?;
        match self {
            UsersCommand::Show { user, full } => Report::of(&operators.user(&user, full).await?),
            UsersCommand::Events { user, address, limit } => {
                Report::of(&operators.events(&user, &address, limit).await?)
            }
            UsersCommand::Freeze(whom) => {
                Report::of(&operators.freeze(&whom.user, &whom.reason).await?)
            }
            UsersCommand::Unfreeze(whom) => {
                Report::of(&operators.unfreeze(&whom.user, &whom.reason).await?)
            }
            UsersCommand::Close(whom) => {
                Report::of(&operators.close(&whom.user, &whom.reason).await?)
            }
            UsersCommand::TwoStepOff(whom) => {
                Report::of(&operators.two_step_off(&whom.user, &whom.reason).await?)
            }
            UsersCommand::Sez { whom, gstin } => {
                Report::of(&operators.confirm_sez(&whom.user, &gstin, &whom.reason).await?)
            }
            UsersCommand::SezOff(whom) => {
                Report::of(&operators.revoke_sez(&whom.user, &whom.reason).await?)
            }
            UsersCommand::EndSessions { whom, credentials } => {
                Report::of(&operators.end_sessions(&whom.user, credentials, &whom.reason).await?)
            }
        }
    }
}
