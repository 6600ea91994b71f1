//! Quotes: prices promised to a user for a while. Those of one shipment stand in one row, and a
//! quote that is booked gets a row of its own, for good.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::error::{Error, Result};
use crate::model::money::paise::Paise;
use crate::model::rates::quote::{Calculation, StoredQuote, parse_quote_id, quote_id};

/// Keeps the quotes of a shipment.
pub async fn keep(conn: &mut Conn, user_id: &str, calculation: &Calculation) -> Result<()> {
    let offers = serde_json::to_string(&calculation.offers).map_err(Error::internal)?;
    sqlx::query(
        "insert into calculations (calculation_id, user_id, shipment_hash, shipment, gstin, offers,
           created_ms, expires_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&calculation.calculation_id)
    .bind(user_id)
    .bind(&calculation.shipment_hash)
    .bind(&calculation.shipment)
    .bind(&calculation.gstin)
    .bind(offers)
    .bind(calculation.created_ms)
    .bind(calculation.expires_ms)
    .execute(conn)
    .await?;
    Ok(())
}

/// The user's own quote, expired or booked or not.
pub async fn find(conn: &mut Conn, user_id: &str, id: &str) -> Result<Option<StoredQuote>> {
    match offered(conn, user_id, id).await? {
        Some(quote) => Ok(Some(quote)),
        None => booked(conn, user_id, id).await,
    }
}

/// The user's own quote as it was offered, while that is kept.
async fn offered(conn: &mut Conn, user_id: &str, id: &str) -> Result<Option<StoredQuote>> {
    let Some((calculation_id, product_id)) = parse_quote_id(id) else {
        return Ok(None);
    };
    let found = sqlx::query(
        "select calculation_id, shipment_hash, shipment, gstin, offers, created_ms, expires_ms
         from calculations where user_id = $1 and calculation_id = $2",
    )
    .bind(user_id)
    .bind(calculation_id)
    .fetch_optional(conn)
    .await?;
    let calculation = |row: AnyRow| -> Result<Calculation> {
        let offers: String = row.try_get("offers")?;
        Ok(Calculation {
            calculation_id: row.try_get("calculation_id")?,
            shipment_hash: row.try_get("shipment_hash")?,
            shipment: row.try_get("shipment")?,
            gstin: row.try_get("gstin")?,
            offers: serde_json::from_str(&offers).map_err(Error::internal)?,
            created_ms: row.try_get("created_ms")?,
            expires_ms: row.try_get("expires_ms")?,
        })
    };
    let calculation = found.map(calculation).transpose()?;
    Ok(calculation.and_then(|calculation| calculation.quote(product_id)))
}

/// The quote of one of the user's bookings, as it was booked.
pub async fn booked(conn: &mut Conn, user_id: &str, id: &str) -> Result<Option<StoredQuote>> {
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

/// Writes a quote down for the booking that is made under it; `false` when one was made before.
/// While that one's transaction is open this waits for its end.
pub async fn book(conn: &mut Conn, user_id: &str, quote: &StoredQuote) -> Result<bool> {
    let booked = sqlx::query(
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
    .execute(conn)
    .await?;
    Ok(booked.rows_affected() == 1)
}

/// The newest of the user's quotes for a service and a shipment that an OTP was sent for.
pub async fn of_newest_otp(
    conn: &mut Conn,
    user_id: &str,
    product_id: i64,
    shipment_hash: &str,
) -> Result<Option<StoredQuote>> {
    let newest = "select c.calculation_id
                  from calculations c
                  join otps o
                    on o.about = c.calculation_id || '-' || cast(cast($2 as bigint) as text)
                  where c.user_id = $1 and o.user_id = $1 and c.shipment_hash = $3
                  order by o.created_ms desc limit 1";
    let calculation_id: Option<String> = sqlx::query_scalar(newest)
        .bind(user_id)
        .bind(product_id)
        .bind(shipment_hash)
        .fetch_optional(&mut *conn)
        .await?;
    match calculation_id {
        Some(id) => offered(conn, user_id, &quote_id(&id, product_id)).await,
        None => Ok(None),
    }
}

/// Forgets what expired before a time. What was booked stays.
pub async fn sweep(conn: &mut Conn, expired_before_ms: i64) -> Result<u64> {
    let gone = sqlx::query("delete from calculations where expires_ms < $1")
        .bind(expired_before_ms)
        .execute(conn)
        .await?;
    Ok(gone.rows_affected())
}
