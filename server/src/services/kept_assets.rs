//! The browser's files of other versions of this program: pages ask for them while servers are
//! replaced one by one, and open pages also later. Each server keeps its own in the database.

use std::collections::HashSet;
use std::io::{self, Read as _};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use moka::future::Cache;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use crate::assets::{self, ASSETS, Asset};
use crate::error::Result;
use crate::limits;
use crate::services::core::Core;
use crate::store::kept_assets::KeptAsset;
use crate::store::{self, Store};

/// A clone is another handle to the same files.
#[derive(Clone)]
pub struct KeptAssets(Arc<KeptFiles>);

struct KeptFiles {
    core: Core,
    /// The names in the database, as they were read last.
    names: RwLock<HashSet<String>>,
    /// Begin of the last reading of the names. Its holder reads them again.
    read: Mutex<Option<Instant>>,
    files: Cache<String, Arc<KeptAsset>>,
}

impl KeptAssets {
    pub fn new(core: Core) -> KeptAssets {
        let weight = |name: &String, file: &Arc<KeptAsset>| {
            u32::try_from(name.len() + file.bytes.len()).unwrap_or(u32::MAX)
        };
        let files = Cache::builder().weigher(weight).max_capacity(limits::KEPT_ASSETS_BYTES_MAX);
        KeptAssets(Arc::new(KeptFiles {
            core,
            names: RwLock::default(),
            read: Mutex::default(),
            files: files.build(),
        }))
    }

    /// Returns a file of any version that served lately. However many ask for files that nobody
    /// has, the database is asked once a second.
    pub async fn find(&self, name: &str) -> Result<Option<Arc<KeptAsset>>> {
        let KeptFiles { core, files, .. } = &*self.0;
        if let Some(file) = files.get(name).await {
            return Ok(Some(file));
        }
        if !assets::is_hashed_name(name) || !self.is_kept(name).await? {
            return Ok(None);
        }
        let found = store::kept_assets::find(&mut *core.store.read().await?, name).await?;
        let Some(file) = found.map(Arc::new) else {
            return Ok(None);
        };
        files.insert(name.to_owned(), file.clone()).await;
        Ok(Some(file))
    }

    async fn is_kept(&self, name: &str) -> Result<bool> {
        let asked = Instant::now();
        if self.knows(name) {
            return Ok(true);
        }
        let mut read = self.0.read.lock().await;
        // The names may have been read meanwhile, for another one who waited.
        if read.is_none_or(|begun| begun < asked) {
            if let Some(begun) = *read {
                sleep_until(begun + Duration::from_millis(limits::KEPT_ASSETS_READ_MS)).await;
            }
            *read = Some(Instant::now());
            let mut conn = self.0.core.store.read().await?;
            let names = store::kept_assets::names(&mut conn, 0).await?;
            *self.0.names.write().expect("no holder panics") = names;
        }
        Ok(self.knows(name))
    }

    fn knows(&self, name: &str) -> bool {
        self.0.names.read().expect("no holder panics").contains(name)
    }
}

/// Keeps the files of this version, and notes once a day that a server has them.
pub async fn keep(database: &Store, now_ms: i64) -> Result<()> {
    let since_ms = now_ms - limits::DAY_MS;
    let noted = store::kept_assets::names(&mut *database.read().await?, since_ms).await?;
    if ours().all(|(name, _)| noted.contains(name)) {
        return Ok(());
    }
    let write = database.write(move |conn| {
        Box::pin(async move {
            for (name, asset) in ours() {
                let file = KeptAsset {
                    content_type: asset.content_type.to_owned(),
                    hash: asset.hash.to_owned(),
                    is_packed: asset.br.is_some(),
                    bytes: asset.br.unwrap_or(asset.identity).to_owned(),
                };
                store::kept_assets::add(conn, name, &file, now_ms).await?;
            }
            Ok(())
        })
    });
    write.await
}

/// The files of this version with a hash in their names.
fn ours() -> impl Iterator<Item = (&'static str, &'static Asset)> {
    let named = ASSETS.iter().filter_map(|it| Some((it.path.strip_prefix("assets/")?, it)));
    named.filter(|(name, _)| assets::is_hashed_name(name))
}

/// Returns the content of a file.
///
/// # Errors
/// If the bytes are not compressed as they should be.
pub fn content(file: &KeptAsset) -> io::Result<Vec<u8>> {
    if !file.is_packed {
        return Ok(file.bytes.clone());
    }
    let mut content = Vec::new();
    let unpacked = brotli::Decompressor::new(&file.bytes[..], 4096);
    unpacked.take(limits::ASSET_BYTES_MAX).read_to_end(&mut content)?;
    Ok(content)
}
