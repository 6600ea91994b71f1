//! Files in a folder, written so that a power cut leaves either the whole file or none.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::bucket::StoredFile;
use crate::error::removed;
use crate::limits;
use crate::model::settings::files_key::{FilesKey, FilesKeys, KEY_BYTES};
use crate::providers::vault::invalid_data;
use crate::random::{random_bytes, random_id};

/// Cheap to clone. Its calls block: do not call it on async threads.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    mark: Arc<str>,
}

impl Folder {
    /// Opens the folder, and creates it if needed. One without a mark gets this one.
    pub fn open(path: PathBuf, mark: &str) -> io::Result<Folder> {
        // Others of this machine see not even its names.
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&path)?;
        remove_left_parts(&path)?;
        let mark = Arc::from(first(&path, MARK, mark)?.trim());
        Ok(Folder { path, mark })
    }

    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// Returns the key in the folder, and creates it if needed. That is enough for trials, but does
    /// not protect the files on a stolen disk.
    pub fn own_key(&self) -> io::Result<FilesKeys> {
        let key = FilesKey::new(random_bytes::<KEY_BYTES>());
        parse_key(&first(&self.path, KEY, &key.to_base64())?)
    }

    /// Stores a file. It is on the disk when this returns.
    pub fn put(&self, name: &str, content: &[u8]) -> io::Result<()> {
        self.check_mark()?;
        write_whole(&self.path.join(name), content)?;
        File::open(&self.path)?.sync_all()
    }

    pub fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(self.path.join(name))
    }

    /// Returns the first bytes of a file.
    pub fn head(&self, name: &str, bytes: u64) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        File::open(self.path.join(name))?.take(bytes).read_to_end(&mut head)?;
        Ok(head)
    }

    /// Removes a file. A missing file is no error.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.check_mark()?;
        removed(fs::remove_file(self.path.join(name)))?;
        File::open(&self.path)?.sync_all()
    }

    /// Returns files in the order of their names, after this name.
    pub fn list(&self, after: &str, most: usize) -> io::Result<Vec<StoredFile>> {
        self.check_mark()?;
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let name = entry?.file_name().into_string();
            names.extend(name.ok().filter(|name| name.as_str() > after));
        }
        names.sort_unstable();
        let mut listed = Vec::new();
        for name in names.into_iter().take(most) {
            match fs::metadata(self.path.join(&name)) {
                Ok(found) => {
                    let since = found.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
                    let modified_ms = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
                    listed.push(StoredFile { name, modified_ms });
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(listed)
    }

    /// Fails if the folder is not the one of the start. An empty folder below a disk that was
    /// unmounted must take no file, and tells nothing about files.
    fn check_mark(&self) -> io::Result<()> {
        match stored_mark(&self.path)? {
            Some(mark) if mark == *self.mark => Ok(()),
            _ => Err(io::Error::new(ErrorKind::NotFound, "the folder has another mark, or none")),
        }
    }
}

/// The name of the file by which a place is recognised.
pub(super) const MARK: &str = "mark";

/// The name of the key's file in the folder.
const KEY: &str = "key";

/// Returns the key that is stored in the folder itself; `None` if none is.
pub fn stored_key(folder: &Path) -> io::Result<Option<FilesKeys>> {
    stored(&folder.join(KEY))?.map(|text| parse_key(&text)).transpose()
}

/// Returns the mark of a folder; `None` if it has none yet.
pub fn stored_mark(folder: &Path) -> io::Result<Option<String>> {
    Ok(stored(&folder.join(MARK))?.map(|mark| mark.trim().to_owned()))
}

/// True if there is something besides the mark and the key.
pub(super) fn has_content(folder: &Path) -> io::Result<bool> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name();
        if name != MARK && name != KEY {
            return Ok(true);
        }
    }
    Ok(false)
}

fn stored(path: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
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
    let named = or_renamed(fs::hard_link(&own, &path), &own, &path);
    removed(fs::remove_file(&own))?;
    match named {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => File::open(folder)?.sync_all()?,
    }
    fs::read_to_string(path)
}

