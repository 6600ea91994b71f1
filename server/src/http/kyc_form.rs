//! The multipart form of identity documents.

use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError, MultipartRejection};
use axum::http::StatusCode;

use crate::error::{Error, Result};
use crate::http::pages::page::Params;
use crate::limits;
use crate::model::kyc::file::TOO_LARGE;
use crate::model::kyc::{RawFile, RawUpload};
use crate::model::openapi_schema::Text;

/// A multipart form, or the reason why the body is not one.
pub(crate) type MaybeMultipart = std::result::Result<Multipart, MultipartRejection>;

/// Reads the known fields, and all others as texts; the last value of a repeated field counts.
///
/// # Errors
/// `TooLarge`, and `Malformed` when the body is not a multipart form.
pub(crate) async fn read(form: MaybeMultipart) -> Result<(RawUpload, Params)> {
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
            "organization_id" => raw.organization_id = text(field).await?,
            "document_1_id" => raw.document_1_id = text(field).await?,
            "document_2_id" => raw.document_2_id = text(field).await?,
            "document_1" => raw.document_1 = file(field).await?,
            "document_2" => raw.document_2 = file(field).await?,
            name => {
                let name = name.to_owned();
                others.insert(name, text(field).await?.as_str().to_owned());
            }
        }
    }
    Ok((raw, others))
}

async fn text(field: Field<'_>) -> Result<Text> {
    let bytes = bytes(field, limits::KYC_TEXT_BYTES_MAX).await?;
    Ok(std::str::from_utf8(&bytes).unwrap_or("").into())
}

/// Reads a file; `None` for an empty one, which browsers send when no file was chosen.
async fn file(field: Field<'_>) -> Result<Option<RawFile>> {
    let bytes = bytes(field, limits::KYC_FILE_BYTES_MAX).await?;
    Ok(Some(RawFile(bytes)).filter(|file| !file.0.is_empty()))
}

/// Reads the part's content up to one byte over the maximum, so that too large content is detected.
async fn bytes(mut field: Field<'_>, maximum: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(unreadable)? {
        let room = (maximum + 1).saturating_sub(bytes.len());
        bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    Ok(bytes)
}

fn unreadable(error: MultipartError) -> Error {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Error::TooLarge(TOO_LARGE.into()),
        _ => Error::Malformed("The documents could not be read. Please try again.".into()),
    }
}
