//! The operator's settings as plain data: read by `config`, and what providers are built from.

pub mod callbacks;
pub mod company;
pub mod couriers;
pub mod engine;
pub mod files_key;
pub mod gateway;
pub mod notify;
pub mod secret;
pub mod web_url;
