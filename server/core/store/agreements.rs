//! Customers' agreements. Every function takes the owner's id.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::limits;
use crate::model::account::agreement::{Agreed, Agreement};
use crate::model::account::device::Device;
use crate::model::account::security_event::Origin;

/// Adds an agreement. Adding the same one again changes nothing.
pub(crate) async fn add(conn: &mut Conn, user_id: &str, agreement: &Agreement) -> Result<()> {
    sqlx::query(
        "insert into agreements (user_id, document, version, agreed_ms, address, device)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
    )
    .bind(user_id)
    .bind(agreement.document.word())
    .bind(&agreement.version)
    .bind(agreement.agreed_ms)
    .bind(&agreement.origin.address)
    .bind(agreement.origin.device.as_str())
    .run(conn)
    .await
}

/// Returns the user's agreements, the newest first.
pub(crate) async fn of_user(conn: &mut Conn, user_id: &str) -> Result<Vec<Agreement>> {
    let select = "select document, version, agreed_ms, address, device from agreements
                  where user_id = $1 order by agreed_ms desc, document desc limit $2";
    let select = sqlx::query(select).bind(user_id).bind(limits::AGREEMENTS_SHOWN);
    Ok(select.read_all(conn, agreement).await?.into_iter().flatten().collect())
}

/// Returns `None` for a document of a newer version.
fn agreement(row: &AnyRow) -> Result<Option<Agreement>> {
    let Some(document) = Agreed::parse(&row.try_get::<String, _>("document")?) else {
        return Ok(None);
    };
    Ok(Some(Agreement {
        document,
        version: row.try_get("version")?,
        agreed_ms: row.try_get("agreed_ms")?,
        origin: Origin {
            address: row.try_get("address")?,
            device: Device::from_stored(row.try_get("device")?),
        },
    }))
}
