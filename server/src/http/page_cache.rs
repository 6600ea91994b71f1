//! Caches of pages as sent.
//!
//! A private page is a function of its JSON, so equal JSON has the same page for every user; a
//! cached page cannot be out of date. Public pages are the same for every visitor: drawn once, and
//! compressed once for each coding that is requested.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderValue;
use moka::future::Cache;
use moka::policy::EvictionPolicy;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::http::middleware::compress::{Coding, smallest};
use crate::http::screens::{self, Access};
use dakiya_core::limits;
use dakiya_core::model::language::Language;

/// The hash of a page's input, and the coding of its bytes.
type Key = ([u8; 32], Coding);

/// The overhead of an entry besides its bytes (bytes).
const ENTRY_BYTES: usize = 256;

#[derive(Debug)]
pub struct CachedPage {
    pub bytes: Bytes,
    /// True if it has scripts.
    pub script: bool,
}

#[derive(Debug)]
pub enum NotKept {
    /// The engine failed; the next attempt may succeed.
    Undrawn(Arc<CachedPage>),
    Failed(io::Error),
}

/// The cache of private pages. A clone is another handle to the same cache.
#[derive(Clone, Debug)]
pub struct PrivatePages(Cache<Key, Arc<CachedPage>>);

impl Default for PrivatePages {
    fn default() -> PrivatePages {
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
        PrivatePages(pages.build())
    }
}

impl PrivatePages {
    /// Returns the page under this key; draws it if it is not cached. Concurrent requests for the
    /// same page wait for the first of them.
    ///
    /// # Errors
    /// The page or the error of a `draw` that must not be cached.
    pub async fn get(
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

#[derive(Debug)]
pub struct PublicPage {
    pub policy: HeaderValue,
    /// The hash of the text, from which its ETags are made.
    pub hash: String,
    text: Bytes,
    /// The body in each coding.
    bodies: [OnceCell<Bytes>; 4],
}

impl PublicPage {
    pub fn new(policy: HeaderValue, hash: String, text: String) -> PublicPage {
        PublicPage { policy, hash, text: Bytes::from(text), bodies: Default::default() }
    }

    /// Returns the page in one coding, compressed as small as possible.
    ///
    /// # Errors
    /// Fails if it cannot be compressed.
    pub async fn body(&self, coding: Coding) -> anyhow::Result<Bytes> {
        let compress = || async {
            let text = self.text.clone();
            // Compression is slow, so it runs off the request threads.
            let body = spawn_blocking(move || smallest(coding, &text)).await??;
            Ok::<_, anyhow::Error>(Bytes::from(body))
        };
        Ok(self.bodies[coding as usize].get_or_try_init(compress).await?.clone())
    }
}

/// A page by its language and by whether the style sheet is inlined.
pub type PageVariant = (Language, bool);

/// The public pages by address, each drawn at its first visit. If the engine fails, the next visit
/// tries again.
#[derive(Clone, Debug)]
pub struct PublicPages(Arc<HashMap<&'static str, HashMap<PageVariant, OnceCell<PublicPage>>>>);

impl Default for PublicPages {
    fn default() -> PublicPages {
        let shared = screens::all()
            .iter()
            .filter(|screen| screen.access != Access::Private && screen.path.starts_with('/'));
        let pages = shared.map(|screen| {
            let kinds = Language::ALL.into_iter().flat_map(|it| [(it, false), (it, true)]);
            let pages = kinds.map(|kind| (kind, OnceCell::new())).collect();
            (screen.path.as_str(), pages)
        });
        PublicPages(Arc::new(pages.collect()))
    }
}

impl PublicPages {
    /// Returns true if guests share the page at this address.
    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// Returns the page at this address; draws it if it was never drawn. `None` if visitors do not
    /// share it, or if drawing failed.
    pub async fn get<F: Future<Output = anyhow::Result<PublicPage>>>(
        &self,
        path: &str,
        kind: PageVariant,
        draw: impl FnOnce() -> F,
    ) -> Option<&PublicPage> {
        let page = self.0.get(path)?.get(&kind)?;
        let result = page.get_or_try_init(draw).await;
        result.inspect_err(|error| tracing::error!(path, "a page was not rendered: {error}")).ok()
    }
}
