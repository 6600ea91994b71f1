//! Pages that are the same for every visitor: drawn once at start, kept compressed.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::http::language::Language;
use crate::http::middleware::compress::{Coding, Effort, Encoder};
use crate::http::pages::data::Query;
use crate::http::pages::document::{self, Script, Visit};
use crate::http::pages::early::{self, Early};
use crate::http::screens::{self, Access};
use crate::http::web::Web;
use crate::model::digest::sha256_hex;

const CODINGS: [Coding; 4] = [Coding::Brotli, Coding::Zstd, Coding::Gzip, Coding::Identity];

/// A page ready to be sent.
#[derive(Debug)]
pub struct Ready {
    policy: HeaderValue,
    hash: String,
    bodies: [Bytes; 4],
}

/// What an answer depends on besides its address.
pub const VARY: &str = "accept-encoding, accept-language, cookie";

type ByAddress = HashMap<&'static str, HashMap<Language, Ready>>;

/// The ready pages. Empty until they are drawn; a page that is missing is drawn on demand.
#[derive(Clone, Debug, Default)]
pub struct PublicPages(Arc<OnceLock<ByAddress>>);

impl PublicPages {
    pub fn find(&self, language: Language, path: &str) -> Option<&Ready> {
        self.0.get()?.get(path)?.get(&language)
    }

    /// Draws them all. Called once, before the first visitor.
    pub async fn draw(&self, web: &Web) {
        let mut pages = ByAddress::new();
        let shared = screens::all()
            .iter()
            .filter(|screen| screen.access != Access::Private);
        let shared = shared.filter(|screen| screen.path.starts_with('/'));
        let each = |screen| Language::ALL.map(|language| (screen, language));
        // The policies are there in English alone.
        let wanted = shared
            .flat_map(each)
            .filter(|(screen, language)| screen.script || *language == Language::English);
        for (screen, language) in wanted {
            let visit = Visit {
                screen,
                path: screen.path.clone(),
                query: Query::new(),
                user: None,
                form: None,
                early: Early::default(),
            };
            match draw_one(web, visit, language).await {
                Ok(ready) => {
                    let there = pages.entry(&screen.path).or_default();
                    there.insert(language, ready);
                }
                Err(error) => tracing::error!(screen = screen.screen, "not drawn: {error}"),
            }
        }
        let _ = self.0.set(pages);
    }
}

async fn draw_one(web: &Web, mut visit: Visit, language: Language) -> anyhow::Result<Ready> {
    let screen = visit.screen.screen.as_str();
    visit.early = early::load(web, screen, &visit.path, &visit.query, None).await?;
    // A ready page cannot carry a nonce, as that must differ every time.
    let body = document::body(web, &visit, language, None).await;
    anyhow::ensure!(body.drawn, "the engine did not draw it");
    let head = document::head(web, &visit, language, body.script, None);
    let text = [head, body.text].concat();
    let compressed = |coding| Encoder::new(coding, Effort::Best)?.finish(text.as_bytes());
    let mut bodies = CODINGS.map(|_| Bytes::new());
    for (slot, coding) in bodies.iter_mut().zip(CODINGS) {
        *slot = Bytes::from(compressed(coding)?);
    }
    let hash = sha256_hex(text.as_bytes())[..24].to_owned();
    let policy = document::policy(web, body.script.then_some(Script::OwnFiles), None);
    Ok(Ready {
        policy,
        hash,
        bodies,
    })
}

/// The page in the best coding, or 304 when the browser has it.
pub fn answer(ready: &Ready, request: &HeaderMap) -> Response {
    let coding = Coding::negotiate(request);
    let etag = coding.etag(&ready.hash);
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static(VARY)),
        (header::CONTENT_SECURITY_POLICY, ready.policy.clone()),
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (
            header::ETAG,
            HeaderValue::from_str(&etag).expect("an ETag of plain ASCII"),
        ),
    ];
    if has_current(request, &etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let body = &ready.bodies[CODINGS.iter().position(|c| *c == coding).unwrap_or(3)];
    let mut response = (headers, Body::from(body.clone())).into_response();
    if let Some(token) = coding.token() {
        let token = HeaderValue::from_static(token);
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, token);
    }
    response
}

/// Whether the request names this ETag (RFC 9110 section 13.1.2; weak comparison).
pub fn has_current(request: &HeaderMap, etag: &str) -> bool {
    let given = request
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    given.is_some_and(|given| {
        given
            .split(',')
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == etag)
    })
}
