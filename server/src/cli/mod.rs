//! The commands for operators. A command parses its arguments, calls one method of a service and
//! prints the result: a table for people or, with `--json`, JSON for programs.

mod actions;
mod audit;
mod calls;
mod keys;
mod kyc;
mod migrate;
mod money;
mod openapi;
mod orders;
mod payments;
mod pickups;
mod rates;
mod reconciliation;
pub mod redraw;
mod report;
mod services;
mod tasks;
mod track;
mod users;
mod weights;

use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::{Args, Parser, Subcommand};
use dakiya::app;
use dakiya::config::Config;
use dakiya::model::money::paise::Paise;
use dakiya::model::operator::Actor;
use dakiya::providers::redrawing::COMMAND;
use dakiya::services::core::Core;
use dakiya::services::operators::{Mode, Operators};

use self::report::Report;

/// Prints the error of the command line, or the requested help, and returns the exit code.
pub fn refuse(error: &clap::Error) -> ExitCode {
    let as_json = std::env::args_os().any(|word| word == "--json");
    match error.use_stderr() && as_json {
        true => eprintln!("{}", report::usage(error)),
        // If printing fails, there is no other place to report it.
        false => drop(error.print()),
    }
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Dakiya: book couriers in India and pay from a prepaid wallet. Without a command it serves.
#[derive(Debug, Parser)]
#[command(name = "dakiya", version, after_help = HELP)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub how: GlobalArgs,
}

const HELP: &str = "\
Commands read the same variables as the server and may run beside it. They end with 0 when all is
done, with 1 when it was not (nothing was changed, and a sentence says why), and with 2 when the
command line makes no sense.";

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct GlobalArgs {
    /// Say it in JSON, for programs
    #[arg(long, global = true)]
    json: bool,
    /// Your name; it is recorded with every change you make
    #[arg(
        long = "as",
        global = true,
        value_name = "NAME",
        env = "DAKIYA_OPERATOR"
    )]
    actor: Option<String>,
}

/// For commands that move money.
#[derive(Clone, Copy, Debug, Args)]
pub struct DryRun {
    /// Do all of it, say what it would post to the books, and take it back
    #[arg(long)]
    dry_run: bool,
}

/// For those among them that nothing but the operator's word makes once.
#[derive(Clone, Copy, Debug, Args)]
pub struct Again {
    #[command(flatten)]
    dry: DryRun,
    /// Do it although the very same was done before
    #[arg(long)]
    again: bool,
}

impl From<DryRun> for Mode {
    fn from(dry: DryRun) -> Mode {
        Mode {
            dry_run: dry.dry_run,
            again: false,
        }
    }
}

