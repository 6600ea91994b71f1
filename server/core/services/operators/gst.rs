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
        let figures = self.gst_figures(first).await?;
        self.act("gst", json!({"month": figures.month}), move |_| {
            Box::pin(async move {
                let documents = format_count(figures.documents, "document");
                Ok(ActOutcome {
                    reference: figures.month.clone(),
                    outcome: format!("The return of {} has {documents}.", figures.month),
                    result: figures,
                })
            })
        })
        .await
    }

    /// Reads a whole month, while others go on writing.
    async fn gst_figures(&self, first: Date) -> Result<GstFigures> {
        let (from_ms, until_ms) = (midnight_in_india(first), midnight_in_india(next_month(first)));
        let mut conn = self.core.store.read().await?;
        conn.begin_snapshot().await?;
        conn.allow_long_statements().await?;
        let issued = store::invoices::issued_between(&mut conn, from_ms, until_ms).await?;
        let gst_payable = store::ledger::gst_between(&mut conn, from_ms, until_ms).await?;
        conn.end_snapshot().await?;
        drop(conn);
        let made = gst_return(&self.core.company.gstin, first, &issued)?;
        Ok(GstFigures {
            month: month(first),
            documents: made.documents,
            sums: made.sums,
            gst_payable,
            files: made.files,
        })
    }
}
