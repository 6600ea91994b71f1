//! Customers' uploaded documents: encrypted before they are stored in a folder or a bucket, under
//! random names.

mod bucket;
mod folder;
mod sealed;

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::task::spawn_blocking;

use self::bucket::Bucket;
use self::folder::{Folder, MARK};
use super::vault::{FILES, Keyring, Vault, invalid_data, key_of};
use crate::limits;
use crate::model::money::hash_chain::ChainHead;
use crate::model::settings::files_key::FilesKeys;
use crate::model::settings::files_place::{BucketConfig, FilesPlace};
use crate::random::random_id;

pub use self::bucket::StoredFile;
pub(crate) use self::folder::write_whole;
pub use self::folder::{stored_key, stored_mark};
pub use self::sealed::{FilledPlace, SealedFiles};

/// The part of a bucket with heads of the books. It is no place of documents.
const HEADS: &str = "heads";

/// The end of the names of sealed files.
const SEALED: &str = ".bin";

/// Encrypted files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Files {
    place: Place,
    /// The place for operators.
    shown: Arc<str>,
    /// The place had its mark before it was opened.
    had_mark: bool,
    keyring: Keyring,
    vault: Vault,
}

#[derive(Clone, Debug)]
enum Place {
    Folder(Folder),
    Bucket { bucket: Bucket, mark: Arc<str> },
}

impl Place {
    /// Opens a place. A folder is created if needed, and a place without a mark gets this one.
    async fn open(place: &FilesPlace, mark: String) -> io::Result<Place> {
        match place {
            FilesPlace::Folder(path) => {
                let path = path.clone();
                blocking(move || Folder::open(path, &mark)).await.map(Place::Folder)
            }
            FilesPlace::Bucket(config) => {
                let bucket = Bucket::open(config)?;
                let mark = Arc::from(bucket.first(MARK, &mark).await?.trim());
                Ok(Place::Bucket { bucket, mark })
            }
        }
    }

    fn mark(&self) -> &str {
        match self {
            Place::Folder(folder) => folder.mark(),
            Place::Bucket { mark, .. } => mark,
        }
    }

    /// Stores a sealed file. It is kept when this returns.
    async fn put(&self, file: String, sealed: Vec<u8>) -> io::Result<()> {
        match self {
            Place::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || folder.put(&file, &sealed)).await
            }
            Place::Bucket { bucket, .. } => bucket.put(&file, sealed).await,
        }
    }
}

impl Files {
    /// Opens a place. A folder is created if needed, and so is, without configured keys, a key in
    /// it.
    pub async fn open(place: &FilesPlace, keys: Option<&FilesKeys>) -> io::Result<Files> {
        let shown = Arc::from(place.to_string());
        let own_mark = random_id();
        let place = Place::open(place, own_mark.clone()).await?;
        let had_mark = place.mark() != own_mark;
        let keys = match (keys, &place) {
            (Some(keys), _) => keys.clone(),
            (None, Place::Folder(folder)) => {
                let folder = folder.clone();
                blocking(move || folder.own_key()).await?
            }
            (None, Place::Bucket { .. }) => {
                return Err(invalid_data("a bucket needs configured keys"));
            }
        };
        let keyring = Keyring::new(keys);
        Ok(Files { place, shown, had_mark, vault: keyring.vault(FILES), keyring })
    }

    /// Returns a text by which this place is recognised: all servers have the same.
    pub fn mark(&self) -> &str {
        self.place.mark()
    }

    /// True if the place had its mark and documents before it was opened, whatever database knows
    /// them.
    pub async fn had_documents(&self) -> io::Result<bool> {
        let most = limits::KYC_COMPARED_TOGETHER;
        Ok(self.had_mark && !self.list("", most).await?.is_empty())
    }

    /// Returns the place, for operators.
    pub fn place(&self) -> String {
        self.shown.to_string()
    }

