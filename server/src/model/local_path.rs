//! Paths on this site, so that a link to us cannot redirect a visitor to another site.

use utoipa::ToSchema;

use crate::limits;

/// A path of ours with its query, such as `/courier?resume=1`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
pub struct LocalPath(String);

impl LocalPath {
    /// Returns `None` for an address that may lead to another host, or that none of our pages has.
    pub fn parse(text: &str) -> Option<LocalPath> {
        // Browsers read a backslash as a slash, and drop tabs and line ends.
        let plain = |byte: u8| byte.is_ascii_graphic() && !b"\\\"'<>".contains(&byte);
        let local = text.starts_with('/')
            && !text.starts_with("//")
            && text.len() <= limits::LOCAL_PATH_BYTES_MAX
            && text.bytes().all(plain);
        local.then(|| LocalPath(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_leads_to_this_site_only() {
        for ours in ["/", "/recharge?amount=500", "/courier?resume=1#review"] {
            assert_eq!(LocalPath::parse(ours).unwrap().as_str(), ours);
        }
        for elsewhere in [
            "",
            "x",
            "//evil.example",
            "https://evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "/a\nb",
            "/a b",
            "/\"onload=",
            "/नमस्ते",
            &format!("/{}", "a".repeat(500)),
        ] {
            assert_eq!(LocalPath::parse(elsewhere), None, "{elsewhere:?}");
        }
    }
}
