//! The browser's files of other versions of this program: pages ask for them while servers are
//! replaced one by one, and open pages also later. Each server keeps its own in the database,
//! signed: somebody who can write there cannot give customers' browsers another script.

use std::collections::HashSet;
use std::io::{self, Read as _};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use moka::future::Cache;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use crate::assets::{self, ASSETS, Asset};
use crate::error::Result;
use crate::limits;
use crate::providers::vault::Signer;
use crate::services::core::Core;
use crate::store;
use crate::store::kept_assets::KeptRow;

/// A file with a hash of its content in its name.
#[derive(Clone, Debug)]
pub struct KeptAsset {
    pub name: String,
    pub content_type: String,
    /// The hash of the content, for its ETag.
    pub hash: String,
    /// True if the bytes are compressed with brotli.
    pub is_packed: bool,
    pub bytes: Vec<u8>,
}

/// A clone is another handle to the same files.
#[derive(Clone)]
pub struct KeptAssets(Arc<KeptFiles>);

struct KeptFiles {
    core: Core,
    seal: Signer,
    /// The names in the database, as they were read last.
    names: RwLock<HashSet<String>>,
    /// Begin of the last reading of the names. Its holder reads them again.
    read: Mutex<Option<Instant>>,
    files: Cache<String, Arc<KeptAsset>>,
}

impl KeptAssets {
    pub fn new(core: Core, seal: Signer) -> KeptAssets {
        let weight = |_: &String, file: &Arc<KeptAsset>| {
            u32::try_from(2 * file.name.len() + file.bytes.len()).unwrap_or(u32::MAX)
        };
        let files = Cache::builder().weigher(weight).max_capacity(limits::KEPT_ASSETS_BYTES_MAX);
        KeptAssets(Arc::new(KeptFiles {
            core,
            seal,
            names: RwLock::default(),
            read: Mutex::default(),
            files: files.build(),
        }))
    }

    /// Keeps the files of this version, and notes once a day that a server has them.
    pub async fn keep(&self) -> Result<()> {
        let core = &self.0.core;
        let since_ms = core.clock.now_ms() - limits::DAY_MS;
        let noted = store::kept_assets::names(&mut *core.store.read().await?, since_ms).await?;
        match ours().all(|(name, _)| noted.contains(name)) {
            true => Ok(()),
            false => self.add(ours().map(KeptAsset::from).collect()).await,
        }
    }

    /// Keeps files that this server has.
    pub async fn add(&self, files: Vec<KeptAsset>) -> Result<()> {
        let now_ms = self.0.core.clock.now_ms();
        let rows: Vec<(String, KeptRow)> = files.into_iter().map(|it| self.row(it)).collect();
        let write = self.0.core.store.write(move |conn| {
            Box::pin(async move { store::kept_assets::add(conn, &rows, now_ms).await })
        });
        write.await
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
        let row = store::kept_assets::find(&mut *core.store.read().await?, name).await?;
        let Some(file) = row.and_then(|row| self.open(name, row)).map(Arc::new) else {
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

    fn row(&self, file: KeptAsset) -> (String, KeptRow) {
        let mut row = KeptRow {
            content_type: file.content_type,
            hash: file.hash,
            coding: if file.is_packed { "br" } else { "" }.to_owned(),
            content: STANDARD.encode(&file.bytes),
            signature: String::new(),
        };
        row.signature = STANDARD.encode(self.0.seal.sign(&signed_text(&file.name, &row)));
        (file.name, row)
    }

    /// Returns `None` for a row that no server of ours has written.
    fn open(&self, name: &str, row: KeptRow) -> Option<KeptAsset> {
        let signature = STANDARD.decode(&row.signature).ok()?;
        if !self.0.seal.verify(&signed_text(name, &row), &signature) {
            tracing::error!("the browser's file {name} in the database was not written by us");
            return None;
        }
        Some(KeptAsset {
            name: name.to_owned(),
            is_packed: row.coding == "br",
            bytes: STANDARD.decode(&row.content).ok()?,
            content_type: row.content_type,
            hash: row.hash,
        })
    }
}

fn signed_text(name: &str, row: &KeptRow) -> String {
    let KeptRow { content_type, hash, coding, content, .. } = row;
    format!("{name}\n{content_type}\n{hash}\n{coding}\n{content}")
}

/// The files of this version with a hash in their names.
fn ours() -> impl Iterator<Item = (&'static str, &'static Asset)> {
    let named = ASSETS.iter().filter_map(|it| Some((it.path.strip_prefix("assets/")?, it)));
    named.filter(|(name, _)| assets::is_hashed_name(name))
}

impl From<(&'static str, &'static Asset)> for KeptAsset {
    fn from((name, asset): (&'static str, &'static Asset)) -> KeptAsset {
        KeptAsset {
            name: name.to_owned(),
            content_type: asset.content_type.to_owned(),
            hash: asset.hash.to_owned(),
            is_packed: asset.br.is_some(),
            bytes: asset.br.unwrap_or(asset.identity).to_owned(),
        }
    }
}

impl KeptAsset {
    /// Returns the content.
    ///
    /// # Errors
    /// If the bytes are not compressed as they should be.
    pub fn content(&self) -> io::Result<Vec<u8>> {
        if !self.is_packed {
            return Ok(self.bytes.clone());
        }
        let mut content = Vec::new();
        let unpacked = brotli::Decompressor::new(&self.bytes[..], 4096);
        unpacked.take(limits::ASSET_BYTES_MAX).read_to_end(&mut content)?;
        Ok(content)
    }
}
