//! Counters of messages to people. Each counts from its first message on for a day.

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::failpoints;
use crate::limits::DAY_MS;
use crate::model::message::{CounterRule, MessageCounter};

/// Counts a message. `false` when its counter is used up or its pause is not over. Locks the row
/// until the transaction ends, so concurrent messages are counted one after another.
pub(crate) async fn add(
    conn: &mut Conn,
    counter: &MessageCounter,
    rule: CounterRule,
    now_ms: i64,
) -> Result<bool> {
    // A time after tomorrow was written by a clock that was wrong, and does not count.
    let (since_ms, until_ms) = (now_ms - DAY_MS + 1, now_ms + DAY_MS);
    let paused_ms = match rule.pause_ms {
        0 => until_ms + 1,
        pause_ms => now_ms - pause_ms + 1,
    };
    let count = failpoints::sql(
        "insert into message_counts (kind, scope, print, since_ms, sent, last_ms)
         values ($1, $2, $3, $4, 1, $4)
         on conflict (kind, scope, print) do update set
           sent = case when message_counts.since_ms between $5 and $6
                    then message_counts.sent + 1 else 1 end,
           since_ms = case when message_counts.since_ms between $5 and $6
                        then message_counts.since_ms else excluded.since_ms end,
           last_ms = excluded.last_ms
         where (message_counts.sent < $7 or message_counts.since_ms not between $5 and $6)
           and message_counts.last_ms not between $8 and $6",
    );
    sqlx::query(count)
        .bind(counter.kind.word())
        .bind(counter.scope.word())
        .bind(&counter.print)
        .bind(now_ms)
        .bind(since_ms)
        .bind(until_ms)
        .bind(rule.most)
        .bind(paused_ms)
        .changes_one(conn)
        .await
}

/// Takes a message back that was certainly not sent.
pub(crate) async fn remove(conn: &mut Conn, counter: &MessageCounter) -> Result<()> {
    let update = "update message_counts set sent = sent - 1, last_ms = 0
                  where kind = $1 and scope = $2 and print = $3 and sent > 0";
    sqlx::query(update)
        .bind(counter.kind.word())
        .bind(counter.scope.word())
        .bind(&counter.print)
        .run(conn)
        .await
}

/// Returns the time of the first message that is counted.
pub(crate) async fn since(conn: &mut Conn, counter: &MessageCounter) -> Result<i64> {
    let select = "select since_ms from message_counts
                  where kind = $1 and scope = $2 and print = $3";
    let since_ms = sqlx::query_scalar(select)
        .bind(counter.kind.word())
        .bind(counter.scope.word())
        .bind(&counter.print)
        .fetch_optional(conn)
        .await?;
    Ok(since_ms.unwrap_or_default())
}

pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    old_rows::delete(
        conn,
        "message_counts",
        "kind, scope, print",
        "since_ms < $1 and last_ms < $1",
        before_ms,
    )
    .await
}
