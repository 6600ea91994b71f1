//! /api/v1/shipping/track: where a shipment is, for anybody who has its number.

use axum::extract::{Path, State};
use axum::response::Response;

use super::answer;
use super::rates::Data;
use super::web::Web;
use crate::error::Result;

pub async fn track(State(web): State<Web>, Path(awb): Path<String>) -> Result<Response> {
    Ok(answer::ok(&Data {
        data: web.bookings.track(&awb).await?,
    }))
}
