//! Shipments: places, sizes, numbers and what can become of them.

pub mod awb;
pub mod place;
pub mod shipment;
pub mod status;
