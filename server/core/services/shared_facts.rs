//! Keys and files are the same for all servers of a database: it has a print of each key, and the
//! mark of the place of the files.
//!
//! A server with another key would seal what no other one opens. A server with another place would
//! not find the files of the others, and would take them for deleted.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::providers::files::Files;
use crate::providers::vault::Keyring;
use crate::services::core::Core;
use crate::store::{Conn, shared_facts};

/// The purpose of the derived keys that make the prints.
const PRINTS: &str = "prints of keys";

/// The start of the name of a key's fact; its id follows.
const KEY: &str = "key ";

/// The name of the mark's fact.
const FILES: &str = "files";

/// The reason why a server does not belong to a database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    #[error(
        "DAKIYA_FILES_KEY: the key `{0}` is not the one that other servers of this database have \
         under this name"
    )]
    OtherKey(String),
    #[error(
        "DAKIYA_FILES_KEY: servers of this database have other keys; configure one of theirs (of a \
         server without the variable, it is the file `key` beside its documents)"
    )]
    NoKnownKey,
    #[error(
        "DAKIYA_FILES: {place} is not the place of this database's documents; if they were moved \
         there, its file `mark` must consist of {mark}"
    )]
    OtherFiles { place: String, mark: String },
    #[error(
        "DAKIYA_FILES: {place} has documents of another database, and DATABASE_URL is of a new \
         one, {database}; configure the database of these documents, or another place for this \
         one; if their database is lost, remove the file `mark` there"
    )]
    OthersDocuments { place: String, database: String },
}

/// Compares keys and files with the facts of the database, and adds new ones. Of several first
/// servers, one decides.
///
/// # Errors
/// `Internal` with the mismatch, for the operator.
pub async fn agree(core: &Core, files: &Files) -> Result<()> {
    agree_on(core, files.keyring(), Some(files)).await
}

/// Compares keys with those of the other servers, and adds new ones.
pub async fn agree_on_keys(core: &Core, keyring: &Keyring) -> Result<()> {
    agree_on(core, keyring, None).await
}

async fn agree_on(core: &Core, keyring: &Keyring, files: Option<&Files>) -> Result<()> {
    let (ours, place) = (facts(Some(keyring), files), files.map(Files::place).unwrap_or_default());
    let known = shared_facts::all(&mut *core.store.read().await?).await?;
    if unknown(&known, &ours, &place).map_err(Error::internal)?.is_empty() {
        return Ok(());
    }
    // Before the facts are read again: another server takes documents after it has added the mark.
    let had_documents = match files {
        Some(files) if mark(&known).is_none() => {
            files.had_documents().await.map_err(Error::not_stored)?
        }
        _ => false,
    };
    let now_ms = core.clock.now_ms();
    let write = core.store.write(move |conn| {
        Box::pin(async move {
            shared_facts::lock(conn).await?;
            let known = shared_facts::all(conn).await?;
            if had_documents {
                let name = shared_facts::name_without_documents(conn).await?;
                compare_documents(&known, name, &place).map_err(Error::internal)?;
            }
            for (fact, value) in unknown(&known, &ours, &place).map_err(Error::internal)? {
                shared_facts::add(conn, &fact, &value, now_ms).await?;
            }
            Ok(())
        })
    });
    write.await
}

/// Compares keys with the facts of the database. No keys are its keys only if it knows none.
///
/// # Errors
/// Fails with the first difference.
pub fn compare_keys(
    known: &BTreeMap<String, String>,
    keyring: Option<&Keyring>,
) -> std::result::Result<(), Mismatch> {
    unknown(known, &facts(keyring, None), "").map(drop)
}

/// Returns those of the database's keys that we do not have, under whatever name.
pub fn missing_keys<'a>(
    known: &BTreeMap<String, String>,
    keyring: Option<&Keyring>,
    ids: &'a BTreeSet<String>,
) -> Vec<&'a str> {
    let ours = facts(keyring, None);
    let is_ours = |id: &str| {
        let fact = format!("{KEY}{id}");
        match known.get(&fact) {
            Some(print) => ours.iter().any(|it| it.1 == *print),
            // It is newer than these facts.
            None => ours.iter().any(|it| it.0 == fact),
        }
    };
    ids.iter().map(String::as_str).filter(|id| !is_ours(id)).collect()
}

/// Returns the mark of the documents' place, if the database knows it.
pub fn mark(known: &BTreeMap<String, String>) -> Option<&str> {
    known.get(FILES).map(String::as_str)
}

/// Returns the time since which the database has its place of documents; `None` if it has none.
pub(crate) async fn place_since(conn: &mut Conn) -> Result<Option<i64>> {
    shared_facts::since(conn, FILES).await
}

