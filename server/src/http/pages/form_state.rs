//! Forms sent without JavaScript: a refused form is shown again with the typed values.

use std::collections::BTreeMap;

use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, FieldError, Result};
use crate::http::pages::document::{Visit, draw};
use crate::http::pages::page_data::Query;
use crate::http::screens;
use crate::http::state::AppState;
use crate::model::account::session::CurrentUser;
use crate::model::local_path::LocalPath;

/// Returns the query that keeps the page to continue with.
pub fn back_to(next: &str) -> Query {
    let next = LocalPath::parse(next).map(|next| ("next".to_owned(), next.as_str().to_owned()));
    next.into_iter().collect()
}

/// Shows the page again, with the typed values and the errors.
pub(crate) async fn refused(
    web: AppState,
    screen: &str,
    query: Query,
    user: Option<CurrentUser>,
    values: BTreeMap<&'static str, String>,
    error: Error,
    headers: &HeaderMap,
) -> Result<Response> {
    if matches!(error, Error::Internal(_)) {
        return Err(error);
    }
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST);
    let visit = Visit {
        query,
        user,
        form: Some(FormState::refused(values, &error)),
        ..Visit::of(screens::named(screen))
    };
    let mut page = draw(web, visit, status, &Method::POST, headers).await?;
    if let Some(seconds) = error.retry_after_s() {
        page.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    Ok(page)
}

/// Input of a form that was refused. Never a password.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct FormState {
    pub values: BTreeMap<&'static str, String>,
    pub message: String,
    pub errors: Vec<FieldError>,
}

impl FormState {
    /// Returns the typed values with the errors.
    pub fn refused(values: BTreeMap<&'static str, String>, error: &Error) -> FormState {
        FormState {
            values,
            message: error.message().to_owned(),
            errors: error.fields().to_vec(),
        }
    }
}
