//! Requests to couriers and their responses, as plain data. The adapters that call them are in
//! `providers/courier`.

pub mod address;
pub mod fares;
pub mod finding;
pub mod local_time;
pub mod order;
pub mod time_told;

/// The code of our own couriers in the database, the configuration and logs.
pub const HOUSE: &str = "house";
pub const KARRIO: &str = "karrio";
pub const SHIPROCKET: &str = "shiprocket";
