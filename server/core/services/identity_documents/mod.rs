//! Identity documents: two different ones of one kind of organization, uploaded once and used for
//! any number of bookings.

mod upload_desk;

use std::cell::RefCell;
use std::io::ErrorKind;
use std::sync::Arc;

use tracing::Instrument as _;

use self::upload_desk::UploadDesk;
pub use self::upload_desk::Uploading;
use super::core::Core;
use super::customer_limits::Budget;
use super::fair_queue::{FairQueue, MANY_PAPERS, Permit, QueueRules};
use super::shared_facts;
use crate::background_thread::run_low_priority;
use crate::error::{Error, FieldError, Result};
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::session::CurrentUser;
use crate::model::booking::form::details::KycInfo;
use crate::model::calendar::date_in_india;
use crate::model::kyc::file::{self, PdfRefusal};
use crate::model::kyc::{
    DocumentChoice, EarlierUpload, IdentityDocument, PATH, RawFile, RawUpload, UploadedDocuments,
    choose, earlier_upload, number, path,
};
use crate::providers::files::Files;
use crate::providers::redrawing::Redrawing;
use crate::random::random_id;
use crate::store::{self, Conn};
use crate::{failpoints, limits};

/// Accepts and stores customers' identity documents. Cheap to clone.
#[derive(Clone, Debug)]
pub struct IdentityDocuments {
    core: Core,
    files: Files,
    redrawing: Redrawing,
    desk: Arc<UploadDesk>,
    downloads: FairQueue,
}

impl IdentityDocuments {
    pub fn new(core: Core, files: Files, redrawing: Redrawing) -> IdentityDocuments {
        let desk = Arc::new(UploadDesk::new(core.budgets.is_limited()));
        let downloads = FairQueue::new(QueueRules {
            kind: "downloads",
            refusal: MANY_PAPERS,
            places: limits::KYC_DOWNLOADS_AT_ONCE_MAX,
            each: limits::CUSTOMER_KYC_DOWNLOADS_AT_ONCE_MAX,
            waiting_each: limits::CUSTOMER_PAPERS_WAITING_MAX,
        });
        IdentityDocuments { core, files, redrawing, desk, downloads }
    }

