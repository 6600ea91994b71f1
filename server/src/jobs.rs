//! Timed sweeps, through the same flows as requests.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Interval, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::error::Result;
use crate::{limits, store};

/// Runs the sweeps until `stop`, which cuts off whatever waits for the gateway.
pub async fn run(app: App, stop: CancellationToken) {
    let sweeps = async {
        tokio::select! {
            () = stop.cancelled() => {}
            () = payments(&app) => {}
            () = courier_orders(&app) => {}
            () = shipments(&app) => {}
            () = upkeep(&app) => {}
        }
    };
    tokio::join!(sweeps, notices(&app, &stop));
}

/// Asks the gateway about orders that are due, at once when a callback made one so.
async fn payments(app: &App) {
    let mut ticks = every(limits::SWEEP_EVERY_MS);
    let mut asked = JoinSet::new();
    loop {
        tokio::select! {
            () = app.web.payments.due_early() => {}
            _ = ticks.tick() => {}
        }
        tell("payments", app.web.payments.sweep(&mut asked).await);
    }
}

/// Asks what became of bookings and cancellations whose courier's answer was lost.
async fn courier_orders(app: &App) {
    let mut ticks = every(limits::COURIER_EVERY_MS);
    loop {
        ticks.tick().await;
        tell("courier orders", resume(app).await);
        tell("cancellations", app.web.bookings.cancel_due().await);
        tell("late orders", app.web.bookings.call_off_due().await);
    }
}

async fn resume(app: &App) -> Result<()> {
    let overdue = app.web.bookings.resume_due().await?;
    metrics::gauge!("dakiya_courier_orders_overdue").set(overdue as f64);
    if overdue > 0 {
        tracing::error!(overdue, "courier orders of unknown fate need a person");
    }
    Ok(())
}

/// Asks partners where their shipments are, at once when a callback made one due.
async fn shipments(app: &App) {
    let mut ticks = every(limits::TRACK_ROUND_MS);
    loop {
        tokio::select! {
            () = app.web.bookings.shipment_moved() => {}
            _ = ticks.tick() => {}
        }
        tell("tracking", app.web.bookings.track_due().await);
    }
}

/// Tells customers about their bookings. A stop lets e-mails under way leave: cut off, nobody would
/// know whether they did.
async fn notices(app: &App, stop: &CancellationToken) {
    let mut ticks = every(limits::NOTICES_EVERY_MS);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        tell("notices", app.notifications.send_due().await);
    }
}

/// What takes its time and must not hold up payments.
async fn upkeep(app: &App) {
    let mut seldom = every(limits::TIDY_EVERY_MS);
    let mut audits = every(limits::AUDIT_EVERY_MS);
    loop {
        tokio::select! {
            _ = seldom.tick() => tell("leftovers", forget(app).await),
            _ = audits.tick() => tell("books", audit(app).await),
        }
    }
}

fn every(milliseconds: u64) -> Interval {
    let mut ticks = tokio::time::interval(Duration::from_millis(milliseconds));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

fn tell(sweep: &str, done: Result<()>) {
    if let Err(error) = done {
        tracing::error!(sweep, "a sweep failed: {error}");
    }
}

/// Forgets sessions nobody can use, quotes nobody booked, codes and links that are long over, and
/// bookings that were given up half way.
pub async fn forget(app: &App) -> Result<()> {
    let now_ms = app.core.clock.now_ms();
    let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
    let quotes_before = now_ms - limits::QUOTE_KEPT_MS;
    app.core
        .store
        .write(move |conn| {
            Box::pin(async move {
                store::sessions::sweep(conn, now_ms, idle_since).await?;
                store::quotes::sweep(conn, quotes_before).await?;
                store::otp::sweep(conn, now_ms - limits::HOUR_MS).await?;
                store::drafts::sweep(conn, now_ms - limits::DRAFT_MS_MAX).await?;
                store::password_resets::sweep(conn, now_ms - limits::HOUR_MS).await?;
                Ok(())
            })
        })
        .await
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
