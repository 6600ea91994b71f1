//! /courier/kyc: upload of identity documents by a plain form, and reuse of an earlier upload.

use axum::Extension;
use axum::response::Response;

use crate::error::Result;
use crate::http::answer::see_other;
use crate::http::api::kyc::{MaybeMultipart, read};
use crate::http::pages::courier_step::COURIER;
use crate::http::pages::form_after_login::of_another;
use crate::http::pages::page::{PageOf, Params, SentForm};
use crate::http::pages::respond::{self, Sender};
use crate::http::state::AppState;
use crate::model::account::session::CurrentUser;
use crate::model::booking::form::draft::{Draft, DraftDocuments};
use crate::model::kyc::kind_of;
use crate::model::openapi_schema::Text;

/// The address of the upload form.
pub const ADDRESS: &str = "/courier/kyc";

/// Stores two documents and continues with the review.
pub(crate) async fn upload(
    Extension(pages): Extension<PageOf>,
    Sender { web, user, headers }: Sender,
    form: MaybeMultipart,
) -> Result<Response> {
    let Some(user) = user else {
        // The login cannot keep files for later.
        return Ok(see_other("/login?next=/courier&expired=documents"));
    };
    let mut values = Vec::new();
    match kept(&web, &user, form, &mut values).await {
        Ok(answer) => Ok(answer),
        Err(error) => {
            let mut visit = pages.visit("courier", Params::new());
            visit.user = Some(user);
            let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
            respond::refused(web, visit, &values, error, &headers).await
        }
    }
}

/// Stores the documents, and writes what was typed beside them to `values`.
async fn kept(
    web: &AppState,
    user: &CurrentUser,
    form: MaybeMultipart,
    values: &mut Vec<(&'static str, Text)>,
) -> Result<Response> {
    let _uploading = web.identity_documents.enter(user)?;
    let (raw, fields) = read(form).await?;
    if let Some(elsewhere) = of_another(&fields, user, COURIER) {
        return Ok(elsewhere);
    }
    let (organization, kind_1, kind_2) =
        (raw.organization_id.clone(), raw.document_1_id.clone(), raw.document_2_id.clone());
    *values = vec![
        ("organization_id", organization.clone()),
        ("document_1_id", kind_1.clone()),
        ("document_2_id", kind_2.clone()),
    ];
    let kind = |typed: &Text| kind_of(typed.as_str()).1.to_owned();
    let paths = web.identity_documents.upload(user, raw).await?;
    let documents = DraftDocuments {
        organization_id: organization.as_str().to_owned(),
        document_1_id: kind(&kind_1),
        document_2_id: kind(&kind_2),
        document_path_1: paths.document_path_1,
        document_path_2: paths.document_path_2,
    };
    take(web, user, documents).await
}

/// Reuses an earlier upload, which the form names by the path of its first document.
pub(super) async fn reuse(form: &SentForm<'_>) -> Result<Response> {
    let Some(path) = form.fields.get("use") else {
        return Ok(see_other(COURIER));
    };
    let earlier = form.web.identity_documents.earlier(&form.user).await?;
    let upload = earlier.into_iter().find(|upload| upload.paths.document_path_1 == *path);
    let Some(upload) = upload else {
        return Ok(see_other(COURIER));
    };
    let documents = DraftDocuments {
        organization_id: upload.organization_id.to_string(),
        document_1_id: upload.document_1_id.to_string(),
        document_2_id: upload.document_2_id.to_string(),
        document_path_1: upload.paths.document_path_1,
        document_path_2: upload.paths.document_path_2,
    };
    take(&form.web, &form.user, documents).await
}

async fn take(web: &AppState, user: &CurrentUser, documents: DraftDocuments) -> Result<Response> {
    let edit = |draft: Draft| draft.with_documents(documents.clone());
    web.drafts.change(user.id(), None, edit).await?;
    Ok(see_other(COURIER))
}
