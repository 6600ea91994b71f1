//! Something that happened to a shipment, as it is kept and as everybody may see it.

use utoipa::ToSchema;

use serde::Serialize;

/// Something that happened to a shipment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackingEvent {
    pub status: String,
    pub courier_code: String,
    pub location: String,
    pub remarks: String,
    pub comments: String,
    pub happened_ms: i64,
}

/// An event as the API and the pages show it.
/// Public: no name, phone, address or price.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TrackingEvent)]
pub struct PublicTrackingEvent {
    pub airwaybill_no: String,
    pub status: String,
    pub courier_code: String,
    pub date: i64,
    pub update_location: String,
    pub remarks: String,
    pub comments: String,
}
