//! The loop of each kind of task: it claims due tasks, runs them and writes their ends.

use std::collections::HashMap;
use std::time::Duration;

use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Interval, MissedTickBehavior, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use super::upkeep::{again_after, audit, delete_expired, reconcile};
use crate::app::App;
use dakiya_core::error::Result;
use dakiya_core::model::task::{ClaimedTask, TaskEnd, TaskError, TaskKind, pause_ms};
use dakiya_core::{failpoints, limits, store, trace_context};

/// Claims and runs the due tasks of a kind, up to its limit at a time.
pub(super) async fn work(app: App, kind: TaskKind, stop: CancellationToken) {
    if kind.is_regular() {
        log_failure("a regular task", begin_regular(&app, kind).await);
    }
    let rules = kind.rules();
    let mut ticks = every(match failpoints::on("tasks-not-polled") {
        true => limits::DAY_MS.unsigned_abs(),
        false => rules.every_ms,
    });
    let (mut going, mut subjects, mut completed) = (JoinSet::new(), HashMap::new(), Vec::new());
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            () = app.core.store.wakes().wait_for_wake(kind) => {}
            _ = ticks.tick() => {}
            Some(ended) = going.join_next_with_id() => {
                completed.extend(forget(&mut subjects, ended));
                sleep(Duration::from_millis(limits::TASKS_COMPLETED_MERGE_MS)).await;
            }
        }
        while let Some(ended) = going.try_join_next_with_id() {
            completed.extend(forget(&mut subjects, ended));
        }
        let done = std::mem::take(&mut completed);
        log_failure("the end of tasks", complete(&app, kind, done).await);
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
    let until_end = kind.is_letter();
    while let Some(ended) = match until_end {
        true => going.join_next_with_id().await,
        false => going.try_join_next_with_id(),
    } {
        completed.extend(forget(&mut subjects, ended));
    }
    going.shutdown().await;
    log_failure("the end of tasks", complete(&app, kind, completed).await);
    let cut_off = subjects.into_values().collect();
    log_failure("the release of tasks", release(&app, kind, cut_off).await);
}

/// Removes the subject of a task that has ended, and returns it if the task is complete.
fn forget(
    subjects: &mut HashMap<Id, String>,
    ended: std::result::Result<(Id, Option<String>), JoinError>,
) -> Option<String> {
    let (id, completed) = ended.unwrap_or_else(|error| (error.id(), None));
    subjects.remove(&id);
    completed
}

/// Deletes completed tasks. One that cannot be deleted is run again after its lease.
pub(super) async fn complete(app: &App, kind: TaskKind, subjects: Vec<String>) -> Result<()> {
    if subjects.is_empty() {
        return Ok(());
    }
    let (store, node) = (&app.core.store, app.core.node.clone());
    let all = store.write_statement(move |conn| {
        Box::pin(async move { store::tasks::complete_free(conn, kind, subjects, &node).await })
    });
    for subject in all.await? {
        let node = app.core.node.clone();
        let one = store.write(move |conn| {
            Box::pin(async move { store::tasks::complete(conn, kind, &subject, &node).await })
        });
        one.await?;
    }
    Ok(())
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

pub(super) async fn is_due(app: &App, kind: TaskKind) -> Result<bool> {
    let (store, now_ms) = (&app.core.store, app.core.clock.now_ms());
    store::tasks::is_due(&mut *store.read().await?, kind, now_ms).await
}

/// Claims due tasks.
pub(super) async fn claim_due(app: &App, kind: TaskKind, most: usize) -> Result<Vec<ClaimedTask>> {
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

/// Runs one attempt and writes its result, as a span of the trace that queued the task. Returns the
/// subject of a task that is complete, to be deleted with others.
pub(super) async fn perform(app: App, kind: TaskKind, task: ClaimedTask) -> Option<String> {
    let span = trace_context::task(kind.word(), &task.traceparent);
    let work = async move {
        let outcome = attempt(&app, kind, &task).await;
        if let Err(TaskError::Later(code) | TaskError::Never(code)) = outcome {
            trace_context::task_failed(&Span::current(), code);
        }
        let outcome = match outcome {
            Ok(TaskEnd::Done) => return Some(task.subject),
            Ok(TaskEnd::Again(due_ms)) => Ok(due_ms),
            Err(error) => Err(error),
        };
        log_failure("the end of a task", end(&app, kind, task, outcome).await);
        None
    };
    work.instrument(span).await
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

/// Writes when a task is due again. After an error follows a pause that grows; an operator must act
/// on a lasting error, or after too many attempts.
async fn end(
    app: &App,
    kind: TaskKind,
    task: ClaimedTask,
    outcome: std::result::Result<i64, TaskError>,
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
                Ok(due_ms) => store::tasks::reschedule(conn, kind, id, &node, due_ms).await,
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

pub(super) fn every(milliseconds: u64) -> Interval {
    let mut ticks = tokio::time::interval(Duration::from_millis(milliseconds));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

pub(super) fn log_failure(what: &str, result: Result<()>) {
    if let Err(error) = result {
        tracing::error!(what, "background work failed: {error}");
    }
}
