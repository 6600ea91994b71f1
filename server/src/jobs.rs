//! Background work: rows of the table of tasks, handled by the same services as requests.
//!
//! Each kind has its own loop, handler and rules. A panic or an error of one task does not stop the
//! others, and a loop that panics is restarted. Several processes may share one database.

mod upkeep;
mod worker;

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use dakiya_core::error::Result;
use dakiya_core::model::task::TaskKind;
use dakiya_core::{limits, store};

pub use self::upkeep::delete_expired;
use self::upkeep::measure;
use self::worker::{claim_due, complete, every, is_due, log_failure, perform, work};

/// Periodic work: its interval (milliseconds), its name in the log, and its function.
type Chore = (u64, &'static str, fn(App) -> BoxFuture<'static, Result<()>>);

const CHORES: [Chore; 6] = [
    // Tasks leased to a process without a heartbeat are free again.
    (limits::NODE_EVERY_MS, "a sign of life", |app| Box::pin(async move { beat(&app).await })),
    (limits::DATABASE_CHECKED_EVERY_MS, "the database", |app| {
        Box::pin(async move { app.core.store.look_for_losses().await })
    }),
    // Until this write, the last use of a session is only in this process's memory.
    (limits::SESSIONS_WRITTEN_EVERY_MS, "sessions", |app| {
        Box::pin(async move { app.web.accounts.write_last_seen().await })
    }),
    (limits::TASK_FIGURES_EVERY_MS, "the age of tasks", |app| {
        Box::pin(async move { measure(&app).await })
    }),
    // The start has stored them. Files that no server notes any more are deleted.
    (limits::ASSETS_KEPT_EVERY_MS, "the browser's files", |app| {
        Box::pin(async move { app.web.kept_assets.keep().await })
    }),
    // The file of the keys may change while the process runs.
    (limits::KEYS_READ_EVERY_MS, "keys", |app| {
        Box::pin(async move {
            app.read_keys().await;
            Ok(())
        })
    }),
];

/// The chores of workers.
const WORKERS_CHORES: [Chore; 2] = [
    (limits::BOOKINGS_WORDED_EVERY_MS, "words of bookings", |app| {
        Box::pin(async move { app.web.bookings.add_terms_of_many().await })
    }),
    (limits::SEALED_EVERY_MS, "the seals of the books", |app| {
        Box::pin(async move { app.web.books.seal().await })
    }),
];

/// Runs tasks until `tasks_end`. Calls to partners are then cancelled, and their tasks are free at
/// once. Emails in progress are sent: if cancelled, it would be unknown whether they left. A
/// process that is no worker runs no tasks.
///
/// Chores run until `end`, when no request is open any more: requests hold tasks, too, which
/// another process takes from one without a heartbeat.
pub async fn run(app: App, tasks_end: CancellationToken, end: CancellationToken) {
    let mut loops = JoinSet::new();
    let is_worker = app.web.config.roles.worker;
    // A server that does not know the place of the reports leaves them to one that does.
    let reads_reports = app.gateway_reports.is_some();
    let is_ours =
        |kind: &TaskKind| is_worker && (reads_reports || *kind != TaskKind::Reconciliation);
    for kind in TaskKind::ALL.into_iter().filter(is_ours) {
        let (app, stop) = (app.clone(), tasks_end.clone());
        loops.spawn(supervised(move || work(app.clone(), kind, stop.clone())));
    }
    let of_workers = WORKERS_CHORES.into_iter().filter(|_| is_worker);
    for chore in CHORES.into_iter().chain(of_workers) {
        let (app, end) = (app.clone(), end.clone());
        loops.spawn(supervised(move || repeat(chore, app.clone(), end.clone())));
    }
    let woken = app.clone();
    loops.spawn(supervised(move || exchange_wakes(woken.clone(), end.clone())));
    loops.join_all().await;
    if is_worker {
        log_failure("the last seals of the books", app.web.books.seal().await);
    }
    log_failure("the end of this process", leave(&app).await);
}

/// Runs a loop to its end, and restarts it after a panic.
async fn supervised<F>(begin: impl Fn() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    loop {
        let mut life = JoinSet::new();
        life.spawn(begin());
        match life.join_next().await {
            Some(Err(error)) => tracing::error!("a background loop panicked and restarts: {error}"),
            _ => return,
        }
        sleep(Duration::from_millis(limits::LOOP_AGAIN_MS)).await;
    }
}

/// Wakes workers of other processes, and lets them wake ours.
async fn exchange_wakes(app: App, end: CancellationToken) {
    tokio::select! {
        () = end.cancelled() => {}
        () = app.core.store.exchange_wakes() => {}
    }
}

/// Runs a chore until `stop`.
async fn repeat((every_ms, what, act): Chore, app: App, stop: CancellationToken) {
    let mut ticks = every(every_ms);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        log_failure(what, act(app.clone()).await);
    }
}

/// Writes that this process is alive, and compares its clock with the database's.
pub async fn beat(app: &App) -> Result<()> {
    let (clock, node) = (app.core.clock.clone(), app.core.node.clone());
    let beat = app.core.store.write_heartbeat(move |conn| {
        Box::pin(async move {
            store::database_clock::follow(conn, &clock).await?;
            let (now_ms, alive_ms) = (clock.now_ms(), limits::NODE_MS_MAX);
            store::tasks::record_heartbeat(conn, &node, now_ms, now_ms + alive_ms).await
        })
    });
    beat.await
}

/// Frees the tasks of this process, which ends.
async fn leave(app: &App) -> Result<()> {
    let (now_ms, node) = (app.core.clock.now_ms(), app.core.node.clone());
    let leave = app.core.store.write(move |conn| {
        Box::pin(async move { store::tasks::release_all(conn, &node, now_ms).await })
    });
    leave.await
}

/// Runs all due tasks of a kind and waits for them.
pub async fn run_due(app: &App, kind: TaskKind) -> Result<()> {
    let mut going = JoinSet::new();
    loop {
        let tasks = claim_due(app, kind, kind.rules().at_once - going.len()).await?;
        for task in tasks {
            going.spawn(perform(app.clone(), kind, task));
        }
        if let Some(ended) = going.join_next().await {
            complete(app, kind, ended.ok().flatten().into_iter().collect()).await?;
        } else if !is_due(app, kind).await? {
            return Ok(());
        } else {
            // A task that another transaction is writing, such as a callback that makes it due, was
            // skipped.
            sleep(Duration::from_millis(limits::TASK_PASSED_OVER_MS)).await;
        }
    }
}
