//! Rate cards and the products that they price.

use std::collections::{BTreeSet, HashMap};

use sqlx::Row;
use sqlx::any::AnyRow;
use time::Date;

use super::{Conn, RunStatement as _};
use crate::error::{Error, Result};
use crate::model::calendar::parse_day;
use crate::model::money::paise::Paise;
use crate::model::rates::book::{BookedProduct, RateBook};
use crate::model::rates::import::RateFile;
use crate::model::rates::price::{Above, Card, Effect, Oversize, Product, Size, Slab, ZoneRate};
use crate::model::rates::zone::{ZoneRule, Zoning};
use crate::model::shipping::grams::Grams;
use crate::model::shipping::place::{self, Pin};

/// Returns the version, which increases with every change of cards, zones and PIN codes.
pub(crate) async fn version(conn: &mut Conn) -> Result<i64> {
    let version = "select value from counters where counter = 'rates'";
    Ok(sqlx::query_scalar(version).fetch_one(conn).await?)
}

/// Increases the version, so that running servers notice a change.
pub(crate) async fn count_up(conn: &mut Conn) -> Result<()> {
    super::next(conn, "rates").await.map(drop)
}

/// Reads everything: products with their cards and fuel surcharges, the newest first, and zonings.
pub(crate) async fn book(conn: &mut Conn) -> Result<RateBook> {
    let mut entries: Vec<BookedProduct> = Vec::new();
    let mut cards = cards(conn).await?;
    let mut fuel = fuel(conn).await?;
    for product in products(conn).await? {
        let id = product.product_id;
        entries.push(BookedProduct {
            product,
            cards: cards.remove(&id).unwrap_or_default(),
            fuel: fuel.remove(&id).unwrap_or_default(),
        });
    }
    let mut zonings: HashMap<String, Zoning> = HashMap::new();
    for rule in zone_rules(conn).await? {
        zonings.entry(rule.zoning.clone()).or_default().add(rule);
    }
    Ok(RateBook { entries, zonings })
}

async fn products(conn: &mut Conn) -> Result<Vec<Product>> {
    let product = |row: &AnyRow| {
        let flag = |name: &str| -> Result<bool> { Ok(row.try_get::<i64, _>(name)? != 0) };
        Ok(Product {
            product_id: row.try_get("product_id")?,
            product_name: row.try_get("product_name")?,
            parent_vendor: row.try_get("parent_vendor")?,
            courier: row.try_get("courier")?,
            service: row.try_get("service")?,
            international: row.try_get::<String, _>("scope")? == "international",
            takes_parcels: flag("takes_parcels")?,
            takes_documents: flag("takes_documents")?,
            volumetric_divisor: row.try_get("volumetric_divisor")?,
            minimum: Grams(row.try_get("minimum_grams")?),
            maximum: Grams(row.try_get("maximum_grams")?),
            needs_kyc: flag("needs_kyc")?,
            needs_otp: flag("needs_otp")?,
            zoning: row.try_get("zoning")?,
            active: flag("active")?,
        })
    };
    let select =
        "select product_id, product_name, parent_vendor, courier, service, scope, takes_parcels,
           takes_documents, volumetric_divisor, minimum_grams, maximum_grams, needs_kyc, needs_otp,
           zoning, active
         from products order by product_id";
    sqlx::query(select).read_all(conn, product).await
}

/// Reads the cards of each product, the newest first.
async fn cards(conn: &mut Conn) -> Result<HashMap<i64, Vec<Card>>> {
    let mut zones = zones(conn).await?;
    let mut oversize = oversize(conn).await?;
    let select = "select product_id, from_day, until_day, round_grams, minimum_paise, margin_bp,
                    round_paise, fuel_on_extras, remote_paise, remote_kg_paise
                  from rate_cards order by product_id, from_day desc";
    let rows = sqlx::query(select).fetch_all(conn).await?;
    let mut cards: HashMap<i64, Vec<Card>> = HashMap::new();
    for row in &rows {
        let key = card_key(row)?;
        let until: String = row.try_get("until_day")?;
        cards.entry(key.0).or_default().push(Card {
            from: day(&key.1)?,
            until: (!until.is_empty()).then(|| day(&until)).transpose()?,
            round: Grams(row.try_get("round_grams")?),
            minimum_freight: paise(row, "minimum_paise")?,
            margin_bp: row.try_get("margin_bp")?,
            round_freight: paise(row, "round_paise")?,
            fuel_on_extras: row.try_get::<i64, _>("fuel_on_extras")? != 0,
            remote_per_kg: paise(row, "remote_kg_paise")?,
            remote_minimum: paise(row, "remote_paise")?,
            zones: zones.remove(&key).unwrap_or_default(),
            oversize: oversize.remove(&key).unwrap_or_default(),
        });
    }
    Ok(cards)
}

