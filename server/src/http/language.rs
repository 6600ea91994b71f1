//! The language of a page: the reader's choice, else the browser's preference.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::CookieJar;
use serde::Deserialize;

use crate::http::answer::see_other;
use crate::http::extract::{Form, host_cookie, sent_cookie};
use crate::http::state::AppState;
use dakiya_core::model::language::Language;
use dakiya_core::model::local_path::LocalPath;

/// The cookie of the choice. With TLS its prefix binds it to this exact host.
const COOKIE: &str = "__Host-dakiya_language";

/// Returns the reader's choice, else what the browser prefers.
pub fn of(headers: &HeaderMap) -> Language {
    from_cookie(headers).unwrap_or_else(|| {
        let header = headers.get(header::ACCEPT_LANGUAGE);
        parse_accept_language(header.and_then(|value| value.to_str().ok()).unwrap_or(""))
    })
}

/// Returns the language that the visitor chose in this browser, if any.
fn from_cookie(headers: &HeaderMap) -> Option<Language> {
    let cookie = |name| sent_cookie(headers, name);
    let code = cookie(COOKIE).or_else(|| cookie(COOKIE.trim_start_matches("__Host-")));
    code.and_then(|it| Language::parse(&it))
}

/// Returns the cookie of a choice, as browsers send it.
pub fn chosen(language: Language) -> HeaderValue {
    let cookie = format!("{COOKIE}={}", language.code());
    HeaderValue::from_str(&cookie).expect("a cookie of plain ASCII")
}

/// Returns the language of ours that an Accept-Language header prefers (RFC 9110, section 12.5.4);
/// English if it lists neither.
fn parse_accept_language(accept_language: &str) -> Language {
    let mut best = (Language::English, 0);
    for range in accept_language.split(',') {
        let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
        let primary = tag.trim().split('-').next().unwrap_or_default();
        let Some(language) = Language::parse(&primary.to_ascii_lowercase()) else {
            continue;
        };
        let weight = thousandths(parameters);
        if weight > best.1 {
            best = (language, weight);
        }
    }
    best.0
}

/// Parses the weight in "q=0.8" as thousandths. A missing weight is 1,000, an invalid one 0.
fn thousandths(parameters: &str) -> u32 {
    match parameters.trim().strip_prefix("q=") {
        None => 1_000,
        Some("1" | "1.0" | "1.00" | "1.000") => 1_000,
        Some(weight) => weight
            .strip_prefix("0.")
            .filter(|digits| digits.len() <= 3)
            .and_then(|digits| format!("{digits:0<3}").parse().ok())
            .unwrap_or(0),
    }
}

#[derive(Debug, Deserialize)]
pub struct LanguageChoice {
    language: Language,
    /// The page to return to.
    #[serde(default)]
    next: String,
}

/// Stores the choice in a long-lived cookie and shows the same page again. It is a choice for the
/// pages of this browser only: see `Accounts::set_language` for letters.
pub(crate) async fn choose(web: AppState, Form(choice): Form<LanguageChoice>) -> Response {
    let mut cookie = host_cookie(&web.config, COOKIE, choice.language.code().to_owned());
    cookie.make_permanent();
    let next = LocalPath::parse(&choice.next);
    let next = next.as_ref().map_or("/", LocalPath::as_str);
    (CookieJar::new().add(cookie), see_other(next)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_language_it_wants_most() {
        for (header, expected) in [
            ("", Language::English),
            ("hi-IN,hi;q=0.9,en;q=0.8", Language::Hindi),
            ("en-IN,en;q=0.9,hi;q=0.8", Language::English),
            ("en-GB;q=0.7, hi;q=0.71", Language::Hindi),
            ("ta-IN, HI;q=0.5", Language::Hindi),
            ("ta-IN,ta", Language::English),
            ("hi;q=0", Language::English),
            ("hi;q=nonsense,en;q=0.1", Language::English),
            ("*", Language::English),
            ("hi;q=1.000", Language::Hindi),
        ] {
            assert_eq!(parse_accept_language(header), expected, "{header:?}");
        }
    }

    #[test]
    fn every_screen_has_a_title_in_hindi() {
        for screen in super::super::screens::all() {
            let title = Language::Hindi.title(&screen.title);
            assert_ne!(title, screen.title);
            assert!(title.ends_with(" · Dakiya"), "{title}");
            assert_eq!(Language::English.title(&screen.title), screen.title);
        }
    }
}
