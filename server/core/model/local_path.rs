//! Paths on this site, so that a link to us cannot redirect a visitor to another site. The browser
//! has the same rule; tests on both sides read `server/tests/local_paths.json`.

use utoipa::ToSchema;

use crate::limits;

/// A path of ours with its query, such as `/courier?resume=1`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, ToSchema)]
pub struct LocalPath(String);

impl LocalPath {
    /// Returns `None` for an address that may lead to another host, or that none of our pages has.
    pub fn parse(text: &str) -> Option<LocalPath> {
        // Browsers read a backslash as a slash, drop tabs and line ends, and make `/.//` to `//`.
        let plain = |byte: u8| byte.is_ascii_graphic() && !b"\\\"'<>".contains(&byte);
        let path = text.split(['?', '#']).next().unwrap_or_default();
        let local = path.starts_with('/')
            && !path.contains("//")
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
        let cases = include_str!("../../tests/local_paths.json");
        let cases: Vec<(String, bool)> = serde_json::from_str(cases).expect("cases");
        assert!(cases.len() > 60);
        for (text, is_local) in cases {
            let path = LocalPath::parse(&text);
            let expected = is_local.then_some(text.as_str());
            assert_eq!(path.as_ref().map(LocalPath::as_str), expected, "{text:?}");
        }
    }
}
