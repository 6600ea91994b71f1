//! Checks of web addresses.

use std::net::IpAddr;

use url::Url;

/// True for an absolute http or https URL with a host, valid in a header without escaping.
pub fn is_web_url(url: &str) -> bool {
    url.bytes().all(|byte| byte.is_ascii_graphic())
        && Url::parse(url)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// True if secrets and personal data may be sent there: https, or this machine.
pub fn is_protected(url: &str) -> bool {
    is_web_url(url) && (url.starts_with("https://") || is_loopback(url))
}

/// True if the URL's host is this machine, by address or as `localhost`.
pub fn is_loopback(url: &str) -> bool {
    let is_here = |host: &str| {
        let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    };
    Url::parse(url).is_ok_and(|url| url.host_str().is_some_and(is_here))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_loopback() {
        for url in ["http://127.0.0.1:8099", "http://[::1]:80/x", "http://localhost/"] {
            assert!(is_loopback(url), "{url}");
        }
        for url in ["https://api.phonepe.com/apis/pg", "http://10.0.0.1", "nonsense"] {
            assert!(!is_loopback(url), "{url}");
        }
    }

    #[test]
    fn a_web_url_is_absolute() {
        assert!(is_web_url("https://mercury.phonepe.com/transact?token=a"));
        for url in ["/transact", "javascript:alert(1)", "ftp://host/", "http://a/ b", ""] {
            assert!(!is_web_url(url), "{url}");
        }
    }

    #[test]
    fn what_is_secret_is_sent_over_https_or_stays_on_this_machine() {
        for url in ["https://sms.example.in/v1/send", "http://127.0.0.1:9000/sms"] {
            assert!(is_protected(url), "{url}");
        }
        for url in ["http://sms.example.in/send", "sms.example.in", "ftp://x/y", ""] {
            assert!(!is_protected(url), "{url}");
        }
    }
}
