//! KYC documents: their multipart form, the list of earlier ones, and downloads for their owner.

use axum::body::Body;
use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError, MultipartRejection};
use axum::http::StatusCode;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{self, Answer};
use crate::http::api::rates::Data;
use crate::http::extract::Path;
use crate::http::pages::page::Params;
use crate::http::serve::Holding;
use dakiya_core::error::{Error, Result};
use dakiya_core::limits;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::kyc::file::TOO_LARGE;
use dakiya_core::model::kyc::{EarlierUpload, RawFile, RawUpload, UploadedDocuments};
use dakiya_core::model::openapi_schema::Text;
use dakiya_core::services::identity_documents::{IdentityDocuments, Uploading};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = KycUploaded)]
struct Uploaded {
    status_code: u16,
    message: &'static str,
    data: UploadedDocuments,
}

#[utoipa::path(
    post,
    path = "/booking/kyc-upload",
    request_body(content = RawUpload, content_type = "multipart/form-data"),
    responses((status = 200, body = Uploaded))
)]
pub(crate) async fn upload(
    identity_documents: IdentityDocuments,
    user: CurrentUser,
    form: MaybeMultipart,
) -> Answer {
    let mut uploading = identity_documents.begin(&user).await?;
    let (raw, _) = read(form, &mut uploading).await?;
    let data = identity_documents.upload(&user, uploading, raw).await?;
    Ok(answer::ok(&Uploaded {
        status_code: 200,
        message: "KYC documents uploaded successfully!",
        data,
    }))
}

/// Earlier uploads that can be used again.
#[utoipa::path(get, path = "/booking/kyc", responses((status = 200, body = Data<EarlierUpload>)))]
pub(crate) async fn earlier(identity_documents: IdentityDocuments, user: CurrentUser) -> Answer {
    let data = identity_documents.earlier(&user).await?;
    Ok(answer::ok(&Data { data }))
}

/// Returns a document to its owner as a download; it is never displayed on our origin.
pub(crate) async fn download(
    identity_documents: IdentityDocuments,
    user: CurrentUser,
    Path(id): Path,
) -> Answer {
    let place = identity_documents.download_place(&user).await?;
    let (name, content) = identity_documents.download(&user, &id).await?;
    let response = answer::download("application/octet-stream", &name, content)?;
    // The body is in memory until it is sent, so it holds the permit until then.
    let response = response.map(|body| Body::new(Holding::new(body, place)));
    let policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";
    Ok(([(CONTENT_SECURITY_POLICY, policy)], response).into_response())
}

/// A multipart form, or the reason why the body is not one.
pub(crate) type MaybeMultipart = std::result::Result<Multipart, MultipartRejection>;

/// Reads the known fields, and all others as texts; the last value of a repeated field counts.
///
/// # Errors
/// `TooLarge`, `Malformed` when the body is not a multipart form, and `Busy` while other forms fill
/// the memory.
pub(crate) async fn read(
    form: MaybeMultipart,
    uploading: &mut Uploading,
) -> Result<(RawUpload, Params)> {
    let mut form = form
        .map_err(|_| Error::Malformed("Please send the documents as a multipart form.".into()))?;
    let (mut raw, mut others) = (RawUpload::default(), Params::new());
    let mut parts = 0;
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        parts += 1;
        if parts > limits::KYC_PARTS_MAX {
            return Err(Error::Malformed("The form has too many parts.".into()));
        }
        match field.name().unwrap_or("") {
            "organization_id" => raw.organization_id = text(field, uploading).await?,
            "document_1_id" => raw.document_1_id = text(field, uploading).await?,
            "document_2_id" => raw.document_2_id = text(field, uploading).await?,
            "document_1" => raw.document_1 = file(field, uploading).await?,
            "document_2" => raw.document_2 = file(field, uploading).await?,
            name => {
                let name = name.to_owned();
                let typed = text(field, uploading).await?;
                others.insert(name, typed.as_str().to_owned());
            }
        }
    }
    Ok((raw, others))
}

async fn text(field: Field<'_>, uploading: &mut Uploading) -> Result<Text> {
    let bytes = bytes(field, uploading, limits::KYC_TEXT_BYTES_MAX).await?;
    Ok(std::str::from_utf8(&bytes).unwrap_or("").into())
}

/// Reads a file; `None` for an empty one, which browsers send when no file was chosen.
async fn file(field: Field<'_>, uploading: &mut Uploading) -> Result<Option<RawFile>> {
    let bytes = bytes(field, uploading, limits::KYC_FILE_BYTES_MAX).await?;
    Ok(Some(RawFile(bytes)).filter(|file| !file.0.is_empty()))
}

/// Reads the part's content up to one byte over the maximum, so that too large content is detected.
async fn bytes(mut field: Field<'_>, uploading: &mut Uploading, maximum: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(unreadable)? {
        let room = (maximum + 1).saturating_sub(bytes.len());
        let kept = &chunk[..chunk.len().min(room)];
        uploading.take_memory(kept.len())?;
        bytes.extend_from_slice(kept);
    }
    Ok(bytes)
}

fn unreadable(error: MultipartError) -> Error {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Error::TooLarge(TOO_LARGE.into()),
        _ => Error::Malformed("The documents could not be read. Please try again.".into()),
    }
}
