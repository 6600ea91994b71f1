//! The queue, the start and the shutdown of a renderer.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dakiya_core::limits;
use dakiya_core::model::settings::engine::Engine;
use dakiya_core::ssr::{RenderError, Rendered, Renderer, RendererConfig};
use futures_util::future::join_all;
use tokio::time::sleep;

use super::{BOMBS, act, config, greeting, greets, greets_again, renderer};
use crate::patience::{forever, patient, until};

#[tokio::test]
async fn a_page_larger_than_the_limit_is_refused() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        let room = limits::RENDER_PROPS_BYTES_MAX - greeting("").len();
        greets(&renderer, &"n".repeat(room)).await;
        let answer = renderer.render(greeting(&"n".repeat(room + 1))).await;
        assert_eq!(answer, Err(RenderError::PropsTooLarge), "{engine}");
        assert_eq!(renderer.stats().failures.props_too_large, 1, "{engine}");
    }
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    for engine in Engine::available() {
        let renderer = renderer(RendererConfig { queue: 2, ..config(*engine) }, BOMBS);
        let busy = tokio::spawn(busy(renderer.clone()));
        until("the isolate is busy", async || renderer.stats().queue_length == 0).await;
        sleep(Duration::from_millis(30)).await;
        let pages: Vec<_> = (0..5).map(|_| renderer.render(greeting("Asha"))).collect();
        let answers = join_all(pages).await;
        let refused = answers.iter().filter(|it| **it == Err(RenderError::QueueFull)).count();
        assert!(refused >= 3, "{engine}: {answers:?}");
        assert_eq!(busy.await.expect("no panic"), Err(RenderError::Deadline), "{engine}");
        greets_again(&renderer, "a full queue").await;
    }
}

async fn busy(renderer: Renderer) -> Result<Rendered, RenderError> {
    act(&renderer, "loop").await
}

#[tokio::test]
async fn a_page_whose_caller_went_away_is_not_rendered() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        let busy = tokio::spawn(busy(renderer.clone()));
        sleep(Duration::from_millis(30)).await;
        let gone = tokio::time::timeout(Duration::from_millis(10), act(&renderer, "greet")).await;
        assert!(gone.is_err(), "{engine}: the page did not wait");
        busy.await.expect("no panic").expect_err("the deadline");
        greets_again(&renderer, "a caller that went away").await;
        assert_eq!(renderer.stats().renders, 1, "{engine}");
    }
}

#[tokio::test]
async fn a_bundle_that_does_not_load_is_refused_at_the_start() {
    let bundles = [
        ("syntax", "globalThis.render = ("),
        ("throws", "throw new Error('not today')"),
        ("empty", ""),
        ("no function", "globalThis.render = 'html'"),
        ("too much", "const all = []; for (;;) all.push(new Array(1000).fill(all.length));"),
    ];
    for engine in Engine::available() {
        for (what, bundle) in bundles {
            let started = Renderer::start(config(*engine), Arc::from(bundle));
            assert!(started.is_err(), "{engine} starts with a bundle: {what}");
        }
    }
}

#[tokio::test]
async fn a_bundle_that_fails_to_load_again_is_tried_until_it_loads() {
    for engine in Engine::available() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis();
        // Far apart, so that a slow machine builds its isolates within each time.
        let later = |ms| now + patient(ms).as_millis();
        let (ill, well) = (later(1_500), later(6_500));
        let bundle = format!(
            "if (Date.now() > {ill} && Date.now() < {well}) throw new Error('ill');\n{BOMBS}"
        );
        let renderer = renderer(config(*engine), &bundle);
        sleep(patient(1_600)).await;
        act(&renderer, "throw").await.expect_err("the isolate goes");
        // No page waits for the end of the outage, known already or not.
        let answer = renderer.render(greeting("Asha")).await;
        assert_eq!(answer, Err(RenderError::EngineDied), "{engine}");
        until("it was rebuilt", async || renderer.stats().rebuilds > 2).await;
        let answer = renderer.render(greeting("Asha")).await;
        assert_eq!(answer, Err(RenderError::EngineDied), "{engine}");
        until("it recovers", async || renderer.render(greeting("Asha")).await.is_ok()).await;
        assert!(renderer.stats().rebuilds < 30, "{engine}: {:?}", renderer.stats());
    }
}

#[tokio::test]
async fn stopping_renders_what_waits_and_refuses_what_comes() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        let waiting: Vec<_> = (0..20)
            .map(|_| {
                let renderer = renderer.clone();
                tokio::spawn(async move { renderer.render(greeting("Asha")).await })
            })
            .collect();
        tokio::task::yield_now().await;
        renderer.stop(forever()).await;
        for page in waiting {
            assert!(page.await.expect("no panic").is_ok(), "{engine}");
        }
        let answer = renderer.render(greeting("late")).await;
        assert_eq!(answer, Err(RenderError::EngineDied), "{engine}");
    }
}
