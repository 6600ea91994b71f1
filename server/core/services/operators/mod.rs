//! Operators' actions. Each is one transaction with its entry in the record; a dry run does the
//! same and rolls it back.

pub mod backups;
pub mod e_invoices;
pub mod events;
pub mod gateway;
pub mod gst;
pub mod identity_documents;
pub mod keys;
pub mod money;
pub mod orders;
pub mod payments;
pub mod rates;
pub mod recovery;
pub mod shipments;
pub mod tasks;
pub mod users;
pub mod weights;

use futures_util::future::BoxFuture;
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::books::Instruction;
use super::books::sealing::seal_all;
use super::core::Core;
use crate::error::{Error, Result};
use crate::model::money::hash_chain::{ChainedEntry, ChainedTransaction};
use crate::model::money::paise::Paise;
use crate::model::operator::{ActResult, Actor, OperatorAction, PostedEntry};
use crate::random::random_id;
use crate::store::ledger::Posted;
use crate::store::{self, Conn};
use crate::{failpoints, limits};

/// Acts for one operator. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Operators {
    core: Core,
    actor: Actor,
    mode: Mode,
}

/// Options of an action.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mode {
    /// Does everything and then rolls it back.
    pub dry_run: bool,
    /// Moves money even if the same command line has done so before.
    pub again: bool,
}

struct ActOutcome<T> {
    /// The id of the changed object.
    reference: String,
    /// A sentence without personal data.
    outcome: String,
    result: T,
}

impl Operators {
    pub fn new(core: Core, actor: Actor, mode: Mode) -> Operators {
        Operators { core, actor, mode }
    }

    /// Returns the time of the servers (UTC milliseconds).
    pub fn now_ms(&self) -> i64 {
        self.core.clock.now_ms()
    }

    /// Does `work` and records it, in one transaction. The arguments must not contain personal
    /// data: they are kept permanently.
    async fn act<T, W>(&self, command: &str, arguments: Value, work: W) -> Result<ActResult<T>>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<ActOutcome<T>>> + Send + 'static,
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
        let mode = self.mode;
        let whole = self
            .core
            .store
            .rehearse_if(mode.dry_run, move |conn| Box::pin(perform(conn, record, mode, work)));
        let done = whole.await?;
        if !mode.dry_run && !done.entries.is_empty() {
            self.seal().await;
        }
        Ok(done)
    }

    /// Seals what is posted, so that the head of an audit covers it. A failure is left to servers.
    async fn seal(&self) {
        if let Err(error) = seal_all(&self.core).await {
            tracing::warn!("the books were not sealed: {error}");
        }
    }

    /// Returns rows with personal data, after a record that this operator sees them.
    async fn record_view<T>(&self, command: &str, arguments: Value, rows: Vec<T>) -> Result<Vec<T>>
    where
        T: Send + 'static,
    {
        let action = self.act(command, arguments, move |_| {
            Box::pin(async move {
                Ok(ActOutcome {
                    reference: String::new(),
                    outcome: format!("{} shown.", rows.len()),
                    result: rows,
                })
            })
        });
        Ok(action.await?.result)
    }

    /// Creates an instruction without an external number: each call is a new one.
    fn instruction(&self, why: &str) -> Result<Instruction> {
        Ok(Instruction {
            id: random_id(),
            actor: self.actor.as_str().to_owned(),
            note: reason(why)?,
            now_ms: self.core.clock.now_ms(),
        })
    }

    /// Creates an instruction with the number of the bank, the gateway or a courier: `id` is its
    /// idempotency key.
    fn numbered_instruction(&self, id: String, why: &str) -> Result<Instruction> {
        let instruction = self.instruction(why)?;
        Ok(match failpoints::on("number-forgotten") {
            true => instruction,
            false => Instruction { id, ..instruction },
        })
    }
}

