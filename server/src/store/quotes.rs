//! Quotes: prices promised to a user for a while.

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::{Conn, placeholders};
use crate::error::{Error, Result};
use crate::model::money::paise::Paise;
use crate::model::rates::quote::StoredQuote;

/// The types of the columns, in the order in which they are written.
const TYPES: [&str; 12] = [
    "text", "text", "bigint", "text", "text", "text", "bigint", "bigint", "text", "bigint",
    "bigint", "bigint",
];

/// Keeps quotes, all at once.
pub async fn add(conn: &mut Conn, user_id: &str, quotes: &[StoredQuote]) -> Result<()> {
    if quotes.is_empty() {
        return Ok(());
    }
    let add = format!(
        "insert into quotes (quote_id, user_id, product_id, shipment_hash, shipment, price,
           total_paise, courier_paise, gstin, tat_days, created_ms, expires_ms)
         values {}",
        placeholders(quotes.len(), &TYPES)
    );
    // Built from the constants above, never from input.
    let mut add = sqlx::query(AssertSqlSafe(add));
    for quote in quotes {
        add = add
            .bind(&quote.quote_id)
            .bind(user_id)
            .bind(quote.product_id)
            .bind(&quote.shipment_hash)
            .bind(&quote.shipment)
            .bind(&quote.price)
            .bind(quote.total.get())
            .bind(quote.courier.get())
            .bind(&quote.gstin)
            .bind(quote.tat_days)
            .bind(quote.created_ms)
            .bind(quote.expires_ms);
    }
    add.execute(conn).await?;
    Ok(())
}

/// The user's own quote, expired or not.
pub async fn find(conn: &mut Conn, user_id: &str, id: &str) -> Result<Option<StoredQuote>> {
    let found = sqlx::query(
        "select quote_id, product_id, shipment_hash, shipment, price, total_paise,
           courier_paise, gstin, tat_days, created_ms, expires_ms
         from quotes where user_id = $1 and quote_id = $2",
    )
    .bind(user_id)
    .bind(id)
    .fetch_optional(conn)
    .await?;
    let quote = |row: AnyRow| -> Result<StoredQuote> {
        Ok(StoredQuote {
            quote_id: row.try_get("quote_id")?,
            product_id: row.try_get("product_id")?,
            shipment_hash: row.try_get("shipment_hash")?,
            shipment: row.try_get("shipment")?,
            price: row.try_get("price")?,
            total: Paise::new(row.try_get("total_paise")?),
            courier: Paise::new(row.try_get("courier_paise")?),
            gstin: row.try_get("gstin")?,
            tat_days: row.try_get("tat_days")?,
            created_ms: row.try_get("created_ms")?,
            expires_ms: row.try_get("expires_ms")?,
        })
    };
    found.map(quote).transpose()
}

/// A quote of the same price for something else: for what was booked under it.
pub async fn amend(conn: &mut Conn, user_id: &str, quote: &StoredQuote) -> Result<()> {
    sqlx::query(
        "update quotes set shipment_hash = $3, shipment = $4, price = $5, courier_paise = $6,
           gstin = $7
         where user_id = $1 and quote_id = $2",
    )
    .bind(user_id)
    .bind(&quote.quote_id)
    .bind(&quote.shipment_hash)
    .bind(&quote.shipment)
    .bind(&quote.price)
    .bind(quote.courier.get())
    .bind(&quote.gstin)
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets quotes that expired before a time and were never booked.
pub async fn sweep(conn: &mut Conn, expired_before_ms: i64) -> Result<u64> {
    let gone = sqlx::query(
        "delete from quotes where expires_ms < $1
           and not exists (select 1 from bookings b where b.quote_id = quotes.quote_id)",
    )
    .bind(expired_before_ms)
    .execute(conn)
    .await
    .map_err(Error::from)?;
    Ok(gone.rows_affected())
}
