//! Drafts of bookings, sealed. Every function but the sweep takes the owner's id.

use super::pipeline::run_pipeline;
use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::model::booking::form::draft::SealedDraft;

/// Returns the user's draft with its revision; `None` if there never was one.
pub(crate) async fn find(conn: &mut Conn, user_id: &str) -> Result<Option<SealedDraft>> {
    let select = "select revision, content, saved_ms from drafts where user_id = $1";
    let draft = sqlx::query_as(select).bind(user_id).fetch_optional(conn).await?;
    Ok(draft.map(|(revision, content, saved_ms)| SealedDraft { revision, content, saved_ms }))
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

/// A draft that a new booking uses up.
#[derive(Clone, Copy, Debug)]
pub struct UsedDraft<'b> {
    pub user_id: &'b str,
    pub draft_id: &'b str,
    pub booking_id: &'b str,
}

/// Claims drafts of different users for new bookings. `false` if one was booked before, unless its
/// courier refused that booking. Waits while the transaction of another claim of a draft is open.
pub(crate) async fn claim(conn: &mut Conn, used: &[UsedDraft<'_>]) -> Result<bool> {
    let claim = "insert into booked_drafts as d (user_id, draft_id, booking_id)
                 values ($1, $2, $3)
                 on conflict (user_id, draft_id) do update set booking_id = excluded.booking_id
                   where exists (select 1 from bookings b
                                 where b.booking_id = d.booking_id and b.status = 'failed')";
    let all = used.iter().map(|UsedDraft { user_id, draft_id, booking_id }| {
        sqlx::query(claim).bind(*user_id).bind(*draft_id).bind(*booking_id)
    });
    let claimed: u64 = run_pipeline(conn, all.collect()).await?.iter().sum();
    Ok(usize::try_from(claimed) == Ok(used.len()))
}

pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    old_rows::delete(conn, "drafts", "user_id", "saved_ms < $1", before_ms).await
}
