//! The monthly return for the GST portal.

use serde::Serialize;
use serde_json::json;
use time::Date;

use super::{ActOutcome, Operators};
use crate::error::Result;
use crate::model::booking::documents::gst::{GstFile, TaxSums, gst_return, next_month};
use crate::model::calendar::{midnight_in_india, month};
use crate::model::money::paise::Paise;
use crate::model::operator::{ActResult, format_count};
use crate::store;

/// The figures of a month's return, with its files.
#[derive(Debug, Serialize)]
pub struct GstFigures {
    pub month: String,
    pub documents: usize,
    #[serde(flatten)]
    pub sums: TaxSums,
    /// The GST that the ledger collected in the month; equal to the taxes above.
    pub gst_payable: Paise,
    #[serde(skip)]
    pub files: Vec<GstFile>,
}

impl Operators {
    /// Makes the GSTR-1 of a month, given by its first day, from the documents in the books. It
    /// names customers, so it is recorded.
    pub async fn gst_return(&self, first: Date) -> Result<ActResult<GstFigures>> {
        let gstin = self.core.company.gstin.clone();
        let name = month(first);
        let (from_ms, until_ms) = (midnight_in_india(first), midnight_in_india(next_month(first)));
        self.act("gst", json!({"month": name}), move |conn| {
            Box::pin(async move {
                let issued = store::invoices::issued_between(conn, from_ms, until_ms).await?;
                let made = gst_return(&gstin, first, &issued)?;
                let documents = format_count(made.documents, "document");
                Ok(ActOutcome {
                    reference: name.clone(),
                    outcome: format!("The return of {name} has {documents}."),
                    result: GstFigures {
                        gst_payable: store::ledger::gst_between(conn, from_ms, until_ms).await?,
                        month: name,
                        documents: made.documents,
                        sums: made.sums,
                        files: made.files,
                    },
                })
            })
        })
        .await
    }
}
