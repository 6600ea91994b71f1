//! Group commit: writes that wait for SQLite's one writing connection run one after another in one
//! transaction, and are answered after its one sync. Each can be rolled back alone.
//!
//! A write that finds no writer starts at once. Its transaction includes writes that arrive
//! meanwhile.

use std::collections::VecDeque;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use tracing::{Instrument as _, Span};

use super::conn::{Backend, Conn};
use super::connections::{ConnectionPool, PoolFigures, PooledConnection};
use super::health::{self, Health};
use super::timing::Timed;
use super::wakes::Wakes;
use crate::connection_guard::ConnectionGuard;
use crate::error::{Error, Result};
use crate::{failpoints, limits, trace_context};

/// The result of a write, before its transaction ends.
enum WriteOutcome {
    Well,
    /// The write must be rolled back.
    Wrong,
    /// The write panicked at an unknown point and must be rolled back.
    Died,
    /// The disk or the connection failed, with this message: the whole transaction is lost.
    Lost(String),
}

/// The transaction of a write, and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteMode {
    Transaction,
    /// Its result is returned, and its changes are rolled back.
    Rehearsal,
    /// It is one statement. On Postgres it needs no transaction around it.
    Statement,
}

/// A write of any type, as the queue holds it.
trait QueuedWrite: Send {
    fn run<'c>(&'c mut self, conn: &'c mut Conn) -> BoxFuture<'c, WriteOutcome>;

    fn mode(&self) -> WriteMode;

    /// The request or task that it belongs to.
    fn span(&self) -> Span;

    /// Sends the result, or the error of the whole transaction.
    fn answer(self: Box<Self>, failed: Option<Error>);
}

struct Write<T, W> {
    work: Option<W>,
    mode: WriteMode,
    result: Option<Result<T>>,
    answer: oneshot::Sender<Result<T>>,
    span: Span,
    _timed: Timed,
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
            let result = AssertUnwindSafe(work).catch_unwind().await;
            let outcome = match &result {
                Ok(Ok(_)) if self.mode == WriteMode::Rehearsal => WriteOutcome::Wrong,
                Ok(Ok(_)) => WriteOutcome::Well,
                Ok(Err(error @ Error::Storage { .. })) => WriteOutcome::Lost(error.to_string()),
                Ok(Err(_)) => WriteOutcome::Wrong,
                Err(_) => WriteOutcome::Died,
            };
            let died = |_| Err(Error::internal(anyhow::anyhow!("a write panicked")));
            self.result = Some(result.unwrap_or_else(died));
            outcome
        })
    }

    fn mode(&self) -> WriteMode {
        self.mode
    }

    fn span(&self) -> Span {
        self.span.clone()
    }

    fn answer(self: Box<Self>, failed: Option<Error>) {
        let result = match (self.result, failed) {
            // The write's own storage error is the most exact one.
            (Some(Err(own @ Error::Storage { .. })), _) => Err(own),
            (_, Some(failed)) => Err(failed),
            (Some(result), None) => result,
            (None, None) => Err(Error::internal(anyhow::anyhow!("a write never ran"))),
        };
        // The receiver may have been dropped.
        let _ = self.answer.send(result);
    }
}

/// Writes in the order of arrival.
#[derive(Default)]
struct WriteQueue(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: VecDeque<(u64, Box<dyn QueuedWrite>)>,
    /// Set while a leader writes, which takes all waiting writes.
    is_led: bool,
    last: u64,
}

impl fmt::Debug for WriteQueue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} waiting", self.state().waiting.len())
    }
}

impl WriteQueue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the queued write, and `true` if the caller has to start a leader.
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

    /// Returns the next write. If there is none, the leader ends.
    fn pop_or_end(&self) -> Option<Box<dyn QueuedWrite>> {
        let mut state = self.state();
        let next = state.waiting.pop_front();
        state.is_led = next.is_some();
        next.map(|(_, write)| write)
    }

    /// Removes a write that was not started. `false` if it was.
    fn withdraw(&self, number: u64) -> bool {
        let mut state = self.state();
        let at = state.waiting.iter().position(|(other, _)| *other == number);
        at.and_then(|at| state.waiting.remove(at)).is_some()
    }
}

