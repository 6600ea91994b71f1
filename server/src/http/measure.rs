//! Metrics for operators.

use std::time::Duration;

use axum::Router;
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

use crate::http::extract::Stopping;
use crate::http::health;
use crate::http::process_figures::ProcessFigures;
use crate::http::state::AppState;
use dakiya_core::limits;
use dakiya_core::methods::get;
use dakiya_core::store::{Backend, PoolFigures};

/// Buckets of times (seconds): a page takes milliseconds, a partner's answer seconds. With the same
/// buckets everywhere, the histograms of several servers add up.
const SECONDS: [f64; 11] = [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0];

/// Buckets of waits for the database (seconds): most statements take less than a millisecond.
const DATABASE_SECONDS: [f64; 12] =
    [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0, 10.0, 60.0];

/// Buckets of writes or bookings that share a transaction (count).
const TOGETHER: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

/// Starts to collect the metrics of this process. They are aggregated every few seconds even if
/// they are never scraped: otherwise every sample would stay in memory.
///
/// # Errors
/// Fails if metrics are already collected.
pub fn start() -> Result<PrometheusHandle, BuildError> {
    let metrics = builder()?.install_recorder()?;
    begin_at_zero();
    let every = Duration::from_millis(limits::METRICS_EVERY_MS);
    tokio::spawn(upkeep(metrics.clone(), every));
    Ok(metrics)
}

fn builder() -> Result<PrometheusBuilder, BuildError> {
    PrometheusBuilder::new()
        .set_buckets(&SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("_together".to_owned()), &TOGETHER)?
        .set_buckets_for_metric(Matcher::Full("dakiya_db_seconds".to_owned()), &DATABASE_SECONDS)?
        .set_buckets_for_metric(
            Matcher::Full("dakiya_ledger_lock_seconds".to_owned()),
            &DATABASE_SECONDS,
        )
}

/// Shows what has no labels before its first event: a counter that appears at 1 has not grown, as
/// Prometheus sees it.
fn begin_at_zero() {
    metrics::counter!("dakiya_begun_again_total").increment(0);
    metrics::counter!("dakiya_connections_held_total").increment(0);
    metrics::counter!("dakiya_internal_errors_total").increment(0);
    metrics::counter!("dakiya_letters_undrawn_total").increment(0);
    metrics::counter!("dakiya_pages_kept_total").increment(0);
    metrics::counter!("dakiya_payments_disputed_total").increment(0);
    metrics::counter!("dakiya_render_failures_total").increment(0);
    metrics::gauge!("dakiya_writer_failing").set(0);
}

async fn upkeep(metrics: PrometheusHandle, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        metrics.run_upkeep();
    }
}

/// Returns the router of the operators' own address: metrics, and the health with its figures.
pub fn router(
    web: AppState,
    metrics: PrometheusHandle,
    redraw_weaknesses: Vec<&'static str>,
) -> Router {
    name_build(&web);
    let (asked, shown) = (web.clone(), web.clone());
    let render = move || async move {
        measure(&shown);
        metrics.render()
    };
    let ready = move |stopping: Stopping| async move { health::ready(asked, stopping).await };
    let health = move || async move { health::detailed(&web, &redraw_weaknesses).await };
    Router::new()
        .route("/metrics", get(render))
        .route("/healthz", get(health))
        .route("/livez", get(health::live))
        .route("/readyz", get(ready))
}

fn name_build(web: &AppState) {
    let database = match web.core.store.backend() {
        Backend::Sqlite => "sqlite",
        Backend::Postgres => "postgres",
    };
    let version = env!("CARGO_PKG_VERSION");
    let engine = web.renderer.engine().name();
    metrics::gauge!(
        "dakiya_build_info", "version" => version, "engine" => engine, "database" => database
    )
    .set(1);
}

/// Measures what is read at the time of a scrape.
fn measure(web: &AppState) {
    metrics::gauge!("dakiya_render_queue").set(web.renderer.stats().queue_length as f64);
    for PoolFigures { pool, used, waiting } in web.core.store.pools() {
        metrics::gauge!("dakiya_db_pool_used", "pool" => pool).set(used as f64);
        metrics::gauge!("dakiya_db_pool_waiting", "pool" => pool).set(waiting as f64);
    }
    if let Some(process) = ProcessFigures::read() {
        let ProcessFigures { resident_bytes, cpu_seconds, open_files, start_seconds } = process;
        metrics::gauge!("process_resident_memory_bytes").set(resident_bytes as f64);
        metrics::counter!("process_cpu_seconds_total").absolute(cpu_seconds);
        metrics::gauge!("process_open_fds").set(open_files as f64);
        metrics::gauge!("process_start_time_seconds").set(start_seconds as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the resident memory of this process (KiB).
    fn resident() -> i64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.unwrap().split_whitespace().nth(1).unwrap();
        number.parse().unwrap()
    }

    /// Runs in a process of its own: parallel tests would count as its memory.
    #[test]
    fn samples_that_nobody_reads_do_not_fill_the_memory() {
        let test = "http::measure::tests::records_twenty_million_samples";
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--ignored", "--nocapture"])
            .output()
            .unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}");
    }

    #[tokio::test]
    #[ignore = "a part of the test before, which runs it in a process of its own"]
    async fn records_twenty_million_samples() {
        let recorder = builder().unwrap().build_recorder();
        let every = Duration::from_millis(1);
        tokio::spawn(upkeep(recorder.handle(), every));
        let record = || {
            let seconds = metrics::histogram!("dakiya_request_seconds");
            for sample in 0..1_000_000 {
                seconds.record(f64::from(sample % 1_000));
            }
        };
        let before = resident();
        for _ in 0..20 {
            metrics::with_local_recorder(&recorder, record);
            tokio::time::sleep(3 * every).await;
        }
        let grown = resident() - before;
        assert!(grown < 80_000, "{grown} KiB for 20 million samples");
        let text = recorder.handle().render();
        let count = "dakiya_request_seconds_count 20000000";
        assert!(text.contains(count), "{text}");
    }
}
