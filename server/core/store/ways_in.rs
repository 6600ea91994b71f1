//! The ways into an account, ended together when somebody takes the account back: those that were
//! added since the right that is used. Older ones stay.

use super::{Conn, RunStatement as _, email_links, password_resets};
use crate::error::Result;
use crate::failpoints;

/// From when on ways in end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndSince {
    pub passkeys_ms: i64,
    pub two_step_ms: i64,
    pub recovery_codes_ms: i64,
    /// Known browsers, and the confirmation of the phone number.
    pub others_ms: i64,
}

impl EndSince {
    pub fn all(since_ms: i64) -> EndSince {
        EndSince {
            passkeys_ms: since_ms,
            two_step_ms: since_ms,
            recovery_codes_ms: since_ms,
            others_ms: since_ms,
        }
    }
}

/// Deletions of rows of the user, of a time and later.
const DELETE_OTHERS: [&str; 2] = [
    "delete from known_devices where user_id = $1 and created_ms >= $2",
    "update users set phone_confirmed_ms = null where user_id = $1 and phone_confirmed_ms >= $2",
];

/// Ends the credentials that were added since then. A setup of two-step login that nobody has
/// finished ends too.
pub(crate) async fn end(conn: &mut Conn, user_id: &str, since: EndSince) -> Result<()> {
    let passkeys = failpoints::sql("delete from passkeys where user_id = $1 and created_ms >= $2");
    sqlx::query(passkeys).bind(user_id).bind(since.passkeys_ms).run(conn).await?;
    let two_step = "update users set two_step_ms = null where user_id = $1 and two_step_ms >= $2";
    sqlx::query(two_step).bind(user_id).bind(since.two_step_ms).run(conn).await?;
    for delete in [
        "delete from authenticators where user_id = $1 and exists (
           select 1 from users u where u.user_id = $1 and u.two_step_ms is null)",
        "delete from recovery_codes where user_id = $1 and exists (
           select 1 from users u where u.user_id = $1 and u.two_step_ms is null)",
    ] {
        sqlx::query(delete).bind(user_id).run(conn).await?;
    }
    let codes = "delete from recovery_codes where user_id = $1 and created_ms >= $2";
    sqlx::query(codes).bind(user_id).bind(since.recovery_codes_ms).run(conn).await?;
    for delete in DELETE_OTHERS {
        sqlx::query(delete).bind(user_id).bind(since.others_ms).run(conn).await?;
    }
    Ok(())
}

/// Ends the links that were sent out to choose a password or to confirm an address, and the wish
/// for another address with them.
pub(crate) async fn end_links(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<()> {
    password_resets::end_all(conn, user_id, now_ms).await?;
    email_links::end_confirming(conn, user_id, now_ms).await?;
    let update = "update users set new_email = null where user_id = $1";
    sqlx::query(update).bind(user_id).run(conn).await
}