    /// Returns the keys, for encrypted values in the database.
    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Stores a file under a name that we generated. It is kept when this returns.
    pub async fn put(&self, name: &str, content: Vec<u8>) -> io::Result<()> {
        let (file, vault, name) = (file_name(name)?, self.vault.clone(), name.to_owned());
        // It opens only under its own name, so one file cannot be passed off as another.
        let sealed = blocking(move || vault.seal(&name, content)).await?;
        self.place.put(file, sealed).await
    }

    pub async fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        let (file, vault, name) = (file_name(name)?, self.vault.clone(), name.to_owned());
        match &self.place {
            Place::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || vault.open(&name, &folder.get(&file)?)).await
            }
            Place::Bucket { bucket, .. } => {
                let sealed = bucket.get(&file, limits::SEALED_FILE_BYTES_MAX).await?;
                blocking(move || vault.open(&name, &sealed)).await
            }
        }
    }

    /// Returns the id of a file's key; `None` for a file that is not sealed.
    pub async fn key_of(&self, name: &str) -> io::Result<Option<String>> {
        let (file, most) = (file_name(name)?, limits::SEALED_HEAD_BYTES_MAX);
        let head = match &self.place {
            Place::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || folder.head(&file, most)).await?
            }
            Place::Bucket { bucket, .. } => bucket.head(&file, most).await?,
        };
        Ok(key_of(&head).map(str::to_owned))
    }

    /// Removes a file. A missing file is no error, as long as the place is there.
    pub async fn remove(&self, name: &str) -> io::Result<()> {
        let file = file_name(name)?;
        match &self.place {
            Place::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || folder.remove(&file)).await
            }
            Place::Bucket { bucket, mark } => match bucket.remove(&file).await {
                Err(error) if error.kind() == ErrorKind::NotFound => check_mark(bucket, mark).await,
                removed => removed,
            },
        }
    }

    /// Keeps a head of the books, if the place is a bucket: a folder is beside the database. One of
    /// the same number that is there stays.
    pub async fn keep_head(&self, head: &ChainHead) -> io::Result<()> {
        if let Place::Bucket { bucket, .. } = &self.place {
            bucket.first(&head_name(head.seq), &head.to_string()).await?;
        }
        Ok(())
    }

    /// Returns the newest head of the books that was kept; `None` of a folder. Heads before this
    /// number are only looked at if there is none from it on.
    pub async fn newest_head(&self, from: i64) -> io::Result<Option<ChainHead>> {
        let Place::Bucket { bucket, .. } = &self.place else { return Ok(None) };
        let name = match bucket.last(HEADS, &number_name(from.saturating_sub(1))).await? {
            None => bucket.last(HEADS, &number_name(0)).await?,
            found => found,
        };
        let Some(name) = name else { return Ok(None) };
        let head = bucket.text(&format!("{HEADS}/{name}")).await?;
        head.trim().parse().map(Some).map_err(|_| invalid_data("a kept head is not readable"))
    }

    /// Returns sealed files in the order of their names, after this name; of all files, it looks at
    /// so many at most. The list of a bucket may miss files, and have some that are gone.
    pub async fn list(&self, after: &str, most: usize) -> io::Result<Vec<StoredFile>> {
        let after = after.to_owned();
        let listed = match &self.place {
            Place::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || folder.list(&after, most)).await?
            }
            Place::Bucket { bucket, mark } => {
                check_mark(bucket, mark).await?;
                bucket.list(&after, most).await?
            }
        };
        let sealed = listed.into_iter().filter_map(|it| {
            let name = it.name.strip_suffix(SEALED).filter(|name| file_name(name).is_ok())?;
            Some(StoredFile { name: name.to_owned(), modified_ms: it.modified_ms })
        });
        Ok(sealed.collect())
    }
}

/// Stores, reads and removes an object of no meaning, and returns the mark of a bucket; `None` if
/// it has none yet.
pub async fn probe(config: &BucketConfig) -> io::Result<Option<String>> {
    let bucket = Bucket::open(config)?;
    let (name, text) = (format!("probe-{}", random_id()), random_id());
    bucket.put(&name, text.clone().into_bytes()).await?;
    let read = bucket.text(&name).await;
    bucket.remove(&name).await?;
    if read? != text {
        return Err(invalid_data("the bucket returned what was not stored"));
    }
    match bucket.text(MARK).await {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        mark => Ok(Some(mark?.trim().to_owned())),
    }
}

