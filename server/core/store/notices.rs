//! Notices about bookings, to customers by email and to consignees by SMS: one row per event.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::pipeline::Statement;
use super::run::read_word;
use super::{Conn, RunStatement as _, tasks, users};
use crate::error::Result;
use crate::failpoints;
use crate::model::notice::{BookingEvent, Notice};
use crate::model::task::TaskKind;

/// Adds a notice, unless this event of this booking already has one.
pub(crate) async fn add(
    conn: &mut Conn,
    booking_id: &str,
    news: BookingEvent,
    now_ms: i64,
) -> Result<()> {
    match add_statement(booking_id, news, now_ms).changes_one(conn).await? {
        true => tasks::add(conn, TaskKind::Notices, booking_id, now_ms, now_ms).await,
        false => Ok(()),
    }
}

/// Inserts a notice. The caller adds a task if a row was inserted.
pub(super) fn add_statement(booking_id: &str, news: BookingEvent, now_ms: i64) -> Statement<'_> {
    let insert =
        "insert into notices (booking_id, status, is_open, created_ms) values ($1, $2, 1, $3)
         on conflict do nothing";
    sqlx::query(insert).bind(booking_id).bind(news.word()).bind(now_ms)
}

/// Removes a notice whose event did not happen, so that it can be told when it does.
pub(crate) async fn forget(conn: &mut Conn, booking_id: &str, news: BookingEvent) -> Result<()> {
    let delete = "delete from notices where booking_id = $1 and status = $2";
    sqlx::query(delete).bind(booking_id).bind(news.word()).run(conn).await
}

/// Returns the open notices of a booking that are not too old, in order.
pub async fn open(conn: &mut Conn, booking_id: &str, since_ms: i64) -> Result<Vec<Notice>> {
    let select = "select n.booking_id, n.status, u.user_id, u.email, u.language,
                    case when u.email_confirmed_ms is null then 0 else 1 end as is_confirmed
                  from notices n
                  join bookings b on b.booking_id = n.booking_id
                  join users u on u.user_id = b.user_id
                  where n.booking_id = $1 and n.is_open = 1 and n.created_ms >= $2
                  order by n.created_ms";
    sqlx::query(select).bind(booking_id).bind(since_ms).read_all(conn, notice).await
}

/// Takes the single permission to send a notice now. `false` if it is or was taken. After a crash
/// the notice stays closed, because it may have been sent.
pub(crate) async fn claim(conn: &mut Conn, notice: &Notice) -> Result<bool> {
    let claim = failpoints::sql(
        "update notices set is_open = 0 where booking_id = $1 and status = $2 and is_open = 1",
    );
    sqlx::query(claim).bind(&notice.booking_id).bind(notice.news.word()).changes_one(conn).await
}

/// Reopens a notice that was certainly not sent, for a retry.
pub(crate) async fn reopen(conn: &mut Conn, notice: &Notice) -> Result<()> {
    let update = "update notices set is_open = 1 where booking_id = $1 and status = $2";
    sqlx::query(update).bind(&notice.booking_id).bind(notice.news.word()).run(conn).await
}

fn notice(row: &AnyRow) -> Result<Notice> {
    Ok(Notice {
        booking_id: row.try_get("booking_id")?,
        news: read_word(row, "status", BookingEvent::parse, "a notice tells of")?,
        reader: users::reader_of(row)?,
        is_confirmed: row.try_get::<i64, _>("is_confirmed")? == 1,
    })
}
