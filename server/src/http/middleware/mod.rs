//! Middleware around every handler.

pub mod client;
pub mod compress;
pub mod guard;
