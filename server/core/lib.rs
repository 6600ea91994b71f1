//! The program without its entrances: rules, workflows, database, partners and documents.
//!
//! The `services` decide by the rules of `model` and act through `store`, `providers`, `ssr` and
//! `pdf`. Calls go down only, and nothing here knows the routes and commands of `dakiya`.

pub mod assets;
pub mod background_thread;
pub mod clock;
pub mod config;
pub mod connection_guard;
pub mod error;
pub mod failpoints;
pub mod limits;
pub mod methods;
pub mod model;
pub mod pdf;
pub mod providers;
pub mod random;
pub mod sandbox;
pub mod services;
pub mod ssr;
pub mod store;
pub mod trace_context;
