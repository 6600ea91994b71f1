//! The operator's settings as plain data: read by `config`, and what providers are built from.

pub mod callbacks;
pub mod company;
pub mod database_url;
pub mod engine;
pub mod files_key;
pub mod files_place;
pub mod gateway;
pub mod notify;
pub mod public_address;
pub mod secret;
pub mod traces;
pub mod web_url;

use self::secret::Secret;

/// A Karrio server, which the operator runs.
#[derive(Clone, Debug)]
pub struct KarrioConfig {
    /// Base of `/v1/…`, without a trailing slash.
    pub base: String,
    pub token: Secret,
    /// Set when some of its carriers also go within India.
    pub within_india: bool,
}

#[derive(Clone, Debug)]
pub struct ShiprocketConfig {
    /// Base of `/auth/login`, `/courier/…` and `/orders/…`, without a trailing slash.
    pub base: String,
    pub email: String,
    pub password: Secret,
}
