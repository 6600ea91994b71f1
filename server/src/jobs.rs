//! Background work: rows of the table of tasks, handled by the same services as requests.
//!
//! Each kind has its own loop, handler and rules. A panic or an error of one task does not stop the
//! others, and a loop that panics is restarted. Several processes may share one database.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Interval, MissedTickBehavior, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use crate::app::App;
use crate::error::Result;
use crate::model::courier::finding::FindingKind;
use crate::model::task::{ClaimedTask, TaskEnd, TaskError, TaskKind, pause_ms};
use crate::store::audit_rounds::{self, AuditFigures};
use crate::store::sweeps::SWEEPS;
use crate::{failpoints, limits, store, trace_context};

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

/// Claims and runs the due tasks of a kind, up to its limit at a time.
async fn work(app: App, kind: TaskKind, stop: CancellationToken) {
    if kind.is_regular() {
        log_failure("a regular task", begin_regular(&app, kind).await);
    }
    let rules = kind.rules();
    let mut ticks = every(match failpoints::on("tasks-not-polled") {
        true => limits::DAY_MS.unsigned_abs(),
        false => rules.every_ms,
    });
    let (mut going, mut subjects) = (JoinSet::new(), HashMap::new());
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            () = app.core.store.wakes().wait_for_wake(kind) => {}
            _ = ticks.tick() => {}
            Some(ended) = going.join_next_with_id() => forget(&mut subjects, ended),
        }
        while let Some(ended) = going.try_join_next_with_id() {
            forget(&mut subjects, ended);
        }
        match claim_due(&app, kind, rules.at_once - going.len()).await {
            Ok(tasks) => {
                for task in tasks {
                    let subject = task.subject.clone();
                    let id = going.spawn(perform(app.clone(), kind, task)).id();
                    subjects.insert(id, subject);
                }
            }
            Err(error) => {
                tracing::error!(kind = kind.word(), "the due tasks were not read: {error}")
            }
        }
    }
    if kind.is_letter() {
        while going.join_next().await.is_some() {}
    } else {
        going.shutdown().await;
        let cut_off = subjects.into_values().collect();
        log_failure("the release of tasks", release(&app, kind, cut_off).await);
    }
}

/// Wakes workers of other processes, and lets them wake ours.
async fn exchange_wakes(app: App, end: CancellationToken) {
    tokio::select! {
        () = end.cancelled() => {}
        () = app.core.store.exchange_wakes() => {}
    }
}

/// Removes the subject of a task that has ended.
fn forget(subjects: &mut HashMap<Id, String>, ended: std::result::Result<(Id, ()), JoinError>) {
    subjects.remove(&ended.map_or_else(|error| error.id(), |(id, ())| id));
}

/// Makes tasks that were cut off free for other processes.
async fn release(app: &App, kind: TaskKind, subjects: Vec<String>) -> Result<()> {
    if subjects.is_empty() {
        return Ok(());
    }
    let (now_ms, node) = (app.core.clock.now_ms(), app.core.node.clone());
    let write = app.core.store.write(move |conn| {
        Box::pin(async move {
            for subject in &subjects {
                store::tasks::release(conn, kind, subject, &node, now_ms).await?;
            }
            Ok(())
        })
    });
    write.await
}

/// Runs all due tasks of a kind and waits for them.
pub async fn run_due(app: &App, kind: TaskKind) -> Result<()> {
    let mut going = JoinSet::new();
    loop {
        let tasks = claim_due(app, kind, kind.rules().at_once - going.len()).await?;
        for task in tasks {
            going.spawn(perform(app.clone(), kind, task));
        }
        if going.join_next().await.is_none() {
            if !is_due(app, kind).await? {
                return Ok(());
            }
            // A task that another transaction is writing, such as a callback that makes it due, was
            // skipped.
            sleep(Duration::from_millis(limits::TASK_PASSED_OVER_MS)).await;
        }
    }
}

async fn is_due(app: &App, kind: TaskKind) -> Result<bool> {
    let (store, now_ms) = (&app.core.store, app.core.clock.now_ms());
    store::tasks::is_due(&mut *store.read().await?, kind, now_ms).await
}

/// Claims due tasks.
async fn claim_due(app: &App, kind: TaskKind, most: usize) -> Result<Vec<ClaimedTask>> {
    if most == 0 || !is_due(app, kind).await? {
        return Ok(Vec::new());
    }
    let (clock, node) = (app.core.clock.clone(), app.core.node.clone());
    let claim = app.core.store.write(move |conn| {
        Box::pin(async move {
            // The machine's clock may have been set since the last heartbeat.
            store::database_clock::follow(conn, &clock).await?;
            store::tasks::claim(conn, kind, &node, clock.now_ms(), most).await
        })
    });
    claim.await
}

/// Runs one attempt and writes its result. Both are a span of the trace that queued the task.
async fn perform(app: App, kind: TaskKind, task: ClaimedTask) {
    let span = trace_context::task(kind.word(), &task.traceparent);
    let work = async move {
        let outcome = attempt(&app, kind, &task).await;
        if let Err(TaskError::Later(code) | TaskError::Never(code)) = outcome {
            trace_context::task_failed(&Span::current(), code);
        }
        log_failure("the end of a task", end(&app, kind, task, outcome).await);
    };
    work.instrument(span).await;
}

