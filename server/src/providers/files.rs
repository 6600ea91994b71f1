//! Files that people gave us: encrypted at rest, named at random, written so that a power cut
//! leaves either the whole file or none.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

use super::secret::Secret;
use super::vault::{KEY_BYTES, Vault};
use crate::random::random_bytes;

/// A folder of encrypted files. Cheap to clone. Its calls block: keep them off async threads.
#[derive(Clone, Debug)]
pub struct Files {
    folder: PathBuf,
    vault: Vault,
    /// Makes keys for other purposes.
    root: hmac::Key,
}

impl Files {
    /// Opens the folder, making it if need be.
    ///
    /// Without a key from the configuration (32 bytes in base64) one is made and kept in the
    /// folder itself: good for trying things out, no protection of a stolen disk.
    pub fn open(folder: PathBuf, key: Option<&Secret>) -> io::Result<Files> {
        fs::create_dir_all(&folder)?;
        let key = match key {
            Some(key) => decode(key.expose())?,
            None => own_key(&folder.join("key"))?,
        };
        let root = hmac::Key::new(hmac::HMAC_SHA256, &key);
        Ok(Files {
            folder,
            vault: Vault::new(&key),
            root,
        })
    }

    /// A key for sealing something else that the data base must not give away. It follows from
    /// the key of the files, which does not follow from it.
    pub fn sealing_key(&self, purpose: &str) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, &self.derived(purpose))
    }

    /// The same for what the data base keeps and must be read again.
    pub fn vault(&self, purpose: &str) -> Vault {
        Vault::new(&self.derived(purpose))
    }

    fn derived(&self, purpose: &str) -> [u8; KEY_BYTES] {
        let key = hmac::sign(&self.root, purpose.as_bytes());
        key.as_ref().try_into().expect("SHA-256 gives 32 bytes")
    }

    /// Keeps a file under a name of our own making. It is on the disk when this returns.
    pub fn put(&self, name: &str, content: Vec<u8>) -> io::Result<()> {
        let whole = self.path(name)?;
        // The name is sealed with it: files cannot be passed off as one another.
        let sealed = self.vault.seal(name, content)?;
        let part = whole.with_extension("part");
        let mut file = private(&part)?;
        file.write_all(&sealed)?;
        file.sync_all()?;
        fs::rename(&part, &whole)?;
        File::open(&self.folder)?.sync_all()
    }

    /// The content of a file, as it was put.
    pub fn get(&self, name: &str) -> io::Result<Vec<u8>> {
        self.vault.open(name, fs::read(self.path(name)?)?)
    }

    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        match !name.is_empty() && name.bytes().all(plain) {
            true => Ok(self.folder.join(format!("{name}.bin"))),
            false => Err(broken("not a name of ours")),
        }
    }
}

/// Whether a text is a key as [`Files::open`] takes it.
pub fn is_key(text: &str) -> bool {
    decode(text).is_ok()
}

fn decode(text: &str) -> io::Result<[u8; KEY_BYTES]> {
    let bytes = STANDARD.decode(text.trim()).ok();
    let key = bytes.and_then(|bytes| bytes.try_into().ok());
    key.ok_or_else(|| broken("not 32 bytes in base64"))
}

fn own_key(path: &Path) -> io::Result<[u8; KEY_BYTES]> {
    match fs::read_to_string(path) {
        Ok(text) => decode(&text),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = random_bytes::<KEY_BYTES>();
            let mut file = private(path)?;
            file.write_all(STANDARD.encode(key).as_bytes())?;
            file.sync_all()?;
            Ok(key)
        }
        Err(error) => Err(error),
    }
}

/// A new file that only we can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path)
}

fn broken(words: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, words)
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
        // The key made the first time is the key from then on.
        let again = Files::open(folder.path().join("kyc"), None).unwrap();
        assert_eq!(again.get("a-1").unwrap(), b"ABCDE1234F");
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
    fn names_that_are_paths_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(folder.path().to_owned(), None).unwrap();
        for name in ["", "..", "../key", "a/b", "a.b", "a\0b"] {
            assert!(files.put(name, Vec::new()).is_err(), "{name:?}");
            assert!(files.get(name).is_err(), "{name:?}");
        }
    }
}
