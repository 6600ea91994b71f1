//! Background work: rows in the table of tasks, done through the same flows as requests.
//!
//! Each kind has a loop, a handler and rules of its own. A panic or an error of one task stops no
//! other, and a loop that dies is begun again. Any number of processes work on one database.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::task::JoinSet;
use tokio::time::{Interval, MissedTickBehavior, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::error::{Error, Result};
use crate::model::task::{ClaimedTask, TaskEnd, TaskKind, pause_ms};
use crate::{failpoints, limits, store};

/// What is done again and again: after how many milliseconds, what it keeps, and how.
type Chore = (u64, &'static str, fn(App) -> BoxFuture<'static, Result<()>>);

const CHORES: [Chore; 5] = [
    // What dead processes were at is free.
    (limits::NODE_EVERY_MS, "a sign of life", |app| {
        Box::pin(async move { beat(&app, limits::NODE_MS_MAX).await })
    }),
    // When they were last used, this node knows in its memory alone.
    (limits::SESSIONS_WRITTEN_EVERY_MS, "sessions", |app| {
        Box::pin(async move { app.web.accounts.write_last_seen().await })
    }),
    (
        limits::BOOKINGS_WORDED_EVERY_MS,
        "words of bookings",
        |app| Box::pin(async move { app.web.bookings.add_terms_of_many().await }),
    ),
    (limits::TASK_FIGURES_EVERY_MS, "the age of tasks", |app| {
        Box::pin(async move { measure(&app).await })
    }),
    // Others are taken up as they are put into their file.
    (limits::KEYS_READ_EVERY_MS, "keys", |app| {
        Box::pin(async move {
            read_keys(&app).await;
            Ok(())
        })
    }),
];

/// Works on tasks until `stop`. That cuts off whatever waits for a partner, and its tasks are free
/// at once. E-mails under way leave: cut off, nobody would know whether they did.
pub async fn run(app: App, stop: CancellationToken) {
    let mut loops = JoinSet::new();
    for kind in TaskKind::ALL {
        let (app, stop) = (app.clone(), stop.clone());
        loops.spawn(supervised(move || work(app.clone(), kind, stop.clone())));
    }
    for chore in CHORES {
        let (app, stop) = (app.clone(), stop.clone());
        loops.spawn(supervised(move || repeat(chore, app.clone(), stop.clone())));
    }
    loops.join_all().await;
    tell("the last sign of life", beat(&app, 0).await);
}

/// Runs a loop to its end, and anew when it died.
async fn supervised<F>(begin: impl Fn() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    loop {
        let mut life = JoinSet::new();
        life.spawn(begin());
        match life.join_next().await {
            Some(Err(error)) => tracing::error!("a loop of background work died: {error}"),
            _ => return,
        }
        sleep(Duration::from_millis(limits::LOOP_AGAIN_MS)).await;
    }
}

/// Does the tasks of a kind, so many at a time, as they become due.
async fn work(app: App, kind: TaskKind, stop: CancellationToken) {
    if kind.is_regular() {
        tell("a regular task", begin_regular(&app, kind).await);
    }
    let rules = kind.rules();
    let mut ticks = every(rules.every_ms);
    let mut going = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            () = app.core.wakes.woken(kind) => {}
            _ = ticks.tick() => {}
            Some(_) = going.join_next() => {}
        }
        while going.try_join_next().is_some() {}
        match take(&app, kind, rules.at_once - going.len()).await {
            Ok(taken) => {
                for task in taken {
                    going.spawn(perform(app.clone(), kind, task));
                }
            }
            Err(error) => tracing::error!(kind = kind.word(), "no tasks were taken: {error}"),
        }
    }
    if kind.is_letter() {
        while going.join_next().await.is_some() {}
    }
}

/// Does everything of a kind that is due now, and waits for its end.
pub async fn round(app: &App, kind: TaskKind) -> Result<()> {
    let mut going = JoinSet::new();
    loop {
        let taken = take(app, kind, kind.rules().at_once - going.len()).await?;
        for task in taken {
            going.spawn(perform(app.clone(), kind, task));
        }
        if going.join_next().await.is_none() {
            if !is_due(app, kind).await? {
                return Ok(());
            }
            // Somebody is writing on one, such as a callback that makes it due: it was passed over.
            sleep(Duration::from_millis(limits::TASK_PASSED_OVER_MS)).await;
        }
    }
}

async fn is_due(app: &App, kind: TaskKind) -> Result<bool> {
    let (store, now_ms) = (&app.core.store, app.core.clock.now_ms());
    store::tasks::is_due(&mut *store.read().await?, kind, now_ms).await
}

