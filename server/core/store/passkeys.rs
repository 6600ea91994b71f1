//! Passkeys: keys on customers' devices. Every function but one takes the owner's id.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::model::account::passkey::KeptPasskey;

/// Adds a passkey. `false` if any account already has it.
pub(crate) async fn add(conn: &mut Conn, fresh: &KeptPasskey) -> Result<bool> {
    sqlx::query(
        "insert into passkeys (passkey_id, user_id, credential_id, name, credential, created_ms)
         values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing",
    )
    .bind(&fresh.passkey_id)
    .bind(&fresh.user_id)
    .bind(&fresh.credential_id)
    .bind(&fresh.name)
    .bind(&fresh.credential)
    .bind(fresh.created_ms)
    .changes_one(conn)
    .await
}

/// Returns the user's passkeys, the oldest first.
pub(crate) async fn list(conn: &mut Conn, user_id: &str) -> Result<Vec<KeptPasskey>> {
    let select = "select passkey_id, user_id, credential_id, name, credential, created_ms, used_ms
                  from passkeys where user_id = $1 order by created_ms, passkey_id";
    sqlx::query(select).bind(user_id).read_all(conn, passkey).await
}

/// Returns the passkey with this credential id, of any user.
pub(crate) async fn by_credential(
    conn: &mut Conn,
    credential_id: &str,
) -> Result<Option<KeptPasskey>> {
    let select = "select passkey_id, user_id, credential_id, name, credential, created_ms, used_ms
                  from passkeys where credential_id = $1";
    sqlx::query(select).bind(credential_id).read_first(conn, passkey).await
}

/// Stores the changes of a use. `false` if another use came first, or if the passkey was removed.
pub(crate) async fn record_use(
    conn: &mut Conn,
    passkey: &KeptPasskey,
    credential: &str,
    now_ms: i64,
) -> Result<bool> {
    sqlx::query(
        "update passkeys set credential = $4, used_ms = $5
         where user_id = $1 and passkey_id = $2 and credential = $3",
    )
    .bind(&passkey.user_id)
    .bind(&passkey.passkey_id)
    .bind(&passkey.credential)
    .bind(credential)
    .bind(now_ms)
    .changes_one(conn)
    .await
}

/// Removes a passkey. `false` if the user has no such passkey.
pub(crate) async fn remove(conn: &mut Conn, user_id: &str, passkey_id: &str) -> Result<bool> {
    let delete = "delete from passkeys where user_id = $1 and passkey_id = $2";
    sqlx::query(delete).bind(user_id).bind(passkey_id).changes_one(conn).await
}

fn passkey(row: &AnyRow) -> Result<KeptPasskey> {
    Ok(KeptPasskey {
        passkey_id: row.try_get("passkey_id")?,
        user_id: row.try_get("user_id")?,
        credential_id: row.try_get("credential_id")?,
        name: row.try_get("name")?,
        credential: row.try_get("credential")?,
        created_ms: row.try_get("created_ms")?,
        used_ms: row.try_get("used_ms")?,
    })
}
