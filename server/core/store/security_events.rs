//! Security events of accounts. Rows are added in the transaction of the event and stay until they
//! are old; the database refuses other changes.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::limits;
use crate::model::account::device::Device;
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::random::row_id;

/// A filter of events. Empty fields match all.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    pub user_id: String,
    pub address: String,
    pub limit: i64,
}

/// Adds an event. For unknown names, the number per client and hour is limited: trying a list of
/// names cannot fill the disk.
pub(crate) async fn add(conn: &mut Conn, event: &SecurityEvent) -> Result<()> {
    let result = if event.succeeded { "done" } else { "refused" };
    sqlx::query(
        "insert into security_events (event_id, user_id, act, result, subject_id, address, device,
           created_ms)
         select cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as text),
           cast($5 as text), cast($6 as text), cast($7 as text), cast($8 as bigint)
         where cast($2 as text) is not null or (
           select count(*) from security_events
           where user_id is null and address = cast($6 as text)
             and created_ms > cast($8 as bigint) - cast($9 as bigint)) < cast($10 as bigint)",
    )
    .bind(row_id(event.created_ms))
    .bind(&event.user_id)
    .bind(event.act.word())
    .bind(result)
    .bind(&event.subject_id)
    .bind(&event.origin.address)
    .bind(event.origin.device.as_str())
    .bind(event.created_ms)
    .bind(limits::HOUR_MS)
    .bind(limits::UNKNOWN_NAMES_AN_HOUR_MAX)
    .run(conn)
    .await
}

pub(crate) async fn list(conn: &mut Conn, filter: &EventFilter) -> Result<Vec<SecurityEvent>> {
    sqlx::query(
        "select user_id, act, result, subject_id, address, device, created_ms from security_events
         where ($1 = '' or user_id = $1) and ($2 = '' or address = $2)
         order by created_ms desc, event_id limit $3",
    )
    .bind(&filter.user_id)
    .bind(&filter.address)
    .bind(filter.limit)
    .read_all(conn, event)
    .await
}

pub(crate) async fn of_user(
    conn: &mut Conn,
    user_id: &str,
    limit: i64,
) -> Result<Vec<SecurityEvent>> {
    let select =
        "select user_id, act, result, subject_id, address, device, created_ms from security_events
         where user_id = $1 order by created_ms desc, event_id limit $2";
    sqlx::query(select).bind(user_id).bind(limit).read_all(conn, event).await
}

/// Counts of a user's logins.
#[derive(Clone, Copy, Debug)]
pub struct Logins {
    pub all: i64,
    /// Logins from this address with a browser of this kind.
    pub same_origin: i64,
}

/// Counts the user's logins, as far back as events are stored.
pub(crate) async fn logins(conn: &mut Conn, user_id: &str, origin: &Origin) -> Result<Logins> {
    let row = sqlx::query(
        "select count(*) as everywhere,
           count(case when address = $2 and device = $3 then 1 end) as same_origin
         from security_events where user_id = $1 and act = $4 and result = 'done'",
    )
    .bind(user_id)
    .bind(&origin.address)
    .bind(origin.device.as_str())
    .bind(SecurityAct::LoggedIn.word())
    .fetch_one(conn)
    .await?;
    Ok(Logins { all: row.try_get("everywhere")?, same_origin: row.try_get("same_origin")? })
}

/// Counts the successful events of a kind in a user's account since a time.
pub(crate) async fn done_since(
    conn: &mut Conn,
    user_id: &str,
    act: SecurityAct,
    since_ms: i64,
) -> Result<i64> {
    count_since(conn, user_id, (act, "done"), since_ms).await
}

/// Counts the refused events of a kind in a user's account since a time.
pub(crate) async fn refused_since(
    conn: &mut Conn,
    user_id: &str,
    act: SecurityAct,
    since_ms: i64,
) -> Result<i64> {
    count_since(conn, user_id, (act, "refused"), since_ms).await
}

async fn count_since(
    conn: &mut Conn,
    user_id: &str,
    (act, result): (SecurityAct, &str),
    since_ms: i64,
) -> Result<i64> {
    let count = "select count(*) from security_events
                 where user_id = $1 and created_ms > $2 and act = $3 and result = $4";
    let count = sqlx::query_scalar(count).bind(user_id).bind(since_ms);
    Ok(count.bind(act.word()).bind(result).fetch_one(conn).await?)
}

pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    let from = "update counters set value = $1
                where counter = 'security_events_from' and value < $1";
    sqlx::query(from).bind(before_ms).run(conn).await?;
    old_rows::delete(conn, "security_events", "event_id", "created_ms < $1", before_ms).await
}

fn event(row: &AnyRow) -> Result<SecurityEvent> {
    Ok(SecurityEvent {
        user_id: row.try_get("user_id")?,
        act: SecurityAct::stored(&row.try_get::<String, _>("act")?),
        succeeded: row.try_get::<String, _>("result")? == "done",
        subject_id: row.try_get("subject_id")?,
        origin: Origin {
            address: row.try_get("address")?,
            device: Device::from_stored(row.try_get("device")?),
        },
        created_ms: row.try_get("created_ms")?,
    })
}