/// The key of a card: its product and the day it begins.
type CardKey = (i64, String);

fn card_key(row: &AnyRow) -> Result<CardKey> {
    Ok((row.try_get("product_id")?, row.try_get("from_day")?))
}

fn paise(row: &AnyRow, column: &str) -> Result<Paise> {
    Ok(Paise::new(row.try_get(column)?))
}

fn day(text: &str) -> Result<Date> {
    parse_day(text).ok_or_else(|| Error::internal(anyhow::anyhow!("{text} is no day")))
}

async fn zones(conn: &mut Conn) -> Result<HashMap<CardKey, HashMap<String, ZoneRate>>> {
    let select =
        "select product_id, from_day, zone, tat_days, first_grams, first_paise, step_grams,
           step_paise, above_grams, above_kg_paise
         from rate_slabs";
    let rows = sqlx::query(select).fetch_all(conn).await?;
    let mut zones: HashMap<CardKey, HashMap<String, ZoneRate>> = HashMap::new();
    for row in &rows {
        let above = Above {
            over: Grams(row.try_get("above_grams")?),
            kg_price: paise(row, "above_kg_paise")?,
        };
        let slab = Slab {
            first: Grams(row.try_get("first_grams")?),
            first_price: paise(row, "first_paise")?,
            step: Grams(row.try_get("step_grams")?),
            step_price: paise(row, "step_paise")?,
            above: (above.over > Grams(0)).then_some(above),
        };
        let tat_days = row.try_get("tat_days")?;
        let of_card = zones.entry(card_key(row)?).or_default();
        of_card.insert(row.try_get("zone")?, ZoneRate { tat_days, slab });
    }
    Ok(zones)
}

async fn oversize(conn: &mut Conn) -> Result<HashMap<CardKey, Vec<Oversize>>> {
    let select = "select product_id, from_day, over_mm, over_grams, effect, amount
                  from rate_oversize order by product_id, from_day, seq";
    let rows = sqlx::query(select).fetch_all(conn).await?;
    let mut rules: HashMap<CardKey, Vec<Oversize>> = HashMap::new();
    for row in &rows {
        let amount: i64 = row.try_get("amount")?;
        let over = match row.try_get("over_mm")? {
            0 => Size::Weight(Grams(row.try_get("over_grams")?)),
            mm => Size::LongestSideMm(mm),
        };
        let effect = match row.try_get::<String, _>("effect")?.as_str() {
            "charge" => Effect::Charge(Paise::new(amount)),
            "weight" => Effect::WeightPercent(amount),
            _ => Effect::Refuse,
        };
        let of_card = rules.entry(card_key(row)?).or_default();
        of_card.push(Oversize { over, effect });
    }
    Ok(rules)
}

/// Reads the fuel surcharges of each product, the newest first.
async fn fuel(conn: &mut Conn) -> Result<HashMap<i64, Vec<(String, i64)>>> {
    let select = "select product_id, from_month, basis_points from fuel_surcharges
                  order by product_id, from_month desc";
    let mut fuel: HashMap<i64, Vec<(String, i64)>> = HashMap::new();
    let rows: Vec<(i64, String, i64)> = sqlx::query_as(select).fetch_all(conn).await?;
    for (product_id, month, bp) in rows {
        fuel.entry(product_id).or_default().push((month, bp));
    }
    Ok(fuel)
}

async fn zone_rules(conn: &mut Conn) -> Result<Vec<ZoneRule>> {
    let select = "select zoning, what, name, zone from zone_rules";
    let rule = |row: &AnyRow| {
        Ok(ZoneRule {
            zoning: row.try_get("zoning")?,
            what: row.try_get("what")?,
            name: row.try_get("name")?,
            zone: row.try_get("zone")?,
        })
    };
    sqlx::query(select).read_all(conn, rule).await
}

pub(crate) async fn save(conn: &mut Conn, file: &RateFile) -> Result<()> {
    for product in &file.products {
        save_product(conn, product).await?;
    }
    for ((product_id, _), card) in &file.cards {
        save_card(conn, *product_id, card).await?;
    }
    for (product_id, month, bp) in &file.fuel {
        let insert = "insert into fuel_surcharges (product_id, from_month, basis_points)
                      values ($1, $2, $3)
                      on conflict (product_id, from_month) do update set basis_points = $3";
        sqlx::query(insert).bind(product_id).bind(month).bind(bp).run(conn).await?;
    }
    save_rules(conn, &file.rules).await
}

