//! Renders of the dashboard in each engine, and in Node with the same bundle and page.
//!
//! Each engine runs in a process of its own, to measure its memory separately: one isolate, on one
//! thread, with the product's limits and watchdog.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dakiya_core::assets::ssr_bundle;
use dakiya_core::limits;
use dakiya_core::model::settings::engine::Engine;
use dakiya_core::ssr::{RenderError, Renderer, RendererConfig};
use futures_util::future::join_all;

const RENDERS_EARLY: u64 = 1_000;

/// Returns the number of renders after which memory is measured again: 100,000 or
/// `DAKIYA_BENCH_RENDERS`.
fn renders_late() -> u64 {
    let asked = env::var("DAKIYA_BENCH_RENDERS").ok();
    asked.map_or(100_000, |asked| asked.parse().expect("a number of renders"))
}

/// The number of queued pages, so that the isolate is never idle.
const WAITING: u64 = 2;

/// The variable that tells a child process its engine.
const CHILD: &str = "DAKIYA_BENCH_ENGINE";

/// One line of the table.
struct Row {
    name: String,
    renders_per_second: f64,
    render_micros: f64,
    early_rss_bytes: f64,
    late_rss_bytes: f64,
}

/// Prints the table.
pub fn run() {
    assert!(!ssr_bundle().is_empty(), "no bundle in this build: ./build.sh build makes it");
    let node = node();
    let base_micros = node.as_ref().map(|node| node.render_micros);
    println!("\nthe dashboard ({} kB of page JSON), one isolate", dashboard().len() / 1_000);
    println!(
        "{:<12}{:>12}{:>12}{:>14}{:>16}{:>18}",
        "engine",
        "renders/s",
        "µs/render",
        "speed / Node",
        "RSS after 1,000",
        format!("after {}", renders_late())
    );
    for engine in Engine::available() {
        print(&measure(*engine), base_micros);
    }
    match node {
        Some(node) => print(&node, base_micros),
        None => println!("node        does not run here"),
    }
}

fn print(row: &Row, base_micros: Option<f64>) {
    let ratio = base_micros
        .map_or("-".to_owned(), |base_micros| format!("{:.2}", base_micros / row.render_micros));
    let mib = |bytes: f64| format!("{:.1} MiB", bytes / f64::from(1 << 20));
    println!(
        "{:<12}{:>12.0}{:>12.1}{ratio:>14}{:>16}{:>18}",
        row.name,
        row.renders_per_second,
        row.render_micros,
        mib(row.early_rss_bytes),
        mib(row.late_rss_bytes),
    );
}

fn measure(engine: Engine) -> Row {
    let output = Command::new(env::current_exe().expect("this binary"))
        .env(CHILD, engine.name())
        .output()
        .expect("this binary runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<f64> = text.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    let [renders_per_second, render_micros, early_rss_bytes, late_rss_bytes] = figures[..] else {
        let errors = String::from_utf8_lossy(&output.stderr);
        panic!("{engine} answered {text:?}, {errors}");
    };
    Row {
        name: engine.to_string(),
        renders_per_second,
        render_micros,
        early_rss_bytes,
        late_rss_bytes,
    }
}

/// Returns true if this process was started to measure one engine.
pub fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Measures the engine named in the environment and prints four figures.
pub fn child() {
    let engine: Engine = env::var(CHILD).expect("text").parse().expect("an engine");
    let config = RendererConfig {
        engine,
        threads: 1,
        deadline: Duration::from_millis(limits::RENDER_MS),
        heap_mib: limits::ENGINE_HEAP_MIB_MAX,
        queue: limits::RENDER_QUEUE_MAX,
    };
    let renderer = Renderer::start(config, Arc::from(ssr_bundle())).expect("a renderer");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(render(&renderer, RENDERS_EARLY));
    let early_rss_bytes = resident_bytes();
    let begun = Instant::now();
    let renders = renders_late() - RENDERS_EARLY;
    let inside = runtime.block_on(render(&renderer, renders));
    let took = begun.elapsed();
    println!(
        "{} {} {early_rss_bytes} {}",
        renders as f64 / took.as_secs_f64(),
        inside.as_secs_f64() * 1e6 / renders as f64,
        resident_bytes()
    );
    runtime.block_on(renderer.stop(Duration::from_secs(5)));
}

/// Renders the dashboard `renders` times and returns the time spent inside the engine.
async fn render(renderer: &Renderer, renders: u64) -> Duration {
    let page = dashboard();
    let each = (0..WAITING).map(|lane| {
        let page = page.as_str();
        async move {
            let mut inside = Duration::ZERO;
            for _ in (lane..renders).step_by(WAITING as usize) {
                inside += patiently(renderer, page).await;
            }
            inside
        }
    });
    join_all(each).await.into_iter().sum()
}

/// Renders a page, with retries if the busy machine made it miss its deadline.
async fn patiently(renderer: &Renderer, page: &str) -> Duration {
    loop {
        match renderer.render(page.to_owned()).await {
            Ok(rendered) => return rendered.took,
            Err(RenderError::QueueFull | RenderError::Deadline) => {}
            Err(error) => panic!("{}: {error:?}", renderer.engine()),
        }
    }
}

/// Measures the same renders in Node. `None` if Node is not installed.
fn node() -> Option<Row> {
    let early = node_figures(RENDERS_EARLY)?;
    let late = node_figures(renders_late())?;
    Some(Row {
        name: "node".to_owned(),
        renders_per_second: 1e6 / late.micros_per_render,
        render_micros: late.micros_per_render,
        early_rss_bytes: early.rss_bytes,
        late_rss_bytes: late.rss_bytes,
    })
}

/// The output of `ssr-bundle/bench.mjs`.
#[derive(serde::Deserialize)]
struct NodeFigures {
    micros_per_render: f64,
    rss_bytes: f64,
}

fn node_figures(renders: u64) -> Option<NodeFigures> {
    let output = Command::new("node")
        .arg(root().join("ssr-bundle/bench.mjs"))
        .arg(dashboard_file())
        .arg(renders.to_string())
        .output()
        .ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

fn dashboard() -> String {
    fs::read_to_string(dashboard_file()).expect("the sample of the dashboard")
}

fn dashboard_file() -> PathBuf {
    root().join("ssr-bundle/samples/dashboard.json")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn resident_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().expect("a number");
    kib * 1024
}
