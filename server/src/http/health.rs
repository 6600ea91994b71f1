//! Answers to balancers and monitors. The public ones say only if the server works; the operators'
//! own health, which stands beside the metrics, has figures too.

use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::http::answer;
use crate::http::extract::Stopping;
use crate::http::state::AppState;
use dakiya_core::error::Error;
use dakiya_core::model::task::TaskFigures;
use dakiya_core::services::readiness::Unready;
use dakiya_core::store;

/// The addresses of these answers.
pub const PATHS: [&str; 3] = ["/healthz", "/livez", "/readyz"];

/// Returns 200 as long as the process serves, whatever the database does.
pub(crate) async fn live() -> Response {
    in_a_word(StatusCode::OK, "ok")
}

/// Returns 200 if requests can be served and none should go elsewhere; otherwise 503 and why.
pub(crate) async fn ready(web: AppState, Stopping(is_stopping): Stopping) -> Response {
    let word = match is_stopping {
        true => Err("draining"),
        false if !web.go_ahead.is_given() => Err("restored"),
        false => web.ready_check.check().await.map_err(Unready::word),
    };
    match word {
        Ok(()) => in_a_word(StatusCode::OK, "ok"),
        Err(word) => in_a_word(StatusCode::SERVICE_UNAVAILABLE, word),
    }
}

fn in_a_word(status: StatusCode, word: &'static str) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], word).into_response()
}

/// The state of the database, and of the background tasks in it.
struct Health {
    status: StatusCode,
    word: &'static str,
    tasks: Vec<TaskFigures>,
}

impl Health {
    async fn of(web: &AppState) -> Result<Health, Error> {
        let mut conn = web.core.store.read().await?;
        let tasks = store::tasks::figures(&mut conn, web.core.clock.now_ms()).await?;
        drop(conn);
        let (status, word) = match web.core.store.is_writing().await {
            true => (StatusCode::OK, "ok"),
            false => (StatusCode::SERVICE_UNAVAILABLE, "the database writer failed"),
        };
        Ok(Health { status, word, tasks })
    }
}

/// Returns 200 if the database can be read and written.
pub(crate) async fn public(web: AppState) -> Result<Response, Error> {
    let health = Health::of(&web).await?;
    Ok(answer::json(health.status, &json!({"status": health.word})))
}

/// Returns the status of `public`, the figures of background tasks, and what confines the drawing
/// of PDFs less than meant. Neither changes the status.
pub(crate) async fn detailed(
    web: &AppState,
    redraw_weaknesses: &[&str],
) -> Result<Response, Error> {
    let health = Health::of(web).await?;
    let body = json!({
        "status": health.word,
        "tasks": health.tasks,
        "redraw_weaknesses": redraw_weaknesses,
    });
    Ok(answer::json(health.status, &body))
}