async fn save_product(conn: &mut Conn, product: &Product) -> Result<()> {
    let scope = match product.international {
        true => "international",
        false => "domestic",
    };
    sqlx::query(
        "insert into products (product_id, product_name, parent_vendor, scope, takes_parcels,
           takes_documents, volumetric_divisor, minimum_grams, maximum_grams, needs_kyc,
           needs_otp, zoning, active, courier, service)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         on conflict (product_id) do update set product_name = $2, parent_vendor = $3,
           scope = $4, takes_parcels = $5, takes_documents = $6, volumetric_divisor = $7,
           minimum_grams = $8, maximum_grams = $9, needs_kyc = $10, needs_otp = $11,
           zoning = $12, active = $13",
    )
    .bind(product.product_id)
    .bind(&product.product_name)
    .bind(&product.parent_vendor)
    .bind(scope)
    .bind(i64::from(product.takes_parcels))
    .bind(i64::from(product.takes_documents))
    .bind(product.volumetric_divisor)
    .bind(product.minimum.0)
    .bind(product.maximum.0)
    .bind(i64::from(product.needs_kyc))
    .bind(i64::from(product.needs_otp))
    .bind(&product.zoning)
    .bind(i64::from(product.active))
    .bind(&product.courier)
    .bind(&product.service)
    .run(conn)
    .await
}

/// Adds a partner's service under its own number, unless it exists. If its name is taken, a suffix
/// is added.
pub(crate) async fn add_service(conn: &mut Conn, product: &Product) -> Result<()> {
    // Taken first: other transactions that add services wait here until this one commits.
    let number = super::next(conn, "partner_products").await?;
    let count = "select count(*) from products where courier = $1 and service = $2";
    let count = sqlx::query(count).bind(&product.courier).bind(&product.service);
    if count.counts_any(conn).await? {
        return Ok(());
    }
    let mut product = product.clone();
    product.product_id = number;
    product.product_name = free_name(conn, &product.product_name).await?;
    save_product(conn, &product).await
}

/// Returns a name that no other product has, because two partners may sell the same service.
async fn free_name(conn: &mut Conn, name: &str) -> Result<String> {
    let namesakes = "select count(*) from products where product_name = $1";
    let (mut free, mut partners) = (name.to_owned(), 0);
    loop {
        if !sqlx::query(namesakes).bind(&free).counts_any(conn).await? {
            return Ok(free);
        }
        partners += 1;
        free = match partners {
            1 => format!("{name} (partner)"),
            _ => format!("{name} (partner {partners})"),
        };
    }
}

/// Puts a product on sale or takes it off.
pub(crate) async fn set_on_sale(conn: &mut Conn, product_id: i64, on: bool) -> Result<()> {
    let update = "update products set active = $2 where product_id = $1";
    sqlx::query(update).bind(product_id).bind(i64::from(on)).run(conn).await
}

/// Replaces the product's card of the same day, with all its slabs and rules.
async fn save_card(conn: &mut Conn, product_id: i64, card: &Card) -> Result<()> {
    let from = card.from.to_string();
    for delete in [
        "delete from rate_slabs where product_id = $1 and from_day = $2",
        "delete from rate_oversize where product_id = $1 and from_day = $2",
        "delete from rate_cards where product_id = $1 and from_day = $2",
    ] {
        sqlx::query(delete).bind(product_id).bind(&from).run(conn).await?;
    }
    sqlx::query(
        "insert into rate_cards (product_id, from_day, until_day, round_grams, minimum_paise,
           margin_bp, round_paise, fuel_on_extras, remote_paise, remote_kg_paise)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(product_id)
    .bind(&from)
    .bind(card.until.map_or_else(String::new, |until| until.to_string()))
    .bind(card.round.0)
    .bind(card.minimum_freight.get())
    .bind(card.margin_bp)
    .bind(card.round_freight.get())
    .bind(i64::from(card.fuel_on_extras))
    .bind(card.remote_minimum.get())
    .bind(card.remote_per_kg.get())
    .run(conn)
    .await?;
    for (zone, rate) in &card.zones {
        let slab = rate.slab;
        sqlx::query(
            "insert into rate_slabs (product_id, from_day, zone, tat_days, first_grams,
               first_paise, step_grams, step_paise, above_grams, above_kg_paise)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(product_id)
        .bind(&from)
        .bind(zone)
        .bind(rate.tat_days)
        .bind(slab.first.0)
        .bind(slab.first_price.get())
        .bind(slab.step.0)
        .bind(slab.step_price.get())
        .bind(slab.above.map_or(0, |above| above.over.0))
        .bind(slab.above.map_or(0, |above| above.kg_price.get()))
        .run(conn)
        .await?;
    }
    for (seq, rule) in (1..).zip(&card.oversize) {
        save_oversize(conn, (product_id, &from), seq, rule).await?;
    }
    Ok(())
}

