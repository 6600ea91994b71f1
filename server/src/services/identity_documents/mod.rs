//! Identity documents: two different ones of one kind of organization, uploaded once and used
//! for as many bookings as the customer likes.

use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;

use super::core::Core;
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::model::account::security_event::{SecurityAct, SecurityEvent};
use crate::model::account::session::CurrentUser;
use crate::model::booking::details::KycInfo;
use crate::model::calendar::date_in_india;
use crate::model::kyc::file::{self, FileKind};
use crate::model::kyc::{
    EarlierUpload, IdentityDocument, PATH, RawFile, RawUpload, UploadedDocuments, choose, number,
    pair, path,
};
use crate::providers::files::Files;
use crate::random::random_id;
use crate::store::{self, Conn};

/// Takes in and keeps customers' identity documents. Cheap to clone.
#[derive(Clone, Debug)]
pub struct IdentityDocuments {
    core: Core,
    files: Files,
    desk: Arc<UploadDesk>,
}

impl IdentityDocuments {
    pub fn new(core: Core, files: Files) -> IdentityDocuments {
        IdentityDocuments {
            core,
            files,
            desk: Arc::default(),
        }
    }

    /// The right to send documents now.
    ///
    /// # Errors
    /// `Busy` when too many are being sent.
    pub fn enter(&self) -> Result<SemaphorePermit<'_>> {
        let message = "Many documents are being uploaded just now. Please try again.";
        self.desk
            .uploads
            .try_acquire()
            .map_err(|_| Error::Busy(message.into()))
    }
}

/// How many uploads are taken in and looked at at one time: each holds both files in memory, and
/// looking at a picture takes many times its size.
#[derive(Debug)]
pub struct UploadDesk {
    uploads: Semaphore,
    checks: Semaphore,
}

impl Default for UploadDesk {
    fn default() -> UploadDesk {
        UploadDesk {
            uploads: Semaphore::new(limits::KYC_UPLOADS_AT_ONCE_MAX),
            checks: Semaphore::new(limits::KYC_CHECKS_AT_ONCE_MAX),
        }
    }
}

