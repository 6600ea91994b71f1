//! The address book: presets with which customers fill the booking form, stored encrypted.

use std::collections::BTreeMap;

use super::accounts::refuse_frozen_data;
use super::core::Core;
use crate::error::{Error, Result};
use crate::model::booking::form::preset::{
    self, Preset, PresetKind, RawPreset, SealedPreset, equality_key, title, too_long,
};
use crate::model::openapi_schema::Text;
use crate::providers::vault::Vault;
use crate::random::random_id;
use crate::{limits, store};

/// Stores the customers' presets for the booking form. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AddressBook {
    core: Core,
    vault: Vault,
}

struct SealedFields {
    fields: String,
    print: String,
    /// The prints of an equal entry under every key: it may have been stored under another one.
    prints: Vec<String>,
}

impl AddressBook {
    pub fn new(core: Core, vault: Vault) -> AddressBook {
        AddressBook { core, vault }
    }

    /// Returns all presets of a user, by name.
    pub async fn list(&self, user_id: &str) -> Result<Vec<Preset>> {
        let sealed = store::presets::list(&mut *self.core.store.read().await?, user_id).await?;
        let mut presets: Vec<Preset> =
            sealed.into_iter().filter_map(|sealed| self.open(user_id, sealed)).collect();
        let mut senders = presets.iter_mut().filter(|one| one.kind == PresetKind::Consignor);
        if let Some(first) = senders.next() {
            first.is_default = true;
        }
        presets.sort_by_key(|preset| preset.name.to_lowercase());
        Ok(presets)
    }