/// Does the action, and records it and its postings to the books.
async fn perform<T, W>(
    conn: &mut Conn,
    record: OperatorAction,
    mode: Mode,
    work: W,
) -> Result<ActResult<T>>
where
    T: Send,
    W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<ActOutcome<T>>> + Send,
{
    let (did, posted) = store::ledger::collect_postings(work(conn)).await;
    let ActOutcome { reference, outcome, result } = did?;
    let record = OperatorAction { reference, outcome: outcome.clone(), ..record };
    let number = match failpoints::on("act-unrecorded") {
        true => 0,
        false => store::operator_actions::add(conn, &record).await?,
    };
    // After the entry is written, so that of two concurrent actions the later sees the earlier.
    if !posted.is_empty() && !mode.again && !failpoints::on("line-forgotten") {
        refuse_repeated(conn, &record, number).await?;
    }
    Ok(ActResult {
        outcome,
        dry_run: mode.dry_run,
        action: (!mode.dry_run).then_some(number),
        entries: posted.into_iter().flat_map(entries).collect(),
        result,
    })
}

/// Fails if the same command line has already moved money (idempotency).
async fn refuse_repeated(conn: &mut Conn, record: &OperatorAction, number: i64) -> Result<()> {
    match store::operator_actions::same_before(conn, record, number).await? {
        None => Ok(()),
        Some(before) => Err(Error::Conflict {
            code: "done_before",
            message: format!(
                "The very same was done before, as action {before}. Add --again if it is meant \
                 once more."
            )
            .into(),
        }),
    }
}

fn entries(transaction: ChainedTransaction) -> Vec<PostedEntry> {
    let kind = transaction.kind;
    let entry = |entry: ChainedEntry| PostedEntry {
        transaction: kind.clone(),
        account: entry.account_id,
        amount: Paise::new(entry.amount_paise),
        balance_after: entry.balance_after_paise.map(Paise::new),
    };
    transaction.entries.into_iter().map(entry).collect()
}

/// Returns the reason as stored in the record.
///
/// # Errors
/// `Malformed` for an empty or too long reason.
fn reason(text: &str) -> Result<String> {
    let text = text.trim();
    match (1..=limits::REASON_CHARS_MAX).contains(&text.chars().count()) {
        true => Ok(text.to_owned()),
        false => Err(Error::Malformed(
            format!("Say why, in 1 to {} letters.", limits::REASON_CHARS_MAX).into(),
        )),
    }
}

/// Returns the error for a request that is already fulfilled, or does not apply.
fn nothing_to_do(message: &'static str) -> Error {
    Error::Conflict { code: "nothing_to_do", message: message.into() }
}

/// Normalises a number of the bank, the gateway or a courier.
///
/// # Errors
/// `Fields` for an empty or invalid number.
fn number(field: &'static str, text: &str) -> Result<String> {
    let number = text.trim().to_uppercase();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_/.:".contains(c);
    let fits = (1..=limits::FOREIGN_NUMBER_CHARS_MAX).contains(&number.len());
    match fits && number.chars().all(plain) {
        true => Ok(number),
        false => Err(Error::field(
            field,
            format!(
                "A number has letters, digits and - _ / . : and at most {} of them.",
                limits::FOREIGN_NUMBER_CHARS_MAX
            ),
        )),
    }
}

/// Fails if the instruction was already in the books or was refused.
///
/// # Errors
/// `Conflict` when it is there, or another one under this number; `ShortOfMoney` when it was
/// refused.
fn check_posted_once(posted: Result<Posted>) -> Result<()> {
    match posted {
        Ok(Posted::Done) => Ok(()),
        Ok(Posted::Already) => {
            Err(nothing_to_do("This is in the books already. Nothing was moved."))
        }
        Ok(Posted::Refused) => Err(Error::ShortOfMoney("There is less in the wallet.".into())),
        Err(Error::KeyReused) => Err(Error::Conflict {
            code: "number_used",
            message: "This number is in the books already, for something else: look at the amount \
                      and whom it is about."
                .into(),
        }),
        Err(error) => Err(error),
    }
}
