//! All sealed columns, of all owners, for key rotation.
//!
//! A sealed text is `id:base64`, where the id is that of its key.

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::model::booking::form::preset::PresetKind;

/// A column of sealed texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncryptedColumn {
    /// The name shown to operators.
    pub name: &'static str,
    table: &'static str,
    /// The columns of [`Sealed`].
    id: &'static str,
    owner: &'static str,
    text: &'static str,
}

/// A sealed text with the key of its row.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// The key of its row.
    pub id: String,
    /// The name under which it is sealed: its owner or its subject.
    pub owner: String,
    pub text: String,
}

const fn column(
    name: &'static str,
    table: &'static str,
    id: &'static str,
    owner: &'static str,
    text: &'static str,
) -> EncryptedColumn {
    EncryptedColumn { name, table, id, owner, text }
}

pub const DRAFTS: EncryptedColumn = column("drafts", "drafts", "user_id", "user_id", "content");

pub const AUTHENTICATORS: EncryptedColumn = column(
    "secrets of authenticator apps",
    "authenticators",
    "user_id",
    "user_id",
    "sealed_secret",
);

pub const DOCUMENT_NUMBERS: EncryptedColumn =
    column("document numbers", "bookings", "booking_id", "booking_id", "sealed_numbers");

pub const PRESET_NAMES: EncryptedColumn =
    column("names in address books", "presets", "preset_id", "user_id", "name");

pub const PRESET_FIELDS: EncryptedColumn =
    column("entries of address books", "presets", "preset_id", "user_id", "fields");

/// Keyed hashes by which equal entries are recognised.
pub const PRESET_PRINTS: EncryptedColumn =
    column("prints of address books", "presets", "preset_id", "user_id", "print");

/// Keys that outlive the configured ones.
pub const KEPT_KEYS: EncryptedColumn =
    column("kept keys", "kept_keys", "name", "name", "sealed_key");

impl EncryptedColumn {
    pub const ALL: [EncryptedColumn; 7] = [
        DRAFTS,
        AUTHENTICATORS,
        DOCUMENT_NUMBERS,
        PRESET_NAMES,
        PRESET_FIELDS,
        PRESET_PRINTS,
        KEPT_KEYS,
    ];
}

/// Counts the sealed texts of a column: those of a key, or all with `None`.
pub(crate) async fn count(
    conn: &mut Conn,
    column: EncryptedColumn,
    key: Option<&str>,
) -> Result<i64> {
    let EncryptedColumn { table, text, .. } = column;
    let like = key.map_or("%".to_owned(), of_key);
    // Built from constants, never from input; so are the next three.
    let count = format!("select count(*) from {table} where {text} <> '' and {text} like $1");
    Ok(sqlx::query_scalar(AssertSqlSafe(count)).bind(like).fetch_one(conn).await?)
}

/// Returns the ids of all keys that sealed a text of a column.
pub(crate) async fn keys(conn: &mut Conn, column: EncryptedColumn) -> Result<Vec<String>> {
    let EncryptedColumn { table, text, .. } = column;
    let place = match conn {
        Conn::Sqlite(_) => "instr",
        Conn::Postgres(_) => "strpos",
    };
    let keys = format!(
        "select distinct substr({text}, 1, {place}({text}, ':') - 1) from {table}
         where {text} like '%:%'"
    );
    Ok(sqlx::query_scalar(AssertSqlSafe(keys)).fetch_all(conn).await?)
}

/// Returns texts that another key sealed, in the order of their rows, after one of them.
pub(crate) async fn page(
    conn: &mut Conn,
    column: EncryptedColumn,
    key: &str,
    after: &str,
    limit: i64,
) -> Result<Vec<Sealed>> {
    let EncryptedColumn { table, id, owner, text, .. } = column;
    let page = format!(
        "select {id} as id, {owner} as owner, {text} as text from {table}
         where {text} <> '' and {text} not like $1 and {id} > $2 order by {id} limit $3"
    );
    let sealed = |row: &AnyRow| {
        Ok(Sealed {
            id: row.try_get("id")?,
            owner: row.try_get("owner")?,
            text: row.try_get("text")?,
        })
    };
    let page = sqlx::query(AssertSqlSafe(page)).bind(of_key(key)).bind(after).bind(limit);
    page.read_all(conn, sealed).await
}

/// Replaces a text. `false` if it is not there any more.
pub(crate) async fn replace(
    conn: &mut Conn,
    column: EncryptedColumn,
    old: &Sealed,
    new: &str,
) -> Result<bool> {
    let EncryptedColumn { table, id, text, .. } = column;
    let replace = format!("update {table} set {text} = $3 where {id} = $1 and {text} = $2");
    let replace = sqlx::query(AssertSqlSafe(replace)).bind(&old.id).bind(&old.text).bind(new);
    replace.changes_one(conn).await
}

/// Returns the kind and the sealed fields of an entry of an address book; `None` if it is deleted.
pub(crate) async fn preset(
    conn: &mut Conn,
    preset_id: &str,
) -> Result<Option<(PresetKind, String)>> {
    let select = "select kind, fields from presets where preset_id = $1";
    let row = sqlx::query(select).bind(preset_id).fetch_optional(conn).await?;
    let Some(row) = row else { return Ok(None) };
    let (kind, fields): (String, String) = (row.try_get("kind")?, row.try_get("fields")?);
    Ok(PresetKind::parse(&kind).map(|kind| (kind, fields)))
}

/// True if another entry of the same address book and kind has this print.
pub(crate) async fn has_print(conn: &mut Conn, preset_id: &str, print: &str) -> Result<bool> {
    let count = "select count(*) from presets one join presets other
                   on other.user_id = one.user_id and other.kind = one.kind
                 where one.preset_id = $1 and other.preset_id <> $1 and other.print = $2";
    sqlx::query(count).bind(preset_id).bind(print).counts_any(conn).await
}

/// Returns documents whose files still exist, in the order of their ids, after one of them.
pub(crate) async fn documents(conn: &mut Conn, after: &str, limit: i64) -> Result<Vec<String>> {
    let documents = "select document_id from kyc_documents
                     where deleted_ms is null and document_id > $1
                     order by document_id limit $2";
    let documents = sqlx::query_scalar(documents).bind(after).bind(limit);
    Ok(documents.fetch_all(conn).await?)
}

pub(crate) async fn is_deleted(conn: &mut Conn, document_id: &str) -> Result<bool> {
    let count = "select count(*) from kyc_documents
                 where document_id = $1 and deleted_ms is null";
    Ok(!sqlx::query(count).bind(document_id).counts_any(conn).await?)
}

/// Returns a `like` pattern. Ids contain no wildcard of `like`.
fn of_key(id: &str) -> String {
    format!("{id}:%")
}
