//! Dakiya: book couriers in India and pay from a prepaid wallet.
//!
//! A request enters `http`, calls one method of one of the `services`, which decide by the rules of
//! `model` and act through `store`, `providers`, `ssr` and `pdf`. Calls go down only.

pub mod app;
pub mod assets;
pub mod background_thread;
mod cli;
pub mod clock;
pub mod config;
pub mod connection_guard;
pub mod error;
pub mod failpoints;
pub mod http;
pub mod jobs;
pub mod limits;
pub mod methods;
pub mod model;
pub mod pdf;
pub mod program;
pub mod providers;
pub mod random;
pub mod sandbox;
pub mod services;
pub mod ssr;
pub mod store;
pub mod trace_context;

/// A request allocates mostly small and short-lived memory, often freed on another thread. With the
/// system's allocator this takes a tenth of the CPU time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
