//! Sealed files as they are, for backups: no key is needed to copy and to restore them.

use std::fmt;
use std::io;

use super::folder::{MARK, has_content};
use super::{HEADS, Inbound, Place, blocking, file_name};
use crate::limits;
use crate::model::settings::files_place::FilesPlace;
use crate::providers::vault::invalid_data;
use crate::random::random_id;

/// A place of sealed files. Nothing is created in it before it is filled.
#[derive(Clone, Debug)]
pub struct SealedFiles {
    place: FilesPlace,
    inbound: Inbound,
}

/// A place that takes the files of a backup.
#[derive(Clone, Debug)]
pub struct FilledPlace(Place);

impl SealedFiles {
    pub fn of(place: &FilesPlace) -> io::Result<SealedFiles> {
        Ok(SealedFiles { place: place.clone(), inbound: Inbound::open(place)? })
    }

    /// Returns the mark of the place; `None` if it has none yet.
    pub async fn mark(&self) -> io::Result<Option<String>> {
        let Some(mark) = self.inbound.read(MARK, limits::BUCKET_TEXT_BYTES_MAX).await? else {
            return Ok(None);
        };
        let mark = String::from_utf8(mark).map_err(|_| invalid_data("the mark is no text"))?;
        Ok(Some(mark.trim().to_owned()))
    }

    /// Returns a file as it is sealed; `None` if it is not there.
    pub async fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let most = limits::SEALED_FILE_BYTES_MAX;
        match self.inbound.read(&file_name(name)?, most).await? {
            Some(sealed) if sealed.len() > most => Err(invalid_data("a sealed file is too large")),
            sealed => Ok(sealed),
        }
    }

    /// True if there is something besides the mark and the key.
    pub async fn has_content(&self) -> io::Result<bool> {
        match &self.inbound {
            Inbound::Folder(folder) => {
                let folder = folder.clone();
                blocking(move || has_content(&folder)).await
            }
            Inbound::Bucket(bucket) => {
                Ok(bucket.has_others(MARK).await? || bucket.last(HEADS, "").await?.is_some())
            }
        }
    }

    /// Begins to fill the place, which gets this mark, else one of its own.
    ///
    /// # Errors
    /// Fails if the place has another mark already.
    pub async fn fill(&self, mark: Option<&str>) -> io::Result<FilledPlace> {
        let place = Place::open(&self.place, mark.map_or_else(random_id, str::to_owned)).await?;
        match mark.is_none_or(|mark| mark == place.mark()) {
            true => Ok(FilledPlace(place)),
            false => Err(invalid_data("the place has got another mark")),
        }
    }
}

impl FilledPlace {
    /// Stores a file that is sealed already. It is kept when this returns.
    pub async fn put(&self, name: &str, sealed: Vec<u8>) -> io::Result<()> {
        self.0.put(file_name(name)?, sealed).await
    }
}

impl fmt::Display for SealedFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.place, f)
    }
}
