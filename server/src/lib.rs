//! Dakiya: book couriers in India and pay from a prepaid wallet.
//!
//! A request enters `http`, becomes a `domain` value, is written by `store` or sent by
//! `providers`, and pages leave through `ssr`, documents through `pdf`. Calls go down only.

pub mod app;
pub mod assets;
pub mod clock;
pub mod config;
pub mod domain;
pub mod error;
pub mod http;
pub mod jobs;
pub mod limits;
pub mod model;
pub mod mutant;
pub mod pdf;
pub mod providers;
pub mod sandbox;
pub mod ssr;
pub mod store;
