//! Rules and flows: what Dakiya decides, free of HTTP, SQL and engines.

pub mod money;
