//! Conformance tests of the JavaScript engines: every engine of this build runs all of them.

mod harm;
mod memory;
mod pool;

use std::borrow::Cow;
use std::env;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use dakiya_core::assets::ssr_bundle;
use dakiya_core::limits;
use dakiya_core::model::settings::engine::Engine;
use dakiya_core::ssr::{RenderError, Rendered, Renderer, RendererConfig};
use futures_util::future::join_all;

use crate::patience::{patient, until};

/// A bundle that renders greetings and every kind of misbehaviour that a page could trigger.
const BOMBS: &str = include_str!("ssr/bombs.js");

fn config(engine: Engine) -> RendererConfig {
    RendererConfig {
        engine,
        threads: 1,
        // Twice the limit in production: greetings are rendered beside all other tests.
        deadline: 2 * patient(limits::RENDER_MS),
        heap_mib: limits::ENGINE_HEAP_MIB_MAX,
        queue: limits::RENDER_QUEUE_MAX,
    }
}

fn renderer(config: RendererConfig, bundle: &str) -> Renderer {
    match Renderer::start(config, Arc::from(bundle)) {
        Ok(renderer) => renderer,
        Err(error) => panic!("{}: {error}", config.engine),
    }
}

fn greeting(name: &str) -> String {
    format!(r#"{{"act":"greet","name":"{name}"}}"#)
}

async fn act(renderer: &Renderer, act: &str) -> Result<Rendered, RenderError> {
    renderer.render(format!(r#"{{"act":"{act}"}}"#)).await
}

async fn greets(renderer: &Renderer, name: &str) {
    let engine = renderer.engine();
    let rendered = renderer.render(greeting(name)).await;
    let rendered = rendered.unwrap_or_else(|error| panic!("{engine}: {error:?}"));
    assert_eq!(rendered.html, format!("<p>Hello {name}</p>"), "{engine}");
}

#[tokio::test]
async fn all_engines_render_the_same_bytes() {
    let texts =
        ["Asha", "José", "₹ 1,234.50", "आशा राव", "😀", "a\\ud800b", "tab\\tnew\\nline\\u2028"];
    for text in texts {
        let mut pages = Vec::new();
        for engine in Engine::available() {
            let renderer = renderer(config(*engine), BOMBS);
            pages.push((engine, renderer.render(greeting(text)).await.expect("a page").html));
        }
        for (engine, page) in &pages {
            assert_eq!(page, &pages[0].1, "{engine} differs on {text}");
        }
    }
}

#[tokio::test]
async fn all_engines_render_every_sample_page_the_same() {
    let samples = samples();
    let renderers: Vec<_> = Engine::available()
        .iter()
        .map(|engine| renderer(config(*engine), &product_bundle()))
        .collect();
    for (name, sample) in samples {
        let mut first = None;
        for renderer in &renderers {
            let engine = renderer.engine();
            let rendered = renderer.render(sample.clone()).await;
            let html = rendered.unwrap_or_else(|error| panic!("{engine}, {name}: {error:?}")).html;
            assert!(html.contains('<'), "{engine}, {name}: {html}");
            let first = first.get_or_insert_with(|| html.clone());
            assert_eq!(&html, first, "{engine} differs on {name}");
        }
    }
}

fn product_bundle() -> Cow<'static, str> {
    let bundle = ssr_bundle();
    assert!(!bundle.is_empty(), "no bundle in this build: ./build.sh build makes it");
    bundle
}

/// The pages in `ssr-bundle/samples`, by name.
fn samples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ssr-bundle/samples");
    let mut samples = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of samples") {
        let path = entry.expect("a folder entry").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = fs::read_to_string(&path).expect("a sample");
            samples.push((path.display().to_string(), text));
        }
    }
    assert!(!samples.is_empty(), "no samples");
    samples.sort();
    samples
}

/// Renders a greeting again; an isolate just dropped answers nothing until its successor is ready.
async fn greets_again(renderer: &Renderer, after: &str) {
    let engine = renderer.engine();
    let what = format!("{engine} renders after {after}");
    until(&what, async || match renderer.render(greeting("again")).await {
        Ok(rendered) => {
            assert_eq!(rendered.html, "<p>Hello again</p>");
            true
        }
        Err(RenderError::QueueFull | RenderError::EngineDied) => false,
        Err(error) => panic!("{engine} after {after}: {error:?}"),
    })
    .await;
}

#[tokio::test]
async fn nothing_of_one_page_appears_in_another() {
    for engine in Engine::available() {
        let renderer = renderer(RendererConfig { threads: 2, ..config(*engine) }, BOMBS);
        let renderings = proving(1_000, 100_000);
        for round in 0..renderings / 50 {
            let pages = (0..50).map(|page| {
                let canary = format!("canary{round}x{page}end");
                let renderer = renderer.clone();
                async move {
                    // Sometimes an isolate is dropped between the pages of others.
                    let page = if page == 25 && round % 5 == 0 {
                        format!(r#"{{"act":"throw","name":"{canary}"}}"#)
                    } else {
                        greeting(&canary)
                    };
                    (canary, renderer.render(page).await)
                }
            });
            for (canary, answer) in join_all(pages).await {
                match answer {
                    Ok(rendered) => assert_eq!(rendered.html, format!("<p>Hello {canary}</p>")),
                    Err(RenderError::Threw(message)) => assert!(!message.contains("canary")),
                    // Pages that wait for the new isolate may time out.
                    Err(RenderError::QueueFull) => {}
                    Err(error) => panic!("{engine}: {error:?}"),
                }
            }
        }
        let stats = renderer.stats();
        assert!(stats.renders > renderings * 9 / 10, "{engine}: {stats:?}");
        // The last isolate may still be loading its bundle.
        until("it was rebuilt", async || renderer.stats().rebuilds >= renderings / 250).await;
    }
}

#[tokio::test]
async fn a_page_leaves_nothing_behind_in_a_global() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        for _ in 0..3 {
            let seen = act(&renderer, "global").await.expect("a page").html;
            assert_eq!(seen, "undefined", "{engine}");
        }
    }
}

#[tokio::test]
async fn javascript_finds_no_power_in_any_engine() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        let found = act(&renderer, "powers").await.expect("a page").html;
        assert_eq!(found, "", "{engine}");
    }
}

/// Returns `many` if the environment requests the long proof, else `few`.
fn proving(few: u64, many: u64) -> u64 {
    if env::var_os("DAKIYA_PROVE").is_some() { many } else { few }
}
