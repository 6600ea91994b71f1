//! PhonePe's addresses and our account there.

use std::fmt;
use std::str::FromStr;

use super::secret::Secret;

/// The path of our own launch page, followed by the merchant order id (see [`LaunchMode`]).
pub const LAUNCH_PATH: &str = "/recharge/launch/";

/// PhonePe's hosts and our credentials there. The token endpoint and the payment endpoints have
/// separate base URLs: in production their paths differ (developer.phonepe.com, Standard Checkout,
/// "Authorization").
#[derive(Clone, Debug)]
pub struct PhonePeConfig {
    /// Base of `/v1/oauth/token`, without a trailing slash.
    pub oauth_base: String,
    /// Base of `/checkout/v2/…` and `/payments/v2/…`, without a trailing slash.
    pub pg_base: String,
    pub client_id: String,
    pub client_secret: Secret,
    /// `1` on the test hosts; for production PhonePe sends it by email with the credentials.
    pub client_version: String,
    /// The user name and password entered for webhooks on the merchant dashboard.
    pub callback_username: String,
    pub callback_password: Secret,
    pub launch: LaunchMode,
}

/// The way in which the browser opens PhonePe's page. PhonePe's API reference and SDKs redirect to
/// the page's address; its newer integration guide (github.com/PhonePe/phonepe-pg-skills) says that
/// the page only opens from its script `checkout.js`. It is not documented which applies to a
/// merchant's account, so the operator chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LaunchMode {
    #[default]
    Direct,
    /// The browser is redirected to a page of ours that loads and starts PhonePe's script.
    Page,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a way to launch: direct or page")]
pub struct NotALaunchMode;

impl FromStr for LaunchMode {
    type Err = NotALaunchMode;

    fn from_str(text: &str) -> Result<LaunchMode, NotALaunchMode> {
        let mut modes = [LaunchMode::Direct, LaunchMode::Page].into_iter();
        modes.find(|mode| mode.to_string() == text).ok_or(NotALaunchMode)
    }
}

impl fmt::Display for LaunchMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LaunchMode::Direct => "direct",
            LaunchMode::Page => "page",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_to_launch_reads_as_it_is_written() {
        for launch in [LaunchMode::Direct, LaunchMode::Page] {
            assert_eq!(launch.to_string().parse(), Ok(launch));
        }
        assert_eq!("iframe".parse::<LaunchMode>(), Err(NotALaunchMode));
    }
}
