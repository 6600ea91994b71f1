//! The folder of a backup: a copy of the database, the sealed files as they are, and the list of
//! both, which is written last. Its calls block, except for those that are awaited.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use futures_util::future::try_join_all;
use sha2::{Digest, Sha256};

use super::files::{FilledPlace, SealedFiles, blocking, write_whole};
use super::vault::key_of;
use crate::limits;
use crate::model::backup::{
    BackupEngine, BackupFile, BackupManifest, SEALED_FILES, sealed_name, sealed_path,
};

/// The name of the list.
const MANIFEST: &str = "manifest.json";

/// Bytes that are read at a time.
const CHUNK: usize = 64 * 1024;

#[derive(Clone, Debug)]
pub struct BackupFolder {
    folder: PathBuf,
}

/// The sealed files that were copied.
#[derive(Clone, Debug, Default)]
pub struct CopiedFiles {
    pub names: BTreeSet<String>,
    /// The ids of the keys that sealed them.
    pub keys: BTreeSet<String>,
}

/// A file of a backup that is missing or was changed.
#[derive(Clone, Debug)]
pub struct FileFault {
    pub path: String,
    /// A sentence about it.
    pub words: String,
}

impl BackupFolder {
    /// Makes the folder of a new backup.
    pub fn create(folder: &Path) -> io::Result<BackupFolder> {
        create_private(folder)?;
        if fs::read_dir(folder)?.next().is_some() {
            let words = format!("{} is not empty: a backup needs a new folder", folder.display());
            return Err(io::Error::new(ErrorKind::AlreadyExists, words));
        }
        Ok(BackupFolder { folder: folder.to_owned() })
    }

    /// Names the folder of a backup that was made before.
    pub fn of(folder: &Path) -> BackupFolder {
        BackupFolder { folder: folder.to_owned() }
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The path of the copy of the database.
    pub fn database(&self, engine: BackupEngine) -> PathBuf {
        self.folder.join(engine.file())
    }

    /// Copies these sealed files of a place, except for missing ones.
    pub async fn take_files(
        &self,
        from: &SealedFiles,
        documents: &[String],
    ) -> io::Result<CopiedFiles> {
        let (mut copied, folder) = (CopiedFiles::default(), self.folder.join(SEALED_FILES));
        create_private(&folder)?;
        for together in documents.chunks(limits::KYC_COPIED_AT_ONCE) {
            let found = try_join_all(together.iter().map(|name| from.get(name))).await?;
            for (name, sealed) in together.iter().zip(found) {
                let Some(sealed) = sealed else { continue };
                copied.keys.extend(key_of(&sealed).map(str::to_owned));
                let path = self.folder.join(sealed_path(name));
                blocking(move || write_whole(&path, &sealed)).await?;
                copied.names.insert(name.clone());
            }
        }
        blocking(move || File::open(&folder)?.sync_all()).await?;
        Ok(copied)
    }

    /// Lists the database and these sealed files with their hashes.
    pub fn list(
        &self,
        engine: BackupEngine,
        names: &BTreeSet<String>,
    ) -> io::Result<Vec<BackupFile>> {
        let sealed = names.iter().map(|name| sealed_path(name));
        let paths = [engine.file().to_owned()].into_iter().chain(sealed);
        let file = |path: String| {
            let (bytes, sha256) = hash(&self.folder.join(&path))?;
            Ok(BackupFile { path, bytes, sha256 })
        };
        paths.map(file).collect()
    }

    /// Writes the list: the backup is whole now.
    pub fn finish(&self, manifest: &BackupManifest) -> io::Result<()> {
        let text = serde_json::to_string_pretty(manifest)?;
        write_whole(&self.folder.join(MANIFEST), text.as_bytes())?;
        File::open(&self.folder)?.sync_all()?;
        // The folder itself is new, too. We may not be allowed to read the one above.
        match File::open(self.folder.canonicalize()?.join("..")) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
            above => above?.sync_all(),
        }
    }

    pub fn manifest(&self) -> io::Result<BackupManifest> {
        let path = self.folder.join(MANIFEST);
        let wrong = |words: String| {
            let words = format!("{}: {words}", path.display());
            io::Error::new(ErrorKind::InvalidData, words)
        };
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => wrong("it is not there, so this is no whole backup".to_owned()),
            _ => wrong(error.to_string()),
        })?;
        BackupManifest::parse(&text).map_err(|error| wrong(error.to_string()))
    }

    /// Compares every file with the list.
    pub fn faults(&self, manifest: &BackupManifest) -> io::Result<Vec<FileFault>> {
        let mut faults = Vec::new();
        for file in &manifest.files {
            let words = match hash(&self.folder.join(&file.path)) {
                Ok(found) if found == (file.bytes, file.sha256.clone()) => continue,
                Ok(_) => format!("{} was changed since the backup was made.", file.path),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    format!("{} is missing in the backup.", file.path)
                }
                Err(error) => return Err(error),
            };
            faults.push(FileFault { path: file.path.clone(), words });
        }
        Ok(faults)
    }

    /// Copies the sealed files into the place of a server, except the faulty ones.
    pub async fn give_files(
        &self,
        manifest: &BackupManifest,
        faults: &[FileFault],
        to: &FilledPlace,
    ) -> io::Result<()> {
        let is_sound = |path: &str| !faults.iter().any(|fault| fault.path == path);
        let paths = manifest.files.iter().map(|file| &*file.path).filter(|path| is_sound(path));
        let names: Vec<&str> = paths.filter_map(sealed_name).collect();
        for together in names.chunks(limits::KYC_COPIED_AT_ONCE) {
            try_join_all(together.iter().map(|name| self.give(name, to))).await?;
        }
        Ok(())
    }

    async fn give(&self, name: &str, to: &FilledPlace) -> io::Result<()> {
        let path = self.folder.join(sealed_path(name));
        to.put(name, blocking(move || fs::read(path)).await?).await
    }
}

