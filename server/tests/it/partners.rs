//! Partner couriers: Karrio and Shiprocket (server/docs/couriers.md).

pub mod sandbox;