/// Writes to the database in transactions. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    pub backend: Backend,
    pub pool: ConnectionPool,
    pub health: Arc<Health>,
    pub wakes: Arc<Wakes>,
    /// The writes that wait for SQLite's writing connection.
    queue: Arc<WriteQueue>,
}

impl Writer {
    pub fn new(backend: Backend, pool: ConnectionPool) -> Writer {
        let (health, wakes, queue) = (Arc::default(), Arc::default(), Arc::default());
        Writer { backend, pool, health, wakes, queue }
    }

    /// Returns a writer that takes its connections from another handle to the pool.
    pub fn through(&self, pool: ConnectionPool) -> Writer {
        Writer { pool, ..self.clone() }
    }

    /// The one writing connection to SQLite, with the writes that wait for it.
    pub fn figures(&self) -> PoolFigures {
        let mut figures = self.pool.figures("writing");
        figures.waiting += self.queue.state().waiting.len();
        figures
    }

    async fn connection(&self) -> Result<PooledConnection> {
        let taken = self.pool.take().await;
        if matches!(taken, Err(sqlx::Error::PoolTimedOut)) {
            self.health.note_stuck();
        }
        Ok(taken?)
    }

    fn begin(&self) -> &'static str {
        match self.backend {
            // A deferred transaction that starts to write later may fail half way.
            Backend::Sqlite => "begin immediate",
            // A database, a role or another engine may have another default.
            Backend::Postgres => "begin isolation level read committed",
        }
    }
}

/// The task that writes. If it is cancelled, the waiting writes get an error.
struct Leader {
    writer: Writer,
    has_ended: bool,
}

impl Drop for Leader {
    fn drop(&mut self) {
        if !self.has_ended {
            let mut state = self.writer.queue.state();
            state.is_led = false;
            state.waiting.clear();
        }
    }
}

/// Runs `work` in a transaction, alone or in a group.
///
/// Only the typed part is generic: there are hundreds of these, and a task is much code to compile.
pub(super) fn write<T, W>(
    writer: &Writer,
    mode: WriteMode,
    work: W,
) -> impl Future<Output = Result<T>>
where
    T: Send + 'static,
    W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T>> + Send + 'static,
{
    let (answer, answered) = oneshot::channel();
    let timed = Timed::begin("write");
    let (work, span) = (Some(work), trace_context::here());
    let write = Write { work, mode, result: None, answer, span, _timed: timed };
    let write = Box::new(write);
    outcome(writer, write, answered)
}

async fn outcome<T>(
    writer: &Writer,
    write: Box<dyn QueuedWrite>,
    mut answered: oneshot::Receiver<Result<T>>,
) -> Result<T> {
    if failpoints::on("transaction-in-request") {
        in_request(writer, write).await?;
    } else if writer.backend == Backend::Postgres {
        on_its_own(writer, write).await;
    } else {
        let number = enqueue(writer, write)?;
        let patience = Duration::from_millis(limits::DATABASE_WAIT_MS_MAX);
        if let Ok(answer) = tokio::time::timeout(patience, &mut answered).await {
            return answer.unwrap_or_else(|_| Err(cut_off()));
        }
        if writer.queue.withdraw(number) {
            writer.health.note_stuck();
            return Err(Error::busy());
        }
    }
    answered.await.unwrap_or_else(|_| Err(cut_off()))
}

/// Runs the write on its own task: a client that disconnects ends the waiting, not the write.
async fn on_its_own(writer: &Writer, write: Box<dyn QueuedWrite>) {
    let writer = writer.clone();
    let is_statement = write.mode() == WriteMode::Statement && !writer.health.is_failing();
    let alone = async move {
        match is_statement {
            true => statement(&writer, write).await,
            false => transaction(&writer, &mut None, write, || None).await,
        }
    };
    let task = tokio::spawn(alone.in_current_span());
    if !failpoints::on("answered-before-commit") {
        let _ = task.await;
    }
}

