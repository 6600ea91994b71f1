//! Shipments: places, sizes, numbers and statuses.

pub mod awb;
pub mod grams;
pub mod loss;
pub mod place;
pub mod shipment;
pub mod status;
