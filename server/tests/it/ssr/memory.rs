//! Memory stays constant, measured in a separate process.

use std::env;
use std::fs;
use std::process::Command;

use dakiya_core::model::settings::engine::Engine;
use dakiya_core::ssr::RendererConfig;

use super::{config, product_bundle, proving, renderer, samples};
use crate::patience::forever;

/// Pages after which an engine grows no more.
const WARM: u64 = 1_000;

const GROWN_KIB_A_PAGE: u64 = 6;

/// A leak of 6 kB a page is detected, like the larger one of `ssr_rs` without the pull loop. The
/// interpreter is the slowest and the steadiest: it renders fewer pages.
#[test]
fn memory_stays_flat() {
    for engine in Engine::available() {
        let few = match engine {
            Engine::Quickjs => 1_000,
            _ => 4_000,
        };
        let watched = proving(few, 99_000);
        let (renders, grown_max) = (WARM + watched, GROWN_KIB_A_PAGE * watched.min(4_000));
        // A separate process, as other tests change this one's memory.
        let output = Command::new(env::current_exe().expect("this binary"))
            .args([
                "--exact",
                "ssr::memory::prints_memory_of_an_engine",
                "--ignored",
                "--nocapture",
            ])
            .env("DAKIYA_MEMORY_OF", format!("{engine} {renders}"))
            // Pages of 4 KiB: with pages of 2 MiB the memory changes in large steps.
            .env("MIMALLOC_ALLOW_THP", "0")
            .output()
            .expect("this binary runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let kib = |name: &str| -> u64 {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            let line = line.unwrap_or_else(|| panic!("{engine}: no {name} in {text}"));
            line.parse().expect("a number")
        };
        let (early, late) = (kib("early="), kib("late="));
        eprintln!("{engine}: {early} KiB after {WARM} pages, {late} KiB after {renders}");
        let grown = late.saturating_sub(early);
        assert!(grown < grown_max, "{engine}: {early} KiB, later {late} KiB");
    }
}

#[ignore = "a part of memory_stays_flat, which runs it in a process of its own"]
#[tokio::test]
async fn prints_memory_of_an_engine() {
    let task = env::var("DAKIYA_MEMORY_OF").expect("an engine and a number of renderings");
    let (engine, renders) = task.split_once(' ').expect("two words");
    let renders: u64 = renders.parse().expect("a number");
    let config = RendererConfig {
        // A rebuilt engine starts with little memory: only a leak may end one here.
        deadline: forever(),
        ..config(engine.parse().expect("an engine"))
    };
    let renderer = renderer(config, &product_bundle());
    let (_, page) = samples()
        .into_iter()
        .find(|(name, _)| name.contains("dashboard"))
        .expect("a sample of the dashboard");
    for render in 1..=renders {
        renderer.render(page.clone()).await.expect("a page");
        if render == WARM {
            println!("\nearly={}", resident_kib());
        }
    }
    println!("\nlate={}", resident_kib());
    renderer.stop(forever()).await;
}

/// A page leaves some 16 kB, which become garbage 500 pages later.
const UNTIDY: &str = "
  const last = [];
  globalThis.render = (page) => {
    last.push(Array.from({ length: 2000 }, (_, n) => n));
    if (last.length > 500) last.shift();
    return '+<p>' + last.length + '</p>';
  };";

#[tokio::test]
async fn an_engine_collects_its_garbage_and_is_not_replaced_for_it() {
    for engine in Engine::available() {
        let config = RendererConfig { deadline: forever(), ..config(*engine) };
        let renderer = renderer(config, UNTIDY);
        for _ in 0..proving(6_000, 100_000) {
            renderer.render("{}".to_owned()).await.expect("a page");
        }
        let stats = renderer.stats();
        assert_eq!(stats.rebuilds, 0, "{engine}: {stats:?}");
        renderer.stop(forever()).await;
    }
}

#[cfg(feature = "faults")]
#[test]
fn the_test_of_garbage_notices_when_none_is_collected() {
    if !cfg!(feature = "v8") {
        return; // quickjs counts references
    }
    let test = "ssr::memory::an_engine_collects_its_garbage_and_is_not_replaced_for_it";
    crate::faults::must_fail(test, "garbage-kept");
}

fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().trim_end_matches("kB").trim().parse().expect("a number")
}
