//! The gateway's reports as they come in: a file a day in a folder, reconciled by themselves.

use std::path::Path;

use time::{Date, Duration};
use tokio::io::AsyncReadExt;

use super::Books;
use super::reconciliation::reconcile_day;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::calendar::{date_in_india, midnight_in_india};
use crate::model::money::paise::Paise;
use crate::model::payment::report::parse_report;
use crate::store::reconciliation::{open, totals, was_read};

/// How the last days stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportsRead {
    /// Days whose report was read just now.
    pub read: Vec<Date>,
    /// Days on which money was credited, and whose report should have been here and could be read.
    pub missing: Vec<Date>,
    /// What is open, also of other days.
    pub open: usize,
}

impl Books {
    /// Reconciles the days whose report `2026-11-21.csv` lies in the folder: of the last ones,
    /// those that were never read, and those that something is open of. A report that cannot be
    /// read is missing, and the log says why.
    pub async fn reconcile_reports(&self, folder: &Path) -> Result<ReportsRead> {
        let now_ms = self.core.clock.now_ms();
        let today = date_in_india(now_ms);
        let mut done = ReportsRead::default();
        let before = open(&mut *self.core.store.read().await?).await?;
        for ago in (1..=limits::GATEWAY_REPORT_DAYS).rev() {
            let day = today - Duration::days(ago);
            let name = day.to_string();
            let known = was_read(&mut *self.core.store.read().await?, &name).await?;
            if known && !before.iter().any(|it| it.day == name) {
                continue;
            }
            // What is wrong in a report is its own, and stops no other day.
            let is_read = self
                .take(folder, day, now_ms)
                .await
                .unwrap_or_else(|error| {
                    tracing::error!(%day, "the gateway's report is not taken: {error}");
                    false
                });
            if is_read {
                done.read.push(day);
            } else if !known && self.is_missed(day, now_ms).await? {
                done.missing.push(day);
            }
        }
        done.open = open(&mut *self.core.store.read().await?).await?.len();
        Ok(done)
    }

    /// Whether a day's report is there, which is then reconciled.
    async fn take(&self, folder: &Path, day: Date, now_ms: i64) -> Result<bool> {
        let report = read(&folder.join(format!("{day}.csv"))).await;
        let Some(report) = report.map_err(Error::internal)? else {
            return Ok(false);
        };
        let rows = parse_report(&report)?;
        let taken = self.core.store.write(move |conn| {
            Box::pin(async move { reconcile_day(conn, day, &rows, now_ms).await })
        });
        taken.await.map(|_| true)
    }

    /// Whether a report that was never read is late and something should be in it.
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

/// The file, if it is there; never much more of it than a report may have.
async fn read(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let file = match tokio::fs::File::open(path).await {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut bytes = Vec::new();
    let most = limits::GATEWAY_REPORT_BYTES_MAX as u64 + 1;
    file.take(most).read_to_end(&mut bytes).await?;
    Ok(Some(bytes))
}