/// Queues a write, returns its number, and starts a leader if there is none.
fn enqueue(writer: &Writer, write: Box<dyn QueuedWrite>) -> Result<u64> {
    let (number, begins) = writer.queue.push(write)?;
    if begins {
        let leader = Leader { writer: writer.clone(), has_ended: false };
        // It waits for the disk, and its statements run synchronously on this thread.
        let runtime = Handle::current();
        spawn_blocking(move || runtime.block_on(write_queued(leader)));
    }
    Ok(number)
}

/// The failpoint `transaction-in-request`: a client that disconnects cancels the write.
async fn in_request(writer: &Writer, mut write: Box<dyn QueuedWrite>) -> Result<()> {
    let mut conn = writer.pool.take().await?;
    control(&mut conn, writer.begin()).await?;
    if matches!(run_traced(&mut write, &mut conn).await, WriteOutcome::Well) {
        failpoints::point("commit", "").await;
        control(&mut conn, "commit").await?;
    }
    write.answer(None);
    Ok(())
}

/// The error if the leader was lost, perhaps in the commit.
fn cut_off() -> Error {
    health::commit_error(sqlx::Error::WorkerCrashed)
}

/// Writes until the queue is empty.
async fn write_queued(mut leader: Leader) {
    let writer = leader.writer.clone();
    let mut conn = None;
    while let Some(first) = writer.queue.pop_or_end() {
        transaction(&writer, &mut conn, first, || writer.queue.pop()).await;
    }
    leader.has_ended = true;
}

/// Runs one transaction with the first write and those that `more` returns while it is open. The
/// connection is kept for the next one if it is sound.
async fn transaction(
    writer: &Writer,
    idle: &mut Option<PooledConnection>,
    first: Box<dyn QueuedWrite>,
    more: impl FnMut() -> Option<Box<dyn QueuedWrite>> + Send,
) {
    let tries = writer.health.is_failing();
    let mut group = vec![first];
    let result = match begun(writer, idle.take()).await {
        Ok(mut conn) => {
            let _held = ConnectionGuard::hold();
            let result = run(&mut conn, &mut group, more, tries).await;
            let due = conn.take_due();
            if matches!(result, Ok(true)) {
                writer.wakes.wake(due);
            }
            *idle = conn.is_sound.then_some(conn);
            result
        }
        Err(error) => Err(error),
    };
    writer.health.note(&result, tries && matches!(result, Ok(true)));
    let together = u32::try_from(group.len()).unwrap_or(u32::MAX);
    metrics::histogram!("dakiya_writes_together").record(together);
    for write in group {
        write.answer(result.as_ref().err().map(Error::for_another));
    }
}

/// Runs a write of one statement, which Postgres commits by itself. If its connection is lost, the
/// write may have been stored.
async fn statement(writer: &Writer, mut write: Box<dyn QueuedWrite>) {
    let result = match writer.connection().await {
        Ok(mut conn) => {
            conn.is_sound = false;
            conn.forget_long_statements();
            let _held = ConnectionGuard::hold();
            let outcome = run_traced(&mut write, &mut conn).await;
            conn.is_sound = matches!(outcome, WriteOutcome::Well | WriteOutcome::Wrong);
            let due = conn.take_due();
            match outcome {
                WriteOutcome::Well => {
                    writer.wakes.wake(due);
                    Ok(true)
                }
                WriteOutcome::Wrong | WriteOutcome::Died => Ok(false),
                WriteOutcome::Lost(_) => Err(cut_off()),
            }
        }
        Err(error) => Err(error),
    };
    writer.health.note(&result, false);
    write.answer(result.err());
}

