//! The language of a page: what its reader chose, else what the browser asks for.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::see_other;
use crate::http::extract::Form;
use crate::http::web::Web;
use crate::model::local_path::LocalPath;

/// The cookie of the choice. With TLS its name binds it to this very host.
const COOKIE: &str = "dakiya_language";

const HOST_COOKIE: &str = "__Host-dakiya_language";

/// What the interface is written in.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize, ToSchema)]
pub enum Language {
    #[serde(rename = "en")]
    English,
    #[serde(rename = "hi")]
    Hindi,
}

/// The files that hold Hindi, with the English texts as their keys.
const FILES: [&str; 8] = [
    include_str!("../../../ui/src/words/hi.json"),
    include_str!("../../../ui/src/words/hi-account.json"),
    include_str!("../../../ui/src/words/hi-booking.json"),
    include_str!("../../../ui/src/words/hi-offline.json"),
    include_str!("../../../ui/src/words/hi-policies.json"),
    include_str!("../../../ui/src/words/hi-recharge.json"),
    include_str!("../../../ui/src/words/hi-track.json"),
    include_str!("../../../ui/src/words/hi-weights.json"),
];

static HINDI: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let read = |file: &str| serde_json::from_str::<HashMap<String, String>>(file);
    let words = FILES
        .iter()
        .map(|file| read(file).expect("a flat JSON object"));
    words.flatten().collect()
});

impl Language {
    pub const ALL: [Language; 2] = [Language::English, Language::Hindi];

    /// What this visitor reads.
    pub fn of(headers: &HeaderMap) -> Language {
        let jar = CookieJar::from_headers(headers);
        let chosen = jar.get(HOST_COOKIE).or_else(|| jar.get(COOKIE));
        let chosen = chosen.and_then(|it| Language::parse(it.value()));
        chosen.unwrap_or_else(|| {
            let asked = headers.get(header::ACCEPT_LANGUAGE);
            preferred(asked.and_then(|value| value.to_str().ok()).unwrap_or(""))
        })
    }

    /// The BCP 47 tag of a document.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en-IN",
            Language::Hindi => "hi-IN",
        }
    }

    /// A document's title, which ends with our name.
    pub fn title(self, english: &str) -> String {
        let (name, end) = english.split_once(" · ").unwrap_or((english, ""));
        format!("{} · {end}", self.says(name))
    }

    /// A text in this language; in English where it is not known.
    pub fn says(self, english: &str) -> &str {
        match self {
            Language::English => english,
            Language::Hindi => HINDI.get(english).map_or(english, String::as_str),
        }
    }

    /// Its ISO 639-1 code.
    fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Hindi => "hi",
        }
    }

    fn parse(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|it| it.code() == code)
    }
}

/// The one of our languages that an Accept-Language wants most (RFC 9110, section 12.5.4); English
/// for a browser that wants neither.
fn preferred(asked: &str) -> Language {
    let mut best = (Language::English, 0);
    for range in asked.split(',') {
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

/// The weight in "q=0.8", of 1,000. Nothing is 1, and nonsense counts for nothing.
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
pub struct Choice {
    language: Language,
    /// Where the visitor was.
    #[serde(default)]
    next: String,
}

/// Remembers the choice for as long as a browser keeps a cookie, and shows the same page again.
pub async fn choose(State(web): State<Web>, Form(choice): Form<Choice>) -> Response {
    let is_https = web.config.is_https();
    let name = if is_https { HOST_COOKIE } else { COOKIE };
    let cookie = Cookie::build((name, choice.language.code()))
        .path("/")
        .http_only(true)
        .secure(is_https)
        .same_site(SameSite::Lax)
        .permanent()
        .build();
    let next = LocalPath::parse(&choice.next);
    let next = next.as_ref().map_or("/", LocalPath::as_str);
    (CookieJar::new().add(cookie), see_other(next)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_language_it_wants_most() {
        for (asked, expected) in [
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
            assert_eq!(preferred(asked), expected, "{asked:?}");
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
