//! Customers' uploaded documents: encrypted at rest, with random names, and written so that a power
//! cut leaves either the whole file or none.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::vault::{FILES, Keyring, Vault, invalid_data, key_of};
use crate::limits;
use crate::model::settings::files_key::{FilesKey, FilesKeys, KEY_BYTES};
use crate::random::{random_bytes, random_id};

/// A folder of encrypted files. Cheap to clone. Its calls block: do not call it on async threads.
#[derive(Clone, Debug)]
pub struct Files {
    folder: PathBuf,
    mark: Arc<str>,
    keyring: Keyring,
    vault: Vault,
}

impl Files {
    /// Opens the folder, and creates it if needed.
    ///
    /// Without keys in the configuration, one is created and stored in the folder itself. That is
    /// enough for trials, but does not protect the files on a stolen disk.
    pub fn open(folder: PathBuf, keys: Option<&FilesKeys>) -> io::Result<Files> {
        // Others of this machine see not even its names.
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        remove_left_parts(&folder)?;
        let keys = match keys {
            Some(keys) => keys.clone(),
            None => own_key(&folder)?,
        };
        let mark = Arc::from(first(&folder, MARK, &random_id())?.trim());
        let keyring = Keyring::new(keys);
        Ok(Files { folder, mark, vault: keyring.vault(FILES), keyring })
    }

    /// Returns a text by which this place is recognised: all servers have the same.
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// Returns the place, for operators.
    pub fn place(&self) -> String {
        self.folder.display().to_string()
    }

    /// Returns the keys, for encrypted values in the database.
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Stores a file under a name that we generated. It is on the disk when this returns.
    pub fn put(&self, name: &str, content: Vec<u8>) -> io::Result<()> {
        let whole = self.path(name)?;
        self.check_mark()?;
        // It opens only under its own name, so one file cannot be passed off as another.
        let sealed = self.vault.seal(name, content)?;
        write_whole(&whole, &sealed)?;
        File::open(&self.folder)?.sync_all()
    }

    pub fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        self.vault.open(name, &fs::read(self.path(name)?)?)
    }

    /// Returns the id of a file's key; `None` for a file that is not sealed.
    pub fn key_of(&self, name: &str) -> io::Result<Option<String>> {
        let mut head = Vec::new();
        let most = limits::SEALED_HEAD_BYTES_MAX;
        File::open(self.path(name)?)?.take(most).read_to_end(&mut head)?;
        Ok(key_of(&head).map(str::to_owned))
    }

    /// Removes a file. A missing file is no error.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.check_mark()?;
        match fs::remove_file(self.path(name)?) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => File::open(&self.folder)?.sync_all(),
        }
    }

    /// Fails if the folder is not the one of the start. An empty folder below a disk that was
    /// unmounted must take no file, and tells nothing about files.
    fn check_mark(&self) -> io::Result<()> {
        match stored(&self.folder.join(MARK))? {
            Some(mark) if mark.trim() == &*self.mark => Ok(()),
            _ => Err(io::Error::new(ErrorKind::NotFound, "the folder has another mark, or none")),
        }
    }

    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        match !name.is_empty() && name.bytes().all(plain) {
            true => Ok(self.folder.join(format!("{name}.bin"))),
            false => Err(invalid_data("not a name of ours")),
        }
    }
}

/// The name of the key's file in the folder.
const KEY: &str = "key";

/// Returns the key that is stored in the folder itself; `None` if none is.
pub fn stored_key(folder: &Path) -> io::Result<Option<FilesKeys>> {
    stored(&folder.join(KEY))?.map(|text| parse_key(&text)).transpose()
}

/// The name of the mark's file in the folder.
const MARK: &str = "mark";

/// Returns the mark of a folder; `None` if it has none yet.
pub fn stored_mark(folder: &Path) -> io::Result<Option<String>> {
    Ok(stored(&folder.join(MARK))?.map(|mark| mark.trim().to_owned()))
}

fn stored(path: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn own_key(folder: &Path) -> io::Result<FilesKeys> {
    let key = FilesKey::new(random_bytes::<KEY_BYTES>());
    parse_key(&first(folder, KEY, &key.to_base64())?)
}

fn parse_key(text: &str) -> io::Result<FilesKeys> {
    text.parse().map_err(|_| invalid_data("not 32 bytes in base64"))
}

/// Returns the text of a file, which is written first if it is not there. Of several servers that
/// start at once, one decides.
fn first(folder: &Path, name: &str, text: &str) -> io::Result<String> {
    let path = folder.join(name);
    if let Some(text) = stored(&path)? {
        return Ok(text);
    }
    let own = folder.join(format!("{name}-{}.{PART}", random_id()));
    write_whole(&own, text.as_bytes())?;
    // Unlike a rename, a link replaces nothing.
    let linked = fs::hard_link(&own, &path);
    fs::remove_file(&own)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => File::open(folder)?.sync_all()?,
    }
    fs::read_to_string(path)
}

