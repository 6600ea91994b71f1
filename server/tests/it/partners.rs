//! Partner couriers: Karrio and Shiprocket.

pub mod sandbox;
