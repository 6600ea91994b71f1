//! The gateway's daily reports: one file a day in a folder or a bucket, reconciled automatically.

use time::{Date, Duration};

use super::Books;
use super::reconciliation::reconcile_day;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::calendar::{date_in_india, midnight_in_india};
use crate::model::money::paise::Paise;
use crate::model::payment::report::parse_report;
use crate::providers::files::Inbound;
use crate::store::reconciliation::{open, totals, was_read};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportsRead {
    /// Days whose report was read in this run.
    pub read: Vec<Date>,
    /// Days with credited money whose report is late or cannot be read.
    pub missing: Vec<Date>,
    /// Number of open exceptions, including other days.
    pub open: usize,
}

impl Books {
    /// Reconciles the last days whose report, such as `2026-11-21.csv`, is in the folder: those
    /// never read, and those with open exceptions. A report that cannot be read is missing, and the
    /// log says why.
    pub async fn reconcile_reports(&self, folder: &Inbound) -> Result<ReportsRead> {
        let now_ms = self.core.clock.now_ms();
        let today = date_in_india(now_ms);
        let mut reports = ReportsRead::default();
        let before = open(&mut *self.core.store.read().await?).await?;
        for ago in (1..=limits::GATEWAY_REPORT_DAYS).rev() {
            let day = today - Duration::days(ago);
            let name = day.to_string();
            let is_known = was_read(&mut *self.core.store.read().await?, &name).await?;
            if is_known && !before.iter().any(|it| it.day == name) {
                continue;
            }
            if self.is_reconciled(folder, day, now_ms).await {
                reports.read.push(day);
            } else if !is_known && self.is_missed(day, now_ms).await? {
                reports.missing.push(day);
            }
        }
        reports.open = open(&mut *self.core.store.read().await?).await?.len();
        Ok(reports)
    }

    /// Reconciles all days from this one to yesterday, of which data may be lost. A day without its
    /// report in the folder is missing, whatever the books say.
    pub(crate) async fn reconcile_since(
        &self,
        folder: &Inbound,
        from: Date,
    ) -> Result<ReportsRead> {
        let now_ms = self.core.clock.now_ms();
        let today = date_in_india(now_ms);
        let mut reports = ReportsRead::default();
        let mut day = from.max(today - Duration::days(limits::RECOVERED_DAYS_MAX));
        while day < today {
            match self.is_reconciled(folder, day, now_ms).await {
                true => reports.read.push(day),
                false => reports.missing.push(day),
            }
            day += Duration::DAY;
        }
        reports.open = open(&mut *self.core.store.read().await?).await?.len();
        Ok(reports)
    }

    /// Reconciles a day's report; `false` when there is none, and when it cannot be read: an error
    /// in one report does not stop the other days.
    async fn is_reconciled(&self, folder: &Inbound, day: Date, now_ms: i64) -> bool {
        self.reconcile_file(folder, day, now_ms).await.unwrap_or_else(|error| {
            tracing::error!(%day, "the gateway's report was not read: {error}");
            false
        })
    }

    /// Reconciles a day's report; `false` when there is none.
    async fn reconcile_file(&self, folder: &Inbound, day: Date, now_ms: i64) -> Result<bool> {
        let most = limits::GATEWAY_REPORT_BYTES_MAX;
        let report = folder.read(&format!("{day}.csv"), most).await;
        let Some(report) = report.map_err(Error::internal)? else {
            return Ok(false);
        };
        let rows = parse_report(&report)?;
        let write = self.core.store.write(move |conn| {
            Box::pin(async move { reconcile_day(conn, day, &rows, now_ms).await })
        });
        write.await.map(|_| true)
    }

    /// Returns true if a report that was never read is late although money was credited.
    async fn is_missed(&self, day: Date, now_ms: i64) -> Result<bool> {
        let until_ms = midnight_in_india(day + Duration::DAY);
        if now_ms < until_ms + limits::GATEWAY_REPORT_LATE_MS {
            return Ok(false);
        }
        let (name, from_ms) = (day.to_string(), midnight_in_india(day));
        let mut conn = self.core.store.read().await?;
        let (_, credited) = totals(&mut conn, &name, from_ms, until_ms).await?;
        Ok(credited > Paise::ZERO)
    }
}
