//! /api/v1/shipping/track: where a shipment is, for anybody who has its number.

use axum::extract::{Path, State};
use axum::response::Response;

use super::answer;
use super::rates::Data;
use crate::app::App;
use crate::domain::tracking;
use crate::error::Result;

pub async fn track(State(app): State<App>, Path(awb): Path<String>) -> Result<Response> {
    Ok(answer::ok(&Data {
        data: tracking::track(&app, &awb).await?,
    }))
}
