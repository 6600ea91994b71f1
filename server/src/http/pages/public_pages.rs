//! Pages that are the same for every visitor: drawn once, and compressed once for each coding that
//! is requested.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::error::{Error, Result};
use crate::http::middleware::compress::{Coding, SMALLEST_FIRST, smallest};
use crate::http::pages;
use crate::http::pages::document::{self, PageBody, Visit};
use crate::http::screens::{self, Access, Screen};
use crate::http::state::AppState;
use crate::model::digest::sha256_hex;
use crate::model::language::Language;

const CODINGS: [Coding; 4] = [Coding::Brotli, Coding::Zstd, Coding::Gzip, Coding::Identity];

/// A drawn page.
#[derive(Debug)]
pub struct Ready {
    policy: HeaderValue,
    hash: String,
    text: Bytes,
    /// The bodies in the order of [`CODINGS`].
    bodies: [OnceCell<Bytes>; 4],
}

impl Ready {
    /// Returns the page in one coding, compressed as small as possible.
    async fn body(&self, coding: Coding) -> anyhow::Result<Bytes> {
        let at = CODINGS.iter().position(|it| *it == coding).unwrap_or(3);
        let compress = || async {
            let text = self.text.clone();
            // Compression is slow, so it runs off the request threads.
            let body = spawn_blocking(move || smallest(coding, &text)).await??;
            Ok::<_, anyhow::Error>(Bytes::from(body))
        };
        Ok(self.bodies[at].get_or_try_init(compress).await?.clone())
    }
}

/// The request headers that the response depends on.
pub const VARY: &str =
    "accept, accept-encoding, accept-language, cookie, sec-fetch-dest, sec-fetch-site";

/// The pages by address, then by language and by whether the style sheet is inlined.
type ByAddress = HashMap<&'static str, HashMap<(Language, bool), Slot>>;

/// A page drawn at its first visit. If the engine fails, the next visit tries again.
#[derive(Debug)]
struct Slot {
    screen: &'static Screen,
    ready: OnceCell<Ready>,
}

/// The public pages, each drawn at its first visit.
#[derive(Clone, Debug)]
pub struct PublicPages(Arc<ByAddress>);

impl Default for PublicPages {
    fn default() -> PublicPages {
        let mut pages = ByAddress::new();
        let shared = screens::all()
            .iter()
            .filter(|screen| screen.access != Access::Private && screen.path.starts_with('/'));
        for screen in shared {
            let kinds = Language::ALL.map(|it| [(it, false), (it, true)]);
            let slot = |kind| {
                let ready = OnceCell::new();
                (kind, Slot { screen, ready })
            };
            pages.insert(
                &screen.path,
                kinds.into_iter().flatten().map(slot).collect(),
            );
        }
        PublicPages(Arc::new(pages))
    }
}

impl PublicPages {
    /// Returns true if guests share the page at this address.
    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// Returns the page at this address. `None` if visitors do not share it, or if the engine
    /// failed: then it is drawn per visitor.
    pub async fn find(&self, web: &AppState, path: &str, headers: &HeaderMap) -> Option<&Ready> {
        let slots = self.0.get(path)?;
        let screen = slots.values().next()?.screen;
        let kind = (
            Language::of(headers),
            document::brings_style(web, screen, headers),
        );
        slots.get(&kind)?.ready(web, kind).await
    }
}

impl Slot {
    async fn ready(&self, web: &AppState, kind: (Language, bool)) -> Option<&Ready> {
        let draw = || draw_one(web, self.screen, kind);
        let ready = self.ready.get_or_try_init(draw).await;
        ready
            .inspect_err(|error| {
                tracing::error!(screen = self.screen.screen, "not drawn: {error}");
            })
            .ok()
    }
}

async fn draw_one(
    web: &AppState,
    screen: &'static Screen,
    (language, brings_style): (Language, bool),
) -> anyhow::Result<Ready> {
    let mut visit = Visit::of(screen);
    visit.brings_style = brings_style;
    visit.early = pages::of(screen).early(web, &visit).await?;
    let json = document::json(web, &visit, language).await;
    let drawing = PageBody::of(web, &visit, json).await;
    anyhow::ensure!(drawing.is_drawn(), "the engine did not draw it");
    let mut text = document::head(web, &visit, language, drawing.script);
    drawing.close(&mut text, web, &visit, language);
    Ok(Ready {
        policy: document::policy(web, screen, drawing.script, None),
        hash: sha256_hex(text.as_bytes())[..24].to_owned(),
        text: Bytes::from(text),
        bodies: Default::default(),
    })
}

/// Returns the page in the best coding, or 304 if the browser has it.
///
/// # Errors
/// Fails if it cannot be compressed.
pub(crate) async fn answer(ready: &Ready, request: &HeaderMap) -> Result<Response> {
    let coding = Coding::negotiate(request, SMALLEST_FIRST);
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
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let body = ready.body(coding).await.map_err(Error::internal)?;
    let mut response = (headers, Body::from(body)).into_response();
    if let Some(token) = coding.token() {
        let token = HeaderValue::from_static(token);
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, token);
    }
    Ok(response)
}

/// Returns true if the request names this ETag (RFC 9110 section 13.1.2; weak comparison).
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
