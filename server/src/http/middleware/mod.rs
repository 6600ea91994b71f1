//! Middleware around every handler.

pub mod compress;
pub mod guard;