/// Takes tasks that are due.
async fn take(app: &App, kind: TaskKind, most: usize) -> Result<Vec<ClaimedTask>> {
    if most == 0 || !is_due(app, kind).await? {
        return Ok(Vec::new());
    }
    let (store, now_ms) = (&app.core.store, app.core.clock.now_ms());
    let node = app.core.node.clone();
    let claim = store.write(move |conn| {
        Box::pin(async move { store::tasks::claim(conn, kind, &node, now_ms, most).await })
    });
    claim.await
}

/// One try, and what it came to.
async fn perform(app: App, kind: TaskKind, task: ClaimedTask) {
    let subject = task.subject.clone();
    let (hands, tried) = (app.clone(), task.clone());
    let mut tries = JoinSet::new();
    tries.spawn(async move {
        // Every process has the regular ones.
        let whose: &str = match kind.is_regular() {
            true => &hands.core.node,
            false => &tried.subject,
        };
        failpoints::point(kind.word(), whose).await;
        // The last try writes down its own end: whoever comes later, it died with its process.
        match tried.attempts > kind.rules().tries_max.saturating_add(1) {
            true => Err(deadly()),
            false => act(&hands, kind, &tried).await,
        }
    });
    let lease = Duration::from_millis(kind.rules().lease_ms.unsigned_abs());
    let ended = match timeout(lease, tries.join_next()).await {
        Ok(Some(Ok(Ok(end)))) => Ok(end),
        Ok(Some(Ok(Err(error)))) => {
            tracing::warn!(kind = kind.word(), subject, "a task failed: {error}");
            Err((error.code(), matches!(error, Error::Conflict { .. })))
        }
        Ok(_) => Err(("panic", false)),
        Err(_) => Err(("timeout", false)),
    };
    tell("the end of a task", end(&app, kind, task, ended).await);
}

fn deadly() -> Error {
    Error::Conflict {
        code: "deadly",
        message: "Each try ended with its process.".into(),
    }
}

/// The handler of each kind.
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
        TaskKind::Upkeep => forget(app).await.map(|()| next(app, limits::TIDY_EVERY_MS)),
        TaskKind::Audit => audit(app).await.map(|()| next(app, limits::AUDIT_EVERY_MS)),
        TaskKind::Reconciliation => reconcile(app)
            .await
            .map(|()| next(app, limits::RECONCILE_EVERY_MS)),
    }
}

fn next(app: &App, period_ms: i64) -> TaskEnd {
    TaskEnd::Again(app.core.clock.now_ms() + period_ms)
}

/// Writes down what a try came to. An error is followed by a pause that grows; an operator must
/// look at what no waiting cures, and at what has failed too often.
async fn end(
    app: &App,
    kind: TaskKind,
    task: ClaimedTask,
    ended: std::result::Result<TaskEnd, (&'static str, bool)>,
) -> Result<()> {
    let (now_ms, node) = (app.core.clock.now_ms(), app.core.node.clone());
    let rules = kind.rules();
    if let Err((error, is_lasting)) = ended {
        let is_given_up = is_lasting || task.attempts > rules.tries_max;
        let (word, subject) = (kind.word(), &task.subject);
        if is_given_up {
            let attempts = task.attempts;
            tracing::error!(
                kind = word,
                subject,
                attempts,
                error,
                "a task needs a person"
            );
        }
        let write = app.core.store.write(move |conn| {
            Box::pin(async move {
                let id = &task.subject;
                let due_ms = match failpoints::on("errors-do-not-wait") {
                    true => 0,
                    false => now_ms + pause_ms(rules, task.attempts),
                };
                match is_given_up {
                    true => store::tasks::quarantine(conn, kind, id, error, now_ms).await,
                    false => store::tasks::failed(conn, kind, id, &node, due_ms, error).await,
                }
            })
        });
        return write.await;
    }
    let write = app.core.store.write(move |conn| {
        Box::pin(async move {
            let id = &task.subject;
            match ended {
                Ok(TaskEnd::Again(due_ms)) => {
                    store::tasks::again(conn, kind, id, &node, due_ms).await
                }
                _ => store::tasks::done(conn, kind, id, &node).await,
            }
        })
    });
    write.await
}

/// Regular work is due when a process starts, and then again and again.
async fn begin_regular(app: &App, kind: TaskKind) -> Result<()> {
    let now_ms = app.core.clock.now_ms();
    let begin = app.core.store.write(move |conn| {
        Box::pin(async move { store::tasks::add(conn, kind, kind.word(), now_ms, now_ms).await })
    });
    begin.await
}

/// Does a chore until `stop`.
async fn repeat((every_ms, what, act): Chore, app: App, stop: CancellationToken) {
    let mut ticks = every(every_ms);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        tell(what, act(app.clone()).await);
    }
}

/// Says that this process is alive.
async fn beat(app: &App, alive_ms: i64) -> Result<()> {
    let (now_ms, node) = (app.core.clock.now_ms(), app.core.node.clone());
    let beat = app.core.store.write(move |conn| {
        Box::pin(async move { store::tasks::beat(conn, &node, now_ms, now_ms + alive_ms).await })
    });
    beat.await
}