impl IdentityDocuments {
    /// Checks and keeps two documents.
    ///
    /// # Errors
    /// `Fields` naming each wrong choice or file; `TooMany` beyond the day's uploads.
    pub async fn upload(&self, user: &CurrentUser, raw: RawUpload) -> Result<UploadedDocuments> {
        let choice = choose(&raw)?;
        let now_ms = self.core.clock.now_ms();
        self.within_the_day(user, now_ms).await?;
        let permit = self.desk.checks.acquire().await.map_err(Error::internal)?;
        let checked = spawn_blocking(move || accept_both(raw.document_1, raw.document_2));
        let contents = checked.await.map_err(Error::internal)??;
        drop(permit);
        let upload_id = random_id();
        let documents = [0, 1].map(|at| IdentityDocument {
            document_id: random_id(),
            upload_id: upload_id.clone(),
            organization_id: number(choice.organization),
            kind: number(choice.kinds[at]),
            slot: number(at + 1),
            media_type: contents[at].0.media_type().to_owned(),
            size_bytes: number(contents[at].1.len()),
            created_ms: now_ms,
        });
        let paths = documents
            .each_ref()
            .map(|document| path(&document.document_id));
        // The files first: a row never names a file that is not there.
        let (files, ids) = (
            self.files.clone(),
            documents.each_ref().map(|d| d.document_id.clone()),
        );
        let kept = spawn_blocking(move || {
            let named = ids.iter().zip(contents);
            named
                .map(|(id, (_, content))| files.put(id, content))
                .collect::<std::io::Result<Vec<()>>>()
        });
        kept.await
            .map_err(Error::internal)?
            .map_err(Error::not_stored)?;
        let user_id = user.id().to_owned();
        let act = SecurityAct::KycUploaded;
        let event = SecurityEvent::done(&user_id, act, &user.origin, now_ms).about(&upload_id);
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    for document in &documents {
                        store::kyc::add(conn, &user_id, document).await?;
                    }
                    store::security_events::add(conn, &event).await
                })
            })
            .await?;
        let [document_path_1, document_path_2] = paths;
        Ok(UploadedDocuments {
            document_path_1,
            document_path_2,
        })
    }

    async fn within_the_day(&self, user: &CurrentUser, now_ms: i64) -> Result<()> {
        let since_ms = now_ms - limits::DAY_MS;
        let mut conn = self.core.store.read().await?;
        let unused = store::kyc::unused_since(&mut conn, user.id(), since_ms).await?;
        if unused >= limits::KYC_UPLOADS_A_DAY_MAX {
            return Err(Error::TooMany {
                message:
                    "You uploaded many documents today. Please use one of them, or try tomorrow."
                        .into(),
                retry_after_s: 3_600,
            });
        }
        Ok(())
    }

    /// The customer's earlier uploads, the newest of each organization first.
    pub async fn earlier(&self, user: &CurrentUser) -> Result<Vec<EarlierUpload>> {
        let mut conn = self.core.store.read().await?;
        let documents =
            store::kyc::list(&mut conn, user.id(), 2 * limits::KYC_EARLIER_SHOWN).await?;
        let pairs = documents.chunk_by(|one, two| one.upload_id == two.upload_id);
        Ok(pairs.filter_map(pair).collect())
    }

    /// A document of the customer's: a name to save it under, and its content.
    ///
    /// # Errors
    /// `NotFound` when it is not the customer's.
    pub async fn download(&self, user: &CurrentUser, id: &str) -> Result<(String, Vec<u8>)> {
        let mut conn = self.core.store.read().await?;
        let found = store::kyc::find(&mut conn, user.id(), id).await?;
        drop(conn);
        let document = found.ok_or_else(|| Error::NotFound("There is no such document.".into()))?;
        let (files, name) = (self.files.clone(), document.document_id.clone());
        let content = spawn_blocking(move || files.get(&name))
            .await
            .map_err(Error::internal)?
            .map_err(Error::not_stored)?;
        let now_ms = self.core.clock.now_ms();
        let event = SecurityEvent::done(user.id(), SecurityAct::KycRead, &user.origin, now_ms);
        let event = event.about(&document.document_id);
        // Nobody gets a document without a line that says so.
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move { store::security_events::add(conn, &event).await })
            })
            .await?;
        let kind = FileKind::parse(&document.media_type).unwrap_or(FileKind::Pdf);
        let (date, extension) = (date_in_india(document.created_ms), kind.extension());
        Ok((format!("kyc-{date}-{}.{extension}", document.slot), content))
    }
}

fn accept_both(one: Option<RawFile>, two: Option<RawFile>) -> Result<[(FileKind, Vec<u8>); 2]> {
    let accept = |file: Option<RawFile>| file::accept(file.unwrap_or_default().0);
    match (accept(one), accept(two)) {
        (Ok(one), Ok(two)) => Ok([one, two]),
        (one, two) => {
            let refused = [("document_1", one.err()), ("document_2", two.err())];
            let wrong = refused
                .into_iter()
                .filter_map(|(name, refusal)| Some(FieldError::new(name, refusal?)))
                .collect();
            Err(Error::check(wrong).expect_err("one of them was refused"))
        }
    }
}

/// Checks the documents a booking names.
///
/// # Errors
/// `Fields` when they are not two documents of one upload of the customer's.
pub async fn check(conn: &mut Conn, user_id: &str, named: &KycInfo) -> Result<()> {
    let paths = [&named.document_path_1, &named.document_path_2];
    let mut found = Vec::new();
    for path in paths {
        let id = path.strip_prefix(PATH).unwrap_or("");
        found.extend(store::kyc::find(conn, user_id, id).await?);
    }
    match &found[..] {
        [one, two] if one.upload_id == two.upload_id && one.slot != two.slot => Ok(()),
        _ => Err(Error::field(
            "kyc_info",
            "Please upload your KYC documents first.",
        )),
    }
}
