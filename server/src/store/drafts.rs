//! Drafts of bookings, sealed. Every function but the sweep takes the owner's id.

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::model::booking::form::draft::SealedDraft;

/// Returns the user's draft with its revision; `None` if there never was one.
pub(crate) async fn find(conn: &mut Conn, user_id: &str) -> Result<Option<SealedDraft>> {
    let select = "select revision, content from drafts where user_id = $1";
    let draft = sqlx::query_as(select).bind(user_id).fetch_optional(conn).await?;
    Ok(draft.map(|(revision, content)| SealedDraft { revision, content }))
}

/// Replaces revision `base` of a draft, zero if there is none. `false` if that is not the newest
/// revision.
pub(crate) async fn replace(
    conn: &mut Conn,
    user_id: &str,
    base: i64,
    content: &str,
    now_ms: i64,
) -> Result<bool> {
    let replace = match base {
        0 => {
            "insert into drafts (user_id, revision, content, saved_ms)
             select $1, 1, $3, $4 where $2 = 0 on conflict do nothing"
        }
        _ => {
            "update drafts set revision = revision + 1, content = $3, saved_ms = $4
             where user_id = $1 and revision = $2"
        }
    };
    sqlx::query(replace).bind(user_id).bind(base).bind(content).bind(now_ms).changes_one(conn).await
}

pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<()> {
    sqlx::query("delete from drafts where saved_ms < $1").bind(before_ms).run(conn).await
}
