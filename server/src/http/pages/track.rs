//! /track: where a shipment is.

use axum::Router;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other};
use crate::http::extract::Path;
use crate::http::pages::page::{Early, Page, Visit};
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::methods::post;
use dakiya_core::model::booking::order::tracking::Tracked;
use dakiya_core::model::shipping::awb;
use dakiya_core::services::accounts::rate_limits::ClientIp;
use dakiya_core::services::bookings::Bookings;

pub struct TrackPage;

impl Page for TrackPage {
    /// Redirects `/track?awb=…` to the shipment's own address. An unknown AWB is an error on that
    /// page.
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        let Some(awb) = visit.item() else {
            let number = visit.query.get("awb").map(|awb| awb.trim());
            return match number.filter(|awb| !awb.is_empty()) {
                Some(number) => Early::redirect(address(number)),
                None => page("", None, None),
            };
        };
        match web.bookings.track(visit.client, visit.user.as_ref(), awb).await {
            Ok(tracked) => {
                let status = tracked.shipment.status.replace('_', " ");
                Ok(Early {
                    title: awb::normalise(awb).map(|awb| format!("Tracking {awb}")),
                    description: Some(format!("Status: {status}")),
                    ..page(awb, Some(tracked), None)?
                })
            }
            Err(error) if error.is_ours() => Err(error),
            Err(error) => page(awb, None, Some(error.message())),
        }
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route("/track/{awb}/call", post(ask_for_call))
    }
}

/// Requests a call to the receiver. The page then confirms it or shows the reason for a refusal.
async fn ask_for_call(bookings: Bookings, client: ClientIp, Path(awb): Path) -> Answer {
    let back = address(&awb);
    match bookings.ask_for_call(client, &awb).await {
        Err(Error::TooMany { .. }) => Ok(see_other(&format!("{back}?call=late"))),
        Err(error) if error.is_ours() => Err(error),
        Ok(()) | Err(_) => Ok(see_other(&back)),
    }
}

/// Data of the tracking page.
#[derive(Serialize, ToSchema)]
pub struct TrackData<'a> {
    awb: &'a str,
    #[schema(required)]
    tracked: Option<Tracked>,
    #[schema(required)]
    error: Option<&'a str>,
}

fn page(awb: &str, tracked: Option<Tracked>, error: Option<&str>) -> Result<Early> {
    Ok(Early { missing: error.is_some(), ..Early::of(&TrackData { awb, tracked, error })? })
}

/// Returns the tracking address for a typed AWB.
fn address(number: &str) -> String {
    let awb = awb::normalise(number);
    format!("/track/{}", awb.as_deref().unwrap_or("unknown"))
}
