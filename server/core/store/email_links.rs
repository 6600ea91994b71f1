//! Links that confirm an email address, or undo a change of it. A link names its owner; only its
//! hash is stored.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::{failpoints, limits};

/// The condition of an account's undo links that still work, for the account `$1` at the time `$2`.
macro_rules! can_undo {
    () => {
        "user_id = $1 and purpose = 'undo' and ended_ms is null and expires_ms > $2"
    };
}

/// The purpose of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailLinkPurpose {
    Confirm,
    Undo,
}

impl EmailLinkPurpose {
    fn word(self) -> &'static str {
        match self {
            EmailLinkPurpose::Confirm => "confirm",
            EmailLinkPurpose::Undo => "undo",
        }
    }
}

/// A link as it is stored.
#[derive(Clone, Debug)]
pub struct EmailLink {
    pub token_hash: String,
    pub user_id: String,
    pub purpose: EmailLinkPurpose,
    /// The address that the link sets for the account.
    pub email: String,
    /// Since when that address counts as the account's.
    pub since_ms: i64,
    pub created_ms: i64,
    pub expires_ms: i64,
}

pub(crate) async fn add(conn: &mut Conn, link: &EmailLink) -> Result<()> {
    sqlx::query(
        "insert into email_links (token_hash, user_id, purpose, email, created_ms, expires_ms,
           since_ms)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&link.token_hash)
    .bind(&link.user_id)
    .bind(link.purpose.word())
    .bind(&link.email)
    .bind(link.created_ms)
    .bind(link.expires_ms)
    .bind(link.since_ms)
    .run(conn)
    .await
}

pub(crate) async fn made_since(
    conn: &mut Conn,
    user_id: &str,
    purpose: EmailLinkPurpose,
    since_ms: i64,
) -> Result<i64> {
    let count = "select count(*) from email_links
                 where user_id = $1 and created_ms > $2 and purpose = $3";
    Ok(sqlx::query_scalar(count)
        .bind(user_id)
        .bind(since_ms)
        .bind(purpose.word())
        .fetch_one(conn)
        .await?)
}

/// Returns the link of a token, if it is valid for this purpose.
pub(crate) async fn find(
    conn: &mut Conn,
    token_hash: &str,
    purpose: EmailLinkPurpose,
    now_ms: i64,
) -> Result<Option<EmailLink>> {
    let row = sqlx::query(
        "select token_hash, user_id, email, since_ms, created_ms, expires_ms from email_links
         where token_hash = $1 and purpose = $2 and ended_ms is null and expires_ms > $3",
    )
    .bind(token_hash)
    .bind(purpose.word())
    .bind(now_ms)
    .fetch_optional(conn)
    .await?;
    let link = |row: AnyRow| {
        Ok(EmailLink {
            token_hash: row.try_get("token_hash")?,
            user_id: row.try_get("user_id")?,
            purpose,
            email: row.try_get("email")?,
            since_ms: row.try_get("since_ms")?,
            created_ms: row.try_get("created_ms")?,
            expires_ms: row.try_get("expires_ms")?,
        })
    };
    row.map(link).transpose()
}

/// Uses a link up. `false` if it was used before or is too old.
pub(crate) async fn consume(conn: &mut Conn, link: &EmailLink, now_ms: i64) -> Result<bool> {
    sqlx::query(
        "update email_links set ended_ms = $3
         where token_hash = $1 and user_id = $2 and ended_ms is null and expires_ms > $3",
    )
    .bind(&link.token_hash)
    .bind(&link.user_id)
    .bind(now_ms)
    .changes_one(conn)
    .await
}

/// Ends the links that confirm an address.
pub(crate) async fn end_confirming(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<()> {
    let end = "update email_links set ended_ms = $2
               where user_id = $1 and purpose = 'confirm' and ended_ms is null";
    sqlx::query(end).bind(user_id).bind(now_ms).run(conn).await
}

/// Ends the undo links that lead to addresses which the account had later than this one's. Those of
/// earlier addresses stay. The links' own times do not decide: two servers may have made them,
/// with clocks that differ.
pub(crate) async fn end_later(conn: &mut Conn, link: &EmailLink, now_ms: i64) -> Result<()> {
    let end = failpoints::sql(
        "update email_links set ended_ms = $2
         where user_id = $1 and purpose = 'undo' and ended_ms is null
           and (since_ms > $3 or (since_ms = $3 and created_ms > $4))",
    );
    sqlx::query(end)
        .bind(&link.user_id)
        .bind(now_ms)
        .bind(link.since_ms)
        .bind(link.created_ms)
        .run(conn)
        .await
}

/// Returns earlier addresses that can still undo a change, the oldest first. Somebody who changes
/// the address again and again does not make them many.
pub(crate) async fn earlier_addresses(
    conn: &mut Conn,
    user_id: &str,
    now_ms: i64,
) -> Result<Vec<String>> {
    let select = concat!(
        "select email from email_links where ",
        can_undo!(),
        " group by email order by min(since_ms), min(created_ms) limit $3"
    );
    let select = sqlx::query_scalar(select).bind(user_id).bind(now_ms);
    Ok(select.bind(limits::EARLIER_ADDRESSES_TOLD_MAX).fetch_all(conn).await?)
}

/// Returns since when the oldest of the earlier addresses was the account's; `None` if no change
/// can be undone.
pub(crate) async fn oldest_right_ms(
    conn: &mut Conn,
    user_id: &str,
    now_ms: i64,
) -> Result<Option<i64>> {
    let select = concat!(
        "select since_ms from email_links where ",
        can_undo!(),
        " order by since_ms limit 1"
    );
    Ok(sqlx::query_scalar(select).bind(user_id).bind(now_ms).fetch_optional(conn).await?)
}

pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    old_rows::delete(conn, "email_links", "token_hash", "expires_ms < $1", before_ms).await
}
