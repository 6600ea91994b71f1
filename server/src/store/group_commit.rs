//! Group commit: writes that wait for SQLite's one writing connection run one after another in one
//! transaction, and are answered when its one sync is done. Each is taken back alone.
//!
//! Whoever comes while nobody writes begins at once, and takes along those who come meanwhile.

use std::collections::VecDeque;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tracing::Instrument as _;

use super::connections::PooledConnection;
use super::{Backend, Conn, Store, health};
use crate::error::{Error, Result};
use crate::{failpoints, limits};

/// How a write went, before its transaction ends.
enum WriteOutcome {
    Well,
    /// It is to be taken back.
    Wrong,
    /// The same, and nobody knows where it stopped.
    Died,
    /// The disk or the connection failed, as this says: nothing of the transaction can be kept.
    Lost(String),
}

/// A write of any type, as the queue holds it.
trait QueuedWrite: Send {
    fn run<'c>(&'c mut self, conn: &'c mut Conn) -> BoxFuture<'c, WriteOutcome>;

    /// Says what came of it, or why its transaction came to nothing.
    fn answer(self: Box<Self>, failed: Option<Error>);
}

struct Write<T, W> {
    work: Option<W>,
    /// What it did is told, and taken back.
    is_rehearsal: bool,
    written: Option<Result<T>>,
    answer: oneshot::Sender<Result<T>>,
}

impl<T, W> QueuedWrite for Write<T, W>
where
    T: Send,
    W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T>> + Send,
{
    fn run<'c>(&'c mut self, conn: &'c mut Conn) -> BoxFuture<'c, WriteOutcome> {
        let work = self.work.take();
        Box::pin(async {
            let work = async move { work.expect("it runs once")(conn).await };
            let done = AssertUnwindSafe(work).catch_unwind().await;
            let went = match &done {
                Ok(Ok(_)) if self.is_rehearsal => WriteOutcome::Wrong,
                Ok(Ok(_)) => WriteOutcome::Well,
                Ok(Err(error @ Error::Storage { .. })) => WriteOutcome::Lost(error.to_string()),
                Ok(Err(_)) => WriteOutcome::Wrong,
                Err(_) => WriteOutcome::Died,
            };
            let died = |_| Err(Error::internal(anyhow::anyhow!("a write panicked")));
            self.written = Some(done.unwrap_or_else(died));
            went
        })
    }

    fn answer(self: Box<Self>, failed: Option<Error>) {
        let written = match (self.written, failed) {
            // What failed for the disk's sake says it best itself.
            (Some(Err(own @ Error::Storage { .. })), _) => Err(own),
            (_, Some(failed)) => Err(failed),
            (Some(written), None) => written,
            (None, None) => Err(Error::internal(anyhow::anyhow!("a write never ran"))),
        };
        // Nobody may be waiting any more.
        let _ = self.answer.send(written);
    }
}

/// Writes in the order in which they came.
#[derive(Default)]
pub(super) struct Queue(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: VecDeque<(u64, Box<dyn QueuedWrite>)>,
    /// Somebody writes, and takes what waits.
    is_led: bool,
    last: u64,
}

impl fmt::Debug for Queue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} waiting", self.state().waiting.len())
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a write that waits now, and whether somebody has to begin.
    fn push(&self, write: Box<dyn QueuedWrite>) -> Result<(u64, bool)> {
        let mut state = self.state();
        if state.waiting.len() >= limits::WRITES_WAITING_MAX {
            return Err(Error::busy());
        }
        state.last += 1;
        let number = state.last;
        state.waiting.push_back((number, write));
        let begins = !std::mem::replace(&mut state.is_led, true);
        Ok((number, begins))
    }

    fn pop(&self) -> Option<Box<dyn QueuedWrite>> {
        self.state().waiting.pop_front().map(|(_, write)| write)
    }

    /// The next write; when there is none, whoever writes ends with this.
    fn pop_or_end(&self) -> Option<Box<dyn QueuedWrite>> {
        let mut state = self.state();
        let next = state.waiting.pop_front();
        state.is_led = next.is_some();
        next.map(|(_, write)| write)
    }

    /// Takes a write back that nobody began; `false` when somebody did.
    fn withdraw(&self, number: u64) -> bool {
        let mut state = self.state();
        let at = state.waiting.iter().position(|(other, _)| *other == number);
        at.and_then(|at| state.waiting.remove(at)).is_some()
    }
}