const PART: &str = "part";

/// Writes a file that only this user can read, and gives it its own name once it is complete. After
/// a failure, such as a full disk, the partial file is removed at once.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let part = path.with_extension(PART);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let write = || {
        let mut file = options.open(&part)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

/// Removes the partial files of a crashed process. Recent ones may be another server's.
fn remove_left_parts(folder: &Path) -> io::Result<()> {
    let long_ago = SystemTime::now() - Duration::from_millis(limits::KYC_WRITING_MS_MAX);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_part = entry.path().extension().is_some_and(|it| it == PART);
        if is_part && entry.metadata()?.modified()? < long_ago {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back_as_it_was_put_and_is_not_readable_on_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path().join("kyc"), None).unwrap();
        files.put("a-1", b"ABCDE1234F".to_vec()).unwrap();
        assert_eq!(files.get("a-1").unwrap(), b"ABCDE1234F");
        let kept = fs::read(folder.path().join("kyc/a-1.bin")).unwrap();
        assert!(!kept.windows(5).any(|bytes| bytes == b"ABCDE"));
        // The key of the first start is used from then on.
        let again = Files::open(folder.path().join("kyc"), None).unwrap();
        assert_eq!(again.get("a-1").unwrap(), b"ABCDE1234F");
    }

    #[test]
    fn servers_that_start_at_once_have_one_key_and_one_mark() {
        let folder = tempfile::tempdir().unwrap();
        let open = || {
            let files = Files::open(folder.path().to_owned(), None).unwrap();
            (files.keyring().vault(FILES).print("one", "text"), files.mark().to_owned())
        };
        let found: Vec<_> = std::thread::scope(|scope| {
            let opening: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            opening.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the key and the mark");
    }

    #[test]
    fn a_folder_whose_disk_is_not_there_takes_no_file_and_counts_none_as_removed() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path().to_owned(), None).unwrap();
        files.put("a", b"ABCDE1234F".to_vec()).unwrap();
        let mark = folder.path().join(MARK);
        fs::rename(&mark, folder.path().join("away")).unwrap();
        assert!(files.put("b", Vec::new()).is_err() && files.remove("gone").is_err());
        fs::write(&mark, "another").unwrap();
        assert!(files.put("b", Vec::new()).is_err() && files.remove("gone").is_err());
        fs::rename(folder.path().join("away"), &mark).unwrap();
        files.remove("a").unwrap();
        files.remove("gone").unwrap();
    }

    #[test]
    fn a_file_that_was_changed_or_renamed_is_not_given_out() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path().to_owned(), None).unwrap();
        files.put("one", b"mine".to_vec()).unwrap();
        let path = folder.path().join("one.bin");
        fs::copy(&path, folder.path().join("two.bin")).unwrap();
        assert!(files.get("two").is_err());
        let mut kept = fs::read(&path).unwrap();
        *kept.last_mut().unwrap() ^= 1;
        fs::write(&path, kept).unwrap();
        assert!(files.get("one").is_err());
    }

    #[test]
    fn what_a_process_that_died_was_writing_is_removed_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["left.part", "under-way.part", "kept.bin"] {
            fs::write(at(name), b"half").unwrap();
        }
        let hour_ago = SystemTime::now() - Duration::from_secs(3_600);
        for name in ["left.part", "kept.bin"] {
            let file = File::options().write(true).open(at(name)).unwrap();
            file.set_modified(hour_ago).unwrap();
        }
        Files::open(folder.path().to_owned(), None).unwrap();
        assert!(!at("left.part").exists());
        assert!(at("under-way.part").exists() && at("kept.bin").exists());
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_half_done() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path().to_owned(), None).unwrap();
        // A folder with the same name makes the last step fail.
        fs::create_dir_all(folder.path().join("a.bin/x")).unwrap();
        assert!(files.put("a", b"ABCDE1234F".to_vec()).is_err());
        assert!(!folder.path().join("a.part").exists());
    }

    #[test]
    fn names_that_are_paths_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path().to_owned(), None).unwrap();
        for name in ["", "..", "../key", "a/b", "a.b", "a\0b"] {
            assert!(files.put(name, Vec::new()).is_err(), "{name:?}");
            assert!(files.get(name).is_err(), "{name:?}");
        }
    }
}