    /// Begins an upload before its body is read, and charges it, whatever becomes of it.
    ///
    /// # Errors
    /// `TooMany` during another upload of the customer, or after too many of the customer, of the
    /// customer's network or of the day.
    pub async fn begin(&self, user: &CurrentUser) -> Result<Uploading> {
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Uploads, user.id(), now_ms)?;
        let uploading = self.desk.begin(user, now_ms)?;
        self.within_the_day(user, now_ms).await?;
        Ok(uploading)
    }

    /// Returns a permit to download a document, to be held until it is sent.
    ///
    /// # Errors
    /// `TooMany` after too many downloads of the customer, or while too many wait.
    pub async fn download_place(&self, user: &CurrentUser) -> Result<Permit> {
        self.core.budgets.take(Budget::Papers, user.id(), self.core.clock.now_ms())?;
        self.downloads.enter(user.id()).await
    }

    /// Checks two documents, redraws them, and stores the result. A refusal is recorded, and counts
    /// as an upload of the day.
    ///
    /// # Errors
    /// `Fields` naming each wrong choice or file.
    pub async fn upload(
        &self,
        user: &CurrentUser,
        uploading: Uploading,
        raw: RawUpload,
    ) -> Result<UploadedDocuments> {
        let choice = match choose(&raw) {
            Ok(choice) => choice,
            Err(error) => {
                self.note_refused(user).await?;
                return Err(error);
            }
        };
        let place = uploading.wait_for_check().await?;
        // A task of its own: the upload and its place end with the check, even if the customer
        // disconnects.
        let (documents, user) = (self.clone(), user.clone());
        let work = async move {
            failpoints::point("checking documents", user.id()).await;
            let outcome = documents.check_and_store(&user, raw, &choice).await;
            if let Err(Error::Fields { .. } | Error::Busy(_)) = &outcome {
                documents.note_refused(&user).await?;
            }
            drop((uploading, place));
            outcome
        };
        tokio::spawn(work.in_current_span()).await.map_err(Error::internal)?
    }

    async fn check_and_store(
        &self,
        user: &CurrentUser,
        raw: RawUpload,
        choice: &DocumentChoice,
    ) -> Result<UploadedDocuments> {
        let now_ms = self.core.clock.now_ms();
        let redrawing = self.redrawing.clone();
        let (organization, kinds) = (choice.organization, choice.kinds);
        let upload_id = random_id();
        let accepted =
            run_low_priority(move || accept_both(&redrawing, raw.document_1, raw.document_2));
        let contents = accepted.await.map_err(Error::internal)??;
        let documents = [0, 1].map(|at| IdentityDocument {
            document_id: random_id(),
            upload_id: upload_id.clone(),
            organization_id: number(organization),
            kind: number(kinds[at]),
            slot: number(at + 1),
            media_type: contents[at].0.to_owned(),
            size_bytes: number(contents[at].1.len()),
            created_ms: now_ms,
        });
        // The files first: a row never names a missing file.
        let [(_, one), (_, two)] = contents;
        let put = |at: usize, content| self.files.put(&documents[at].document_id, content);
        let stored = tokio::try_join!(put(0, one), put(1, two));
        if !failpoints::on("row-without-file") {
            stored.map_err(Error::not_stored)?;
        }
        let paths = [0, 1].map(|at| path(&documents[at].document_id));
        let user_id = user.id().to_owned();
        let act = SecurityAct::KycUploaded;
        let event =
            SecurityEvent::new(&user_id, act, &user.origin, now_ms).with_subject(&upload_id);
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                for document in &documents {
                    store::kyc::add(conn, &user_id, document).await?;
                }
                store::security_events::add(conn, &event).await
            })
        });
        write.await?;
        let [document_path_1, document_path_2] = paths;
        Ok(UploadedDocuments { document_path_1, document_path_2 })
    }

    async fn note_refused(&self, user: &CurrentUser) -> Result<()> {
        let (act, now_ms) = (SecurityAct::KycUploaded, self.core.clock.now_ms());
        self.core.note(SecurityEvent::new(user.id(), act, &user.origin, now_ms).refused()).await
    }

    /// Counts the day's uploads, refused ones included, beyond the day's bookings.
    async fn within_the_day(&self, user: &CurrentUser, now_ms: i64) -> Result<()> {
        let (since_ms, act) = (now_ms - limits::DAY_MS, SecurityAct::KycUploaded);
        let mut conn = self.core.store.read().await?;
        let unused = store::kyc::unused_since(&mut conn, user.id(), since_ms).await?;
        let refused =
            store::security_events::refused_since(&mut conn, user.id(), act, since_ms).await?;
        if unused + refused >= limits::KYC_UPLOADS_A_DAY_MAX {
            return Err(Error::TooMany {
                message:
                    "You uploaded many documents today. Please use one of them, or try tomorrow."
                        .into(),
                retry_after_s: 3_600,
            });
        }
        Ok(())
    }

    /// Returns the customer's earlier uploads, the newest of each organization first.
    pub async fn earlier(&self, user: &CurrentUser) -> Result<Vec<EarlierUpload>> {
        let mut conn = self.core.store.read().await?;
        let documents =
            store::kyc::list(&mut conn, user.id(), 2 * limits::KYC_EARLIER_SHOWN).await?;
        let pairs = documents.chunk_by(|one, two| one.upload_id == two.upload_id);
        Ok(pairs.filter_map(earlier_upload).collect())
    }

    /// Returns the file name and the content of a customer's document.
    ///
    /// # Errors
    /// `NotFound` when it is not the customer's; `Storage` when its file cannot be read.
    pub async fn download(&self, user: &CurrentUser, id: &str) -> Result<(String, Vec<u8>)> {
        let mut conn = self.core.store.read().await?;
        let document = store::kyc::find(&mut conn, user.id(), id).await?;
        drop(conn);
        let document =
            document.ok_or_else(|| Error::NotFound("There is no such document.".into()))?;
        let content = self.files.get(&document.document_id).await;
        let content = content.map_err(|cause| Error::Storage {
            message: "We cannot read this document now. Please try again in a minute.".into(),
            cause: cause.into(),
        })?;
        let now_ms = self.core.clock.now_ms();
        let event = SecurityEvent::new(user.id(), SecurityAct::KycRead, &user.origin, now_ms);
        let event = event.with_subject(&document.document_id);
        // Every download is recorded first.
        self.core.note(event).await?;
        let extension = file::extension(&document.media_type);
        let date = date_in_india(document.created_ms);
        Ok((format!("kyc-{date}-{}.{extension}", document.slot), content))
    }

    /// Deletes documents unused for long, and the files of all deleted documents. The rows first:
    /// after a crash in between, the next run removes the files.
    pub async fn delete_unused(&self) -> Result<()> {
        let now_ms = self.core.clock.now_ms();
        let delete = self.core.store.write(move |conn| {
            Box::pin(async move {
                let before_ms = now_ms - limits::KYC_KEPT_MS;
                let most = limits::KYC_DELETED_AT_ONCE_MAX;
                for (user_id, upload_id) in
                    store::kyc::delete_unused(conn, before_ms, now_ms, most).await?
                {
                    let act = SecurityAct::KycDeleted;
                    let event = SecurityEvent::new(&user_id, act, &Origin::internal(), now_ms);
                    store::security_events::add(conn, &event.with_subject(&upload_id)).await?;
                }
                store::kyc::files_to_remove(conn, most).await
            })
        });
        for id in delete.await? {
            self.files.remove(&id).await.map_err(Error::not_stored)?;
            let write = self.core.store.write(move |conn| {
                Box::pin(async move { store::kyc::set_file_removed(conn, &id, now_ms).await })
            });
            write.await?;
        }
        Ok(())
    }

    /// Removes files without a row, which uploads left that did not end. Each run compares some of
    /// all files, from a random name on. Files that were there before this database may be those of
    /// one that was lost, and stay.
    pub async fn remove_left_files(&self) -> Result<()> {
        let before_ms = self.core.clock.now_ms() - limits::KYC_WITHOUT_ROW_MS;
        let since_ms = shared_facts::place_since(&mut *self.core.store.read().await?).await?;
        let Some(since_ms) = since_ms else { return Ok(()) };
        // Most servers of buckets know seconds only.
        let since_ms = since_ms / 1_000 * 1_000;
        let most = limits::KYC_COMPARED_AT_ONCE_MAX;
        let mut files = self.files.list(&random_id(), most).await.map_err(Error::not_stored)?;
        if files.len() < most {
            let rest = self.files.list("", most - files.len()).await;
            files.extend(rest.map_err(Error::not_stored)?);
        }
        files.retain(|file| (since_ms..before_ms).contains(&file.modified_ms));
        for together in files.chunks(limits::KYC_COMPARED_TOGETHER) {
            let names: Vec<&str> = together.iter().map(|file| file.name.as_str()).collect();
            let mut conn = self.core.store.read().await?;
            let known = store::kyc::with_files(&mut conn, &names).await?;
            drop(conn);
            for name in names.into_iter().filter(|name| !known.contains(*name)) {
                self.files.remove(name).await.map_err(Error::not_stored)?;
                tracing::info!("a document without a row was removed");
            }
        }
        Ok(())
    }
}

