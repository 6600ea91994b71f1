//! The adapter's time limits, and the hosts of PhonePe's pages.

use std::time::Duration;

use crate::limits::{
    PROVIDER_READ_MS_MAX, PROVIDER_READ_TRIES_MAX, PROVIDER_RETRY_MS, PROVIDER_TOTAL_MS_MAX,
    PROVIDER_WRITE_MS_MAX,
};
use crate::providers::http::ClientError;

/// The time limits of one operation. The defaults are in `limits.rs`.
#[derive(Clone, Copy, Debug)]
pub struct PhonePeLimits {
    /// The whole operation: token, tries and pauses.
    pub total: Duration,
    /// One try of a read request.
    pub read_try: Duration,
    /// The only try of an order or refund. The rest of `total` is for requesting its status.
    pub write_try: Duration,
    pub read_tries: u32,
    /// The pause before the second try. It doubles with each try.
    pub retry_pause: Duration,
}

impl Default for PhonePeLimits {
    fn default() -> PhonePeLimits {
        PhonePeLimits {
            total: Duration::from_millis(PROVIDER_TOTAL_MS_MAX),
            read_try: Duration::from_millis(PROVIDER_READ_MS_MAX),
            write_try: Duration::from_millis(PROVIDER_WRITE_MS_MAX),
            read_tries: PROVIDER_READ_TRIES_MAX,
            retry_pause: Duration::from_millis(PROVIDER_RETRY_MS),
        }
    }
}

/// The data of our launch page, which loads this script and calls
/// `PhonePeCheckout.transact({tokenUrl})`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchPage {
    pub script_url: String,
    pub token_url: String,
}

impl LaunchPage {
    pub fn script_origin(&self) -> Option<&str> {
        self.script_url.strip_suffix(CHECKOUT_SCRIPT)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PhonePeConfigError {
    #[error("{0} must be an absolute http or https URL without trailing slash")]
    BaseUrl(&'static str),
    #[error(transparent)]
    Client(#[from] ClientError),
}

const CHECKOUT_SCRIPT: &str = "/web/bundle/checkout.js";

/// Returns PhonePe's launch script for a base URL. The sandbox serves its own.
pub(super) fn checkout_script(pg_base: &str) -> String {
    let host = match pg_base {
        _ if is_production(pg_base) => "https://mercury.phonepe.com",
        _ if is_test_host(pg_base) => "https://mercury-stg.phonepe.com",
        own => own,
    };
    format!("{host}{CHECKOUT_SCRIPT}")
}

/// Returns the origin of PhonePe's payment pages for a base URL. The sandbox has its own pages.
pub fn page_origin(pg_base: &str) -> String {
    match pg_base {
        _ if is_production(pg_base) => "https://mercury.phonepe.com".to_owned(),
        _ if is_test_host(pg_base) => "https://mercury-uat.phonepe.com".to_owned(),
        own => own.splitn(4, '/').take(3).collect::<Vec<_>>().join("/"),
    }
}

fn is_production(pg_base: &str) -> bool {
    pg_base.starts_with("https://api.phonepe.com/")
}

fn is_test_host(pg_base: &str) -> bool {
    pg_base.starts_with("https://api-preprod.phonepe.com/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launch_script_comes_from_the_host_that_belongs_to_the_base_url() {
        for (base, script) in [
            ("https://api.phonepe.com/apis/pg", "https://mercury.phonepe.com"),
            ("https://api-preprod.phonepe.com/apis/pg-sandbox", "https://mercury-stg.phonepe.com"),
            ("http://127.0.0.1:8099", "http://127.0.0.1:8099"),
        ] {
            assert_eq!(checkout_script(base), format!("{script}/web/bundle/checkout.js"));
        }
    }

    #[test]
    fn the_pay_pages_come_from_the_host_that_belongs_to_the_base_url() {
        for (base, origin) in [
            ("https://api.phonepe.com/apis/pg", "https://mercury.phonepe.com"),
            ("https://api-preprod.phonepe.com/apis/pg-sandbox", "https://mercury-uat.phonepe.com"),
            ("http://127.0.0.1:8099", "http://127.0.0.1:8099"),
            ("http://127.0.0.1:8099/pg", "http://127.0.0.1:8099"),
        ] {
            assert_eq!(page_origin(base), origin);
        }
    }
}
