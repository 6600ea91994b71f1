//! Partner couriers: Karrio and Shiprocket (carriers.md sections 5 and 6).

pub mod sandbox;
