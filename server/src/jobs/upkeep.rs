//! Regular work: upkeep, audits, reconciliation, and the figures that every server tells alike.

use crate::app::App;
use dakiya_core::error::Result;
use dakiya_core::model::courier::finding::FindingKind;
use dakiya_core::model::task::TaskEnd;
use dakiya_core::store::audit_rounds::{self, AuditFigures};
use dakiya_core::store::sweeps::SWEEPS;
use dakiya_core::{limits, store};

/// Measures what the database tells every server alike: the age of the oldest tasks, the findings
/// about shipments, the wait for seals, and the results of the last audits and reconciliation of
/// any server.
pub(super) async fn measure(app: &App) -> Result<()> {
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
pub(super) async fn audit(app: &App) -> Result<TaskEnd> {
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
pub(super) async fn reconcile(app: &App) -> Result<()> {
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

pub(super) fn again_after(app: &App, period_ms: i64) -> TaskEnd {
    TaskEnd::Again(app.core.clock.now_ms() + period_ms)
}
