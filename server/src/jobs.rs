//! Timed sweeps, through the same flows as requests.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::domain::payment;
use crate::error::Result;
use crate::limits;
use crate::store;

/// Runs the sweeps until `stop`.
pub async fn run(app: App, stop: CancellationToken) {
    let mut often = tokio::time::interval(Duration::from_millis(limits::SWEEP_EVERY_MS));
    let mut seldom = tokio::time::interval(Duration::from_millis(limits::TIDY_EVERY_MS));
    let mut audits = tokio::time::interval(Duration::from_millis(limits::AUDIT_EVERY_MS));
    loop {
        let (name, done) = tokio::select! {
            () = stop.cancelled() => return,
            _ = often.tick() => ("payments", payment::sweep(&app).await.map(drop)),
            _ = seldom.tick() => ("leftovers", forget(&app).await),
            _ = audits.tick() => ("books", audit(&app).await),
        };
        if let Err(error) = done {
            tracing::error!(sweep = name, "a sweep failed: {error}");
        }
    }
}

/// Forgets sessions nobody can use and quotes nobody booked.
async fn forget(app: &App) -> Result<()> {
    let now_ms = app.clock.now_ms();
    let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
    let quotes_before = now_ms - limits::QUOTE_KEPT_MS;
    app.store
        .write(move |conn| {
            Box::pin(async move {
                store::sessions::sweep(conn, now_ms, idle_since).await?;
                store::quotes::sweep(conn, quotes_before).await?;
                Ok(())
            })
        })
        .await
}

/// Checks the books, and leaves their head in the log for later audits.
async fn audit(app: &App) -> Result<()> {
    let audit = app.store.audit(None).await?;
    metrics::gauge!("dakiya_books_faults").set(audit.faults.len() as f64);
    for fault in &audit.faults {
        tracing::error!("the books are wrong: {}", fault.text);
    }
    if let Some(head) = audit.head.filter(|_| audit.faults.is_empty()) {
        tracing::info!(%head, "the books are in order");
    }
    Ok(())
}