/// Whoever writes. If they are cut off, those who wait are told.
struct Leader {
    store: Store,
    has_ended: bool,
}

impl Drop for Leader {
    fn drop(&mut self) {
        if !self.has_ended {
            let mut state = self.store.queue.state();
            state.is_led = false;
            state.waiting.clear();
        }
    }
}

/// Does `work` in a transaction, alone or with others.
///
/// Of each kind of work only what differs is compiled: there are hundreds, and a task is much code.
pub(super) fn write<T, W>(
    store: &Store,
    is_rehearsal: bool,
    work: W,
) -> impl Future<Output = Result<T>>
where
    T: Send + 'static,
    W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T>> + Send + 'static,
{
    let (answer, answered) = oneshot::channel();
    let write = Box::new(Write {
        work: Some(work),
        is_rehearsal,
        written: None,
        answer,
    });
    outcome(store, write, answered)
}

async fn outcome<T>(
    store: &Store,
    write: Box<dyn QueuedWrite>,
    mut answered: oneshot::Receiver<Result<T>>,
) -> Result<T> {
    if failpoints::on("transaction-in-request") {
        in_request(store, write).await?;
    } else if store.backend == Backend::Postgres {
        on_its_own(store, write).await;
    } else {
        let number = enqueue(store, write)?;
        let patience = Duration::from_millis(limits::DATABASE_WAIT_MS_MAX);
        if let Ok(answer) = tokio::time::timeout(patience, &mut answered).await {
            return answer.unwrap_or_else(|_| Err(cut_off()));
        }
        if store.queue.withdraw(number) {
            store.health.note_stuck();
            return Err(Error::busy());
        }
    }
    answered.await.unwrap_or_else(|_| Err(cut_off()))
}

/// A client that hangs up ends the waiting, not the write.
async fn on_its_own(store: &Store, write: Box<dyn QueuedWrite>) {
    let store = store.clone();
    let alone = async move { transaction(&store, &mut None, write, || None).await };
    let written = tokio::spawn(alone.in_current_span());
    if !failpoints::on("answered-before-commit") {
        let _ = written.await;
    }
}

/// The number of a write that waits now. If nobody writes, somebody begins.
fn enqueue(store: &Store, write: Box<dyn QueuedWrite>) -> Result<u64> {
    let (number, begins) = store.queue.push(write)?;
    if begins {
        let leader = Leader {
            store: store.clone(),
            has_ended: false,
        };
        // It waits for the disk, and its statements for nobody: they are done where they are asked.
        let runtime = Handle::current();
        spawn_blocking(move || runtime.block_on(lead(leader)));
    }
    Ok(number)
}

/// The fault of that name: a client that hangs up ends the write.
async fn in_request(store: &Store, mut write: Box<dyn QueuedWrite>) -> Result<()> {
    let mut conn = store.write.take().await?;
    control(&mut conn, store.begin()).await?;
    if matches!(write.run(&mut conn).await, WriteOutcome::Well) {
        failpoints::point("commit", "").await;
        control(&mut conn, "commit").await?;
    }
    write.answer(None);
    Ok(())
}

/// Whoever wrote is gone, perhaps in the commit.
fn cut_off() -> Error {
    health::unsure(sqlx::Error::WorkerCrashed)
}

/// Writes what waits, until nothing does.
async fn lead(mut leader: Leader) {
    let store = leader.store.clone();
    let mut writer = None;
    while let Some(first) = store.queue.pop_or_end() {
        transaction(&store, &mut writer, first, || store.queue.pop()).await;
    }
    leader.has_ended = true;
}

