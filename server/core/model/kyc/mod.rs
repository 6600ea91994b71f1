//! Identity documents: their kinds, and the stored data.

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, FieldError, Result};
use crate::model::openapi_schema::Text;

pub mod file;

/// True if a booking needs identity documents: abroad, for customs, or if the product needs them.
pub fn is_needed(is_abroad: bool, by_product: bool) -> bool {
    is_abroad || by_product
}

/// Kinds of organization and their accepted documents (CBIC Circular 9/2010-Customs, annex).
#[rustfmt::skip]
const ORGANIZATIONS: [(&str, &[&str]); 4] = [
    ("Individual", &[
        "Passport", "PAN card", "Voter Identity card", "Driving licence",
        "Bank account statement", "Ration card", "Aadhar card",
    ]),
    ("Company", &[
        "Certificate of incorporation", "Memorandum of Association", "Articles of Association",
        "Power of Attorney", "PAN allotment letter", "Telephone bill", "IEC Copy",
        "GST certificate",
    ]),
    ("Partnership firm", &[
        "Registration certificate", "Partnership deed", "Power of Attorney", "Telephone bill",
        "Other documents",
    ]),
    ("Trusts, Foundations", &[
        "Certificate of Registration", "Power of Attorney", "Resolution of Entity",
        "Telephone bill", "Other documents",
    ]),
];

/// The upload form. A missing file is `None`.
#[derive(Clone, Debug, Default, ToSchema)]
#[schema(as = KycUpload)]
pub struct RawUpload {
    pub organization_id: Text,
    pub document_1_id: Text,
    #[schema(value_type = String, format = Binary)]
    pub document_1: Option<RawFile>,
    pub document_2_id: Text,
    #[schema(value_type = String, format = Binary)]
    pub document_2: Option<RawFile>,
}

/// A file as received, read up to one byte above the limit.
#[derive(Clone, Debug, Default)]
pub struct RawFile(pub Vec<u8>);

#[derive(Clone, Debug)]
pub struct IdentityDocument {
    pub document_id: String,
    pub upload_id: String,
    pub organization_id: i64,
    /// Index of its kind among the organization's documents, from 1.
    pub kind: i64,
    /// 1 or 2.
    pub slot: i64,
    pub media_type: String,
    pub size_bytes: i64,
    pub created_ms: i64,
}

/// The answer to an upload; a booking refers to it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UploadedDocuments {
    pub document_path_1: String,
    pub document_path_2: String,
}

/// An earlier upload that can be used again.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EarlierUpload {
    pub organization_id: i64,
    pub organization: &'static str,
    pub document_1_id: i64,
    pub document_1: &'static str,
    pub document_2_id: i64,
    pub document_2: &'static str,
    #[serde(flatten)]
    pub paths: UploadedDocuments,
    pub created_at: i64,
}

/// The chosen organization and kinds of documents, before the files are checked.
pub struct DocumentChoice {
    pub organization: usize,
    pub kinds: [usize; 2],
}

pub fn choose(raw: &RawUpload) -> Result<DocumentChoice> {
    let mut wrong = Vec::new();
    let organization = parse_choice(raw.organization_id.as_str(), ORGANIZATIONS.len());
    if organization.is_none() {
        wrong.push(FieldError::new("organization_id", "Organization is required"));
    }
    let documents = organization.map_or(0, |organization| ORGANIZATIONS[organization - 1].1.len());
    let mut kinds = [0, 0];
    let slots = [
        ("document_1_id", &raw.document_1_id, "Document 1 type is required"),
        ("document_2_id", &raw.document_2_id, "Document 2 type is required"),
    ];
    for (at, (name, value, missing)) in slots.into_iter().enumerate() {
        let (id, kind) = kind_of(value.as_str());
        if id.is_some_and(|id| organization.is_some() && id != raw.organization_id.as_str()) {
            let message = "Please choose a document of the organization above";
            wrong.push(FieldError::new(name, message));
            continue;
        }
        match parse_choice(kind, documents) {
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
    Ok(DocumentChoice { organization: organization.unwrap_or_default(), kinds })
}

/// Splits a choice from the plain form's list of all documents into organization and kind: `2.8`.
pub fn kind_of(value: &str) -> (Option<&str>, &str) {
    match value.split_once('.') {
        Some((organization, kind)) => (Some(organization), kind),
        None => (None, value),
    }
}

/// A choice from a list, counted from 1.
fn parse_choice(text: &str, choices: usize) -> Option<usize> {
    let number = text.parse().ok()?;
    (1..=choices).contains(&number).then_some(number)
}

pub fn earlier_upload(documents: &[IdentityDocument]) -> Option<EarlierUpload> {
    let [one, two] = documents else { return None };
    let (organization, names) = ORGANIZATIONS.get(index(one.organization_id)?)?;
    Some(EarlierUpload {
        organization_id: one.organization_id,
        organization,
        document_1_id: one.kind,
        document_1: names.get(index(one.kind)?)?,
        document_2_id: two.kind,
        document_2: names.get(index(two.kind)?)?,
        paths: UploadedDocuments {
            document_path_1: path(&one.document_id),
            document_path_2: path(&two.document_id),
        },
        created_at: one.created_ms,
    })
}

/// The path of a document's download, without its id.
pub const PATH: &str = "/kyc/";

pub fn path(document_id: &str) -> String {
    format!("{PATH}{document_id}")
}

fn index(number: i64) -> Option<usize> {
    usize::try_from(number).ok()?.checked_sub(1)
}

pub fn number(count: usize) -> i64 {
    i64::try_from(count).expect("a file fits 64 bits")
}
