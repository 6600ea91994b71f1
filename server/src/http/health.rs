//! Answers to monitors. The public one says only if the server works; the operators' one, which
//! stands beside the metrics, has figures too.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use crate::error::Error;
use crate::http::answer;
use crate::http::state::AppState;
use crate::model::task::TaskFigures;
use crate::store;

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
