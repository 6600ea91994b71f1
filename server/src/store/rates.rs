//! Rate cards and the quotes made from them.

use std::collections::HashSet;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Conn;
use crate::domain::money::Paise;
use crate::domain::quote::StoredQuote;
use crate::domain::rate::{Card, Grams, Product, Slab, Zone, ZoneMap};
use crate::error::{Error, Result};

fn product(row: &AnyRow) -> Result<Product> {
    let flag = |name: &str| -> Result<bool> { Ok(row.try_get::<i64, _>(name)? != 0) };
    Ok(Product {
        product_id: row.try_get("product_id")?,
        product_name: row.try_get("product_name")?,
        parent_vendor: row.try_get("parent_vendor")?,
        international: row.try_get::<String, _>("scope")? == "international",
        takes_parcels: flag("takes_parcels")?,
        takes_documents: flag("takes_documents")?,
        volumetric_divisor: row.try_get("volumetric_divisor")?,
        minimum: Grams(row.try_get("minimum_grams")?),
        maximum: Grams(row.try_get("maximum_grams")?),
        needs_kyc: flag("needs_kyc")?,
        needs_otp: flag("needs_otp")?,
    })
}

/// The products on sale.
pub async fn products(conn: &mut Conn) -> Result<Vec<Product>> {
    let rows = sqlx::query(
        "select product_id, product_name, parent_vendor, scope, takes_parcels, takes_documents,
           volumetric_divisor, minimum_grams, maximum_grams, needs_kyc, needs_otp
         from products where active = 1 order by product_id",
    )
    .fetch_all(conn)
    .await?;
    rows.iter().map(product).collect()
}

/// The cards of all products that serve a zone, with the fuel surcharge of a month (`2026-11`).
pub async fn cards(conn: &mut Conn, zone: Zone, month: &str) -> Result<Vec<Card>> {
    let rows = sqlx::query(
        "select p.product_id, p.product_name, p.parent_vendor, p.scope, p.takes_parcels,
           p.takes_documents, p.volumetric_divisor, p.minimum_grams, p.maximum_grams, p.needs_kyc,
           p.needs_otp, z.tat_days, z.first_grams, z.first_paise, z.step_grams, z.step_paise,
           coalesce((select f.basis_points from fuel_surcharges f
             where f.product_id = p.product_id and f.from_month <= $2
             order by f.from_month desc limit 1), 0) as fuel_bp
         from products p join product_zones z on z.product_id = p.product_id
         where p.active = 1 and z.zone = $1 order by p.product_id",
    )
    .bind(zone.letter())
    .bind(month)
    .fetch_all(conn)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Card {
                product: product(row)?,
                tat_days: row.try_get("tat_days")?,
                slab: Slab {
                    first: Grams(row.try_get("first_grams")?),
                    first_price: Paise::new(row.try_get("first_paise")?),
                    step: Grams(row.try_get("step_grams")?),
                    step_price: Paise::new(row.try_get("step_paise")?),
                },
                fuel_bp: row.try_get("fuel_bp")?,
            })
        })
        .collect()
}

/// Which cities are metros and which states are special.
pub async fn zone_map(conn: &mut Conn) -> Result<ZoneMap> {
    let metros: Vec<String> = sqlx::query_scalar("select city from zone_metros")
        .fetch_all(&mut *conn)
        .await?;
    let special: Vec<String> = sqlx::query_scalar("select state_code from zone_special_states")
        .fetch_all(conn)
        .await?;
    Ok(ZoneMap {
        metros: HashSet::from_iter(metros),
        special_states: HashSet::from_iter(special),
    })
}

/// Adds a product with its zones and fuel surcharges, for an installation that has none.
pub async fn add_card(conn: &mut Conn, card: &crate::domain::samples::SampleCard) -> Result<()> {
    let product = &card.product;
    sqlx::query(
        "insert into products (product_id, product_name, parent_vendor, scope, takes_parcels,
           takes_documents, volumetric_divisor, minimum_grams, maximum_grams, needs_kyc,
           needs_otp, active)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1)",
    )
    .bind(product.product_id)
    .bind(&product.product_name)
    .bind(&product.parent_vendor)
    .bind(if product.international {
        "international"
    } else {
        "domestic"
    })
    .bind(i64::from(product.takes_parcels))
    .bind(i64::from(product.takes_documents))
    .bind(product.volumetric_divisor)
    .bind(product.minimum.0)
    .bind(product.maximum.0)
    .bind(i64::from(product.needs_kyc))
    .bind(i64::from(product.needs_otp))
    .execute(&mut *conn)
    .await?;
    for (zone, tat_days, slab) in &card.zones {
        sqlx::query(
            "insert into product_zones (product_id, zone, tat_days, first_grams, first_paise,
               step_grams, step_paise)
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(product.product_id)
        .bind(zone.letter())
        .bind(*tat_days)
        .bind(slab.first.0)
        .bind(slab.first_price.get())
        .bind(slab.step.0)
        .bind(slab.step_price.get())
        .execute(&mut *conn)
        .await?;
    }
    sqlx::query(
        "insert into fuel_surcharges (product_id, from_month, basis_points) values ($1, $2, $3)",
    )
    .bind(product.product_id)
    .bind(&card.fuel_from_month)
    .bind(card.fuel_bp)
    .execute(conn)
    .await?;
    Ok(())
}

/// Adds the metro cities and special states.
pub async fn add_zone_map(conn: &mut Conn, map: &ZoneMap) -> Result<()> {
    for city in &map.metros {
        sqlx::query("insert into zone_metros (city) values ($1) on conflict do nothing")
            .bind(city)
            .execute(&mut *conn)
            .await?;
    }
    for state in &map.special_states {
        sqlx::query(
            "insert into zone_special_states (state_code) values ($1) on conflict do nothing",
        )
        .bind(state)
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

pub async fn add_quote(conn: &mut Conn, user_id: &str, quote: &StoredQuote) -> Result<()> {
    sqlx::query(
        "insert into quotes (quote_id, user_id, product_id, shipment_hash, shipment, price,
           total_paise, created_ms, expires_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&quote.quote_id)
    .bind(user_id)
    .bind(quote.product_id)
    .bind(&quote.shipment_hash)
    .bind(&quote.shipment)
    .bind(&quote.price)
    .bind(quote.total.get())
    .bind(quote.created_ms)
    .bind(quote.expires_ms)
    .execute(conn)
    .await?;
    Ok(())
}

/// The user's own quote, expired or not.
pub async fn find_quote(conn: &mut Conn, user_id: &str, id: &str) -> Result<Option<StoredQuote>> {
    let found = sqlx::query(
        "select quote_id, product_id, shipment_hash, shipment, price, total_paise, created_ms,
           expires_ms
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
            created_ms: row.try_get("created_ms")?,
            expires_ms: row.try_get("expires_ms")?,
        })
    };
    found.map(quote).transpose()
}

/// Forgets quotes that expired before a time and were never booked.
pub async fn sweep_quotes(conn: &mut Conn, expired_before_ms: i64) -> Result<u64> {
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
