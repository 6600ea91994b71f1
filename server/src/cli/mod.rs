//! The commands for operators. A command parses its arguments, calls one method of a service and
//! prints the result: a table for people or, with `--json`, JSON for programs.

mod actions;
mod arguments;
mod audit;
mod backups;
mod calls;
mod check;
mod desk;
mod e_invoices;
mod gst;
mod healthcheck;
mod keys;
mod kyc;
mod money;
mod orders;
mod payments;
mod pickups;
mod rates;
mod reconciliation;
mod redraw;
mod report;
mod services;
mod tasks;
mod track;
mod users;
mod weights;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use serde_json::value::RawValue;

use self::arguments::GlobalArgs;
use self::report::Report;
use crate::http;
use dakiya_core::config::Config;
use dakiya_core::model::operator::format_count;
use dakiya_core::providers::redrawing::COMMAND;
use dakiya_core::store::Store;

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
    /// Serve customers (web), do background work (worker), or both; see DAKIYA_ROLES
    #[arg(long = "role", value_name = "ROLES")]
    pub roles: Option<String>,
    #[command(flatten)]
    pub how: GlobalArgs,
}

const HELP: &str = "\
Commands read the same variables as the server and may run beside it. They end with 0 when all is
done, with 2 when the command line makes no sense, and with 1 when they failed or found something
wrong: a sentence says what. After 1 nothing was changed, except that `reconciliation day` and
`keys reseal` keep what they have stored, and `backup` and `restore` the files that they wrote.";

#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(flatten)]
    Operate(Operate),
    /// Run the pretend providers alone, for another Dakiya
    Sandbox,
    /// Redraw a customer's PDF, for a server
    #[command(name = COMMAND, hide = true)]
    RedrawPdf(redraw::RedrawArgs),
}

/// A command that ends by itself.
#[derive(Debug, Subcommand)]
pub enum Operate {
    Audit(audit::AuditCommand),
    Backup(backups::BackupCommand),
    Restore(backups::RestoreCommand),
    Recover(backups::RecoverCommand),
    Resume(backups::ResumeCommand),
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
    /// Bring the schema of the database up to date, and say what was done
    #[command(
        after_help = "It applies the migrations of this version and restores missing triggers.
No other command changes the schema. A server does the same at its start, unless
DAKIYA_MIGRATE_AT_START is 0 or its role does not own the tables.

Examples:
  dakiya migrate
  DATABASE_URL=postgres://dakiya_owner@/dakiya dakiya migrate"
    )]
    Migrate,
    /// Check the configuration, the database, the key and the folders; nothing is changed
    #[command(after_help = "It says each in a line, and fails if something is wrong.

Examples:
  dakiya check
  dakiya check --json")]
    Check,
    Healthcheck(healthcheck::HealthcheckCommand),
    #[command(subcommand)]
    Rates(rates::RatesCommand),
    #[command(subcommand)]
    Pins(rates::PinsCommand),
    #[command(subcommand)]
    Track(track::TrackCommand),
    Pickups(pickups::PickupsCommand),
    Gst(gst::GstCommand),
    #[command(subcommand)]
    EInvoices(e_invoices::EInvoicesCommand),
    #[command(subcommand)]
    Calls(calls::CallsCommand),
    /// Describe the API and what pages are drawn from, as OpenAPI 3.1
    #[command(after_help = "Examples:\n  dakiya openapi > openapi.json")]
    Openapi,
}

impl Operate {
    /// Runs the command and prints its result.
    pub async fn run(self, how: &GlobalArgs) -> ExitCode {
        let outcome = match self {
            Operate::Audit(it) => it.run().await,
            Operate::Backup(it) => it.run(how).await,
            Operate::Restore(it) => it.run(how).await,
            Operate::Recover(it) => it.run(how).await,
            Operate::Resume(it) => it.run(how).await,
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
            Operate::Migrate => migrate().await,
            Operate::Check => check::run().await,
            Operate::Healthcheck(it) => it.run().await,
            Operate::Rates(it) => it.run(how).await,
            Operate::Pins(it) => it.run(how).await,
            Operate::Track(it) => it.run(how).await,
            Operate::Pickups(it) => it.run(how).await,
            Operate::Gst(it) => it.run(how).await,
            Operate::EInvoices(it) => it.run(how).await,
            Operate::Calls(it) => it.run(how).await,
            Operate::Openapi => openapi(),
        };
        how.exit_code(outcome.and_then(|report| {
            println!("{}", report.print(how.json));
            match report.problem() {
                None => Ok(()),
                Some(wrong) => Err(anyhow::anyhow!("{wrong}")),
            }
        }))
    }
}

async fn migrate() -> anyhow::Result<Report> {
    let changes = Store::migrate(&Config::from_env()?.database_url).await?;
    let mut lines: Vec<String> =
        changes.migrations.iter().map(|name| format!("Migration {name} was applied.")).collect();
    if changes.triggers > 0 {
        lines.push(format!("{} restored.", format_count(changes.triggers, "trigger")));
    }
    lines.push(match changes.is_newer {
        true => "A newer version has migrated the database. Nothing was changed.".to_owned(),
        false => "The database is up to date.".to_owned(),
    });
    Report::from_value(&changes, lines.join("\n"))
}

fn openapi() -> anyhow::Result<Report> {
    let text = http::openapi::document().to_string();
    let json: &RawValue = serde_json::from_str(&text)?;
    Report::from_value(&json, text.clone())
}
