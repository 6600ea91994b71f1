//! The customer's overview: the newest bookings and statement lines.

use super::core::Core;
use crate::error::Result;
use crate::model::booking::order::history::History;
use crate::model::calendar::date_in_india;
use crate::model::paging::Listed;
use crate::model::wallet::statement::Transaction;
use crate::store;

/// Reads the first page of both lists on one connection.
pub(crate) async fn overview(
    core: &Core,
    user_id: &str,
    rows: i64,
) -> Result<(History, Listed<Transaction>)> {
    let mut conn = core.store.read().await?;
    let now_ms = core.clock.now_ms();
    let (page, lines) = store::overview::newest(&mut conn, user_id, rows, now_ms).await?;
    drop(conn);
    let today = date_in_india(now_ms);
    let results = lines.results.into_iter().map(Transaction::from).collect();
    let transactions = Listed { results, count: lines.count };
    Ok((History::of(page, today), transactions))
}
