//! Private pages as they went out, kept for a while. A page is a function of its JSON, so the same
//! JSON has the same page, whoever asks; nothing kept can be out of date.

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

/// All that a page is made of, as a hash, and how it is written on the wire.
type Key = ([u8; 32], Coding);

/// What a kept page takes besides its bytes.
const ENTRY_BYTES: usize = 256;

/// A whole document.
#[derive(Debug)]
pub struct CachedPage {
    pub bytes: Bytes,
    /// Whether it has a script.
    pub script: bool,
}

/// The kept pages. A clone is another handle to the same ones.
#[derive(Clone, Debug)]
pub struct DrawnPages(Cache<Key, Arc<CachedPage>>);

impl Default for DrawnPages {
    fn default() -> DrawnPages {
        let weight = |_: &Key, page: &Arc<CachedPage>| {
            u32::try_from(page.bytes.len() + ENTRY_BYTES).unwrap_or(u32::MAX)
        };
        // By last use. Moka's own policy does not let new pages into a full cache, and new ones are
        // those that are asked for again.
        let pages = Cache::builder()
            .eviction_policy(EvictionPolicy::lru())
            .weigher(weight)
            .max_capacity(limits::DRAWN_PAGES_BYTES_MAX)
            .time_to_live(Duration::from_millis(limits::DRAWN_PAGE_MS_MAX));
        DrawnPages(pages.build())
    }
}

impl DrawnPages {
    /// The page under this key, drawn where there is none.
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

/// A page that the next one who asks does not get.
enum NotKept {
    /// The engine did not draw it, and the next time it may.
    Undrawn(Arc<CachedPage>),
    Failed(io::Error),
}

/// The page with its data of now: drawn, unless it was just before. Those who ask for the same one
/// meanwhile wait for the first of them.
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
