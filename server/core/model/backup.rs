//! The list of what a backup holds. It is written last: a folder without it is no backup.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::model::money::hash_chain::ChainHead;

/// The form of the list. Another form is not read.
pub const BACKUP_FORM: u32 = 1;

/// The folder of the sealed files in a backup.
pub const SEALED_FILES: &str = "kyc";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BackupEngine {
    Sqlite,
    Postgres,
}

impl BackupEngine {
    /// Returns the name of the database's file in a backup.
    pub const fn file(self) -> &'static str {
        match self {
            BackupEngine::Sqlite => "dakiya.sqlite",
            BackupEngine::Postgres => "dakiya.dump",
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            BackupEngine::Sqlite => "SQLite",
            BackupEngine::Postgres => "Postgres",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupFile {
    /// Its path in the backup.
    pub path: String,
    pub bytes: u64,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupManifest {
    pub form: u32,
    /// The version of the program that made the backup.
    pub version: String,
    /// The number of the last migration.
    pub schema: i64,
    pub engine: BackupEngine,
    /// The time at which the backup was begun (UTC milliseconds): writes before it are in it.
    pub begun_at: i64,
    /// The head of the books, as an audit prints it; `None` for empty books.
    pub head: Option<String>,
    /// The number of rows of the main tables.
    pub rows: BTreeMap<String, i64>,
    /// The ids of the keys that sealed something in it. The keys themselves are never in a backup.
    pub keys: BTreeSet<String>,
    /// The facts of all servers of the database: a print of each key, and the mark of the
    /// documents' place.
    pub shared: BTreeMap<String, String>,
    pub files: Vec<BackupFile>,
    /// Identity documents whose files were missing already.
    pub without_file: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAManifest {
    #[error("it is not the list of a backup, or it was changed")]
    Unreadable,
    #[error("it was written by another version, in a form that this one does not read")]
    OtherForm,
    #[error("it names files that no backup has")]
    WrongFiles,
}

impl BackupManifest {
    pub fn parse(text: &str) -> Result<BackupManifest, NotAManifest> {
        #[derive(Deserialize)]
        struct Form {
            form: u32,
        }
        let form: Form = serde_json::from_str(text).map_err(|_| NotAManifest::Unreadable)?;
        if form.form != BACKUP_FORM {
            return Err(NotAManifest::OtherForm);
        }
        let list: BackupManifest =
            serde_json::from_str(text).map_err(|_| NotAManifest::Unreadable)?;
        if list.head.is_some() && list.chain_head().is_none() {
            return Err(NotAManifest::Unreadable);
        }
        let database = list.engine.file();
        let paths: BTreeSet<&str> = list.files.iter().map(|file| &*file.path).collect();
        let are_ours = paths.iter().all(|path| *path == database || sealed_name(path).is_some());
        match are_ours && paths.len() == list.files.len() && paths.contains(database) {
            true => Ok(list),
            false => Err(NotAManifest::WrongFiles),
        }
    }

    pub fn chain_head(&self) -> Option<ChainHead> {
        self.head.as_ref().and_then(|head| head.parse().ok())
    }
}

/// Returns the path of a sealed file in a backup.
pub fn sealed_path(name: &str) -> String {
    format!("{SEALED_FILES}/{name}.bin")
}

/// Returns the name of a sealed file in a backup; `None` for any other path, also for one that
/// leads elsewhere.
pub fn sealed_name(path: &str) -> Option<&str> {
    let name = path.strip_prefix(SEALED_FILES)?.strip_prefix('/')?.strip_suffix(".bin")?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (!name.is_empty() && name.bytes().all(is_plain)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(files: &[&str]) -> BackupManifest {
        let file = |path: &&str| BackupFile {
            path: (*path).to_owned(),
            bytes: 1,
            sha256: "00".to_owned(),
        };
        BackupManifest {
            form: BACKUP_FORM,
            version: "1.0.0".to_owned(),
            schema: 11,
            engine: BackupEngine::Sqlite,
            begun_at: 0,
            head: None,
            rows: BTreeMap::from([("users".to_owned(), 1)]),
            keys: BTreeSet::from(["1".to_owned()]),
            shared: BTreeMap::from([("files".to_owned(), "a-mark".to_owned())]),
            files: files.iter().map(file).collect(),
            without_file: Vec::new(),
        }
    }

    fn read(list: &BackupManifest) -> Result<BackupManifest, NotAManifest> {
        BackupManifest::parse(&serde_json::to_string(list).unwrap())
    }

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let written = list(&["dakiya.sqlite", "kyc/a-1_B.bin"]);
        assert_eq!(read(&written), Ok(written));
    }

    #[test]
    fn a_list_of_files_elsewhere_is_refused() {
        for path in ["../key", "kyc/key", "kyc/../../a.bin", "/etc/passwd", "kyc/.bin", ""] {
            let wrong = list(&["dakiya.sqlite", path]);
            assert_eq!(read(&wrong), Err(NotAManifest::WrongFiles), "{path}");
        }
        for files in [&["kyc/a.bin"][..], &["dakiya.dump"], &["dakiya.sqlite", "dakiya.sqlite"]] {
            assert_eq!(read(&list(files)), Err(NotAManifest::WrongFiles), "{files:?}");
        }
    }

    #[test]
    fn a_list_of_another_form_is_told_from_a_broken_one() {
        let other = BackupManifest { form: 2, ..list(&["dakiya.sqlite"]) };
        assert_eq!(read(&other), Err(NotAManifest::OtherForm));
        for text in ["", "{", "[]", r#"{"form":1}"#] {
            assert_eq!(BackupManifest::parse(text), Err(NotAManifest::Unreadable), "{text}");
        }
        let head = BackupManifest { head: Some("x".to_owned()), ..list(&["dakiya.sqlite"]) };
        assert_eq!(read(&head), Err(NotAManifest::Unreadable));
    }
}
