//! Backups, and the end of a restoring.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;
use tokio::task::spawn_blocking;

use super::{ActOutcome, Operators, nothing_to_do, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::backup::{BACKUP_FORM, BackupEngine, BackupManifest};
use crate::model::booking::documents::invoice::{DocumentKind, DocumentSeries};
use crate::model::operator::{ActResult, format_count};
use crate::providers::backup_folder::BackupFolder;
use crate::providers::files::SealedFiles;
use crate::services::shared_facts;
use crate::store::copies::CopyFacts;
use crate::store::{self, Backend, encrypted_columns};

#[derive(Debug, Serialize)]
pub struct BackupOutcome {
    /// The head of the books in the backup.
    pub head: Option<String>,
    pub files: usize,
    pub bytes: u64,
    /// The ids of the keys that a restored server needs.
    pub keys: Vec<String>,
    /// Identity documents whose files are missing.
    pub without_file: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct RestoreOutcome {
    pub begun_at: i64,
    pub head: Option<String>,
    pub rows: BTreeMap<String, i64>,
    /// Files and keys that are missing, each in a sentence.
    pub missing: Vec<String>,
    /// Differences between the restored database and the backup's list.
    pub faults: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct ResumeOutcome {
    pub restored_at: i64,
    /// The numbers of documents that are not given again.
    pub left_out: Vec<NumbersLeftOut>,
}

#[derive(Debug, Serialize)]
pub struct NumbersLeftOut {
    pub from: String,
    pub to: String,
}

impl Operators {
    /// Copies the database and the sealed files into a new folder, while servers work. The database
    /// is copied first: files are written before the rows that name them. Its rows name the files,
    /// as the list of a bucket may be behind.
    ///
    /// # Errors
    /// `Conflict` for a restored database that waits; `Internal` with the mismatch if the place is
    /// not the one of its documents; `NeedsOperator` if a program of Postgres is missing or fails;
    /// `Storage` if a disk or a bucket fails. The folder has no list then.
    pub async fn back_up(
        &self,
        files: &SealedFiles,
        to: BackupFolder,
    ) -> Result<ActResult<BackupOutcome>> {
        let store = &self.core.store;
        if store::restored::find(&mut *store.read().await?).await?.is_some() {
            return Err(Error::Conflict {
                code: "restored",
                message: "This database was restored and waits for `dakiya resume`: the backup of \
                          it is the one that it comes from."
                    .into(),
            });
        }
        let shared = store::shared_facts::all(&mut *store.read().await?).await?;
        let mark = files.mark().await.map_err(Error::internal)?;
        shared_facts::compare_mark(&shared, mark.as_deref(), &files.to_string())
            .map_err(Error::internal)?;
        let begun_at = self.core.clock.now_ms();
        let arguments = json!({"to": to.path().display().to_string()});
        let action = self.act("backup", arguments, |_| {
            Box::pin(async move {
                let outcome = "Begun.".to_owned();
                Ok(ActOutcome { reference: String::new(), outcome, result: () })
            })
        });
        let action = action.await?;
        self.seal().await;
        let engine = match store.backend() {
            Backend::Sqlite => BackupEngine::Sqlite,
            Backend::Postgres => BackupEngine::Postgres,
        };
        let facts = store::copies::copy(store, &to.database(engine)).await?;
        let CopyFacts { schema, head, rows, mut keys, shared, documents } = facts;
        let copied = to.take_files(files, &documents).await.map_err(Error::not_stored)?;
        let absent = documents.into_iter().filter(|name| !copied.names.contains(name));
        let without_file = self.still_wanted(absent).await?;
        keys.extend(copied.keys);
        let names = copied.names;
        let manifest = BackupManifest {
            form: BACKUP_FORM,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema,
            engine,
            begun_at,
            head: head.map(|head| head.to_string()),
            rows,
            keys,
            shared,
            files: Vec::new(),
            without_file,
        };
        let finishing = spawn_blocking(move || {
            let manifest = BackupManifest { files: to.list(engine, &names)?, ..manifest };
            to.finish(&manifest).map(|()| manifest)
        });
        let manifest = finishing.await.map_err(Error::internal)?.map_err(Error::not_stored)?;
        Ok(ActResult {
            outcome: "The backup is whole.".to_owned(),
            dry_run: action.dry_run,
            action: action.action,
            entries: Vec::new(),
            result: BackupOutcome {
                head: manifest.head,
                files: manifest.files.len(),
                bytes: manifest.files.iter().map(|file| file.bytes).sum(),
                keys: manifest.keys.into_iter().collect(),
                without_file: manifest.without_file,
            },
        })
    }

    /// Returns those documents that were not deleted meanwhile.
    async fn still_wanted(&self, documents: impl Iterator<Item = String>) -> Result<Vec<String>> {
        let mut wanted = Vec::new();
        for document in documents {
            let mut conn = self.core.store.read().await?;
            if !encrypted_columns::is_deleted(&mut conn, &document).await? {
                wanted.push(document);
            }
        }
        Ok(wanted)
    }

    /// Compares the restored database with the backup's list: audits the books from their first
    /// transaction, and compares their head, rows and keys. The result is recorded.
    pub async fn check_restored(
        &self,
        manifest: &BackupManifest,
        missing: Vec<String>,
    ) -> Result<ActResult<RestoreOutcome>> {
        let store = &self.core.store;
        let audit = store.audit(manifest.chain_head().as_ref()).await?;
        let mut faults: Vec<String> = audit.faults.into_iter().map(|fault| fault.text).collect();
        let head = audit.head.map(|head| head.to_string());
        if head != manifest.head {
            let shown = |head: &Option<String>| head.clone().unwrap_or("none".to_owned());
            let (found, expected) = (shown(&head), shown(&manifest.head));
            faults.push(format!("The head of the books is {found} and was {expected}."));
        }
        let rows = store::copies::count_rows(&mut *store.read().await?).await?;
        for (table, expected) in &manifest.rows {
            let found = rows.get(table).copied().unwrap_or_default();
            if found != *expected {
                faults.push(format!("The table {table} has {found} rows and had {expected}."));
            }
        }
        if store::shared_facts::all(&mut *store.read().await?).await? != manifest.shared {
            let words = "The database has other keys or documents than the list says.";
            faults.push(words.to_owned());
        }
        let outcome = match faults.len() {
            0 => "Restored as it was; servers wait for `dakiya resume`.".to_owned(),
            faults => format!("Restored with {}.", format_count(faults, "fault")),
        };
        let begun_at = manifest.begun_at;
        let counted = json!({"begun_at": begun_at, "head": head, "missing": missing.len()});
        let action = self.act("restore", counted, move |_| {
            let result = RestoreOutcome { begun_at, head, rows, missing, faults };
            Box::pin(async move { Ok(ActOutcome { reference: String::new(), outcome, result }) })
        });
        action.await
    }

    /// Lets servers work on a restored database. The next `gap` numbers of each series of documents
    /// are left out: customers may have got them after the backup. Orders that were not sent to
    /// their couriers before the backup may have been sent after it, and are looked up.
    ///
    /// # Errors
    /// `Fields` for a gap that is too large; `Conflict` for a database that does not wait, or whose
    /// restoring did not end well.
    pub async fn resume(&self, gap: i64, why: &str) -> Result<ActResult<ResumeOutcome>> {
        if !(0..=limits::INVOICE_GAP_MAX).contains(&gap) {
            let most = limits::INVOICE_GAP_MAX;
            return Err(Error::field("invoice_gap", format!("The gap is 0 to {most} numbers.")));
        }
        let (why, now_ms) = (reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"reason": why, "invoice_gap": gap});
        let action = self.act("resume", arguments, move |conn| {
            Box::pin(async move {
                if store::restored::is_unfinished(conn).await? {
                    return Err(Error::Conflict {
                        code: "restore_unfinished",
                        message: "The restoring of this database broke off or found faults: drop \
                                  it, and restore the backup again."
                            .into(),
                    });
                }
                let Some(restored_at) = store::restored::clear(conn).await? else {
                    return Err(nothing_to_do("This database does not wait: servers work on it."));
                };
                store::courier_orders::suppose_called(conn, now_ms).await?;
                let mut left_out = Vec::new();
                for kind in DocumentKind::ALL.into_iter().filter(|_| gap > 0) {
                    let series = DocumentSeries::at(kind, now_ms);
                    let lasts = store::invoices::leave_out(conn, &series, gap, now_ms).await?;
                    left_out.extend(lasts.into_iter().map(|(code, last)| {
                        let printed = |number| kind.number(&series.financial_year, code, number);
                        NumbersLeftOut { from: printed(last + 1), to: printed(last + gap) }
                    }));
                }
                Ok(ActOutcome {
                    reference: String::new(),
                    outcome: "Servers work on this database from now on.".to_owned(),
                    result: ResumeOutcome { restored_at, left_out },
                })
            })
        });
        action.await
    }
}
