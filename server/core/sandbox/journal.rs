//! The state file: one JSON record per line; the last record of an id is valid.
//!
//! A record is appended before the reply about it is sent, so an order survives a killed process
//! (but not a power cut: the file is not synced). Opening the file drops an incomplete last line
//! and rewrites the rest, with a rename.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::providers::files::write_whole;

/// The open state file; without one, the default, records are only in memory.
#[derive(Debug, Default)]
pub(super) struct Journal {
    file: Option<File>,
}

impl Journal {
    /// Reads the records of the file, oldest first. A missing file counts as empty.
    pub fn read<R: DeserializeOwned>(path: &Path) -> io::Result<Vec<R>> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines = whole.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from));
        lines.collect()
    }

    /// Replaces the file by these records and keeps it open for more.
    pub fn rewrite(path: &Path, records: &[impl Serialize]) -> io::Result<Journal> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut text = Vec::new();
        for record in records {
            serde_json::to_writer(&mut text, record)?;
            text.push(b'\n');
        }
        write_whole(path, &text)?;
        let file = OpenOptions::new().append(true).open(path)?;
        Ok(Journal { file: Some(file) })
    }

    /// Appends a record. A write error is logged, and the sandbox continues in memory.
    pub fn append(&mut self, record: &impl Serialize) {
        let Some(file) = &mut self.file else { return };
        let mut line = serde_json::to_vec(record).expect("records are plain data");
        line.push(b'\n');
        if let Err(error) = file.write_all(&line) {
            tracing::error!(%error, "the sandbox cannot write its state file");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_off_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/state.jsonl");
        let mut journal = Journal::rewrite(&path, &["one"]).unwrap();
        journal.append(&"two");
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(br#""thr"#).unwrap();
        assert_eq!(Journal::read::<String>(&path).unwrap(), ["one", "two"]);
    }
}
