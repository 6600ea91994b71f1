//! Identity documents: two different ones of one kind of organization, uploaded once and used
//! for as many bookings as the customer likes.

pub mod file;

use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;

use self::file::Kind;
use super::ids::random_id;
use super::session::CurrentUser;
use super::text::Text;
use crate::app::App;
use crate::clock::date_in_india;
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::store;
use crate::store::Conn;

/// Kinds of organization and the documents each may show (CBIC Circular 9/2010-Customs, annex).
const ORGANIZATIONS: [(&str, &[&str]); 4] = [
    (
        "Individual",
        &[
            "Passport",
            "PAN card",
            "Voter Identity card",
            "Driving licence",
            "Bank account statement",
            "Ration card",
            "Aadhar card",
        ],
    ),
    (
        "Company",
        &[
            "Certificate of incorporation",
            "Memorandum of Association",
            "Articles of Association",
            "Power of Attorney",
            "PAN allotment letter",
            "Telephone bill",
            "IEC Copy",
            "GST certificate",
        ],
    ),
    (
        "Partnership firm",
        &[
            "Registration certificate",
            "Partnership deed",
            "Power of Attorney",
            "Telephone bill",
            "Other documents",
        ],
    ),
    (
        "Trusts, Foundations",
        &[
            "Certificate of Registration",
            "Power of Attorney",
            "Resolution of Entity",
            "Telephone bill",
            "Other documents",
        ],
    ),
];

/// The upload form. A missing file is `None`.
#[derive(Clone, Debug, Default)]
pub struct RawUpload {
    pub organization_id: Text,
    pub document_1_id: Text,
    pub document_1: Option<RawFile>,
    pub document_2_id: Text,
    pub document_2: Option<RawFile>,
}

/// A file as it came, read up to one byte above the limit.
#[derive(Clone, Debug, Default)]
pub struct RawFile(pub Vec<u8>);

/// A document that was uploaded.
#[derive(Clone, Debug)]
pub struct Document {
    pub document_id: String,
    pub upload_id: String,
    pub organization_id: i64,
    /// Which of the organization's documents, from 1.
    pub kind: i64,
    /// 1 or 2.
    pub slot: i64,
    pub media_type: String,
    pub size_bytes: i64,
    pub created_ms: i64,
}

/// What an upload answers, and what a booking refers to.
#[derive(Clone, Debug, Serialize)]
pub struct Uploaded {
    pub document_path_1: String,
    pub document_path_2: String,
}

/// An earlier upload that can be used again.
#[derive(Clone, Debug, Serialize)]
pub struct Earlier {
    pub organization_id: i64,
    pub organization: &'static str,
    pub document_1_id: i64,
    pub document_1: &'static str,
    pub document_2_id: i64,
    pub document_2: &'static str,
    #[serde(flatten)]
    pub paths: Uploaded,
    pub created_at: i64,
}

/// The part of a booking that names documents (`kyc_info`).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawKycInfo {
    pub document_path_1: Text,
    pub document_path_2: Text,
}

/// Which documents of which organization, before anybody looked at the files.
struct Choice {
    organization: usize,
    kinds: [usize; 2],
}

/// How many uploads are taken in and looked at at one time: each holds both files in memory, and
/// looking at a picture takes many times its size.
#[derive(Debug)]
pub struct Desk {
    uploads: Semaphore,
    checks: Semaphore,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk {
            uploads: Semaphore::new(limits::KYC_UPLOADS_AT_ONCE_MAX),
            checks: Semaphore::new(limits::KYC_CHECKS_AT_ONCE_MAX),
        }
    }
}

impl Desk {
    /// The right to send documents now.
    ///
    /// # Errors
    /// `Busy` when too many are being sent.
    pub fn enter(&self) -> Result<SemaphorePermit<'_>> {
        let message = "Many documents are being uploaded just now. Please try again.";
        self.uploads
            .try_acquire()
            .map_err(|_| Error::Busy(message.into()))
    }
}

