//! Shipments: places, sizes, numbers and statuses.

pub mod awb;
pub mod grams;
pub mod phone_text;
pub mod place;
pub mod shipment;
pub mod status;