/// Renames a file that could not be linked, as its disk knows no links. One that has the name
/// already stays.
fn or_renamed(linked: io::Result<()>, own: &Path, path: &Path) -> io::Result<()> {
    let no_links = [ErrorKind::PermissionDenied, ErrorKind::Unsupported];
    match linked {
        Err(error) if no_links.contains(&error.kind()) && !path.exists() => fs::rename(own, path),
        Err(error) if no_links.contains(&error.kind()) => Ok(()),
        linked => linked,
    }
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
        // One that is gone by now was another server's.
        let modified = entry.metadata().and_then(|found| found.modified());
        if is_part && modified.is_ok_and(|modified| modified < long_ago) {
            removed(fs::remove_file(entry.path()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        Folder::open(folder.path().to_owned(), &random_id()).unwrap();
        assert!(!at("left.part").exists());
        assert!(at("under-way.part").exists() && at("kept.bin").exists());
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_half_done() {
        let folder = tempfile::tempdir().unwrap();
        let files = Folder::open(folder.path().to_owned(), &random_id()).unwrap();
        // A folder with the same name makes the last step fail.
        fs::create_dir_all(folder.path().join("a.bin/x")).unwrap();
        assert!(files.put("a.bin", b"ABCDE1234F").is_err());
        assert!(!folder.path().join("a.part").exists());
    }

    #[test]
    fn a_folder_whose_disk_is_not_there_takes_no_file_and_counts_none_as_removed() {
        let folder = tempfile::tempdir().unwrap();
        let files = Folder::open(folder.path().to_owned(), &random_id()).unwrap();
        files.put("a", b"ABCDE1234F").unwrap();
        let mark = folder.path().join(MARK);
        fs::rename(&mark, folder.path().join("away")).unwrap();
        assert!(files.put("b", b"").is_err() && files.remove("gone").is_err());
        fs::write(&mark, "another").unwrap();
        assert!(files.put("b", b"").is_err() && files.remove("gone").is_err());
        fs::rename(folder.path().join("away"), &mark).unwrap();
        files.remove("a").unwrap();
        files.remove("gone").unwrap();
    }

    #[test]
    fn servers_that_start_at_once_have_one_key_and_one_mark() {
        let folder = tempfile::tempdir().unwrap();
        let open = || {
            let files = Folder::open(folder.path().to_owned(), &random_id()).unwrap();
            (files.own_key().unwrap().current().key.to_base64(), files.mark().to_owned())
        };
        let found: Vec<_> = std::thread::scope(|scope| {
            let opening: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            opening.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the key and the mark");
    }

    #[test]
    fn a_disk_without_links_keeps_the_first_text_as_well() {
        let folder = tempfile::tempdir().unwrap();
        let (own, path) = (folder.path().join("own.part"), folder.path().join(MARK));
        for text in ["first", "second"] {
            fs::write(&own, text).unwrap();
            or_renamed(Err(ErrorKind::Unsupported.into()), &own, &path).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        }
        assert!(or_renamed(Err(ErrorKind::StorageFull.into()), &own, &path).is_err());
    }

    #[test]
    fn files_are_listed_by_their_names_from_any_name_on() {
        let folder = tempfile::tempdir().unwrap();
        let files = Folder::open(folder.path().to_owned(), &random_id()).unwrap();
        for name in ["c.bin", "a.bin", "b.bin"] {
            files.put(name, b"x").unwrap();
        }
        let names = |after, most| {
            let listed = files.list(after, most).unwrap().into_iter();
            listed.map(|it| it.name).collect::<Vec<_>>()
        };
        assert_eq!(names("", 9), ["a.bin", "b.bin", "c.bin", MARK]);
        assert_eq!(names("a.bin", 1), ["b.bin"]);
        assert!(files.list("", 9).unwrap().iter().all(|it| it.modified_ms > 0));
    }
}