/// Compares the mark of a place with the facts of the database: a place without one is not theirs.
///
/// # Errors
/// Fails if they have the mark of another place.
pub fn compare_mark(
    known: &BTreeMap<String, String>,
    mark: Option<&str>,
    place: &str,
) -> std::result::Result<(), Mismatch> {
    match self::mark(known) {
        Some(other) if mark != Some(other) => {
            Err(Mismatch::OtherFiles { place: place.to_owned(), mark: other.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Compares a place with a mark and documents with a database. `name` is that of a database that
/// knows no documents.
///
/// # Errors
/// Fails if the database has no place yet and knows no documents: these are not its own.
pub fn compare_documents(
    known: &BTreeMap<String, String>,
    name: Option<String>,
    place: &str,
) -> std::result::Result<(), Mismatch> {
    match name {
        Some(database) if mark(known).is_none() => {
            Err(Mismatch::OthersDocuments { place: place.to_owned(), database })
        }
        _ => Ok(()),
    }
}

fn facts(keyring: Option<&Keyring>, files: Option<&Files>) -> Vec<(String, String)> {
    let prints = keyring.map(|keyring| keyring.vault(PRINTS).prints("key", ""));
    let prints = prints.unwrap_or_default();
    let of_key = |print: &String| {
        let (id, print) = print.split_once(':')?;
        Some((format!("{KEY}{id}"), print.to_owned()))
    };
    let mark = files.map(|files| (FILES.to_owned(), files.mark().to_owned()));
    prints.iter().filter_map(of_key).chain(mark).collect()
}

/// Returns our facts that the database does not have. A new key is one that stands beside a known
/// one: keys are being changed.
fn unknown(
    known: &BTreeMap<String, String>,
    ours: &[(String, String)],
    place: &str,
) -> std::result::Result<Vec<(String, String)>, Mismatch> {
    for (fact, value) in ours {
        let Some(id) = fact.strip_prefix(KEY) else {
            compare_mark(known, Some(value.as_str()), place)?;
            continue;
        };
        if known.get(fact).is_some_and(|other| other != value) {
            return Err(Mismatch::OtherKey(id.to_owned()));
        }
    }
    let is_key = |fact: &str| fact.starts_with(KEY);
    let keys: Vec<&String> = known.iter().filter(|it| is_key(it.0)).map(|it| it.1).collect();
    let mut prints = ours.iter().filter(|it| is_key(&it.0)).map(|it| &it.1);
    if !keys.is_empty() && !prints.any(|print| keys.contains(&print)) {
        return Err(Mismatch::NoKnownKey);
    }
    let is_new = |it: &&(String, String)| !known.contains_key(&it.0);
    Ok(ours.iter().filter(is_new).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::files_key::{FilesKey, KEY_BYTES};

    fn keyring(list: &[(&str, u8)]) -> Keyring {
        let key = |(id, byte): &(&str, u8)| {
            format!("{id}:{}", FilesKey::new([*byte; KEY_BYTES]).to_base64())
        };
        let list: Vec<String> = list.iter().map(key).collect();
        Keyring::new(list.join(",").parse().expect("a list"))
    }

    #[test]
    fn keys_belong_to_a_database_that_knows_one_of_them_and_no_other_one_of_their_names() {
        let known: BTreeMap<_, _> =
            facts(Some(&keyring(&[("a", 1), ("b", 2)])), None).into_iter().collect();
        let compared = |list: &[(&str, u8)]| compare_keys(&known, Some(&keyring(list)));
        for good in [&[("a", 1)][..], &[("b", 2)], &[("b", 2), ("c", 3)], &[("z", 1)]] {
            assert_eq!(compared(good), Ok(()), "{good:?}");
        }
        assert_eq!(compared(&[("a", 3)]), Err(Mismatch::OtherKey("a".to_owned())));
        assert_eq!(compared(&[("b", 2), ("a", 3)]), Err(Mismatch::OtherKey("a".to_owned())));
        assert_eq!(compared(&[("c", 3)]), Err(Mismatch::NoKnownKey));
        assert_eq!(compare_keys(&known, None), Err(Mismatch::NoKnownKey));
        assert_eq!(compare_keys(&BTreeMap::new(), Some(&keyring(&[("c", 3)]))), Ok(()));
        assert_eq!(compare_keys(&BTreeMap::new(), None), Ok(()));
        assert!(known.values().all(|print| print.len() == 44), "{known:?}");
    }

    #[test]
    fn a_key_that_has_another_name_now_is_not_missing() {
        let known: BTreeMap<_, _> =
            facts(Some(&keyring(&[("a", 1), ("b", 2)])), None).into_iter().collect();
        let ids = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        let missing = |list: &[(&str, u8)]| missing_keys(&known, Some(&keyring(list)), &ids);
        assert_eq!(missing(&[("b", 2), ("z", 1)]), [""; 0]);
        assert_eq!(missing(&[("b", 2)]), ["a"]);
        assert_eq!(missing(&[("b", 1)]), ["b"]);
        let newer = BTreeSet::from(["c".to_owned()]);
        let found = |list: &[(&str, u8)]| missing_keys(&known, Some(&keyring(list)), &newer);
        assert_eq!(found(&[("a", 1), ("c", 3)]), [""; 0]);
        assert_eq!(found(&[("a", 1)]), ["c"]);
        assert_eq!(missing_keys(&known, None, &ids), ["a", "b"]);
    }

    #[test]
    fn a_database_without_a_mark_takes_any_place_and_one_with_a_mark_that_place_alone() {
        let mut known = BTreeMap::new();
        assert_eq!(compare_mark(&known, None, "/x"), Ok(()));
        assert_eq!(compare_mark(&known, Some("there"), "/x"), Ok(()));
        known.insert(FILES.to_owned(), "here".to_owned());
        assert_eq!(compare_mark(&known, Some("here"), "/x"), Ok(()));
        for other in [None, Some("there")] {
            let wrong = compare_mark(&known, other, "/x").unwrap_err().to_string();
            assert!(wrong.contains("/x") && wrong.contains("consist of here"), "{wrong}");
        }
    }

    #[test]
    fn documents_belong_to_a_database_that_has_their_place_or_knows_some() {
        let mut known = BTreeMap::new();
        let new = || Some("dakiya".to_owned());
        let wrong = compare_documents(&known, new(), "/x").unwrap_err().to_string();
        assert!(wrong.contains("/x has documents") && wrong.contains("dakiya; "), "{wrong}");
        assert_eq!(compare_documents(&known, None, "/x"), Ok(()));
        known.insert(FILES.to_owned(), "here".to_owned());
        assert_eq!(compare_documents(&known, new(), "/x"), Ok(()));
    }
}