impl From<Again> for Mode {
    fn from(how: Again) -> Mode {
        Mode {
            dry_run: how.dry.dry_run,
            again: how.again,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(flatten)]
    Operate(Operate),
    /// Run the pretend providers alone, for another Dakiya
    Sandbox,
    /// Draw a customer's PDF anew, for a server
    #[command(name = COMMAND, hide = true)]
    RedrawPdf,
}

/// A command that ends by itself.
#[derive(Debug, Subcommand)]
pub enum Operate {
    Audit(audit::AuditCommand),
    #[command(subcommand)]
    Reconciliation(reconciliation::ReconciliationCommand),
    #[command(subcommand)]
    Orders(orders::OrdersCommand),
    #[command(subcommand)]
    Payments(payments::PaymentsCommand),
    #[command(subcommand)]
    Wallet(money::WalletCommand),
    #[command(subcommand)]
    Couriers(money::CouriersCommand),
    #[command(subcommand)]
    Weights(weights::WeightsCommand),
    #[command(subcommand)]
    Tasks(tasks::TasksCommand),
    #[command(subcommand)]
    Users(users::UsersCommand),
    #[command(subcommand)]
    Kyc(kyc::KycCommand),
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    #[command(subcommand)]
    Services(services::ServicesCommand),
    #[command(subcommand)]
    Actions(actions::ActionsCommand),
    Migrate(migrate::MigrateCommand),
    #[command(subcommand)]
    Rates(rates::RatesCommand),
    #[command(subcommand)]
    Pins(rates::PinsCommand),
    #[command(subcommand)]
    Track(track::TrackCommand),
    Pickups(pickups::PickupsCommand),
    #[command(subcommand)]
    Calls(calls::CallsCommand),
    Openapi(openapi::OpenapiCommand),
}

impl Operate {
    /// Runs the command and prints its result.
    pub async fn run(self, how: &GlobalArgs) -> ExitCode {
        let outcome = match self {
            Operate::Audit(it) => it.run().await,
            Operate::Reconciliation(it) => it.run(how).await,
            Operate::Orders(it) => it.run(how).await,
            Operate::Payments(it) => it.run(how).await,
            Operate::Wallet(it) => it.run(how).await,
            Operate::Couriers(it) => it.run(how).await,
            Operate::Weights(it) => it.run(how).await,
            Operate::Tasks(it) => it.run(how).await,
            Operate::Users(it) => it.run(how).await,
            Operate::Kyc(it) => it.run(how).await,
            Operate::Keys(it) => it.run(how).await,
            Operate::Services(it) => it.run(how).await,
            Operate::Actions(it) => it.run().await,
            Operate::Migrate(it) => it.run().await,
            Operate::Rates(it) => it.run(how).await,
            Operate::Pins(it) => it.run(how).await,
            Operate::Track(it) => it.run(how).await,
            Operate::Pickups(it) => it.run().await,
            Operate::Calls(it) => it.run(how).await,
            Operate::Openapi(it) => it.run(),
        };
        how.say(outcome.and_then(|report| {
            println!("{}", report.print(how.json));
            match report.wrong() {
                None => Ok(()),
                Some(wrong) => Err(anyhow::anyhow!("{wrong}")),
            }
        }))
    }
}

impl GlobalArgs {
    /// Returns the exit code; prints the error of a failure.
    pub fn say(&self, outcome: anyhow::Result<()>) -> ExitCode {
        outcome.map_or_else(
            |error| {
                eprintln!("{}", report::failure(&error, self.json));
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        )
    }
}

/// The server's database, found by the same environment variables.
struct Desk {
    core: Core,
}

impl Desk {
    async fn open() -> anyhow::Result<Desk> {
        let core = app::core(&Config::from_env()?).await?;
        Ok(Desk { core })
    }

    /// Returns the services for this operator. The operator is checked first: without one, the
    /// database is not opened.
    async fn operators(how: &GlobalArgs, mode: impl Into<Mode>) -> anyhow::Result<Operators> {
        let actor = Actor::parse(how.actor.as_deref().unwrap_or_default())?;
        let desk = Desk::open().await?;
        Ok(Operators::new(desk.core, actor, mode.into()))
    }

    /// Returns the services for commands that move no money and so have no dry run.
    async fn at_once(how: &GlobalArgs) -> anyhow::Result<Operators> {
        Desk::operators(how, Mode::default()).await
    }
}

/// Reads a file of the operator, up to a maximum size.
fn file(path: &str, bytes_max: usize) -> anyhow::Result<Vec<u8>> {
    let size = std::fs::metadata(path)
        .with_context(|| path.to_owned())?
        .len();
    let fits = usize::try_from(size).is_ok_and(|size| size <= bytes_max);
    ensure!(fits, "{path} has more than {bytes_max} bytes");
    std::fs::read(path).with_context(|| path.to_owned())
}

/// Parses an amount in rupees: `50`, `12.50`, `-12.50`.
fn rupees(text: &str) -> Result<Paise, String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let amount = Paise::parse_rupees(digits).map_err(|error| error.to_string())?;
    Ok(if sign < 0 { amount.negated() } else { amount })
}