async fn attempt(
    app: &App,
    kind: TaskKind,
    task: &ClaimedTask,
) -> std::result::Result<TaskEnd, TaskError> {
    let (hands, tried) = (app.clone(), task.clone());
    let mut tries = JoinSet::new();
    let work = async move {
        // Each process has its own regular tasks.
        let whose: &str = match kind.is_regular() {
            true => &hands.core.node,
            false => &tried.subject,
        };
        failpoints::point(kind.word(), whose).await;
        // The last attempt writes its own result. A later one means that the process died in it.
        match tried.attempts > kind.rules().tries_max.saturating_add(1) {
            true => Err(TaskError::Never("deadly")),
            false => act(&hands, kind, &tried).await.map_err(|error| {
                let (kind, subject) = (kind.word(), &tried.subject);
                tracing::warn!(kind, subject, "a task failed: {error}");
                TaskError::from(&error)
            }),
        }
    };
    tries.spawn(work.in_current_span());
    let lease = Duration::from_millis(kind.rules().lease_ms.unsigned_abs());
    match timeout(lease, tries.join_next()).await {
        Ok(Some(Ok(outcome))) => outcome,
        Ok(_) => Err(TaskError::Later("panic")),
        Err(_) => Err(TaskError::Later("timeout")),
    }
}

async fn act(app: &App, kind: TaskKind, task: &ClaimedTask) -> Result<TaskEnd> {
    let (id, bookings) = (&task.subject, &app.web.bookings);
    match kind {
        TaskKind::Payment => app.web.payments.check_task(id).await,
        TaskKind::GatewayRefund => app.web.payments.refund_task(id).await,
        TaskKind::PaymentLetter => app.notifications.payment_letter_task(id).await,
        TaskKind::CourierOrder => bookings.resume_order(id).await,
        TaskKind::Cancellation => bookings.cancel_task(id).await,
        TaskKind::CallOff => bookings.call_off_task(id).await,
        TaskKind::Pickup => bookings.pickup_task(id).await,
        TaskKind::Tracking => bookings.track_task(id).await,
        TaskKind::Notices => app.notifications.send_task(id, task.attempts).await,
        TaskKind::WeightLetter => app.notifications.weight_letter_task(id).await,
        TaskKind::ClosingLetter => app.notifications.closing_letter_task(id).await,
        TaskKind::TwoStepLetter => app.notifications.two_step_letter_task(id).await,
        TaskKind::LowBalanceLetter => app.notifications.low_balance_task(id).await,
        TaskKind::Upkeep => {
            delete_expired(app).await.map(|()| again_after(app, limits::TIDY_EVERY_MS))
        }
        TaskKind::Audit => audit(app).await,
        TaskKind::Reconciliation => {
            reconcile(app).await.map(|()| again_after(app, limits::RECONCILE_EVERY_MS))
        }
    }
}

fn again_after(app: &App, period_ms: i64) -> TaskEnd {
    TaskEnd::Again(app.core.clock.now_ms() + period_ms)
}

/// Writes the result of an attempt. After an error follows a pause that grows; an operator must act
/// on a lasting error, or after too many attempts.
async fn end(
    app: &App,
    kind: TaskKind,
    task: ClaimedTask,
    outcome: std::result::Result<TaskEnd, TaskError>,
) -> Result<()> {
    let (now_ms, node) = (app.core.clock.now_ms(), app.core.node.clone());
    let rules = kind.rules();
    let outcome = outcome.map_err(|error| match error {
        TaskError::Later(code) => (code, task.attempts > rules.tries_max),
        TaskError::Never(code) => (code, true),
    });
    if let Err((error, true)) = outcome {
        let (kind, subject, attempts) = (kind.word(), &task.subject, task.attempts);
        tracing::error!(kind, subject, attempts, error, "a task needs an operator");
    }
    let write = app.core.store.write(move |conn| {
        Box::pin(async move {
            let id = &task.subject;
            match outcome {
                Ok(TaskEnd::Again(due_ms)) => {
                    store::tasks::reschedule(conn, kind, id, &node, due_ms).await
                }
                Ok(TaskEnd::Done) => store::tasks::complete(conn, kind, id, &node).await,
                Err((error, true)) => store::tasks::quarantine(conn, kind, id, error, now_ms).await,
                Err((error, false)) => {
                    let due_ms = match failpoints::on("errors-do-not-wait") {
                        true => 0,
                        false => now_ms + pause_ms(rules, task.attempts),
                    };
                    store::tasks::schedule_retry(conn, kind, id, &node, due_ms, error).await
                }
            }
        })
    });
    write.await
}

