//! /track: where a shipment is.

use axum::extract::{Query as QueryOf, State};
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::extract::MaybeUser;
use crate::http::pages;
use crate::http::pages::data::Query;
use crate::http::web::Web;
use crate::model::booking::tracking::Tracked;

/// What the tracking page shows.
#[derive(Serialize)]
pub struct Track {
    pub awb: String,
    pub tracked: Option<Tracked>,
    pub error: Option<String>,
    #[serde(skip)]
    pub found: bool,
}

/// Looks the shipment up; its absence is part of the page.
pub async fn data(web: &Web, path: &str) -> Result<Track> {
    let awb = path.strip_prefix("/track/").unwrap_or("").to_owned();
    if awb.is_empty() {
        return Ok(Track {
            awb,
            tracked: None,
            error: None,
            found: true,
        });
    }
    match web.bookings.track(&awb).await {
        Ok(tracked) => Ok(Track {
            awb,
            tracked: Some(tracked),
            error: None,
            found: true,
        }),
        Err(Error::Internal(cause)) => Err(Error::Internal(cause)),
        Err(error) => {
            let error = Some(error.message().to_owned());
            Ok(Track {
                awb,
                tracked: None,
                error,
                found: false,
            })
        }
    }
}

/// `/track?awb=…` leads to the shipment's own address.
pub async fn lead_to_shipment(
    state: State<Web>,
    method: Method,
    uri: Uri,
    query: QueryOf<Query>,
    headers: HeaderMap,
    user: MaybeUser,
) -> Result<Response> {
    let typed = query
        .get("awb")
        .map(|awb| awb.trim())
        .filter(|awb| !awb.is_empty());
    match typed.and_then(crate::model::shipping::awb::normalise) {
        Some(awb) => Ok(see_other(&format!("/track/{awb}"))),
        None if typed.is_some() => Ok(see_other("/track/unknown")),
        None => pages::show(state, method, uri, query, headers, user).await,
    }
}
