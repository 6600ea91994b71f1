//! The operator's settings, as plain data with checks. `config` reads the environment into these
//! types, and providers are built from them.

pub mod callbacks;
pub mod company;
pub mod couriers;
pub mod engine;
pub mod files_key;
pub mod gateway;
pub mod notify;
pub mod secret;
pub mod web_url;
