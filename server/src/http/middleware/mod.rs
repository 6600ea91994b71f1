//! What stands before and after every handler.

pub mod client;
pub mod compress;
pub mod guard;
