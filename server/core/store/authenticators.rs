//! Secrets of customers' authenticator apps, and the accounts that require their codes.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;

/// The stored secret of an app.
#[derive(Clone, Debug)]
pub struct Authenticator {
    pub sealed_secret: String,
    pub begun_ms: i64,
    /// The hash of the token of the session that began the setup.
    pub begun_by: String,
}

/// Stores the secret of an app that is being set up, in place of an earlier one.
pub(crate) async fn begin(conn: &mut Conn, user_id: &str, fresh: &Authenticator) -> Result<()> {
    sqlx::query(
        "insert into authenticators (user_id, sealed_secret, last_step, begun_ms, begun_by)
         values ($1, $2, 0, $3, $4)
         on conflict (user_id) do update set sealed_secret = excluded.sealed_secret,
           last_step = 0, begun_ms = excluded.begun_ms, begun_by = excluded.begun_by",
    )
    .bind(user_id)
    .bind(&fresh.sealed_secret)
    .bind(fresh.begun_ms)
    .bind(&fresh.begun_by)
    .run(conn)
    .await
}

/// Returns the user's authenticator, even if its codes are not required yet.
pub(crate) async fn find(conn: &mut Conn, user_id: &str) -> Result<Option<Authenticator>> {
    let select = "select sealed_secret, begun_ms, begun_by from authenticators where user_id = $1";
    let read = |row: &AnyRow| {
        Ok(Authenticator {
            sealed_secret: row.try_get("sealed_secret")?,
            begun_ms: row.try_get("begun_ms")?,
            begun_by: row.try_get("begun_by")?,
        })
    };
    sqlx::query(select).bind(user_id).read_first(conn, read).await
}

/// Uses the code of a time step up. `false` if this code or a later one was used before, or if the
/// secret has changed.
pub(crate) async fn use_step(
    conn: &mut Conn,
    user_id: &str,
    sealed_secret: &str,
    step: i64,
) -> Result<bool> {
    let update = "update authenticators set last_step = $3
                  where user_id = $1 and sealed_secret = $2 and last_step < $3";
    sqlx::query(update).bind(user_id).bind(sealed_secret).bind(step).changes_one(conn).await
}

/// Requires codes from now on. `false` if the account did before.
pub(crate) async fn switch_on(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<bool> {
    let on = "update users set two_step_ms = $2
              where user_id = $1 and two_step_ms is null and closed_ms is null";
    sqlx::query(on).bind(user_id).bind(now_ms).changes_one(conn).await
}

/// Stops requiring codes, and deletes the secret and the recovery codes. `false` if no codes were
/// required.
pub(crate) async fn switch_off(conn: &mut Conn, user_id: &str) -> Result<bool> {
    let off = "update users set two_step_ms = null
               where user_id = $1 and two_step_ms is not null";
    let was_on = sqlx::query(off).bind(user_id).changes_one(conn).await?;
    for forget in [
        "delete from authenticators where user_id = $1",
        "delete from recovery_codes where user_id = $1",
    ] {
        sqlx::query(forget).bind(user_id).run(conn).await?;
    }
    Ok(was_on)
}

/// Deletes setups that were begun before a time and never switched on.
pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    let given_up = "begun_ms < $1 and exists (
                      select 1 from users u
                      where u.user_id = authenticators.user_id and u.two_step_ms is null)";
    old_rows::delete(conn, "authenticators", "user_id", given_up, before_ms).await
}
