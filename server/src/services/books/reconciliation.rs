//! The daily three-way reconciliation: the gateway's report, our orders, and the books.

use time::{Date, Duration};

use super::Books;
use crate::error::{Error, Result};
use crate::model::calendar::midnight_in_india;
use crate::model::money::paise::Paise;
use crate::model::payment::report::parse_report;
use crate::store;
use crate::store::reconciliation::OpenException;

/// Who closes what is not so any more.
const ITSELF: &str = "dakiya";

/// A day, reconciled.
#[derive(Clone, Debug)]
pub struct Reconciled {
    pub rows: usize,
    /// What customers paid at the gateway on that day.
    pub paid: Paise,
    /// What the books credited on that day.
    pub credited: Paise,
    /// All that is open, also of other days.
    pub open: Vec<OpenException>,
}

impl Books {
    /// Holds the gateway's report of a day in India against orders and books. What they do not
    /// agree about is kept until an operator closes it, or until the same day's report says that it
    /// is so no more. A report read again replaces what was read of that day.
    ///
    /// # Errors
    /// `Malformed` for a report with anything wrong in it: nothing of it is taken.
    pub async fn reconcile_day(&self, day: Date, report: &[u8]) -> Result<Reconciled> {
        let rows = parse_report(report)?;
        let (from_ms, until_ms) = (
            midnight_in_india(day),
            midnight_in_india(day + Duration::DAY),
        );
        let (day, now_ms) = (day.to_string(), self.core.clock.now_ms());
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    use crate::store::reconciliation;
                    reconciliation::keep_report(conn, &day, &rows).await?;
                    let totals = reconciliation::totals(conn, &day, from_ms, until_ms).await?;
                    let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
                    reconciliation::read(conn, &day, count, totals, now_ms).await?;
                    let found = reconciliation::differences(conn, &day, from_ms, until_ms).await?;
                    for known in reconciliation::open(conn).await? {
                        let of_day = known.day == day;
                        let same = |it: &store::reconciliation::Difference| {
                            let (a, b) = (it, &known.difference);
                            a.kind == b.kind && a.merchant_order_id == b.merchant_order_id
                        };
                        if of_day && !found.iter().any(same) {
                            let (id, note) = (&known.exception_id, "It is so no more.");
                            reconciliation::close(conn, id, ITSELF, note, now_ms).await?;
                        }
                    }
                    for difference in &found {
                        reconciliation::add(conn, &day, difference, now_ms).await?;
                    }
                    let (paid, credited) = totals;
                    Ok(Reconciled {
                        rows: rows.len(),
                        paid,
                        credited,
                        open: reconciliation::open(conn).await?,
                    })
                })
            })
            .await
    }

    /// All exceptions that no operator has closed.
    pub async fn exceptions(&self) -> Result<Vec<OpenException>> {
        store::reconciliation::open(&mut *self.core.store.read().await?).await
    }

    /// Closes an exception with the operator's note.
    ///
    /// # Errors
    /// `NotFound` when it is not open, `Fields` without a note.
    pub async fn close_exception(&self, id: &str, actor: &str, note: &str) -> Result<()> {
        if note.trim().is_empty() || actor.trim().is_empty() {
            let message = "An exception is closed by somebody, with a note.";
            return Err(Error::field("note", message));
        }
        let (id, actor, note) = (id.to_owned(), actor.to_owned(), note.to_owned());
        let now_ms = self.core.clock.now_ms();
        let closed = self.core.store.write(move |conn| {
            Box::pin(
                async move { store::reconciliation::close(conn, &id, &actor, &note, now_ms).await },
            )
        });
        match closed.await? {
            true => Ok(()),
            false => Err(Error::NotFound("No such exception is open.".into())),
        }
    }
}