    /// Saves a preset. An existing one with equal fields, except for case, spaces and punctuation,
    /// gets the new fields and keeps its name.
    ///
    /// # Errors
    /// `Fields` for fields that are missing, too long or unknown for this kind; `Conflict` when the
    /// user has the maximum number of presets.
    pub async fn save(&self, user_id: &str, raw: RawPreset) -> Result<()> {
        let kind = raw.kind;
        let fields = raw.stored_fields()?;
        let name = match raw.name.as_str() {
            "" => title(kind.shape(), &fields),
            name => name.to_owned(),
        };
        let SealedFields { fields, print, prints } = self.seal_fields(user_id, kind, &fields)?;
        let preset = SealedPreset {
            preset_id: random_id(),
            kind,
            print,
            name: self.seal(user_id, &name)?,
            fields,
            created_ms: self.core.clock.now_ms(),
        };
        let user_id = user_id.to_owned();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                for print in &prints {
                    if store::presets::renew(conn, &user_id, print, &preset).await? {
                        return Ok(());
                    }
                }
                if store::presets::count(conn, &user_id, kind).await? >= limits::PRESETS_MAX {
                    return Err(Error::Conflict {
                        code: "too_many_presets",
                        message: preset::FULL.into(),
                    });
                }
                store::presets::add(conn, &user_id, &preset).await
            })
        });
        write.await
    }

    /// Saves an address or a package that was typed in the address book: a new one, or that of the
    /// entry with this id, which keeps its name and its other fields.
    ///
    /// # Errors
    /// As for [`AddressBook::save`]; `NotFound` when the entry is not the user's, `Conflict` when
    /// another one has this address or package, or an entry of a frozen account is corrected.
    pub async fn save_typed(
        &self,
        user_id: &str,
        id: &str,
        kind: PresetKind,
        typed: &BTreeMap<String, String>,
    ) -> Result<()> {
        if id.is_empty() {
            let raw = RawPreset { kind, name: Text::default(), fields: BTreeMap::new() };
            return self.save(user_id, raw.with_typed(typed)?).await;
        }
        let mut all = self.list(user_id).await?.into_iter();
        let entry = all.find(|entry| entry.id == id).ok_or_else(no_such_entry)?;
        let raw = RawPreset { kind: entry.kind, name: Text::default(), fields: entry.fields };
        self.correct(user_id, id, raw.with_typed(typed)?).await
    }

    async fn correct(&self, user_id: &str, id: &str, raw: RawPreset) -> Result<()> {
        let kind = raw.kind;
        let sealed = self.seal_fields(user_id, kind, &raw.stored_fields()?)?;
        let SealedFields { fields, print, prints } = sealed;
        let (user_id, id) = (user_id.to_owned(), id.to_owned());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                refuse_frozen_data(conn, &user_id).await?;
                for print in &prints {
                    if store::presets::has_other(conn, &user_id, &id, kind, print).await? {
                        let message = kind.taken().into();
                        return Err(Error::Conflict { code: "known_preset", message });
                    }
                }
                let found = store::presets::replace(conn, &user_id, &id, &print, &fields).await?;
                found.then_some(()).ok_or_else(no_such_entry)
            })
        });
        write.await
    }

    /// Renames a preset.
    ///
    /// # Errors
    /// `Fields` for a name that is empty or too long; `NotFound` when it is not the user's;
    /// `Conflict` for a frozen account.
    pub async fn rename(&self, user_id: &str, id: &str, name: &Text) -> Result<()> {
        let name = name.as_str();
        if name.is_empty() {
            return Err(Error::field("name", "Please enter a name."));
        }
        Error::check(too_long("name", name).into_iter().collect())?;
        let name = self.seal(user_id, name)?;
        let (user_id, id) = (user_id.to_owned(), id.to_owned());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                refuse_frozen_data(conn, &user_id).await?;
                let renamed = store::presets::rename(conn, &user_id, &id, &name).await?;
                renamed.then_some(()).ok_or_else(no_such_entry)
            })
        });
        write.await
    }

    /// Makes this sender the default of new bookings.
    ///
    /// # Errors
    /// `NotFound` when the user has no such sender.
    pub async fn set_default(&self, user_id: &str, id: &str) -> Result<()> {
        let (user_id, id) = (user_id.to_owned(), id.to_owned());
        let now_ms = self.core.clock.now_ms();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                let set = store::presets::set_default(conn, &user_id, &id, now_ms).await?;
                set.then_some(()).ok_or_else(no_such_entry)
            })
        });
        write.await
    }

    /// Deletes a preset.
    ///
    /// # Errors
    /// `NotFound` when it is not the user's; `Conflict` for a frozen account.
    pub async fn remove(&self, user_id: &str, id: &str) -> Result<()> {
        let (user_id, id) = (user_id.to_owned(), id.to_owned());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                refuse_frozen_data(conn, &user_id).await?;
                let removed = store::presets::remove(conn, &user_id, &id).await?;
                removed.then_some(()).ok_or_else(no_such_entry)
            })
        });
        write.await
    }

    fn seal_fields(
        &self,
        user_id: &str,
        kind: PresetKind,
        fields: &BTreeMap<String, String>,
    ) -> Result<SealedFields> {
        let json = serde_json::to_string(fields).map_err(Error::internal)?;
        let sameness = equality_key(kind.shape(), fields);
        Ok(SealedFields {
            fields: self.seal(user_id, &json)?,
            print: self.vault.print(&place(user_id), &sameness),
            prints: self.vault.prints(&place(user_id), &sameness),
        })
    }

    fn seal(&self, user_id: &str, text: &str) -> Result<String> {
        self.vault.seal_text(&place(user_id), text).map_err(Error::internal)
    }

    /// A preset that cannot be opened, as after a change of the key, is not shown.
    fn open(&self, user_id: &str, sealed: SealedPreset) -> Option<Preset> {
        let open = |text: &str| self.vault.open_text(&place(user_id), text);
        let opened = || -> anyhow::Result<Preset> {
            Ok(Preset {
                name: open(&sealed.name)?,
                fields: serde_json::from_str(&open(&sealed.fields)?)?,
                kind: sealed.kind,
                id: sealed.preset_id.clone(),
                is_default: false,
            })
        };
        opened().inspect_err(|error| tracing::warn!("a preset cannot be read: {error}")).ok()
    }
}

fn no_such_entry() -> Error {
    Error::NotFound("There is no such entry in your address book.".into())
}

/// Returns the context under which a user's presets are sealed.
pub(in crate::services) fn place(user_id: &str) -> String {
    format!("presets of {user_id}")
}
