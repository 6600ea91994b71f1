//! Shipments: places, sizes, numbers and statuses.

pub mod awb;
pub mod country_names;
mod embedded_table;
pub mod grams;
pub mod loss;
pub mod place;
pub mod province;
pub mod public_place;
pub mod shipment;
pub mod status;
