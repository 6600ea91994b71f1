//! Encryption keys: which of them are still needed, and resealing everything under the current one.
//!
//! Resealing runs in small steps while servers run. Each text or file is replaced alone, and only
//! by the same content under another key, so a crash in between loses nothing: finished steps stay,
//! and the next run continues with the rest.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};

use futures_util::future::join_all;
use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, reason};
use crate::error::{Error, Result};
use crate::failpoints;
use crate::limits;
use crate::model::booking::form::preset::equality_key;
use crate::model::operator::ActResult;
use crate::providers::files::Files;
use crate::providers::vault::{FORMS, Vault};
use crate::services::accounts::codes;
use crate::services::bookings::document_numbers;
use crate::services::{address_book, drafts, kept_keys, shared_facts};
use crate::store::Store;
use crate::store::encrypted_columns::{self, EncryptedColumn, Sealed};

/// The number of items that a key has sealed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct KeyUse {
    /// Its id; `?` for ids not configured.
    pub key: String,
    /// `seals`, `opens`, or `unknown` when no key of this id is configured.
    pub state: &'static str,
    pub documents: i64,
    pub drafts: i64,
    pub authenticators: i64,
    pub document_numbers: i64,
    pub address_books: i64,
    /// Keys of signatures that outlive these keys.
    pub kept_keys: i64,
}

#[derive(Debug, Serialize)]
pub struct ResealOutcome {
    pub key: String,
    pub resealed: i64,
    /// Left unchanged: no configured key opens them.
    pub unreadable: i64,
    pub left: Vec<KeyUse>,
}

/// Returns the counts of each key, the current one first.
pub async fn in_use(store: &Store, files: &Files) -> Result<Vec<KeyUse>> {
    let ids = files.keyring().ids();
    let one = |key: &str, state| KeyUse { key: key.to_owned(), state, ..KeyUse::default() };
    let uses = ids.iter().enumerate();
    let uses = uses.map(|(at, id)| one(id, if at == 0 { "seals" } else { "opens" }));
    let mut uses: Vec<KeyUse> = uses.collect();
    uses.push(one("?", "unknown"));
    let unknown = ids.len();
    let mut conn = store.read().await?;
    for column in EncryptedColumn::ALL {
        let mut rest = encrypted_columns::count(&mut conn, column, None).await?;
        for (one, id) in uses.iter_mut().zip(&ids) {
            let count = encrypted_columns::count(&mut conn, column, Some(id)).await?;
            *one.count_mut(column) += count;
            rest -= count;
        }
        *uses[unknown].count_mut(column) += rest;
    }
    drop(conn);
    for (key, count) in keys_of_files(store, files).await? {
        let at = ids.iter().position(|id| key.as_ref() == Some(id));
        uses[at.unwrap_or(unknown)].documents += count;
    }
    uses.retain(|one| ids.contains(&one.key) || one.total() > 0);
    Ok(uses)
}

impl KeyUse {
    fn count_mut(&mut self, column: EncryptedColumn) -> &mut i64 {
        if column == encrypted_columns::DRAFTS {
            &mut self.drafts
        } else if column == encrypted_columns::AUTHENTICATORS {
            &mut self.authenticators
        } else if column == encrypted_columns::DOCUMENT_NUMBERS {
            &mut self.document_numbers
        } else if column == encrypted_columns::KEPT_KEYS {
            &mut self.kept_keys
        } else {
            &mut self.address_books
        }
    }

    fn total(&self) -> i64 {
        let texts = self.drafts + self.authenticators + self.document_numbers;
        self.documents + texts + self.address_books + self.kept_keys
    }
}

/// Counts the files of each key, by their first bytes.
async fn keys_of_files(store: &Store, files: &Files) -> Result<BTreeMap<Option<String>, i64>> {
    let (mut counts, mut after) = (BTreeMap::new(), String::new());
    loop {
        let most = limits::RESEALED_AT_ONCE;
        let page = encrypted_columns::documents(&mut *store.read().await?, &after, most).await?;
        let Some(last) = page.last() else { return Ok(counts) };
        after.clone_from(last);
        // A bucket answers each after a while.
        let keys = join_all(page.iter().map(|name| files.key_of(name)));
        for key in keys.await {
            match key {
                Ok(key) => *counts.entry(key).or_default() += 1,
                // It was deleted meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(Error::not_stored(error)),
            }
        }
    }
}

impl Operators {
    /// Reseals everything that is not sealed under the first key. The start is recorded first; a
    /// dry run returns the counts.
    ///
    /// # Errors
    /// `Malformed` without a reason; `Internal` with other keys or files than the servers' ones;
    /// `Storage` when the disk or the database fails: the next run
    /// continues from there.
    pub async fn reseal_all(&self, files: Files, why: &str) -> Result<ActResult<ResealOutcome>> {
        let (why, store) = (reason(why)?, self.core.store.clone());
        if !self.mode.dry_run {
            shared_facts::agree(&self.core, &files).await?;
        }
        let before = in_use(&store, &files).await?;
        let key = before[0].key.clone();
        let to_do: i64 = before[1..].iter().map(KeyUse::total).sum();
        let (reference, arguments) = (key.clone(), json!({"key": key, "reason": why}));
        let action = self.act("keys reseal", arguments, move |_| {
            Box::pin(async move {
                Ok(ActOutcome {
                    reference,
                    outcome: format!("Begun: {to_do} are sealed under other keys."),
                    result: (),
                })
            })
        });
        let action = action.await?;
        let mut work = Work {
            vault: files.keyring().vault(FORMS),
            store,
            files,
            key,
            resealed: 0,
            unreadable: 0,
        };
        let (outcome, remaining) = match action.dry_run {
            true => (action.outcome, before),
            false => {
                for column in EncryptedColumn::ALL {
                    work.texts(column).await?;
                }
                work.documents().await?;
                let outcome = format!("{} are resealed.", work.resealed);
                (outcome, in_use(&work.store, &work.files).await?)
            }
        };
        Ok(ActResult {
            outcome,
            dry_run: action.dry_run,
            action: action.action,
            entries: Vec::new(),
            result: ResealOutcome {
                key: work.key,
                resealed: work.resealed,
                unreadable: work.unreadable,
                left: remaining,
            },
        })
    }
}