async fn save_oversize(
    conn: &mut Conn,
    (product_id, from): (i64, &str),
    seq: i64,
    rule: &Oversize,
) -> Result<()> {
    let (over_mm, over_grams) = match rule.over {
        Size::LongestSideMm(mm) => (mm, 0),
        Size::Weight(grams) => (0, grams.0),
    };
    let (effect, amount) = match rule.effect {
        Effect::Charge(each) => ("charge", each.get()),
        Effect::WeightPercent(percent) => ("weight", percent),
        Effect::Refuse => ("refuse", 0),
    };
    let insert =
        "insert into rate_oversize (product_id, from_day, seq, over_mm, over_grams, effect, amount)
         values ($1, $2, $3, $4, $5, $6, $7)";
    let insert = sqlx::query(insert).bind(product_id).bind(from).bind(seq);
    insert.bind(over_mm).bind(over_grams).bind(effect).bind(amount).run(conn).await
}

/// Replaces all rules of every zoning that occurs in them.
async fn save_rules(conn: &mut Conn, rules: &[ZoneRule]) -> Result<()> {
    let zonings: BTreeSet<&str> = rules.iter().map(|rule| rule.zoning.as_str()).collect();
    for zoning in zonings {
        sqlx::query("delete from zone_rules where zoning = $1").bind(zoning).run(conn).await?;
    }
    for rule in rules {
        sqlx::query("insert into zone_rules (zoning, what, name, zone) values ($1, $2, $3, $4)")
            .bind(&rule.zoning)
            .bind(&rule.what)
            .bind(&rule.name)
            .bind(&rule.zone)
            .run(conn)
            .await?;
    }
    Ok(())
}

/// Returns the PIN codes that operators added, without those of states missing in our table.
pub(crate) async fn pins(conn: &mut Conn) -> Result<Vec<Pin>> {
    let rows =
        sqlx::query("select pincode, city_area, state_code from pins").fetch_all(conn).await?;
    let mut pins = Vec::new();
    for row in &rows {
        if let Some(state) = place::state(row.try_get("state_code")?) {
            pins.push(Pin::new(row.try_get("pincode")?, row.try_get("city_area")?, state));
        }
    }
    Ok(pins)
}

/// Adds a PIN code, or corrects its place.
pub(crate) async fn put_pin(conn: &mut Conn, pin: &Pin) -> Result<()> {
    sqlx::query(
        "insert into pins (pincode, city_area, state_code) values ($1, $2, $3)
         on conflict (pincode) do update set city_area = $2, state_code = $3",
    )
    .bind(&*pin.pincode)
    .bind(&*pin.city_area)
    .bind(pin.state_code)
    .run(conn)
    .await
}

/// Counts a booking with a PIN code that is in no list. Beyond a number of them, no more are kept.
pub(crate) async fn count_unlisted_pin(
    conn: &mut Conn,
    pincode: &str,
    now_ms: i64,
    most: i64,
) -> Result<()> {
    sqlx::query(
        "insert into unlisted_pins (pincode, bookings, last_ms)
         select cast($1 as text), 1, cast($2 as bigint)
         where (select count(*) from unlisted_pins) < $3
         on conflict (pincode) do update
         set bookings = unlisted_pins.bookings + 1, last_ms = excluded.last_ms",
    )
    .bind(pincode)
    .bind(now_ms)
    .bind(most)
    .run(conn)
    .await
}

/// Returns unlisted PIN codes of bookings with their count and the last time, the commonest first;
/// without those that operators have added meanwhile.
pub(crate) async fn unlisted_pins(conn: &mut Conn, most: i64) -> Result<Vec<(String, i64, i64)>> {
    let select = "select pincode, bookings, last_ms from unlisted_pins
                  where pincode not in (select pincode from pins)
                  order by bookings desc, pincode limit $1";
    Ok(sqlx::query_as(select).bind(most).fetch_all(conn).await?)
}
