//! Reconciling the gateway's report of a day with payments and books, and the exceptions found.

use serde::Serialize;
use serde_json::json;
use time::Date;

use super::{ActOutcome, Operators, reason};
use crate::error::{Error, Result};
use crate::model::money::paise::Paise;
use crate::model::operator::ActResult;
use crate::model::payment::report::parse_report;
use crate::services::books::reconciliation::reconcile_day;
use crate::store::reconciliation::OpenException;
use crate::store::{self, Store};

/// A day whose report was read.
#[derive(Debug, Serialize)]
pub struct DayReconciled {
    pub day: String,
    pub rows: usize,
    /// Customers' payments at the gateway on that day.
    pub paid: Paise,
    /// Credits in the books on that day.
    pub credited: Paise,
    /// All open exceptions, including other days.
    pub open: Vec<ExceptionListed>,
}

/// A difference between gateway, orders and books.
#[derive(Debug, Serialize)]
pub struct ExceptionListed {
    pub exception: String,
    pub day: String,
    pub kind: String,
    pub order: String,
    pub gateway: Option<Paise>,
    pub ordered: Option<Paise>,
    pub books: Option<Paise>,
    pub found_at: i64,
}

/// An exception after an action.
#[derive(Debug, Serialize)]
pub struct ExceptionClosed {
    pub exception: String,
}

impl From<OpenException> for ExceptionListed {
    fn from(open: OpenException) -> ExceptionListed {
        ExceptionListed {
            exception: open.exception_id,
            day: open.day,
            kind: open.difference.kind,
            order: open.difference.merchant_order_id,
            gateway: open.difference.gateway,
            ordered: open.difference.order,
            books: open.difference.ledger,
            found_at: open.found_ms,
        }
    }
}

/// Returns all open exceptions, oldest day first.
pub async fn list(store: &Store) -> Result<Vec<ExceptionListed>> {
    let open = store::reconciliation::open(&mut *store.read().await?).await?;
    Ok(open.into_iter().map(ExceptionListed::from).collect())
}

impl Operators {
    /// Compares the gateway's report of a day in India with payments and books.
    ///
    /// # Errors
    /// `Malformed` for a report with any error: then nothing of it is stored.
    pub async fn reconcile(
        &self,
        day: Date,
        report: &[u8],
        why: &str,
    ) -> Result<ActResult<DayReconciled>> {
        let (rows, why, now_ms) = (parse_report(report)?, reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"day": day.to_string(), "rows": rows.len(), "reason": why});
        let action = self.act("reconciliation day", arguments, move |conn| {
            Box::pin(async move {
                let read = reconcile_day(conn, day, &rows, now_ms).await?;
                let (rows, paid, credited) = (read.rows, read.paid, read.credited);
                let open: Vec<_> = read.open.into_iter().map(ExceptionListed::from).collect();
                Ok(ActOutcome {
                    reference: day.to_string(),
                    outcome: format!(
                        "{rows} rows, {paid} paid, {credited} credited, {} open.",
                        open.len()
                    ),
                    result: DayReconciled { day: day.to_string(), rows, paid, credited, open },
                })
            })
        });
        action.await
    }

    /// Closes an exception, and stores the reason with it.
    ///
    /// # Errors
    /// `NotFound` when it is not open.
    pub async fn close_exception(&self, id: &str, why: &str) -> Result<ActResult<ExceptionClosed>> {
        let (id, by) = (id.to_owned(), self.instruction(why)?);
        let arguments = json!({"reason": by.note});
        let action = self.act("reconciliation close", arguments, move |conn| {
            Box::pin(async move {
                let (actor, note) = (&by.actor, &by.note);
                if !store::reconciliation::close(conn, &id, actor, note, by.now_ms).await? {
                    return Err(Error::NotFound("No such exception is open.".into()));
                }
                Ok(ActOutcome {
                    reference: id.clone(),
                    outcome: "Closed.".to_owned(),
                    result: ExceptionClosed { exception: id },
                })
            })
        });
        action.await
    }
}