/// Lists one object of a bucket, if there is one.
pub async fn list_one(config: &BucketConfig) -> io::Result<()> {
    Bucket::open(config)?.list("", 1).await.map(drop)
}

/// Fails if the bucket is not the one of the start.
async fn check_mark(bucket: &Bucket, mark: &str) -> io::Result<()> {
    match bucket.text(MARK).await? {
        found if found.trim() == mark => Ok(()),
        _ => Err(invalid_data("the bucket has another mark")),
    }
}

/// Returns the name of the file that is stored.
fn file_name(name: &str) -> io::Result<String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    match !name.is_empty() && name.bytes().all(plain) {
        true => Ok(format!("{name}{SEALED}")),
        false => Err(invalid_data("not a name of ours")),
    }
}

/// Returns the name of a head of the books: names have the order of the numbers.
fn head_name(seq: i64) -> String {
    format!("{HEADS}/{}", number_name(seq))
}

fn number_name(seq: i64) -> String {
    format!("{seq:020}")
}

pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}

/// Files that operators store, such as the gateway's reports. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Inbound {
    Folder(PathBuf),
    Bucket(Bucket),
}

impl Inbound {
    /// Names a place. It is not opened before it is used.
    pub fn open(place: &FilesPlace) -> io::Result<Inbound> {
        Ok(match place {
            FilesPlace::Folder(folder) => Inbound::Folder(folder.clone()),
            FilesPlace::Bucket(config) => Inbound::Bucket(Bucket::open(config)?),
        })
    }

    /// Reads a file, if it is there, up to slightly more than this size. A larger object is an
    /// error.
    pub async fn read(&self, name: &str, most: usize) -> io::Result<Option<Vec<u8>>> {
        let read = match self {
            Inbound::Folder(folder) => {
                let file = folder.join(name);
                let most = most as u64 + 1;
                blocking(move || {
                    let mut bytes = Vec::new();
                    File::open(file)?.take(most).read_to_end(&mut bytes)?;
                    Ok(bytes)
                })
                .await
            }
            Inbound::Bucket(bucket) => bucket.get(name, most).await,
        };
        match read {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn in_folder(path: PathBuf) -> FilesPlace {
        FilesPlace::Folder(path)
    }

    #[tokio::test]
    async fn a_file_comes_back_as_it_was_put_and_is_not_readable_on_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(&in_folder(folder.path().join("kyc")), None).await.unwrap();
        files.put("a-1", b"ABCDE1234F".to_vec()).await.unwrap();
        assert_eq!(files.get("a-1").await.unwrap(), b"ABCDE1234F");
        let kept = fs::read(folder.path().join("kyc/a-1.bin")).unwrap();
        assert!(!kept.windows(5).any(|bytes| bytes == b"ABCDE"));
        // The key of the first start is used from then on.
        let again = Files::open(&in_folder(folder.path().join("kyc")), None).await.unwrap();
        assert_eq!(again.get("a-1").await.unwrap(), b"ABCDE1234F");
    }

    #[tokio::test]
    async fn a_file_that_was_changed_or_renamed_is_not_given_out() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(&in_folder(folder.path().to_owned()), None).await.unwrap();
        files.put("one", b"mine".to_vec()).await.unwrap();
        let path = folder.path().join("one.bin");
        fs::copy(&path, folder.path().join("two.bin")).unwrap();
        assert!(files.get("two").await.is_err());
        let mut kept = fs::read(&path).unwrap();
        *kept.last_mut().unwrap() ^= 1;
        fs::write(&path, kept).unwrap();
        assert!(files.get("one").await.is_err());
    }

    #[tokio::test]
    async fn names_that_are_paths_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(&in_folder(folder.path().to_owned()), None).await.unwrap();
        for name in ["", "..", "../key", "a/b", "a.b", "a\0b"] {
            assert!(files.put(name, Vec::new()).await.is_err(), "{name:?}");
            assert!(files.get(name).await.is_err(), "{name:?}");
        }
    }
}
