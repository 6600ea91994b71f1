//! The folder of a backup: a copy of the database, the sealed files as they are, and the list of
//! both, which is written last. Its calls block.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::files::{KEY, write_whole};
use super::vault::key_of;
use crate::model::backup::{BackupEngine, BackupFile, BackupManifest, SEALED_FILES};

/// The name of the list.
const MANIFEST: &str = "manifest.json";

/// The extension of sealed files.
const SEALED: &str = "bin";

/// Bytes that are read at a time.
const CHUNK: usize = 64 * 1024;

#[derive(Clone, Debug)]
pub struct BackupFolder {
    folder: PathBuf,
}

/// The sealed files that were copied.
#[derive(Clone, Debug, Default)]
pub struct CopiedFiles {
    /// Their names, without the extension.
    pub names: HashSet<String>,
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
        let private = |path: &Path| DirBuilder::new().recursive(true).mode(0o700).create(path);
        private(folder)?;
        if fs::read_dir(folder)?.next().is_some() {
            let words = format!("{} is not empty: a backup needs a new folder", folder.display());
            return Err(io::Error::new(ErrorKind::AlreadyExists, words));
        }
        private(&folder.join(SEALED_FILES))?;
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

    /// Copies all sealed files of a folder. One that is deleted meanwhile is left out.
    pub fn take_files(&self, from: &Path) -> io::Result<CopiedFiles> {
        let mut copied = CopiedFiles::default();
        let to = self.folder.join(SEALED_FILES);
        for name in sealed_files(from)? {
            let content = match fs::read(from.join(&name)) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                content => content?,
            };
            copied.keys.extend(key_of(&content).map(str::to_owned));
            write_whole(&to.join(&name), &content)?;
            let stem = Path::new(&name).file_stem().unwrap_or_default();
            copied.names.insert(stem.to_string_lossy().into_owned());
        }
        File::open(&to)?.sync_all()?;
        Ok(copied)
    }

    /// Lists the files of the backup with their hashes.
    pub fn list(&self, engine: BackupEngine) -> io::Result<Vec<BackupFile>> {
        let sealed = sealed_files(&self.folder.join(SEALED_FILES))?.into_iter();
        let sealed = sealed.map(|name| format!("{SEALED_FILES}/{name}"));
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
        File::open(&self.folder)?.sync_all()
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

    /// Copies the sealed files into the folder of a server, except the faulty ones.
    pub fn give_files(
        &self,
        manifest: &BackupManifest,
        faults: &[FileFault],
        to: &Path,
    ) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(to)?;
        let is_sound = |file: &&BackupFile| !faults.iter().any(|it| it.path == file.path);
        for file in manifest.files.iter().filter(is_sound) {
            let Some(name) = Path::new(&file.path).strip_prefix(SEALED_FILES).ok() else {
                continue;
            };
            write_whole(&to.join(name), &fs::read(self.folder.join(&file.path))?)?;
        }
        File::open(to)?.sync_all()
    }
}

/// True if a server's folder holds no file, or only the key.
pub fn has_no_files(folder: &Path) -> io::Result<bool> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        entries => entries?,
    };
    for entry in entries {
        if entry?.file_name() != KEY {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the names of the sealed files of a folder, in their order.
fn sealed_files(folder: &Path) -> io::Result<BTreeSet<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries?,
    };
    let mut names = BTreeSet::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.filter(|_| path.extension().is_some_and(|end| end == SEALED)) {
            names.insert(name.to_owned());
        }
    }
    Ok(names)
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
    use crate::providers::files::Files;

    /// A folder of a server with two sealed files, and its whole backup.
    fn backup() -> (TempDir, BackupFolder, BackupManifest) {
        let folder = TempDir::new().unwrap();
        let server = folder.path().join("server");
        let files = Files::open(server.clone(), None).unwrap();
        for name in ["one", "two"] {
            files.put(name, name.as_bytes().to_vec()).unwrap();
        }
        let backup = BackupFolder::create(&folder.path().join("backup")).unwrap();
        let engine = BackupEngine::Sqlite;
        fs::write(backup.database(engine), b"rows").unwrap();
        let copied = backup.take_files(&server).unwrap();
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
            files: backup.list(engine).unwrap(),
            without_file: Vec::new(),
        };
        assert!(backup.manifest().is_err(), "it is not whole yet");
        backup.finish(&manifest).unwrap();
        (folder, backup, manifest)
    }

    #[test]
    fn a_backup_has_the_sealed_files_and_never_their_key() {
        let (folder, backup, manifest) = backup();
        assert_eq!(backup.manifest().unwrap(), manifest);
        let paths: Vec<&str> = manifest.files.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, ["dakiya.sqlite", "kyc/one.bin", "kyc/two.bin"]);
        assert!(!backup.path().join(SEALED_FILES).join(KEY).exists());
        let again = folder.path().join("again");
        fs::create_dir(&again).unwrap();
        fs::copy(folder.path().join("server").join(KEY), again.join(KEY)).unwrap();
        assert!(has_no_files(&again).unwrap());
        backup.give_files(&manifest, &[], &again).unwrap();
        assert!(!has_no_files(&again).unwrap());
        assert_eq!(Files::open(again, None).unwrap().get("two").unwrap(), b"two");
    }

    #[test]
    fn a_file_that_is_missing_or_changed_is_named() {
        let (_folder, backup, manifest) = backup();
        assert!(backup.faults(&manifest).unwrap().is_empty());
        fs::remove_file(backup.path().join("kyc/one.bin")).unwrap();
        fs::write(backup.database(BackupEngine::Sqlite), b"r0ws").unwrap();
        let faults = backup.faults(&manifest).unwrap();
        let words: Vec<&str> = faults.iter().map(|fault| &*fault.words).collect();
        let changed = "dakiya.sqlite was changed since the backup was made.";
        assert_eq!(words, [changed, "kyc/one.bin is missing in the backup."]);
    }

    #[test]
    fn a_backup_needs_a_new_folder() {
        let (_folder, backup, _) = backup();
        let refused = BackupFolder::create(backup.path()).unwrap_err();
        assert!(refused.to_string().contains("is not empty"), "{refused}");
    }
}
