//! The collector of traces.

use std::collections::HashMap;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use url::Url;

use super::secret::Secret;

/// A collector that takes spans by OTLP over HTTP.
#[derive(Clone, Debug)]
pub struct TracesConfig {
    pub endpoint: CollectorUrl,
    /// Headers of each request, with the collector's key for example.
    pub headers: CollectorHeaders,
    /// The name of this service among others in the traces.
    pub service: String,
}

/// The base of a collector's addresses, without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectorUrl(String);

/// The text is no such address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the address of a collector")]
pub struct NotCollectorUrl;

impl FromStr for CollectorUrl {
    type Err = NotCollectorUrl;

    fn from_str(text: &str) -> Result<CollectorUrl, NotCollectorUrl> {
        let url = Url::parse(text).map_err(|_| NotCollectorUrl)?;
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        let is_bare = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        match is_web && is_bare && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(CollectorUrl(text.trim_end_matches('/').to_owned())),
            false => Err(NotCollectorUrl),
        }
    }
}

impl CollectorUrl {
    /// Returns the address that takes spans.
    pub fn spans(&self) -> String {
        format!("{}/v1/traces", self.0)
    }
}

/// Headers, as `name=value,name=value` with `%20` for a space.
#[derive(Clone, Debug, Default)]
pub struct CollectorHeaders(Vec<(String, Secret)>);

/// The text is no list of headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not headers with commas between")]
pub struct NotCollectorHeaders;

impl FromStr for CollectorHeaders {
    type Err = NotCollectorHeaders;

    fn from_str(text: &str) -> Result<CollectorHeaders, NotCollectorHeaders> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let headers = parts.map(header).collect::<Option<_>>();
        headers.map(CollectorHeaders).ok_or(NotCollectorHeaders)
    }
}

fn header(text: &str) -> Option<(String, Secret)> {
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim(), percent_decode_str(value.trim()).decode_utf8().ok()?);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let is_value = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    let is_header = !name.is_empty() && name.bytes().all(is_plain) && value.bytes().all(is_value);
    is_header.then(|| (name.to_ascii_lowercase(), Secret::new(value)))
}

impl CollectorHeaders {
    pub fn expose(&self) -> HashMap<String, String> {
        let headers = self.0.iter();
        headers.map(|(name, value)| (name.clone(), value.expose().to_owned())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_has_a_plain_address() {
        for (text, spans) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("https://otlp.example.in/otlp/", "https://otlp.example.in/otlp/v1/traces"),
        ] {
            assert_eq!(text.parse::<CollectorUrl>().unwrap().spans(), spans);
        }
        for text in [
            "collector:4318",
            "grpc://collector:4317",
            "http://",
            "http://user:pass@collector",
            "https://collector/?key=1",
            "https://collector/#x",
            "http://a b",
        ] {
            assert_eq!(text.parse::<CollectorUrl>(), Err(NotCollectorUrl), "{text}");
        }
    }

    #[test]
    fn headers_are_read_as_the_standard_writes_them() {
        let headers: CollectorHeaders = "Authorization=Bearer%20abc, x-team=1,".parse().unwrap();
        let shown = headers.expose();
        assert_eq!((&*shown["authorization"], &*shown["x-team"]), ("Bearer abc", "1"));
        assert!(!format!("{headers:?}").contains("abc"));
        for text in ["abc", "=x", "a b=c", "a=%0d%0ab", "a=%ff"] {
            assert!(text.parse::<CollectorHeaders>().is_err(), "{text}");
        }
    }
}