/// One transaction with the first write and those that `more` gives while it is open. The writer
/// is kept for the next one if it is sound.
async fn transaction(
    store: &Store,
    kept: &mut Option<PooledConnection>,
    first: Box<dyn QueuedWrite>,
    more: impl FnMut() -> Option<Box<dyn QueuedWrite>> + Send,
) {
    let tries = store.health.is_ill();
    let mut group = vec![first];
    let writer = match kept.take() {
        Some(writer) => Ok(writer),
        None => store.writer().await,
    };
    let written = match writer {
        Ok(mut writer) => {
            let written = run(store, &mut writer, &mut group, more, tries).await;
            *kept = writer.is_sound.then_some(writer);
            written
        }
        Err(error) => Err(error),
    };
    store
        .health
        .note(&written, tries && matches!(written, Ok(true)));
    let together = u32::try_from(group.len()).unwrap_or(u32::MAX);
    metrics::histogram!("dakiya_writes_together").record(together);
    for write in group {
        write.answer(written.as_ref().err().map(Error::for_another));
    }
}

/// Runs the writes of a group and commits; `false` when there was nothing to keep. An error says
/// what came of all of them.
async fn run(
    store: &Store,
    writer: &mut PooledConnection,
    group: &mut Vec<Box<dyn QueuedWrite>>,
    mut more: impl FnMut() -> Option<Box<dyn QueuedWrite>>,
    tries: bool,
) -> Result<bool> {
    let until = Instant::now() + Duration::from_millis(limits::WRITES_TOGETHER_MS_MAX);
    // Until all went well.
    writer.is_sound = false;
    control(writer, store.begin()).await?;
    if tries {
        health::write_something(writer).await?;
    }
    let mut is_sound = true;
    // The first one needs no savepoint: without it there is nothing to keep.
    match group[0].run(writer).await {
        WriteOutcome::Well => {}
        WriteOutcome::Lost(cause) => return Err(lost(cause)),
        went => {
            let undone = control(writer, "rollback").await;
            writer.is_sound = undone.is_ok() && matches!(went, WriteOutcome::Wrong);
            return Ok(false);
        }
    }
    while group.len() < limits::WRITES_TOGETHER_MAX && Instant::now() < until {
        let Some(next) = more() else { break };
        group.push(next);
        let next = group.last_mut().expect("it was pushed");
        control(writer, "savepoint one").await?;
        let went = next.run(writer).await;
        is_sound &= !matches!(went, WriteOutcome::Died);
        let ended = match went {
            WriteOutcome::Well => control(writer, "release one").await,
            WriteOutcome::Wrong | WriteOutcome::Died => undo(writer).await,
            WriteOutcome::Lost(cause) => return Err(lost(cause)),
        };
        // The database ended the transaction of itself, and nobody knows when.
        ended.map_err(health::unsure)?;
    }
    if failpoints::on("answered-before-commit") {
        for write in group.drain(..) {
            write.answer(None);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    failpoints::point("commit", "").await;
    match control(writer, "commit").await {
        Err(_) if failpoints::on("commit-unchecked") => {}
        committed => committed.map_err(health::unsure)?,
    }
    writer.is_sound = is_sound;
    Ok(true)
}

/// Takes back what was written since the savepoint.
async fn undo(conn: &mut Conn) -> std::result::Result<(), sqlx::Error> {
    control(conn, "rollback to one").await?;
    control(conn, "release one").await
}

/// Begins or ends something.
async fn control(conn: &mut Conn, words: &'static str) -> std::result::Result<(), sqlx::Error> {
    sqlx::query(words).execute(conn).await?;
    Ok(())
}

/// The disk failed one write, so that nothing of the others can be kept.
fn lost(cause: String) -> Error {
    Error::not_stored(anyhow::anyhow!(cause))
}
