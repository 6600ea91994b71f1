//! What customers are told of their bookings by e-mail: one row for each piece of news.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::error::{Error, Result};
use crate::fault;
use crate::model::notice::{News, Notice};

/// Writes down that the customer is to be told, unless this was news of this booking before.
pub async fn add(conn: &mut Conn, awb: &str, news: News, now_ms: i64) -> Result<()> {
    sqlx::query(
        "insert into notices (booking_id, status, tries, due_ms, created_ms)
         select booking_id, cast($2 as text), 0, cast($3 as bigint), cast($3 as bigint)
         from bookings where awb = $1
         on conflict do nothing",
    )
    .bind(awb)
    .bind(news.word())
    .bind(now_ms)
    .execute(conn)
    .await?;
    Ok(())
}

/// What is to be sent and is still news, the longest waiting first.
pub async fn due(conn: &mut Conn, now_ms: i64, since_ms: i64, limit: i64) -> Result<Vec<Notice>> {
    let rows = sqlx::query(
        "select n.booking_id, n.status, n.tries, b.awb, u.email
         from notices n
         join bookings b on b.booking_id = n.booking_id
         join users u on u.user_id = b.user_id
         where n.due_ms > 0 and n.due_ms <= $1 and n.created_ms >= $2
         order by n.due_ms, n.created_ms limit $3",
    )
    .bind(now_ms)
    .bind(since_ms)
    .bind(limit)
    .fetch_all(conn)
    .await?;
    rows.iter().map(notice).collect()
}

/// The one permission to try it now; `false` when somebody else has it or had it. Whoever dies with
/// it leaves the notice unsent: it may have left.
pub async fn claim(conn: &mut Conn, notice: &Notice, now_ms: i64) -> Result<bool> {
    let claim = fault::sql(
        "update notices set due_ms = 0, tries = tries + 1
         where booking_id = $1 and status = $2 and due_ms > 0 and due_ms <= $3",
    );
    let claimed = sqlx::query(claim)
        .bind(&notice.booking_id)
        .bind(notice.news.word())
        .bind(now_ms)
        .execute(conn)
        .await?;
    Ok(claimed.rows_affected() == 1)
}

/// It surely did not leave, and is tried again at this time.
pub async fn put_off(conn: &mut Conn, notice: &Notice, due_ms: i64) -> Result<()> {
    sqlx::query("update notices set due_ms = $3 where booking_id = $1 and status = $2")
        .bind(&notice.booking_id)
        .bind(notice.news.word())
        .bind(due_ms)
        .execute(conn)
        .await?;
    Ok(())
}

fn notice(row: &AnyRow) -> Result<Notice> {
    let word: String = row.try_get("status")?;
    let unheard = || Error::internal(anyhow::anyhow!("a notice tells of {word}"));
    Ok(Notice {
        booking_id: row.try_get("booking_id")?,
        news: News::parse(&word).ok_or_else(unheard)?,
        tries: row.try_get("tries")?,
        awb: row.try_get("awb")?,
        email: row.try_get("email")?,
    })
}
