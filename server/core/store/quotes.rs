//! Booked quotes, stored for good. Before the booking, customers hold them as tokens.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::pipeline::Statement;
use super::{Conn, RunStatement as _};
use crate::error::{Error, Result};
use crate::model::money::paise::Paise;
use crate::model::rates::quote::StoredQuote;

/// Returns the quote of the user's booking, as it was booked.
pub(crate) async fn find_booked(conn: &mut Conn, user_id: &str, id: &str) -> Result<StoredQuote> {
    let select = "select quote_id, product_id, shipment_hash, shipment, price, total_paise,
                    courier_paise, gstin, tat_days, created_ms, expires_ms
                  from quotes where user_id = $1 and quote_id = $2";
    let quote = |row: &AnyRow| -> Result<StoredQuote> {
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
    let quote = sqlx::query(select).bind(user_id).bind(id).read_first(conn, quote).await?;
    quote.ok_or_else(|| Error::internal(anyhow::anyhow!("a booking has no quote")))
}

/// Inserts a quote for the booking that is made under it, unless it was booked before.
pub(super) fn add_statement<'q>(user_id: &'q str, quote: &'q StoredQuote) -> Statement<'q> {
    sqlx::query(
        "insert into quotes (quote_id, user_id, product_id, shipment_hash, shipment, price,
           total_paise, courier_paise, gstin, tat_days, created_ms, expires_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing",
    )
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
    .bind(quote.expires_ms)
}
