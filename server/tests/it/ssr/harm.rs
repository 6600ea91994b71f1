//! Harm that a page can do to its isolate, and how it is contained.

use std::time::{Duration, Instant};

use dakiya_core::model::settings::engine::Engine;
use dakiya_core::ssr::{RenderError, RendererConfig};

use super::{BOMBS, act, config, greets, greets_again, renderer};
use crate::patience::{forever, patient, until};

/// The answers allowed for a bomb; the answer can depend on the speed of the machine.
struct Bomb {
    act: &'static str,
    answers: &'static [&'static str],
}

const BOMB_LIST: &[Bomb] = &[
    Bomb { act: "throw", answers: &["threw"] },
    Bomb { act: "throwNothing", answers: &["threw"] },
    Bomb { act: "throwTrap", answers: &["threw"] },
    Bomb { act: "answerNothing", answers: &["threw"] },
    Bomb { act: "loop", answers: &["deadline"] },
    Bomb { act: "loopInCatch", answers: &["deadline"] },
    Bomb { act: "regexp", answers: &["deadline"] },
    Bomb { act: "arrays", answers: &["out_of_memory", "deadline"] },
    Bomb { act: "oneArray", answers: &["out_of_memory", "deadline", "threw"] },
    Bomb { act: "objects", answers: &["out_of_memory", "deadline"] },
    Bomb { act: "strings", answers: &["out_of_memory", "deadline", "threw"] },
    Bomb { act: "oneString", answers: &["out_of_memory", "deadline", "threw"] },
    Bomb { act: "map", answers: &["out_of_memory", "deadline", "threw"] },
    Bomb { act: "buffers", answers: &["threw"] },
    Bomb { act: "typedArrays", answers: &["threw"] },
    Bomb { act: "recursion", answers: &["threw"] },
    Bomb { act: "json", answers: &["out_of_memory", "deadline", "threw"] },
    Bomb { act: "closures", answers: &["out_of_memory", "deadline"] },
    Bomb { act: "bigint", answers: &["out_of_memory", "deadline", "threw"] },
    Bomb { act: "regexpSource", answers: &["out_of_memory", "deadline", "threw"] },
];

#[tokio::test]
async fn a_bomb_is_contained_and_the_next_page_renders() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        for Bomb { act: name, answers } in BOMB_LIST {
            let asked = Instant::now();
            let error = act(&renderer, name).await.expect_err(name);
            let took = asked.elapsed();
            assert!(answers.contains(&error.kind()), "{engine}: {name} answered {error:?}");
            assert!(took < forever(), "{engine}: {name} took {took:?}");
            greets_again(&renderer, name).await;
        }
        let stats = renderer.stats();
        assert_eq!(stats.renders, BOMB_LIST.len() as u64, "{engine}: {stats:?}");
        assert!(stats.failures.deadline >= 3, "{engine}: {stats:?}");
        assert!(stats.failures.threw >= 6, "{engine}: {stats:?}");
        assert!(stats.rebuilds >= 3, "{engine}: {stats:?}");
    }
}

#[tokio::test]
async fn an_isolate_that_cannot_be_interrupted_loses_its_thread_and_not_the_pool() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        let steps = deaf_steps(*engine, patient(4_000)).await;
        let answer = renderer.render(deaf(steps)).await;
        assert_eq!(answer, Err(RenderError::Deadline), "{engine}");
        greets_again(&renderer, "deaf").await;
        // quickjs checks for interrupts in its native loops too.
        let lost = usize::from(engine.name() != "quickjs");
        assert_eq!(renderer.stats().lost, lost, "{engine}");
        until("the lost thread ends", async || renderer.stats().lost == 0).await;
        greets(&renderer, "Asha").await;
    }
}

/// Number of steps of the native loop that take this long on this machine.
async fn deaf_steps(engine: Engine, long: Duration) -> u64 {
    let patient = RendererConfig { deadline: forever(), ..config(engine) };
    let renderer = renderer(patient, BOMBS);
    let probe = 5_000_000;
    let took = renderer.render(deaf(probe)).await.expect("a page").took;
    (probe as f64 * long.as_secs_f64() / took.as_secs_f64()) as u64
}

fn deaf(steps: u64) -> String {
    format!(r#"{{"act":"deaf","steps":{steps}}}"#)
}

#[tokio::test]
async fn an_error_the_bundle_caught_leaves_the_isolate_as_it_is() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        let answer = act(&renderer, "caught").await;
        assert_eq!(answer, Err(RenderError::Threw("it was caught".to_owned())), "{engine}");
        greets(&renderer, "Asha").await;
        assert_eq!(renderer.stats().rebuilds, 0, "{engine}");
    }
}

#[tokio::test]
async fn the_sentence_of_an_error_says_nothing_of_the_page() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        let error = act(&renderer, "throw").await.unwrap_err();
        assert_eq!(error.to_string(), "the bundle threw", "{engine}");
        let RenderError::Threw(for_the_log) = error else {
            panic!("{engine}: {error:?}");
        };
        assert!(for_the_log.contains("secret page data"), "{engine}: {for_the_log}");
    }
}

#[tokio::test]
async fn a_leaking_bundle_gets_a_new_isolate_before_it_fails_pages() {
    for engine in Engine::available() {
        let renderer = renderer(config(*engine), BOMBS);
        let mut failed = 0;
        for _ in 0..1_500 {
            failed += usize::from(act(&renderer, "leak").await.is_err());
        }
        let stats = renderer.stats();
        assert!(stats.rebuilds >= 2, "{engine}: {stats:?}");
        assert!(failed <= 60, "{engine}: {failed} failed, {stats:?}");
        greets_again(&renderer, "a leak").await;
    }
}