/// Adds a regular task, which is due when a process starts and then repeatedly. Audits cost more:
/// a start only adds the first one.
async fn begin_regular(app: &App, kind: TaskKind) -> Result<()> {
    let now_ms = app.core.clock.now_ms();
    let begin = app.core.store.write(move |conn| {
        Box::pin(async move {
            match kind {
                TaskKind::Audit => store::tasks::add_first(conn, kind, kind.word(), now_ms).await,
                _ => store::tasks::add(conn, kind, kind.word(), now_ms, now_ms).await,
            }
        })
    });
    begin.await
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

/// Measures what the database tells every server alike: the age of the oldest tasks, the findings
/// about shipments, the wait for seals, and the results of the last audits and reconciliation of
/// any server.
async fn measure(app: &App) -> Result<()> {
    let now_ms = app.core.clock.now_ms();
    let mut conn = app.core.store.read().await?;
    if app.gateway_reports.is_some() {
        let missing = store::reconciliation::reports_missing(&mut conn).await?;
        metrics::gauge!("dakiya_gateway_reports_missing").set(missing as f64);
        let open = store::reconciliation::count_open(&mut conn).await?;
        metrics::gauge!("dakiya_reconciliation_open").set(open as f64);
    }
    let all = store::tasks::figures(&mut conn, now_ms).await?;
    let findings = store::tracking_findings::count_open(&mut conn).await?;
    measure_books(&audit_rounds::figures(&mut conn).await?);
    let lag_ms = store::sealing::lag_ms(&mut conn, now_ms).await?;
    metrics::gauge!("dakiya_seal_lag_seconds").set(lag_ms as f64 / 1_000.0);
    drop(conn);
    for kind in FindingKind::ALL {
        let open = findings.iter().find(|(it, _)| it == kind.word()).map_or(0, |(_, open)| *open);
        metrics::gauge!("dakiya_tracking_findings_open", "kind" => kind.word()).set(open as f64);
    }
    for figures in all {
        let kind = figures.kind.word();
        metrics::gauge!("dakiya_task_oldest_seconds", "kind" => kind)
            .set(figures.oldest_seconds as f64);
        metrics::gauge!("dakiya_tasks_quarantined", "kind" => kind).set(figures.quarantined as f64);
    }
    let overdue = app.web.bookings.count_overdue().await?;
    metrics::gauge!("dakiya_courier_orders_overdue").set(overdue as f64);
    if overdue > 0 {
        tracing::error!(overdue, "courier orders with an unknown result need an operator");
    }
    Ok(())
}

fn every(milliseconds: u64) -> Interval {
    let mut ticks = tokio::time::interval(Duration::from_millis(milliseconds));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

fn log_failure(what: &str, result: Result<()>) {
    if let Err(error) = result {
        tracing::error!(what, "background work failed: {error}");
    }
}

/// Deletes expired sessions, codes, links and claims of email addresses, abandoned drafts, old
/// security events, and identity documents no longer needed. Each transaction deletes a limited
/// number of rows; the next run continues with very many.
pub async fn delete_expired(app: &App) -> Result<()> {
    // Without this, a session in use would look idle.
    app.web.accounts.write_last_seen().await?;
    let now_ms = app.core.clock.now_ms();
    for (age_ms, sweep) in SWEEPS {
        for _ in 0..limits::SWEEPS_MAX {
            let write = app.core.store.write(move |conn| sweep(conn, now_ms - age_ms));
            if write.await? < limits::SWEPT_ROWS {
                break;
            }
        }
    }
    app.web.identity_documents.delete_unused().await?;
    app.web.identity_documents.remove_left_files().await
}

/// Audits the books for a while.
async fn audit(app: &App) -> Result<TaskEnd> {
    let after_ms = match app.web.books.audit(&app.files).await? {
        Some(_) => limits::AUDIT_EVERY_MS,
        None => 0,
    };
    measure_books(&audit_rounds::figures(&mut *app.core.store.read().await?).await?);
    Ok(again_after(app, after_ms))
}

/// Tells what the last audits found, on whichever server they ran.
fn measure_books(figures: &AuditFigures) {
    metrics::gauge!("dakiya_books_faults").set(figures.faults as f64);
    for (of, passed_ms) in [("newest", figures.passed_ms), ("everything", figures.passed_whole_ms)]
    {
        metrics::gauge!("dakiya_audited_timestamp_seconds", "of" => of)
            .set((passed_ms / 1_000) as f64);
    }
}

/// Reads the gateway's reports that arrived, and logs the differences an operator must look at.
async fn reconcile(app: &App) -> Result<()> {
    let Some(folder) = &app.gateway_reports else {
        return Ok(());
    };
    let reports = app.web.books.reconcile_reports(folder).await?;
    for day in &reports.missing {
        tracing::error!(%day, "the gateway's report is missing");
    }
    if reports.open > 0 {
        tracing::error!(open = reports.open, "gateway, payments and books do not agree");
    }
    let missing = i64::try_from(reports.missing.len()).unwrap_or(i64::MAX);
    let write = app.core.store.write(move |conn| {
        Box::pin(async move { store::reconciliation::keep_reports_missing(conn, missing).await })
    });
    write.await?;
    measure(app).await
}
