//! What operators do to bring something to its end. Each act is one transaction with its line in
//! the record; a dry run does the same and takes all of it back.

pub mod actions;
pub mod money;
pub mod orders;
pub mod payments;
pub mod sale;
pub mod tasks;
pub mod users;

use futures_util::future::BoxFuture;
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::core::Core;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::money::hash_chain::{SealedEntry, SealedTransaction};
use crate::model::money::paise::Paise;
use crate::model::operator::{Actor, Done, OperatorAction, PostedEntry};
use crate::store::{self, Conn};

/// Acts for one operator. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Operators {
    core: Core,
    actor: Actor,
    dry_run: bool,
}

/// What an act came to.
struct Did<T> {
    /// The id of what was changed.
    reference: String,
    /// A sentence without anything personal.
    outcome: String,
    result: T,
}

impl Operators {
    /// With `dry_run` everything is done and then taken back.
    pub fn new(core: Core, actor: Actor, dry_run: bool) -> Operators {
        Operators {
            core,
            actor,
            dry_run,
        }
    }

    /// Does `work` and writes it down, in one transaction. Nothing personal belongs into the
    /// arguments: they stay.
    async fn act<T, W>(&self, command: &str, arguments: Value, work: W) -> Result<Done<T>>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<Did<T>>> + Send + 'static,
    {
        let record = OperatorAction {
            action: 0,
            done_at: self.core.clock.now_ms(),
            actor: self.actor.as_str().to_owned(),
            command: command.to_owned(),
            arguments: to_raw_value(&arguments).map_err(Error::internal)?,
            reference: String::new(),
            outcome: String::new(),
        };
        let dry_run = self.dry_run;
        let whole = self.core.store.rehearse_if(dry_run, move |conn| {
            Box::pin(done(conn, record, dry_run, work))
        });
        whole.await
    }
}

/// The act, with its line in the record and what it posted to the books.
async fn done<T, W>(
    conn: &mut Conn,
    record: OperatorAction,
    dry_run: bool,
    work: W,
) -> Result<Done<T>>
where
    T: Send,
    W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<Did<T>>> + Send,
{
    let (did, posted) = store::ledger::watched(work(conn)).await;
    let Did {
        reference,
        outcome,
        result,
    } = did?;
    let record = OperatorAction {
        reference,
        outcome: outcome.clone(),
        ..record
    };
    let number = store::operator_actions::add(conn, &record).await?;
    Ok(Done {
        outcome,
        dry_run,
        action: (!dry_run).then_some(number),
        entries: posted.into_iter().flat_map(entries).collect(),
        result,
    })
}

fn entries(transaction: SealedTransaction) -> Vec<PostedEntry> {
    let kind = transaction.kind;
    let entry = |entry: SealedEntry| PostedEntry {
        transaction: kind.clone(),
        account: entry.account_id,
        amount: Paise::new(entry.amount_paise),
        balance_after: Paise::new(entry.balance_after_paise),
    };
    transaction.entries.into_iter().map(entry).collect()
}

/// Why it is done, as the record keeps it.
///
/// # Errors
/// `Malformed` for none, or one that is too long.
fn reason(text: &str) -> Result<String> {
    let text = text.trim();
    match (1..=limits::REASON_CHARS_MAX).contains(&text.chars().count()) {
        true => Ok(text.to_owned()),
        false => Err(Error::Malformed(
            format!("Say why, in 1 to {} letters.", limits::REASON_CHARS_MAX).into(),
        )),
    }
}

/// What is asked for is so already, or makes no sense for this one.
fn nothing_to_do(message: &'static str) -> Error {
    Error::Conflict {
        code: "nothing_to_do",
        message: message.into(),
    }
}
