//! `dakiya orders`: bookings at couriers.

use clap::{Args, Subcommand};
use dakiya::services::operators::orders::{self, Fate};

use super::{Desk, DryRun, How, Report};

/// Bookings at couriers: see and end those that are stuck
#[derive(Debug, Subcommand)]
pub enum Orders {
    /// List orders and cancellations that wait for you, the longest waiting first
    #[command(after_help = "Examples:\n  dakiya orders list --json")]
    List {
        /// Those that are stuck; it is what is listed without it too
        #[arg(long)]
        stuck: bool,
    },
    /// Show an order, stuck or not
    #[command(after_help = "Examples:\n  dakiya orders show 123456789012")]
    Show {
        /// The booking's id, or the reference that the courier was told
        #[arg(allow_hyphen_values = true)]
        order: String,
    },
    /// End an order, or a cancellation, as the courier told you that it stands
    #[command(after_help = "Examples:
  dakiya orders resolve 1a2b --booked AWB123 --reason 'asked by phone' --as ravi --dry-run
  dakiya orders resolve 1a2b --not-booked --reason 'asked by phone' --as ravi
  dakiya orders resolve 1a2b --cancelled --reason 'their mail of today' --as ravi")]
    Resolve(Resolve),
    /// Give back the money of an order that its courier was never asked for
    #[command(after_help = "Examples:
  dakiya orders release 1a2b --reason 'never sent' --as ravi --dry-run")]
    Release(Which),
    /// Leave an order to operators: nobody looks it up until it is retried or resolved
    #[command(after_help = "Examples:
  dakiya orders quarantine 1a2b --reason 'courier asks us to wait' --as ravi")]
    Quarantine(Which),
}

#[derive(Debug, Args)]
pub struct Resolve {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    fate: Told,
}

/// What the courier said.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Told {
    /// It has the order, under this AWB: charged and booked
    #[arg(long, value_name = "AWB")]
    booked: Option<String>,
    /// It does not have the order: the money is free again
    #[arg(long)]
    not_booked: bool,
    /// It lets go of a booking that is being cancelled: paid back
    #[arg(long)]
    cancelled: bool,
    /// It carries a booking that is being cancelled: it stays booked
    #[arg(long)]
    not_cancelled: bool,
}

#[derive(Debug, Args)]
pub struct Which {
    /// The booking's id, or the reference that the courier was told
    #[arg(allow_hyphen_values = true)]
    order: String,
    /// Why, for the record; nothing personal
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    dry: DryRun,
}

impl Told {
    fn fate(self) -> Fate {
        match self.booked {
            Some(awb) => Fate::Booked(awb),
            None if self.not_booked => Fate::NotBooked,
            None if self.cancelled => Fate::Cancelled,
            None => Fate::NotCancelled,
        }
    }
}

impl Orders {
    pub async fn run(self, how: &How) -> anyhow::Result<Report> {
        match self {
            Orders::List { stuck: _ } => {
                let core = Desk::open().await?.core;
                Report::of(&orders::stuck_orders(&core.store, core.clock.now_ms()).await?)
            }
            Orders::Show { order } => {
                Report::of(&orders::show(&Desk::open().await?.core.store, &order).await?)
            }
            Orders::Resolve(Resolve { which, fate }) => {
                let operators = Desk::operators(how, which.dry).await?;
                let done = operators.resolve(&which.order, fate.fate(), &which.reason);
                Report::of(&done.await?)
            }
            Orders::Release(which) => {
                let operators = Desk::operators(how, which.dry).await?;
                Report::of(&operators.release(&which.order, &which.reason).await?)
            }
            Orders::Quarantine(which) => {
                let operators = Desk::operators(how, which.dry).await?;
                Report::of(&operators.quarantine(&which.order, &which.reason).await?)
            }
        }
    }
}
