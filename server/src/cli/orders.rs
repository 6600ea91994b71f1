//! `dakiya orders`: bookings and their orders at couriers.

use clap::{Args, Subcommand};

use super::arguments::{Again, GlobalArgs, MoneyArgs, rupees};
use super::desk;
use super::report::Report;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::services::operators::orders::{self, BookingFilter, Fate};

/// Bookings at couriers: find them, end those that are stuck, give back a part of a price
#[derive(Debug, Subcommand)]
pub enum OrdersCommand {
    /// List orders and cancellations that need an operator, the longest waiting first; or others
    #[command(after_help = "Examples:
  dakiya orders list --json
  dakiya orders list --user asha --limit 10
  dakiya orders list --status delivered")]
    List(Filter),
    /// Show an order, stuck or not
    #[command(after_help = "Examples:\n  dakiya orders show 123456789012")]
    Show {
        /// The booking's id, its AWB, or the reference that was sent to the courier
        #[arg(allow_hyphen_values = true)]
        order: String,
    },
    /// Give a part of a price back, with a credit note; the courier still carries it
    #[command(after_help = "Examples:
  dakiya orders refund 123456789012 50 --reason 'two days late' --as ravi --dry-run")]
    Refund {
        /// The booking's id, its AWB, or the reference that was sent to the courier
        #[arg(allow_hyphen_values = true)]
        order: String,
        /// In rupees, with GST
        #[arg(value_parser = rupees)]
        amount: Paise,
        #[command(flatten)]
        again: Again,
    },
    /// End an order, or a cancellation, with the state that its courier reported
    #[command(after_help = "Examples:
  dakiya orders resolve 1a2b --booked AWB123 --reason 'asked by phone' --as ravi --dry-run
  dakiya orders resolve 1a2b --not-booked --reason 'asked by phone' --as ravi
  dakiya orders resolve 1a2b --cancelled --reason 'their mail of today' --as ravi")]
    Resolve {
        #[command(flatten)]
        which: OrderArgs,
        #[command(flatten)]
        fate: CourierAnswerArgs,
    },
    /// Give back the money of an order that its courier was never asked for
    #[command(after_help = "Examples:
  dakiya orders release 1a2b --reason 'never sent' --as ravi --dry-run")]
    Release(OrderArgs),
    /// Charge a cancelled booking again that was carried all the same; what the wallet does not
    /// cover is owed
    #[command(after_help = "Examples:
  dakiya orders charge-again 123456789012 --reason 'the hub has it' --as ravi --dry-run")]
    ChargeAgain(OrderArgs),
    /// Leave an order to operators: nobody looks it up until it is retried or resolved
    #[command(after_help = "Examples:
  dakiya orders quarantine 1a2b --reason 'courier asks us to wait' --as ravi")]
    Quarantine(OrderArgs),
}

#[derive(Debug, Args)]
pub struct Filter {
    /// Stuck orders; the default
    #[arg(long)]
    stuck: bool,
    /// Orders of an account, newest first: its id, username or email address
    #[arg(long, conflicts_with = "stuck", allow_hyphen_values = true)]
    user: Option<String>,
    /// Orders with this status, newest first: booked, in_transit, delivered, …
    #[arg(long, conflicts_with = "stuck")]
    status: Option<String>,
    /// The newest, so many, 1000 at most
    #[arg(long, value_name = "COUNT", conflicts_with = "stuck")]
    limit: Option<i64>,
}

/// The courier's answer.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct CourierAnswerArgs {
    /// It has the order, under this AWB: charged and booked
    #[arg(long, value_name = "AWB")]
    booked: Option<String>,
    /// It does not have the order: the money is free again
    #[arg(long)]
    not_booked: bool,
    /// It accepts the cancellation of a booking: paid back
    #[arg(long)]
    cancelled: bool,
    /// It refuses the cancellation of a booking: it stays booked
    #[arg(long)]
    not_cancelled: bool,
}

#[derive(Debug, Args)]
pub struct OrderArgs {
    /// The booking's id, its AWB, or the reference that was sent to the courier
    #[arg(allow_hyphen_values = true)]
    order: String,
    #[command(flatten)]
    why: MoneyArgs,
}

impl CourierAnswerArgs {
    fn fate(self) -> Fate {
        match self.booked {
            Some(awb) => Fate::Booked(awb),
            None if self.not_booked => Fate::NotBooked,
            None if self.cancelled => Fate::Cancelled,
            None => Fate::NotCancelled,
        }
    }
}

impl Filter {
    async fn list(self) -> anyhow::Result<Report> {
        let core = desk::core().await?;
        let Filter { user, status, limit, .. } = self;
        if user.is_none() && status.is_none() && limit.is_none() {
            let stuck = orders::stuck_orders(&core.store, core.clock.now_ms());
            return Report::of(&stuck.await?);
        }
        let filter = BookingFilter { user, status, limit: limit.unwrap_or(NEWEST) };
        Report::of(&orders::list(&core.store, &filter).await?)
    }
}

/// The default length of the list.
const NEWEST: i64 = 50;

impl OrdersCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            OrdersCommand::List(filter) => filter.list().await,
            OrdersCommand::Show { order } => {
                Report::of(&orders::show(&desk::store().await?, &order).await?)
            }
            OrdersCommand::Refund { order, amount, again } => {
                let operators = desk::operators(how, &again).await?;
                Report::of(&operators.lower_price(&order, amount, &again.why.reason).await?)
            }
            OrdersCommand::Resolve { which, fate } => {
                let operators = desk::operators(how, &which.why).await?;
                let resolution = operators.resolve(&which.order, fate.fate(), &which.why.reason);
                Report::of(&resolution.await?)
            }
            OrdersCommand::Release(which) => {
                let operators = desk::operators(how, &which.why).await?;
                Report::of(&operators.release(&which.order, &which.why.reason).await?)
            }
            OrdersCommand::ChargeAgain(which) => {
                let operators = desk::operators(how, &which.why).await?;
                Report::of(&operators.charge_again(&which.order, &which.why.reason).await?)
            }
            OrdersCommand::Quarantine(which) => {
                let operators = desk::operators(how, &which.why).await?;
                Report::of(&operators.quarantine(&which.order, &which.why.reason).await?)
            }
        }
    }
}
