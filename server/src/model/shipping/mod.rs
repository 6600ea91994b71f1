//! Shipments: places, sizes, numbers and statuses.

pub mod awb;
pub mod country_names;
pub mod grams;
pub mod place;
pub mod shipment;
pub mod status;