/// Records that a booking uses these documents, which extends their retention.
pub(crate) async fn record_use(
    conn: &mut Conn,
    user_id: &str,
    kyc: &KycInfo,
    now_ms: i64,
) -> Result<()> {
    match kyc.document_path_1.strip_prefix(PATH) {
        Some(id) => store::kyc::record_use(conn, user_id, id, now_ms).await,
        None => Ok(()),
    }
}

fn accept_both(
    redrawing: &Redrawing,
    one: Option<RawFile>,
    two: Option<RawFile>,
) -> Result<[(&'static str, Vec<u8>); 2]> {
    let not_drawn = RefCell::new(None);
    let draw_pdf = |content: Vec<u8>| match redrawing.redraw(content) {
        Ok(pdf) => pdf.map_err(PdfRefusal::sentence),
        Err(error) => {
            *not_drawn.borrow_mut() = Some(match error.kind() {
                ErrorKind::TimedOut => Error::busy(),
                _ => Error::internal(error),
            });
            Err(PdfRefusal::Damaged.sentence())
        }
    };
    let accept = |file: Option<RawFile>| file::accept(file.unwrap_or_default().0, draw_pdf);
    let accepted = (accept(one), accept(two));
    if let Some(error) = not_drawn.into_inner() {
        return Err(error);
    }
    match accepted {
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

/// Checks the documents in a booking.
///
/// # Errors
/// `Fields` when they are not two documents of one upload of the customer's.
pub(crate) async fn check(conn: &mut Conn, user_id: &str, kyc: &KycInfo) -> Result<()> {
    let paths = [&kyc.document_path_1, &kyc.document_path_2];
    let mut documents = Vec::new();
    for path in paths {
        let id = path.strip_prefix(PATH).unwrap_or("");
        documents.extend(store::kyc::find(conn, user_id, id).await?);
    }
    match &documents[..] {
        [one, two] if one.upload_id == two.upload_id && one.slot != two.slot => Ok(()),
        _ => Err(Error::field("kyc_info", "Please upload your KYC documents first.")),
    }
}
