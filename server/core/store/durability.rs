//! Settings with which a Postgres server may lose what it has confirmed.

use super::Conn;
use crate::error::{Error, Result};

/// Fails if the server may lose a confirmed commit in a crash or a power failure.
pub(super) async fn require(conn: &mut Conn) -> Result<()> {
    if matches!(conn, Conn::Sqlite(_)) {
        return Ok(());
    }
    let off = "select concat_ws(', ',
        case when current_setting('fsync') = 'off' then 'fsync' end,
        case when current_setting('full_page_writes') = 'off' then 'full_page_writes' end,
        case when current_setting('synchronous_commit') = 'off' then 'synchronous_commit' end)";
    let off: String = sqlx::query_scalar(off).fetch_one(conn).await?;
    match off.is_empty() {
        true => Ok(()),
        false => Err(Error::internal(anyhow::anyhow!(
            "this Postgres may lose payments and bookings that it has confirmed: switch on {off}"
        ))),
    }
}
