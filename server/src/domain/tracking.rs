//! Where a shipment is.

use serde::Serialize;

use super::awb;
use crate::app::App;
use crate::error::{Error, Result};
use crate::store;

/// Something that happened to a shipment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub status: String,
    pub courier_code: String,
    pub location: String,
    pub remarks: String,
    pub comments: String,
    pub happened_ms: i64,
}

/// An event as the API and the pages show it (specification section 3, Tracking event).
/// Public: no name, phone, address or price.
#[derive(Clone, Debug, Serialize)]
pub struct PublicEvent {
    pub airwaybill_no: String,
    pub status: String,
    pub courier_code: String,
    pub date: i64,
    pub update_location: String,
    pub remarks: String,
    pub comments: String,
}

/// The events of a shipment, newest first.
///
/// # Errors
/// `Fields` when nothing was typed, `NotFound` when there is no such shipment.
pub async fn track(app: &App, typed: &str) -> Result<Vec<PublicEvent>> {
    if typed.trim().is_empty() {
        return Err(Error::field("awb", "Please enter an AWB number."));
    }
    let unknown = || Error::NotFound("We have no shipment with this AWB number.".into());
    let awb = awb::normalise(typed).ok_or_else(unknown)?;
    let events = store::bookings::events(&mut *app.store.read().await?, &awb).await?;
    if events.is_empty() {
        return Err(unknown());
    }
    let public = |event: Event| PublicEvent {
        airwaybill_no: awb.clone(),
        status: event.status,
        courier_code: event.courier_code,
        date: event.happened_ms,
        update_location: event.location,
        remarks: event.remarks,
        comments: event.comments,
    };
    Ok(events.into_iter().map(public).collect())
}
