//! /api/v1/shipping/track: public tracking by shipment number.

use axum::response::Response;

use crate::error::Result;
use crate::http::answer;
use crate::http::extract::Path;
use crate::model::booking::order::tracking::Tracked;
use crate::services::accounts::rate_limits::ClientIp;
use crate::services::bookings::Bookings;

#[utoipa::path(
    get,
    path = "/shipping/track/{awb}",
    responses((status = 200, body = Tracked)),
    security(())
)]
pub(crate) async fn track(
    bookings: Bookings,
    client: ClientIp,
    Path(awb): Path,
) -> Result<Response> {
    Ok(answer::ok(&bookings.track(client, &awb).await?))
}
