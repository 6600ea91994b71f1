//! How to reach PhonePe, who we are there, and how patient we are.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::limits::{
    PROVIDER_READ_MS_MAX, PROVIDER_READ_TRIES_MAX, PROVIDER_RETRY_MS, PROVIDER_TOTAL_MS_MAX,
    PROVIDER_WRITE_MS_MAX,
};
use crate::providers::http::{ClientError, ClientLimits};
use crate::providers::secret::Secret;

/// The path of our own launch page, followed by the merchant order id (payments.md 1.4).
pub const LAUNCH_PATH: &str = "/recharge/launch/";

/// How to reach PhonePe and who we are there.
#[derive(Clone, Debug)]
pub struct PhonePeConfig {
    /// Base of `/v1/oauth/token`, without trailing slash (payments.md 1.1).
    pub oauth_base: String,
    /// Base of `/checkout/v2/…` and `/payments/v2/…`, without trailing slash.
    pub pg_base: String,
    pub client_id: String,
    pub client_secret: Secret,
    /// `1` on the test hosts; production names it with the credentials (payments.md 1.2).
    pub client_version: String,
    /// What the merchant dashboard has for callbacks (payments.md 1.7).
    pub callback_username: String,
    pub callback_password: Secret,
    pub launch: Launch,
}

/// How the browser gets to PhonePe's page; its documents disagree on what works
/// (payments.md 1.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Launch {
    /// The browser is sent straight to PhonePe's page.
    #[default]
    Direct,
    /// The browser is sent to a page of ours that loads PhonePe's script and starts it.
    Page,
}

/// A text that is neither `direct` nor `page`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a way to launch: direct or page")]
pub struct NotALaunch;

impl FromStr for Launch {
    type Err = NotALaunch;

    fn from_str(text: &str) -> Result<Launch, NotALaunch> {
        match text {
            "direct" => Ok(Launch::Direct),
            "page" => Ok(Launch::Page),
            _ => Err(NotALaunch),
        }
    }
}

impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Launch::Direct => "direct",
            Launch::Page => "page",
        })
    }
}

/// The time limits of one operation; the defaults are those of `limits.rs`.
#[derive(Clone, Copy, Debug)]
pub struct PhonePeLimits {
    /// The whole operation: token, tries and pauses.
    pub total: Duration,
    /// One try of a question.
    pub read_try: Duration,
    /// The one try of an order or refund; what is left of `total` is for asking its fate.
    pub write_try: Duration,
    pub read_tries: u32,
    /// The pause before the second try; it doubles.
    pub retry_pause: Duration,
    pub client: ClientLimits,
}

impl Default for PhonePeLimits {
    fn default() -> PhonePeLimits {
        PhonePeLimits {
            total: Duration::from_millis(PROVIDER_TOTAL_MS_MAX),
            read_try: Duration::from_millis(PROVIDER_READ_MS_MAX),
            write_try: Duration::from_millis(PROVIDER_WRITE_MS_MAX),
            read_tries: PROVIDER_READ_TRIES_MAX,
            retry_pause: Duration::from_millis(PROVIDER_RETRY_MS),
            client: ClientLimits::default(),
        }
    }
}

/// What our launch page must do: load this script, then call
/// `PhonePeCheckout.transact({tokenUrl})` (payments.md 1.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchPage {
    pub script_url: String,
    pub token_url: String,
}

impl LaunchPage {
    /// Scheme and host of the script.
    pub fn script_origin(&self) -> Option<&str> {
        self.script_url.strip_suffix(CHECKOUT_SCRIPT)
    }
}

/// A configuration no adapter can work with.
#[derive(Debug, thiserror::Error)]
pub enum PhonePeConfigError {
    #[error("{0} must be an absolute http or https URL without trailing slash")]
    BaseUrl(&'static str),
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// Where PhonePe's launch script is on its host.
const CHECKOUT_SCRIPT: &str = "/web/bundle/checkout.js";

/// PhonePe's launch script for a base URL (payments.md 1.4); the sandbox serves its own.
pub(super) fn checkout_script(pg_base: &str) -> String {
    let host = match pg_base {
        _ if is_production(pg_base) => "https://mercury.phonepe.com",
        _ if is_test_host(pg_base) => "https://mercury-stg.phonepe.com",
        own => own,
    };
    format!("{host}{CHECKOUT_SCRIPT}")
}

/// The origin of the hosted pages for a base URL (payments.md 1.3); the sandbox shows its own.
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
            (
                "https://api.phonepe.com/apis/pg",
                "https://mercury.phonepe.com",
            ),
            (
                "https://api-preprod.phonepe.com/apis/pg-sandbox",
                "https://mercury-stg.phonepe.com",
            ),
            ("http://127.0.0.1:8099", "http://127.0.0.1:8099"),
        ] {
            assert_eq!(
                checkout_script(base),
                format!("{script}/web/bundle/checkout.js")
            );
        }
    }

    #[test]
    fn the_pay_pages_come_from_the_host_that_belongs_to_the_base_url() {
        for (base, origin) in [
            (
                "https://api.phonepe.com/apis/pg",
                "https://mercury.phonepe.com",
            ),
            (
                "https://api-preprod.phonepe.com/apis/pg-sandbox",
                "https://mercury-uat.phonepe.com",
            ),
            ("http://127.0.0.1:8099", "http://127.0.0.1:8099"),
            ("http://127.0.0.1:8099/pg", "http://127.0.0.1:8099"),
        ] {
            assert_eq!(page_origin(base), origin);
        }
    }

    #[test]
    fn a_way_to_launch_reads_as_it_is_written() {
        for launch in [Launch::Direct, Launch::Page] {
            assert_eq!(launch.to_string().parse(), Ok(launch));
        }
        assert_eq!("iframe".parse::<Launch>(), Err(NotALaunch));
    }
}
