//! Quotes: prices promised to one user for exactly one shipment, for half an hour.

use serde::Serialize;

use super::ids::random_id;
use super::money::Paise;
use super::place;
use super::rate::{Card, Price, Supply, price};
use super::session::CurrentUser;
use super::shipment::Shipment;
use crate::app::App;
use crate::clock::month_in_india;
use crate::error::Result;
use crate::limits;
use crate::store;
use crate::store::users::User;

/// One service with its price (specification section 3, Rate option).
#[derive(Clone, Debug, Serialize)]
pub struct RateOption {
    pub product_name: String,
    pub parent_vendor: String,
    pub product_id: i64,
    pub grand_total_with_gst: Paise,
    pub tat_days: i64,
    pub quote_id: String,
    pub kyc_required: bool,
    pub otp_required: bool,
    pub breakdown: Price,
}

/// A service as the list of couriers names it (specification section 3, Courier detail).
#[derive(Clone, Debug, Serialize)]
pub struct CourierDetail {
    pub product_name: String,
    pub product_id: i64,
}

/// A quote as it is kept.
#[derive(Clone, Debug)]
pub struct StoredQuote {
    pub quote_id: String,
    pub product_id: i64,
    pub shipment_hash: String,
    pub shipment: String,
    pub price: String,
    pub total: Paise,
    pub created_ms: i64,
    pub expires_ms: i64,
}

/// Prices a shipment on every product that takes it, cheapest first, and keeps the quotes.
pub async fn calculate(
    app: &App,
    user: &CurrentUser,
    shipment: &Shipment,
) -> Result<Vec<RateOption>> {
    let options = options(app, &user.user, shipment).await?;
    keep(app, user, shipment, &options).await?;
    Ok(options)
}

/// The same for one product only: the fresh price when a booking's quote no longer holds.
pub async fn calculate_one(
    app: &App,
    user: &CurrentUser,
    shipment: &Shipment,
    product_id: i64,
) -> Result<Vec<RateOption>> {
    let mut options = options(app, &user.user, shipment).await?;
    options.retain(|option| option.product_id == product_id);
    keep(app, user, shipment, &options).await?;
    Ok(options)
}

/// The services on sale.
pub async fn couriers(app: &App) -> Result<Vec<CourierDetail>> {
    let products = store::rates::products(&mut *app.store.read().await?).await?;
    let detail = |product: super::rate::Product| CourierDetail {
        product_name: product.product_name,
        product_id: product.product_id,
    };
    Ok(products.into_iter().map(detail).collect())
}

async fn options(app: &App, user: &User, shipment: &Shipment) -> Result<Vec<RateOption>> {
    // House cards are domestic; partners for other countries come with their adapters.
    let (Some(from), Some(to)) = (
        place::pin(&shipment.origin_pincode),
        place::pin(&shipment.destination_code),
    ) else {
        return Ok(Vec::new());
    };
    if shipment.is_international() {
        return Ok(Vec::new());
    }
    let mut conn = app.store.read().await?;
    let zone = store::rates::zone_map(&mut conn).await?.zone(from, to);
    let month = month_in_india(app.clock.now_ms());
    let cards = store::rates::cards(&mut conn, zone, &month).await?;
    let supply = supply(
        app.config.company.gst_state_code(),
        user,
        &from.gst_state_code,
    );
    let priced = |card: &Card| Some(option(card, price(card, shipment, zone, supply)?));
    let mut options: Vec<RateOption> = cards.iter().filter_map(priced).collect();
    options.sort_by_key(|option| (option.grand_total_with_gst, option.product_id));
    Ok(options)
}

/// Place of supply, IGST Act s. 12(8): where a registered customer is registered, else where the
/// goods are handed over (domain-facts section 6).
fn supply(our_state: &str, user: &User, origin_state: &str) -> Supply {
    let place = user.gstin.get(..2).unwrap_or(origin_state);
    if place == our_state {
        Supply::WithinState
    } else {
        Supply::BetweenStates
    }
}

fn option(card: &Card, price: Price) -> RateOption {
    RateOption {
        product_name: card.product.product_name.clone(),
        parent_vendor: card.product.parent_vendor.clone(),
        product_id: card.product.product_id,
        grand_total_with_gst: price.total,
        tat_days: card.tat_days,
        quote_id: random_id(),
        kyc_required: card.product.needs_kyc,
        otp_required: card.product.needs_otp,
        breakdown: price,
    }
}

async fn keep(
    app: &App,
    user: &CurrentUser,
    shipment: &Shipment,
    options: &[RateOption],
) -> Result<()> {
    let created_ms = app.clock.now_ms();
    let (shipment_hash, json) = (shipment.fingerprint(), shipment.to_json());
    let quote = |option: &RateOption| StoredQuote {
        quote_id: option.quote_id.clone(),
        product_id: option.product_id,
        shipment_hash: shipment_hash.clone(),
        shipment: json.clone(),
        price: serde_json::to_string(&option.breakdown).expect("a price is plain data"),
        total: option.grand_total_with_gst,
        created_ms,
        expires_ms: created_ms + limits::QUOTE_MS_MAX,
    };
    let quotes: Vec<StoredQuote> = options.iter().map(quote).collect();
    let user_id = user.id().to_owned();
    app.store
        .write(move |conn| {
            Box::pin(async move {
                for quote in &quotes {
                    store::rates::add_quote(conn, &user_id, quote).await?;
                }
                Ok(())
            })
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(gstin: &str) -> User {
        User {
            user_id: String::new(),
            username: String::new(),
            email: String::new(),
            phone: String::new(),
            first_name: String::new(),
            last_name: String::new(),
            company_name: String::new(),
            gstin: gstin.to_owned(),
        }
    }

    #[test]
    fn the_place_of_supply_is_the_registration_else_the_origin() {
        assert_eq!(supply("07", &user(""), "07"), Supply::WithinState);
        assert_eq!(supply("07", &user(""), "29"), Supply::BetweenStates);
        assert_eq!(
            supply("07", &user("29AAACD1234E1Z9"), "07"),
            Supply::BetweenStates
        );
    }
}
