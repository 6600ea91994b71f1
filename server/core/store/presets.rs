//! Saved addresses and packages, sealed. Every function takes the owner's id.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::model::booking::form::preset::{PresetKind, SealedPreset};

/// Returns all of the user's presets: the default sender first, then the newest first.
pub(crate) async fn list(conn: &mut Conn, user_id: &str) -> Result<Vec<SealedPreset>> {
    let select = "select preset_id, kind, print, name, fields, created_ms from presets
                  where user_id = $1 order by default_ms desc, created_ms desc, preset_id";
    let all = sqlx::query(select).bind(user_id).read_all(conn, preset).await?;
    Ok(all.into_iter().flatten().collect())
}

pub(crate) async fn count(conn: &mut Conn, user_id: &str, kind: PresetKind) -> Result<i64> {
    let count = "select count(*) from presets where user_id = $1 and kind = $2";
    Ok(sqlx::query_scalar(count).bind(user_id).bind(kind.word()).fetch_one(conn).await?)
}

pub(crate) async fn add(conn: &mut Conn, user_id: &str, preset: &SealedPreset) -> Result<()> {
    sqlx::query(
        "insert into presets (preset_id, user_id, kind, print, name, fields, created_ms)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&preset.preset_id)
    .bind(user_id)
    .bind(preset.kind.word())
    .bind(&preset.print)
    .bind(&preset.name)
    .bind(&preset.fields)
    .bind(preset.created_ms)
    .run(conn)
    .await
}

/// Replaces the fields and the print of the preset of the same kind with a given print. `false` if
/// there is none.
pub(crate) async fn renew(
    conn: &mut Conn,
    user_id: &str,
    kept_print: &str,
    preset: &SealedPreset,
) -> Result<bool> {
    let renew = "update presets set fields = $4, print = $5
                 where user_id = $1 and kind = $2 and print = $3";
    sqlx::query(renew)
        .bind(user_id)
        .bind(preset.kind.word())
        .bind(kept_print)
        .bind(&preset.fields)
        .bind(&preset.print)
        .changes_one(conn)
        .await
}

/// True if another preset of this kind has this print.
pub(crate) async fn has_other(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    kind: PresetKind,
    print: &str,
) -> Result<bool> {
    let count = "select count(*) from presets
                 where user_id = $1 and kind = $2 and print = $3 and preset_id <> $4";
    sqlx::query(count).bind(user_id).bind(kind.word()).bind(print).bind(id).counts_any(conn).await
}

/// Replaces the fields and the print of a preset. `false` if the user has no such preset.
pub(crate) async fn replace(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    print: &str,
    fields: &str,
) -> Result<bool> {
    let update = "update presets set fields = $3, print = $4
                  where user_id = $1 and preset_id = $2";
    sqlx::query(update).bind(user_id).bind(id).bind(fields).bind(print).changes_one(conn).await
}

/// Renames a preset. `false` if the user has no such preset.
pub(crate) async fn rename(conn: &mut Conn, user_id: &str, id: &str, name: &str) -> Result<bool> {
    let update = "update presets set name = $3 where user_id = $1 and preset_id = $2";
    sqlx::query(update).bind(user_id).bind(id).bind(name).changes_one(conn).await
}

/// Makes a sender the default of new bookings. `false` if the user has no such sender.
pub(crate) async fn set_default(
    conn: &mut Conn,
    user_id: &str,
    id: &str,
    now_ms: i64,
) -> Result<bool> {
    let set = "update presets set default_ms = $3
               where user_id = $1 and preset_id = $2 and kind = 'consignor'";
    sqlx::query(set).bind(user_id).bind(id).bind(now_ms).changes_one(conn).await
}

/// Removes a preset. `false` if the user has no such preset.
pub(crate) async fn remove(conn: &mut Conn, user_id: &str, id: &str) -> Result<bool> {
    let delete = "delete from presets where user_id = $1 and preset_id = $2";
    sqlx::query(delete).bind(user_id).bind(id).changes_one(conn).await
}

/// Returns `None` for a kind of a newer version.
fn preset(row: &AnyRow) -> Result<Option<SealedPreset>> {
    let Some(kind) = PresetKind::parse(&row.try_get::<String, _>("kind")?) else {
        return Ok(None);
    };
    Ok(Some(SealedPreset {
        kind,
        preset_id: row.try_get("preset_id")?,
        print: row.try_get("print")?,
        name: row.try_get("name")?,
        fields: row.try_get("fields")?,
        created_ms: row.try_get("created_ms")?,
    }))
}
