//! Private pages as they went out, kept for a while. A page is a function of its JSON, so the same
//! JSON has the same page, whoever asks; nothing kept can be out of date.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use moka::sync::Cache;

use crate::error::{Error, Result};
use crate::http::middleware::compress::{self, Coding};
use crate::http::pages::document::{self, Visit};
use crate::http::web::Web;
use crate::limits;
use crate::model::digest::sha256;
use crate::model::language::Language;

/// All that a page is made of, as a hash, and how it is written on the wire.
type Key = ([u8; 32], Coding);

/// What a kept page takes besides its bytes.
const ENTRY_BYTES: usize = 256;

/// A whole document.
#[derive(Debug)]
pub struct Drawn {
    pub bytes: Bytes,
    /// Whether it has a script.
    pub script: bool,
}

/// The kept pages. A clone is another handle to the same ones.
#[derive(Clone, Debug)]
pub struct DrawnPages(Cache<Key, Arc<Drawn>>);

impl Default for DrawnPages {
    fn default() -> DrawnPages {
        let weight = |_: &Key, page: &Arc<Drawn>| {
            u32::try_from(page.bytes.len() + ENTRY_BYTES).unwrap_or(u32::MAX)
        };
        let pages = Cache::builder()
            .weigher(weight)
            .max_capacity(limits::DRAWN_PAGES_BYTES_MAX)
            .time_to_live(Duration::from_millis(limits::DRAWN_PAGE_MS_MAX));
        DrawnPages(pages.build())
    }
}

/// The page with its data of now: drawn, unless it was just before.
pub async fn page(
    web: &Web,
    visit: &Visit,
    language: Language,
    coding: Coding,
) -> Result<Arc<Drawn>> {
    let script = visit.screen.script;
    let mut head = document::head(web, visit, language, script);
    let json = document::json(web, visit, language).await;
    let key = (sha256(&[head.as_bytes(), b"\0", json.as_bytes()]), coding);
    if let Some(page) = web.drawn.0.get(&key) {
        metrics::counter!("dakiya_pages_kept_total").increment(1);
        return Ok(page);
    }
    let rest = document::rest(web, visit, language, json).await;
    if rest.script != script {
        head = document::head(web, visit, language, rest.script);
    }
    head.push_str(&rest.text);
    let bytes = compress::whole(coding, head.into_bytes()).map_err(Error::internal)?;
    let page = Arc::new(Drawn {
        bytes: bytes.into(),
        script: rest.script,
    });
    if rest.drawn && !visit.early.is_secret {
        web.drawn.0.insert(key, Arc::clone(&page));
    }
    Ok(page)
}