struct Work {
    store: Store,
    files: Files,
    vault: Vault,
    key: String,
    resealed: i64,
    unreadable: i64,
}

/// The new form of a sealed text.
enum Resealed {
    Text(String),
    /// Its row was deleted meanwhile.
    Gone,
    Unreadable,
}

impl Work {
    async fn texts(&mut self, column: EncryptedColumn) -> Result<()> {
        let mut after = String::new();
        loop {
            let most = limits::RESEALED_AT_ONCE;
            let mut conn = self.store.read().await?;
            let page = encrypted_columns::page(&mut conn, column, &self.key, &after, most).await?;
            drop(conn);
            let Some(last) = page.last() else { return Ok(()) };
            after.clone_from(&last.id);
            let mut fresh = Vec::new();
            for old in page {
                match self.reseal(column, &old).await? {
                    Resealed::Text(text) => fresh.push((old, text)),
                    Resealed::Gone => {}
                    Resealed::Unreadable => self.unreadable += 1,
                }
            }
            let replace = self.store.write(move |conn| {
                Box::pin(async move {
                    let mut replaced = 0;
                    for (old, text) in &fresh {
                        // A row changed meanwhile is sealed already.
                        let change = encrypted_columns::replace(conn, column, old, text);
                        replaced += i64::from(change.await?);
                    }
                    Ok(replaced)
                })
            });
            self.resealed += replace.await?;
            failpoints::point("keys-reseal", column.name).await;
        }
    }

    async fn reseal(&self, column: EncryptedColumn, old: &Sealed) -> Result<Resealed> {
        if column == encrypted_columns::PRESET_PRINTS {
            return self.fresh_print(old).await;
        }
        let place = place(column, &old.owner);
        let Ok(text) = self.vault.open_text(&place, &old.text) else {
            return Ok(Resealed::Unreadable);
        };
        let text = self.vault.seal_text(&place, &text);
        text.map(Resealed::Text).map_err(Error::internal)
    }

    /// Computes a fingerprint again from its preset.
    async fn fresh_print(&self, old: &Sealed) -> Result<Resealed> {
        let place = place(encrypted_columns::PRESET_FIELDS, &old.owner);
        let mut conn = self.store.read().await?;
        let Some((kind, fields)) = encrypted_columns::preset(&mut conn, &old.id).await? else {
            return Ok(Resealed::Gone);
        };
        let fields = self.vault.open_text(&place, &fields).ok();
        let fields = fields.and_then(|fields| serde_json::from_str(&fields).ok());
        let Some(fields) = fields else { return Ok(Resealed::Unreadable) };
        let same = equality_key(kind.shape(), &fields);
        let print = self.vault.print(&place, &same);
        // Two servers with different keys may have stored the same preset twice: both stay.
        Ok(Resealed::Text(match encrypted_columns::has_print(&mut conn, &old.id, &print).await? {
            true => self.vault.print(&place, &format!("{same}\n{}", old.id)),
            false => print,
        }))
    }

    async fn documents(&mut self) -> Result<()> {
        let mut after = String::new();
        loop {
            let most = limits::RESEALED_AT_ONCE;
            let page =
                encrypted_columns::documents(&mut *self.store.read().await?, &after, most).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after.clone_from(last);
            for name in page {
                self.document(name).await?;
                failpoints::point("keys-reseal", "documents").await;
            }
        }
    }

    async fn document(&mut self, name: String) -> Result<()> {
        match self.reseal_file(&name).await {
            Ok(is_fresh) => self.resealed += i64::from(is_fresh),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == ErrorKind::InvalidData => self.unreadable += 1,
            Err(error) => return Err(Error::not_stored(error)),
        }
        // If it was deleted during the write, its file must not stay.
        let mut conn = self.store.read().await?;
        if encrypted_columns::is_deleted(&mut conn, &name).await? {
            drop(conn);
            self.files.remove(&name).await.map_err(Error::not_stored)?;
        }
        Ok(())
    }

    /// Reseals a file; `false` if it is sealed under the first key already.
    async fn reseal_file(&self, name: &str) -> io::Result<bool> {
        if self.files.key_of(name).await?.as_ref() == Some(&self.key) {
            return Ok(false);
        }
        let content = self.files.get(name).await?;
        self.files.put(name, content).await.map(|()| true)
    }
}

/// Returns the context under which a column's text is sealed.
fn place(column: EncryptedColumn, owner: &str) -> String {
    if column == encrypted_columns::DRAFTS {
        drafts::place(owner)
    } else if column == encrypted_columns::AUTHENTICATORS {
        codes::place(owner)
    } else if column == encrypted_columns::DOCUMENT_NUMBERS {
        document_numbers::place(owner)
    } else if column == encrypted_columns::KEPT_KEYS {
        kept_keys::place(owner)
    } else {
        address_book::place(owner)
    }
}