/// Checks and keeps two documents.
///
/// # Errors
/// `Fields` naming each wrong choice or file; `TooMany` beyond the day's uploads.
pub async fn upload(app: &App, user: &CurrentUser, raw: RawUpload) -> Result<Uploaded> {
    let choice = choose(&raw)?;
    let now_ms = app.clock.now_ms();
    within_the_day(app, user, now_ms).await?;
    let permit = app.kyc.checks.acquire().await.map_err(Error::internal)?;
    let checked = spawn_blocking(move || accept_both(raw.document_1, raw.document_2));
    let contents = checked.await.map_err(Error::internal)??;
    drop(permit);
    let upload_id = random_id();
    let documents = [0, 1].map(|at| Document {
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
        app.files.clone(),
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
        .map_err(Error::internal)?;
    let user_id = user.id().to_owned();
    app.store
        .write(move |conn| {
            Box::pin(async move {
                for document in &documents {
                    store::kyc::add(conn, &user_id, document).await?;
                }
                Ok(())
            })
        })
        .await?;
    let [document_path_1, document_path_2] = paths;
    Ok(Uploaded {
        document_path_1,
        document_path_2,
    })
}

fn choose(raw: &RawUpload) -> Result<Choice> {
    let mut wrong = Vec::new();
    let organization = chosen(&raw.organization_id, ORGANIZATIONS.len());
    if organization.is_none() {
        wrong.push(FieldError::new(
            "organization_id",
            "Organization is required",
        ));
    }
    let documents = organization.map_or(0, |organization| ORGANIZATIONS[organization - 1].1.len());
    let mut kinds = [0, 0];
    let slots = [
        (
            "document_1_id",
            &raw.document_1_id,
            "Document 1 type is required",
        ),
        (
            "document_2_id",
            &raw.document_2_id,
            "Document 2 type is required",
        ),
    ];
    for (at, (name, typed, missing)) in slots.into_iter().enumerate() {
        match chosen(typed, documents) {
            Some(kind) if at == 1 && kind == kinds[0] => {
                wrong.push(FieldError::new(name, "Choose two different documents"));
            }
            Some(kind) => kinds[at] = kind,
            None => wrong.push(FieldError::new(name, missing)),
        }
    }
    if raw.document_1.is_none() {
        wrong.push(FieldError::new("document_1", "Document 1 file is required"));
    }
    if raw.document_2.is_none() {
        wrong.push(FieldError::new("document_2", "Document 2 file is required"));
    }
    Error::check(wrong)?;
    Ok(Choice {
        organization: organization.unwrap_or_default(),
        kinds,
    })
}

/// A choice of a list, counted from 1.
fn chosen(typed: &Text, choices: usize) -> Option<usize> {
    let number = typed.as_str().parse().ok()?;
    (1..=choices).contains(&number).then_some(number)
}

fn accept_both(one: Option<RawFile>, two: Option<RawFile>) -> Result<[(Kind, Vec<u8>); 2]> {
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

async fn within_the_day(app: &App, user: &CurrentUser, now_ms: i64) -> Result<()> {
    let midnight_ms = now_ms - limits::DAY_MS;
    let mut conn = app.store.read().await?;
    let uploads = store::kyc::uploads_since(&mut conn, user.id(), midnight_ms).await?;
    if uploads >= limits::KYC_UPLOADS_A_DAY_MAX {
        return Err(Error::TooMany {
            message: "You uploaded many documents today. Please use one of them, or try tomorrow."
                .into(),
            retry_after_s: 3_600,
        });
    }
    Ok(())
}

/// The customer's earlier uploads, the newest of each organization first.
pub async fn earlier(app: &App, user: &CurrentUser) -> Result<Vec<Earlier>> {
    let mut conn = app.store.read().await?;
    let documents = store::kyc::list(&mut conn, user.id(), 2 * limits::KYC_EARLIER_SHOWN).await?;
    let pairs = documents.chunk_by(|one, two| one.upload_id == two.upload_id);
    Ok(pairs.filter_map(pair).collect())
}

fn pair(documents: &[Document]) -> Option<Earlier> {
    let [one, two] = documents else { return None };
    let (organization, names) = ORGANIZATIONS.get(index(one.organization_id)?)?;
    Some(Earlier {
        organization_id: one.organization_id,
        organization,
        document_1_id: one.kind,
        document_1: names.get(index(one.kind)?)?,
        document_2_id: two.kind,
        document_2: names.get(index(two.kind)?)?,
        paths: Uploaded {
            document_path_1: path(&one.document_id),
            document_path_2: path(&two.document_id),
        },
        created_at: one.created_ms,
    })
}

/// A document of the customer's: a name to save it under, and its content.
///
/// # Errors
/// `NotFound` when it is not the customer's.
pub async fn download(app: &App, user: &CurrentUser, id: &str) -> Result<(String, Vec<u8>)> {
    let mut conn = app.store.read().await?;
    let found = store::kyc::find(&mut conn, user.id(), id).await?;
    drop(conn);
    let document = found.ok_or_else(|| Error::NotFound("There is no such document.".into()))?;
    let (files, name) = (app.files.clone(), document.document_id.clone());
    let content = spawn_blocking(move || files.get(&name))
        .await
        .map_err(Error::internal)?
        .map_err(Error::internal)?;
    let kind = Kind::parse(&document.media_type).unwrap_or(Kind::Pdf);
    let (date, extension) = (date_in_india(document.created_ms), kind.extension());
    Ok((format!("kyc-{date}-{}.{extension}", document.slot), content))
}

/// Checks the documents a booking names.
///
/// # Errors
/// `Fields` when they are not two documents of one upload of the customer's.
pub async fn check(conn: &mut Conn, user_id: &str, raw: &RawKycInfo) -> Result<()> {
    let paths = [&raw.document_path_1, &raw.document_path_2];
    let mut found = Vec::new();
    for path in paths {
        let id = path.as_str().strip_prefix(PATH).unwrap_or("");
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

/// Where documents are downloaded, before their id.
const PATH: &str = "/kyc/";

fn path(document_id: &str) -> String {
    format!("{PATH}{document_id}")
}

fn index(number: i64) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

fn number(count: usize) -> i64 {
    i64::try_from(count).expect("a file fits 64 bits")
}
