//! The keys that encrypt uploaded documents.

use super::reader::Reader;
use super::secrets::content;
use super::{Config, ConfigError};
use crate::model::settings::files_key::FilesKeys;

impl Reader<'_> {
    /// If they are required, uploaded documents are encrypted with keys that are kept elsewhere.
    pub(super) fn files_keys(&mut self, are_required: bool) -> Option<FilesKeys> {
        const NAME: &str = "DAKIYA_FILES_KEY";
        let keys = match are_required {
            true => self.required(NAME),
            false => self.get(NAME)?.to_owned(),
        };
        let parsed = keys.parse().ok();
        if parsed.is_none() && !keys.is_empty() {
            let expected = "32 random bytes in base64 (openssl rand -base64 32), or a list of such \
                          keys like 2027:…,2026:… whose first seals";
            self.add_problem(NAME, expected);
        }
        parsed
    }
}

impl Config {
    /// Reads the file of the keys again; `None` if they do not come from a file.
    ///
    /// # Errors
    /// Fails if the file cannot be read or holds no keys.
    pub fn read_files_keys(&self) -> Result<Option<FilesKeys>, ConfigError> {
        let Some(file) = &self.files_keys_file else {
            return Ok(None);
        };
        let wrong = |what: String| ConfigError(vec![format!("  DAKIYA_FILES_KEY_FILE: {what}")]);
        let text = content(file).map_err(|error| wrong(error.to_string()))?;
        let keys = text.parse().map_err(|_| wrong("it holds no keys".into()))?;
        Ok(Some(keys))
    }
}
