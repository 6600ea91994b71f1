//! The key of signatures that outlive a change of the configured keys: of the links in letters,
//! which are opened years later, and of phone numbers that are counted without being stored.
//!
//! It is made at the first start and stored in the database, sealed under the configured keys.

use crate::error::{Error, Result};
use crate::model::settings::files_key::{FilesKey, KEY_BYTES};
use crate::providers::vault::{Keyring, Vault};
use crate::random::random_bytes;
use crate::services::core::Core;
use crate::store;

/// The name of the key of lasting signatures.
pub const SIGNATURES: &str = "signatures";

/// Returns the context under which a kept key is sealed.
pub(super) fn place(name: &str) -> String {
    format!("kept key {name}")
}

/// Returns the key of lasting signatures. If no configured key opens it, the configured keys sign
/// in its place, so that the program starts.
pub async fn load(core: &Core, keyring: &Keyring, vault: &Vault) -> Result<Keyring> {
    let found = store::kept_keys::find(&mut *core.store.read().await?, SIGNATURES).await?;
    let sealed = match found {
        Some(sealed) => sealed,
        None => add(core, vault).await?,
    };
    let key = open(vault, &sealed);
    if key.is_none() {
        tracing::error!("no configured key opens the key of links in letters: add the old key");
    }
    Ok(key.map_or_else(|| keyring.clone(), |key| Keyring::new(key.into())))
}

/// True if a configured key opens the key of lasting signatures.
pub fn opens(vault: &Vault, sealed: &str) -> bool {
    open(vault, sealed).is_some()
}

fn open(vault: &Vault, sealed: &str) -> Option<FilesKey> {
    let key = vault.open_text(&place(SIGNATURES), sealed).ok();
    key.and_then(|key| key.parse().ok())
}

/// Makes the key and returns it as it is sealed.
async fn add(core: &Core, vault: &Vault) -> Result<String> {
    let key = FilesKey::new(random_bytes::<KEY_BYTES>()).to_base64();
    let sealed = vault.seal_text(&place(SIGNATURES), &key).map_err(Error::internal)?;
    let now_ms = core.clock.now_ms();
    let write = core.store.write(move |conn| {
        Box::pin(async move {
            store::kept_keys::add(conn, SIGNATURES, &sealed, now_ms).await?;
            // Another server may have been faster.
            let kept = store::kept_keys::find(conn, SIGNATURES).await?;
            Ok(kept.unwrap_or(sealed))
        })
    });
    write.await
}
