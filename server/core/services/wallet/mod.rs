//! The wallet for its owner: the balance and the statement.

use time::Date;

use super::core::Core;
use crate::error::{Error, Result};
use crate::model::calendar::date_in_india;
use crate::model::money::paise::Paise;
use crate::model::paging::{Listed, Paging};
use crate::model::period::Period;
use crate::model::wallet::line_counts::{
    LineCount, Span, StatementStart, beginning, months_before, spans,
};
use crate::model::wallet::statement::{
    StatementFilter, StatementLine, Transaction, WalletStatement,
};
use crate::store::Conn;
use crate::{limits, store};

/// Reads wallets for their owners. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Wallet {
    core: Core,
}

impl Wallet {
    pub fn new(core: Core) -> Wallet {
        Wallet { core }
    }

    /// Returns the available balance.
    pub async fn balance(&self, user_id: &str) -> Result<Paise> {
        store::ledger::available(&mut *self.core.store.read().await?, user_id).await
    }

    /// Returns the amount that the user owes us, if any. With money in the wallet there is none.
    pub async fn owed(&self, user_id: &str, balance: Paise) -> Result<Option<Paise>> {
        if balance > Paise::ZERO {
            return Ok(None);
        }
        let owed = store::debts::owed(&mut *self.core.store.read().await?, user_id).await?;
        Ok((owed > Paise::ZERO).then_some(owed))
    }

    /// Returns a page of the user's statement, newest first.
    pub async fn statement_page(
        &self,
        user_id: &str,
        filter: &StatementFilter,
        paging: Paging,
    ) -> Result<Listed<Transaction>> {
        let mut conn = self.core.store.read().await?;
        let is_newest = *filter == StatementFilter::default() && paging.offset() == 0;
        let listed = match is_newest {
            true => store::statement::newest(&mut conn, user_id, paging.limit()).await?,
            false => page(&mut conn, user_id, filter, paging).await?,
        };
        Ok(Listed {
            results: listed.results.into_iter().map(Transaction::from).collect(),
            count: listed.count,
        })
    }

    /// Returns all lines of a period with its opening and closing balance.
    ///
    /// # Errors
    /// `Fields` when there are more lines than one document can hold.
    pub async fn statement(
        &self,
        user_id: &str,
        filter: &StatementFilter,
    ) -> Result<WalletStatement> {
        // A snapshot keeps lines and balances consistent with each other.
        let mut conn = self.core.store.read().await?;
        conn.begin_snapshot().await?;
        let counts = store::statement::counts::all(&mut conn, user_id).await?;
        let spans = count_spans(&mut conn, user_id, filter, &counts).await?;
        let count: i64 = spans.iter().filter_map(|span| span.lines).sum();
        let most = limits::STATEMENT_LINES_MAX;
        if count > most {
            let message = format!(
                "This period has {count} transactions, and a statement holds {most}. \
                 Please choose a shorter period."
            );
            return Err(Error::field("from", message));
        }
        let opening = match filter.period.from {
            Some(day) => balance_before(&mut conn, user_id, &counts, day).await?,
            None => Paise::ZERO,
        };
        let closing = match filter.period.to.and_then(Date::next_day) {
            Some(day) => balance_before(&mut conn, user_id, &counts, day).await?,
            None => Paise::new(counts.iter().map(|count| count.amount_paise).sum()),
        };
        let places = places(&spans);
        let lines = store::statement::oldest(&mut conn, user_id, places, filter).await?;
        let owed = store::debts::owed(&mut conn, user_id).await?;
        conn.end_snapshot().await?;
        drop(conn);
        let today = date_in_india(self.core.clock.now_ms());
        let to = filter.period.to.unwrap_or(today);
        let first = lines.first().map(|line| date_in_india(line.created_ms));
        let from = filter.period.from.or(first).unwrap_or(to).min(to);
        Ok(WalletStatement {
            period: (from, to),
            kind: filter.kind,
            opening,
            closing,
            owed,
            lines: lines.into_iter().map(Transaction::from).collect(),
        })
    }
}

/// Returns a page of the filtered lines, read from the month in which it begins.
async fn page(
    conn: &mut Conn,
    user_id: &str,
    filter: &StatementFilter,
    paging: Paging,
) -> Result<Listed<StatementLine>> {
    let counts = store::statement::counts::all(conn, user_id).await?;
    let spans = count_spans(conn, user_id, filter, &counts).await?;
    let StatementStart { last_seq, skipped } = beginning(&spans, paging.offset());
    let places = (places(&spans).0, last_seq);
    let rows = (paging.limit(), skipped);
    Ok(Listed {
        results: store::statement::page(conn, user_id, places, filter, rows).await?,
        count: spans.iter().filter_map(|span| span.lines).sum(),
    })
}

/// Returns the months in which a filter finds lines, with the count of each.
async fn count_spans(
    conn: &mut Conn,
    user_id: &str,
    filter: &StatementFilter,
    counts: &[LineCount],
) -> Result<Vec<Span>> {
    let mut spans = spans(filter, counts);
    for span in spans.iter_mut().filter(|span| span.lines.is_none()) {
        let places = (span.first_seq, span.last_seq);
        let (lines, _) = store::statement::sum(conn, user_id, places, filter).await?;
        span.lines = Some(lines);
    }
    Ok(spans)
}

/// Returns the first and the last sequence number of all spans.
fn places(spans: &[Span]) -> (i64, i64) {
    let first = spans.iter().map(|span| span.first_seq).min();
    let last = spans.iter().map(|span| span.last_seq).max();
    (first.unwrap_or(0), last.unwrap_or(0))
}

/// Returns the available balance at the start of a day.
async fn balance_before(
    conn: &mut Conn,
    user_id: &str,
    counts: &[LineCount],
    day: Date,
) -> Result<Paise> {
    let (whole, first) = months_before(counts, day);
    let period = Period { from: Some(first), to: day.previous_day() };
    let days = StatementFilter { period, kind: None };
    if first == day {
        return Ok(whole);
    }
    let places = places(&spans(&days, counts));
    let (_, since) = store::statement::sum(conn, user_id, places, &days).await?;
    Ok([whole, since].into_iter().sum())
}
