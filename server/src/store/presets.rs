//! Saved addresses and packages, sealed. Every function takes the owner's id.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::error::{Error, Result};
use crate::model::booking::form::preset::{PresetKind, SealedPreset};

/// Returns all of the user's presets: the default sender first, then the newest first.
pub(crate) async fn list(conn: &mut Conn, user_id: &str) -> Result<Vec<SealedPreset>> {
    let rows = sqlx::query(
        "select preset_id, kind, print, name, fields, created_ms from presets
         where user_id = $1 order by default_ms desc, created_ms desc, preset_id",
    )
    .bind(user_id)
    .fetch_all(conn)
    .await?;
    rows.iter().map(preset).collect()
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
    .execute(conn)
    .await?;
    Ok(())
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
    let renewed = sqlx::query(renew)
        .bind(user_id)
        .bind(preset.kind.word())
        .bind(kept_print)
        .bind(&preset.fields)
        .bind(&preset.print)
        .execute(conn)
        .await?;
    Ok(renewed.rows_affected() == 1)
}

/// Renames a preset. `false` if the user has no such preset.
pub(crate) async fn rename(conn: &mut Conn, user_id: &str, id: &str, name: &str) -> Result<bool> {
    let renamed = sqlx::query("update presets set name = $3 where user_id = $1 and preset_id = $2")
        .bind(user_id)
        .bind(id)
        .bind(name)
        .execute(conn)
        .await?;
    Ok(renamed.rows_affected() == 1)
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
    let set = sqlx::query(set).bind(user_id).bind(id).bind(now_ms);
    Ok(set.execute(conn).await?.rows_affected() == 1)
}

/// Removes a preset. `false` if the user has no such preset.
pub(crate) async fn remove(conn: &mut Conn, user_id: &str, id: &str) -> Result<bool> {
    let removed = sqlx::query("delete from presets where user_id = $1 and preset_id = $2")
        .bind(user_id)
        .bind(id)
        .execute(conn)
        .await?;
    Ok(removed.rows_affected() == 1)
}

fn preset(row: &AnyRow) -> Result<SealedPreset> {
    let kind: String = row.try_get("kind")?;
    let unknown = || Error::internal(anyhow::anyhow!("a preset of kind {kind}"));
    Ok(SealedPreset {
        kind: PresetKind::parse(&kind).ok_or_else(unknown)?,
        preset_id: row.try_get("preset_id")?,
        print: row.try_get("print")?,
        name: row.try_get("name")?,
        fields: row.try_get("fields")?,
        created_ms: row.try_get("created_ms")?,
    })
}