/// Reads the file of the keys again, if there is one. With a bad one all stays as it was.
pub async fn read_keys(app: &App) {
    let config = app.web.config.clone();
    match tokio::task::spawn_blocking(move || config.read_files_keys()).await {
        Ok(Ok(Some(keys))) => {
            if app.keyring.change(keys) {
                tracing::info!(keys = app.keyring.ids().join(","), "the keys were changed");
            }
        }
        Ok(Ok(None)) => {}
        Ok(Err(error)) => tracing::error!("the keys stay as they were: {error}"),
        Err(error) => tracing::error!("the keys were not read: {error}"),
    }
}

/// Measures how old the oldest tasks are.
async fn measure(app: &App) -> Result<()> {
    let now_ms = app.core.clock.now_ms();
    let mut conn = app.core.store.read().await?;
    let all = store::tasks::figures(&mut conn, now_ms).await?;
    drop(conn);
    for it in all {
        let kind = it.kind.word();
        metrics::gauge!("dakiya_task_oldest_seconds", "kind" => kind).set(it.oldest_seconds as f64);
        metrics::gauge!("dakiya_tasks_quarantined", "kind" => kind).set(it.quarantined as f64);
    }
    let overdue = app.web.bookings.overdue().await?;
    metrics::gauge!("dakiya_courier_orders_overdue").set(overdue as f64);
    if overdue > 0 {
        tracing::error!(overdue, "courier orders of unknown fate need a person");
    }
    Ok(())
}

fn every(milliseconds: u64) -> Interval {
    let mut ticks = tokio::time::interval(Duration::from_millis(milliseconds));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

fn tell(what: &str, done: Result<()>) {
    if let Err(error) = done {
        tracing::error!(what, "not written down: {error}");
    }
}

/// Forgets sessions nobody can use, codes and links that are long over, and bookings that were
/// given up half way; what happened to accounts long ago; and identity documents that nothing needs
/// any more.
pub async fn forget(app: &App) -> Result<()> {
    // Or a session would seem idle.
    app.web.accounts.write_last_seen().await?;
    let now_ms = app.core.clock.now_ms();
    let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
    app.core
        .store
        .write(move |conn| {
            Box::pin(async move {
                store::sessions::sweep(conn, now_ms, idle_since).await?;
                store::confirmations::sweep(conn, now_ms - limits::IDEMPOTENCY_KEPT_MS).await?;
                store::otp::sweep(conn, now_ms - limits::DAY_MS).await?;
                store::drafts::sweep(conn, now_ms - limits::DRAFT_MS_MAX).await?;
                store::password_resets::sweep(conn, now_ms - limits::HOUR_MS).await?;
                let events_before = now_ms - limits::SECURITY_EVENT_MS_MAX;
                store::security_events::sweep(conn, events_before).await?;
                store::email_links::sweep(conn, now_ms - limits::HOUR_MS).await?;
                store::login_challenges::sweep(conn, now_ms).await?;
                store::passkey_challenges::sweep(conn, now_ms).await?;
                store::authenticators::sweep(conn, now_ms - limits::TWO_STEP_SETUP_MS_MAX).await?;
                let devices_before = now_ms - limits::KNOWN_DEVICE_MS_MAX;
                store::known_devices::sweep(conn, devices_before).await?;
                Ok(())
            })
        })
        .await?;
    app.web.identity_documents.delete_unused().await?;
    app.web.bookings.seal_old_numbers().await
}

/// Checks the books, and leaves their head in the log for later audits.
async fn audit(app: &App) -> Result<()> {
    let audit = app.core.store.audit(None).await?;
    metrics::gauge!("dakiya_books_faults").set(audit.faults.len() as f64);
    for fault in &audit.faults {
        tracing::error!("the books are wrong: {}", fault.text);
    }
    if let Some(head) = audit.head.filter(|_| audit.faults.is_empty()) {
        tracing::info!(%head, "the books are in order");
    }
    Ok(())
}

/// Reads the gateway's reports that came in, and says what a person must look at.
async fn reconcile(app: &App) -> Result<()> {
    let Some(folder) = &app.web.config.gateway_reports else {
        return Ok(());
    };
    let done = app.web.books.reconcile_reports(folder).await?;
    metrics::gauge!("dakiya_gateway_reports_missing").set(done.missing.len() as f64);
    metrics::gauge!("dakiya_reconciliation_open").set(done.open as f64);
    for day in &done.missing {
        tracing::error!(%day, "the gateway's report is missing");
    }
    if done.open > 0 {
        tracing::error!(open = done.open, "gateway, payments and books do not agree");
    }
    Ok(())
}
