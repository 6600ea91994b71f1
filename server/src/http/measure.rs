//! Metrics for operators.

use std::time::Duration;

use axum::Router;
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};

use crate::http::extract::Stopping;
use crate::http::health;
use crate::http::state::AppState;
use crate::limits;
use crate::methods::get;

/// Starts to collect the metrics of this process. They are aggregated every few seconds even if
/// they are never scraped: otherwise every sample would stay in memory.
///
/// # Errors
/// Fails if metrics are already collected.
pub fn start() -> Result<PrometheusHandle, BuildError> {
    let metrics = PrometheusBuilder::new().install_recorder()?;
    let every = Duration::from_millis(limits::METRICS_EVERY_MS);
    tokio::spawn(upkeep(metrics.clone(), every));
    Ok(metrics)
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
    let renderer = web.renderer.clone();
    let render = move || async move {
        metrics::gauge!("dakiya_render_queue").set(renderer.stats().queue_length as f64);
        metrics.render()
    };
    let asked = web.clone();
    let ready = move |stopping: Stopping| async move { health::ready(asked, stopping).await };
    let health = move || async move { health::detailed(&web, &redraw_weaknesses).await };
    Router::new()
        .route("/metrics", get(render))
        .route("/healthz", get(health))
        .route("/livez", get(health::live))
        .route("/readyz", get(ready))
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
        let recorder = PrometheusBuilder::new().build_recorder();
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
