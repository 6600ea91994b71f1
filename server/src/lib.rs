//! Dakiya: book couriers in India and pay from a prepaid wallet.
//!
//! A request enters `http`, calls one method of one of the `services`, which decide by the rules of
//! `model` and act through `store`, `providers`, `ssr` and `pdf`. Calls go down only.

pub mod app;
mod cli;
pub mod http;
pub mod jobs;
pub mod program;

/// A request allocates mostly small and short-lived memory, often freed on another thread. With the
/// system's allocator this takes a tenth of the CPU time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
