//! Customers' identity documents, for an operator who must view one.

use std::io::ErrorKind;

use serde::Serialize;
use serde_json::json;

use super::users::find_user;
use super::{ActOutcome, Operators, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::kyc::earlier_upload;
use crate::model::operator::ActResult;
use crate::providers::files::Files;
use crate::store;

/// An upload, without its content.
#[derive(Debug, Serialize)]
pub struct UploadListed {
    pub document_1: String,
    pub document_2: String,
    pub kind_1: &'static str,
    pub kind_2: &'static str,
    pub organization: &'static str,
    pub uploaded_at: i64,
}

/// A document that was viewed.
#[derive(Debug, Serialize)]
pub struct Reviewed {
    pub document: String,
    pub user: String,
    pub media_type: String,
    pub size_bytes: i64,
    #[serde(skip)]
    pub content: Vec<u8>,
}

impl Operators {
    /// Returns the newest uploads of an account that were not deleted.
    ///
    /// # Errors
    /// `NotFound` when there is no such account.
    pub async fn uploads(&self, name: &str) -> Result<Vec<UploadListed>> {
        let mut conn = self.core.store.read().await?;
        let user = find_user(&mut conn, name).await?;
        let most = limits::OPERATOR_LINES_MAX;
        let documents = store::kyc::list(&mut conn, &user.user_id, most).await?;
        let pairs = documents.chunk_by(|one, two| one.upload_id == two.upload_id);
        let listed = pairs.filter_map(|documents| {
            let upload = earlier_upload(documents)?;
            Some(UploadListed {
                document_1: documents[0].document_id.clone(),
                document_2: documents[1].document_id.clone(),
                kind_1: upload.document_1,
                kind_2: upload.document_2,
                organization: upload.organization,
                uploaded_at: upload.created_at,
            })
        });
        Ok(listed.collect())
    }

    /// Returns a document for an operator's decision. The access is first recorded in the
    /// operators' record and, for its customer, in the account's activity.
    ///
    /// # Errors
    /// `NotFound` when there is no such document, or its file is not there; `Storage` when it
    /// cannot be read.
    pub async fn review(&self, files: Files, id: &str, why: &str) -> Result<ActResult<Reviewed>> {
        let (id, why, now_ms) = (id.to_owned(), reason(why)?, self.core.clock.now_ms());
        let missing = || Error::NotFound("There is no such document.".into());
        let mut conn = self.core.store.read().await?;
        let document = store::kyc::find_any(&mut conn, &id).await?;
        drop(conn);
        let (user, document) = document.ok_or_else(missing)?;
        let content = files.get(&id).await.map_err(|error| match error.kind() {
            ErrorKind::NotFound => missing(),
            _ => Error::not_stored(error),
        })?;
        self.act("kyc read", json!({"document": id, "reason": why}), move |conn| {
            Box::pin(async move {
                let act = SecurityAct::KycReviewed;
                let event =
                    SecurityEvent::new(&user, act, &Origin::internal(), now_ms).with_subject(&id);
                store::security_events::add(conn, &event).await?;
                Ok(ActOutcome {
                    reference: user.clone(),
                    outcome: "Read; its customer sees that.".to_owned(),
                    result: Reviewed {
                        document: id,
                        user,
                        media_type: document.media_type,
                        size_bytes: document.size_bytes,
                        content,
                    },
                })
            })
        })
        .await
    }
}
