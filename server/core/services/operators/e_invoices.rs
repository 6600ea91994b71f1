//! E-invoices: the file for the portal that registers documents, and its answers.

use serde::Serialize;
use serde_json::json;
use time::Date;

use super::{ActOutcome, Operators, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::documents::e_invoice::{parse_answers, portal_file};
use crate::model::calendar::midnight_in_india;
use crate::model::operator::{ActResult, format_count};
use crate::store;

/// A file for the portal.
#[derive(Debug, Serialize)]
pub struct PortalFile {
    pub documents: usize,
    #[serde(skip)]
    pub content: Vec<u8>,
}

/// Answers that were stored, and those that were there before.
#[derive(Debug, Serialize)]
pub struct AnswersStored {
    pub stored: usize,
    pub known: usize,
}

impl Operators {
    /// Makes the portal's file of documents of registered buyers that have no IRN, from this day
    /// on. It names customers, so it is recorded.
    ///
    /// # Errors
    /// `Conflict` when e-invoices are off.
    pub async fn unregistered_documents(
        &self,
        since: Option<Date>,
    ) -> Result<ActResult<PortalFile>> {
        self.refuse_e_invoices_off()?;
        let from_ms = since.map_or(0, midnight_in_india);
        let arguments = json!({"since": since.map(|day| day.to_string())});
        self.act("e-invoices write", arguments, move |conn| {
            Box::pin(async move {
                let most = i64::try_from(limits::E_INVOICES_IN_A_FILE_MAX).unwrap_or(i64::MAX);
                let documents = store::e_invoices::waiting(conn, from_ms, most).await?;
                Ok(ActOutcome {
                    reference: String::new(),
                    outcome: format!("{} written.", format_count(documents.len(), "document")),
                    result: PortalFile {
                        documents: documents.len(),
                        content: portal_file(&documents)?,
                    },
                })
            })
        })
        .await
    }

    /// Stores the portal's answers: all of them or, if one is wrong, none.
    ///
    /// # Errors
    /// `Malformed` and `Fields` for the file, `NotFound` for a number without a document,
    /// `Conflict` for another IRN than the stored one, and when e-invoices are off.
    pub async fn store_registrations(
        &self,
        content: &[u8],
        why: &str,
    ) -> Result<ActResult<AnswersStored>> {
        self.refuse_e_invoices_off()?;
        let (why, now_ms) = (reason(why)?, self.core.clock.now_ms());
        let answers = parse_answers(content)?;
        let arguments = json!({"answers": answers.len(), "reason": why});
        self.act("e-invoices store", arguments, move |conn| {
            Box::pin(async move {
                let mut done = AnswersStored { stored: 0, known: 0 };
                for (number, registration) in &answers {
                    let before = store::e_invoices::irn(conn, number).await?;
                    let before =
                        before.ok_or_else(|| store::e_invoices::no_such_document(number))?;
                    let is_known = before.as_ref() == Some(&registration.irn);
                    let is_stored = before.is_none()
                        && store::e_invoices::add(conn, number, registration, now_ms).await?;
                    match (is_known, is_stored) {
                        (true, _) => done.known += 1,
                        (false, true) => done.stored += 1,
                        (false, false) => return Err(other_irn(number)),
                    }
                }
                Ok(ActOutcome {
                    reference: String::new(),
                    outcome: format!("{} stored.", format_count(done.stored, "answer")),
                    result: done,
                })
            })
        })
        .await
    }

    fn refuse_e_invoices_off(&self) -> Result<()> {
        match self.core.e_invoice {
            true => Ok(()),
            false => Err(Error::Conflict {
                code: "e_invoices_off",
                message: "E-invoices are off here: set DAKIYA_E_INVOICE to 1.".into(),
            }),
        }
    }
}

fn other_irn(number: &str) -> Error {
    let message = format!("{number} has another IRN, or its IRN is another document's.");
    Error::Conflict { code: "other_irn", message: message.into() }
}
