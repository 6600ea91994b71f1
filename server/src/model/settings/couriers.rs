//! The partner couriers' addresses and our accounts there.

use super::secret::Secret;

/// A Karrio server, which the operator runs.
#[derive(Clone, Debug)]
pub struct KarrioConfig {
    /// Base of `/v1/…`, without a trailing slash.
    pub base: String,
    pub token: Secret,
}

#[derive(Clone, Debug)]
pub struct ShiprocketConfig {
    /// Base of `/auth/login`, `/courier/…` and `/orders/…`, without a trailing slash.
    pub base: String,
    pub email: String,
    pub password: Secret,
}
