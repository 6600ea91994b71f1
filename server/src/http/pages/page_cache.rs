//! Cache of private pages as sent. A page is a function of its JSON, so equal JSON has the same
//! page for every user; a cached page cannot be out of date.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use moka::future::Cache;
use moka::policy::EvictionPolicy;

use crate::error::{Error, Result};
use crate::http::middleware::compress::{self, Coding};
use crate::http::pages::document::{self, PageBody, Visit};
use crate::http::state::AppState;
use crate::limits;
use crate::model::digest::sha256;
use crate::model::language::Language;

/// The hash of a page's input, and the coding of its bytes.
type Key = ([u8; 32], Coding);

/// The overhead of an entry besides its bytes (bytes).
const ENTRY_BYTES: usize = 256;

/// A whole document.
#[derive(Debug)]
pub struct CachedPage {
    pub bytes: Bytes,
    /// True if it has scripts.
    pub script: bool,
}

/// The cached pages. A clone is another handle to the same cache.
#[derive(Clone, Debug)]
pub struct DrawnPages(Cache<Key, Arc<CachedPage>>);

impl Default for DrawnPages {
    fn default() -> DrawnPages {
        let weight = |_: &Key, page: &Arc<CachedPage>| {
            u32::try_from(page.bytes.len() + ENTRY_BYTES).unwrap_or(u32::MAX)
        };
        // LRU: Moka's default policy does not admit new pages to a full cache, and new pages are
        // those that are requested again.
        let pages = Cache::builder()
            .eviction_policy(EvictionPolicy::lru())
            .weigher(weight)
            .max_capacity(limits::DRAWN_PAGES_BYTES_MAX)
            .time_to_live(Duration::from_millis(limits::DRAWN_PAGE_MS_MAX));
        DrawnPages(pages.build())
    }
}

impl DrawnPages {
    /// Returns the page under this key; draws it if it is not cached.
    async fn kept(
        &self,
        key: Key,
        draw: impl Future<Output = std::result::Result<Arc<CachedPage>, NotKept>>,
    ) -> std::result::Result<Arc<CachedPage>, Arc<NotKept>> {
        let page = self.0.entry(key).or_try_insert_with(draw).await?;
        if !page.is_fresh() {
            metrics::counter!("dakiya_pages_kept_total").increment(1);
        }
        Ok(page.into_value())
    }
}

/// A page that must not be cached.
enum NotKept {
    /// The engine failed; the next attempt may succeed.
    Undrawn(Arc<CachedPage>),
    Failed(io::Error),
}

/// Loads the page's present data and draws the page, unless it is cached. Concurrent requests for
/// the same page wait for the first of them.
pub(crate) async fn page(
    web: &AppState,
    visit: &Visit,
    language: Language,
    coding: Coding,
) -> Result<Arc<CachedPage>> {
    let head = document::head(web, visit, language, visit.has_script());
    let json = document::json(web, visit, language).await;
    let key = (sha256(&[head.as_bytes(), b"\0", json.as_bytes()]), coding);
    let draw = draw(web, visit, language, coding, head, json);
    let drawn = match visit.early.is_secret {
        true => draw.await.map_err(Arc::new),
        false => web.drawn.kept(key, draw).await,
    };
    drawn.or_else(|it| match &*it {
        NotKept::Undrawn(page) => Ok(Arc::clone(page)),
        NotKept::Failed(error) => Err(Error::internal(anyhow::anyhow!("packing a page: {error}"))),
    })
}

async fn draw(
    web: &AppState,
    visit: &Visit,
    language: Language,
    coding: Coding,
    head: String,
    json: String,
) -> std::result::Result<Arc<CachedPage>, NotKept> {
    let drawing = PageBody::of(web, visit, json).await;
    let mut text = match drawing.script == visit.has_script() {
        true => head,
        false => document::head(web, visit, language, drawing.script),
    };
    drawing.close(&mut text, web, visit, language);
    let bytes = compress::whole(coding, text.into_bytes()).map_err(NotKept::Failed)?;
    let page = Arc::new(CachedPage {
        bytes: bytes.into(),
        script: drawing.script,
    });
    match drawing.is_drawn() {
        true => Ok(page),
        false => Err(NotKept::Undrawn(page)),
    }
}
