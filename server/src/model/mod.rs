//! What things are. Pure: no async, SQL, HTTP, clock or randomness.

pub mod courier;
pub mod gateway;
pub mod settings;