/// Begins a transaction. Nothing was asked of a Postgres server that fails here, so another
/// connection is tried.
async fn begun(writer: &Writer, mut idle: Option<PooledConnection>) -> Result<PooledConnection> {
    let until = Instant::now() + Duration::from_millis(limits::DATABASE_WAIT_MS_MAX);
    let mut pauses_ms = limits::DATABASE_BEGIN_PAUSES_MS.iter();
    loop {
        let error = match begin(writer, idle.take()).await {
            Err(error @ Error::Storage { .. }) if writer.backend == Backend::Postgres => error,
            begun => return begun,
        };
        match pauses_ms.next() {
            Some(pause_ms) if Instant::now() < until => {
                metrics::counter!("dakiya_begun_again_total").increment(1);
                sleep(Duration::from_millis(*pause_ms)).await;
            }
            _ => return Err(error),
        }
    }
}

async fn begin(writer: &Writer, idle: Option<PooledConnection>) -> Result<PooledConnection> {
    let mut conn = match idle {
        Some(conn) => conn,
        None => writer.connection().await?,
    };
    // Not sound until everything has succeeded.
    conn.is_sound = false;
    conn.forget_long_statements();
    control(&mut conn, writer.begin()).await?;
    Ok(conn)
}

/// Runs the writes of a group and commits. `false` if there was nothing to commit. An error is the
/// result of all of them.
async fn run(
    conn: &mut PooledConnection,
    group: &mut Vec<Box<dyn QueuedWrite>>,
    mut more: impl FnMut() -> Option<Box<dyn QueuedWrite>>,
    tries: bool,
) -> Result<bool> {
    let until = Instant::now() + Duration::from_millis(limits::WRITES_TOGETHER_MS_MAX);
    if tries {
        health::write_something(conn).await?;
    }
    let mut is_sound = true;
    // The first write needs no savepoint: if it fails, there is nothing to keep.
    match run_traced(&mut group[0], conn).await {
        WriteOutcome::Well => {}
        WriteOutcome::Lost(cause) => return Err(not_stored_error(cause)),
        outcome => {
            let undone = control(conn, "rollback").await;
            conn.is_sound = undone.is_ok() && matches!(outcome, WriteOutcome::Wrong);
            return Ok(false);
        }
    }
    while group.len() < limits::WRITES_TOGETHER_MAX && Instant::now() < until {
        let Some(next) = more() else { break };
        group.push(next);
        let next = group.last_mut().expect("it was pushed");
        control(conn, "savepoint one").await?;
        let outcome = run_traced(next, conn).await;
        is_sound &= !matches!(outcome, WriteOutcome::Died);
        let result = match outcome {
            WriteOutcome::Well => control(conn, "release one").await,
            WriteOutcome::Wrong | WriteOutcome::Died => undo(conn).await,
            WriteOutcome::Lost(cause) => return Err(not_stored_error(cause)),
        };
        // The database ended the transaction on its own, at an unknown point.
        result.map_err(health::commit_error)?;
    }
    if failpoints::on("answered-before-commit") {
        for write in group.drain(..) {
            write.answer(None);
        }
        sleep(Duration::from_millis(20)).await;
    }
    failpoints::point("commit", "").await;
    match control(conn, "commit").await {
        Err(_) if failpoints::on("commit-unchecked") => {}
        committed => committed.map_err(health::commit_error)?,
    }
    conn.is_sound = is_sound;
    Ok(true)
}

/// Runs a write as a part of its request or task: tasks that it queues go on with that trace.
async fn run_traced(write: &mut Box<dyn QueuedWrite>, conn: &mut Conn) -> WriteOutcome {
    let span = write.span();
    write.run(conn).instrument(span).await
}

/// Rolls back to the savepoint.
async fn undo(conn: &mut Conn) -> std::result::Result<(), sqlx::Error> {
    control(conn, "rollback to one").await?;
    control(conn, "release one").await
}

/// Runs a statement that begins or ends a transaction or savepoint.
async fn control(conn: &mut Conn, words: &'static str) -> std::result::Result<(), sqlx::Error> {
    sqlx::query(words).execute(conn).await?;
    Ok(())
}

/// The error of all writes after the disk failed one of them.
fn not_stored_error(cause: String) -> Error {
    Error::not_stored(anyhow::anyhow!(cause))
}