/// Creates a folder that only this user can look into.
fn create_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Returns the size of a file and its SHA-256 in hexadecimal.
fn hash(path: &Path) -> io::Result<(u64, String)> {
    let (mut file, mut hasher, mut bytes) = (File::open(path)?, Sha256::new(), 0);
    let mut chunk = vec![0; CHUNK];
    loop {
        match file.read(&mut chunk)? {
            0 => {
                let digest: [u8; 32] = hasher.finalize().into();
                return Ok((bytes, HEXLOWER.encode(&digest)));
            }
            read => {
                hasher.update(&chunk[..read]);
                bytes += read as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tempfile::TempDir;

    use super::*;
    use crate::model::backup::BACKUP_FORM;
    use crate::model::settings::files_place::FilesPlace;
    use crate::providers::files::Files;

    /// A folder of a server with two sealed files, and its whole backup.
    async fn backup() -> (TempDir, BackupFolder, BackupManifest) {
        let folder = TempDir::new().unwrap();
        let server = FilesPlace::Folder(folder.path().join("server"));
        let files = Files::open(&server, None).await.unwrap();
        for name in ["one", "two"] {
            files.put(name, name.as_bytes().to_vec()).await.unwrap();
        }
        let backup = BackupFolder::create(&folder.path().join("backup")).unwrap();
        let engine = BackupEngine::Sqlite;
        fs::write(backup.database(engine), b"rows").unwrap();
        let documents = ["one", "two", "gone"].map(str::to_owned);
        let taken = backup.take_files(&SealedFiles::of(&server).unwrap(), &documents).await;
        let copied = taken.unwrap();
        assert_eq!((copied.names.len(), copied.keys.len()), (2, 1));
        let manifest = BackupManifest {
            form: BACKUP_FORM,
            version: "1.0.0".to_owned(),
            schema: 11,
            engine,
            begun_at: 0,
            head: None,
            rows: BTreeMap::new(),
            keys: copied.keys,
            shared: BTreeMap::new(),
            files: backup.list(engine, &copied.names).unwrap(),
            without_file: Vec::new(),
        };
        assert!(backup.manifest().is_err(), "it is not whole yet");
        backup.finish(&manifest).unwrap();
        (folder, backup, manifest)
    }

    #[tokio::test]
    async fn a_backup_has_the_sealed_files_and_never_their_key() {
        let (folder, backup, manifest) = backup().await;
        assert_eq!(backup.manifest().unwrap(), manifest);
        let paths: Vec<&str> = manifest.files.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, ["dakiya.sqlite", "kyc/one.bin", "kyc/two.bin"]);
        assert!(!backup.path().join("kyc/key").exists());
        let again = folder.path().join("again");
        fs::create_dir(&again).unwrap();
        fs::copy(folder.path().join("server/key"), again.join("key")).unwrap();
        let place = FilesPlace::Folder(again);
        let sealed = SealedFiles::of(&place).unwrap();
        assert!(!sealed.has_content().await.unwrap());
        let filled = sealed.fill(Some("a-mark")).await.unwrap();
        assert!(!sealed.has_content().await.unwrap());
        backup.give_files(&manifest, &[], &filled).await.unwrap();
        assert!(sealed.has_content().await.unwrap());
        assert_eq!(sealed.mark().await.unwrap().as_deref(), Some("a-mark"));
        assert!(sealed.fill(Some("another")).await.is_err());
        let files = Files::open(&place, None).await.unwrap();
        assert_eq!(files.get("two").await.unwrap(), b"two");
    }

    #[tokio::test]
    async fn a_file_that_is_missing_or_changed_is_named() {
        let (_folder, backup, manifest) = backup().await;
        assert!(backup.faults(&manifest).unwrap().is_empty());
        fs::remove_file(backup.path().join("kyc/one.bin")).unwrap();
        fs::write(backup.database(BackupEngine::Sqlite), b"r0ws").unwrap();
        let faults = backup.faults(&manifest).unwrap();
        let words: Vec<&str> = faults.iter().map(|fault| &*fault.words).collect();
        let changed = "dakiya.sqlite was changed since the backup was made.";
        assert_eq!(words, [changed, "kyc/one.bin is missing in the backup."]);
    }

    #[tokio::test]
    async fn a_backup_needs_a_new_folder() {
        let (_folder, backup, _) = backup().await;
        let refused = BackupFolder::create(backup.path()).unwrap_err();
        assert!(refused.to_string().contains("is not empty"), "{refused}");
    }
}
