//! KYC documents: uploads, the list of earlier ones, and downloads for their owner.

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::answer;
use crate::http::api::rates::Data;
use crate::http::extract::Path;
use crate::http::kyc_form::{MaybeMultipart, read};
use crate::http::serve::Holding;
use crate::model::account::session::CurrentUser;
use crate::model::kyc::{EarlierUpload, RawUpload, UploadedDocuments};
use crate::services::identity_documents::IdentityDocuments;

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
) -> Result<Response> {
    let _uploading = identity_documents.enter(&user)?;
    let (raw, _) = read(form).await?;
    let data = identity_documents.upload(&user, raw).await?;
    Ok(answer::ok(&Uploaded {
        status_code: 200,
        message: "KYC documents uploaded successfully!",
        data,
    }))
}

/// Earlier uploads that can be used again.
#[utoipa::path(get, path = "/booking/kyc", responses((status = 200, body = Data<EarlierUpload>)))]
pub(crate) async fn earlier(
    identity_documents: IdentityDocuments,
    user: CurrentUser,
) -> Result<Response> {
    let data = identity_documents.earlier(&user).await?;
    Ok(answer::ok(&Data { data }))
}

/// Returns a document to its owner as a download; it is never displayed on our origin.
pub(crate) async fn download(
    identity_documents: IdentityDocuments,
    user: CurrentUser,
    Path(id): Path,
) -> Result<Response> {
    let place = identity_documents.download_place(&user).await?;
    let (name, content) = identity_documents.download(&user, &id).await?;
    let response = answer::download("application/octet-stream", &name, content)?;
    // The body is in memory until it is sent, so it holds the permit until then.
    let mut response = response.map(|body| Body::new(Holding::new(body, place)));
    let headers = response.headers_mut();
    headers
        .insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    Ok(response)
}
