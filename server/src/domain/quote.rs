//! Quotes: prices promised to one user for exactly one shipment, for half an hour.

use serde::{Deserialize, Serialize};

use super::ids::random_id;
use super::money::Paise;
use super::offers::{self, Offer};
use super::place;
use super::rate::{Price, Product, Supply};
use super::session::CurrentUser;
use super::shipment::Shipment;
use crate::app::App;
use crate::clock::date_in_india;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::courier::fares::RateAsk;
use crate::store;
use crate::store::users::User;

/// One service with its price (specification section 3, Rate option).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RateOption {
    pub product_name: String,
    pub parent_vendor: String,
    pub product_id: i64,
    pub grand_total_with_gst: Paise,
    /// Not every partner tells.
    pub tat_days: Option<i64>,
    pub quote_id: String,
    pub kyc_required: bool,
    pub otp_required: bool,
    pub breakdown: Price,
    #[serde(skip)]
    courier: Paise,
}

/// Prices for a shipment, and what has to be said about them.
#[derive(Clone, Debug, Default)]
pub struct Quoted {
    pub rates: Vec<RateOption>,
    /// Sentences for the customer, when prices are missing.
    pub notes: Vec<String>,
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
    /// Of the taxable value, what the courier will bill us.
    pub courier: Paise,
    /// Of the customer it was made for; it decided the taxes.
    pub gstin: String,
    pub created_ms: i64,
    pub expires_ms: i64,
}

/// Prices a shipment with every courier that takes it, cheapest first, and keeps the quotes.
pub async fn calculate(app: &App, user: &CurrentUser, shipment: &Shipment) -> Result<Quoted> {
    let asked = ask(app, &user.user, shipment).await?;
    let offers = offers::ask(app, asked, None).await?;
    let rates: Vec<RateOption> = offers.offers.into_iter().map(RateOption::from).collect();
    keep(app, user, shipment, &rates).await?;
    Ok(Quoted {
        rates,
        notes: note(&offers.missing).into_iter().collect(),
    })
}

/// The same for one product only: the fresh price when a booking's quote no longer holds.
pub async fn calculate_one(
    app: &App,
    user: &CurrentUser,
    shipment: &Shipment,
    product_id: i64,
) -> Result<Vec<RateOption>> {
    let Ok(product) = product(app, product_id).await else {
        return Ok(Vec::new());
    };
    let asked = ask(app, &user.user, shipment).await?;
    let offers = offers::ask(app, asked, Some(&product.courier)).await?;
    let mut rates: Vec<RateOption> = offers.offers.into_iter().map(RateOption::from).collect();
    rates.retain(|option| option.product_id == product_id);
    keep(app, user, shipment, &rates).await?;
    Ok(rates)
}

/// A product on sale. One that another server has learnt of just now is looked for again.
pub async fn product(app: &App, product_id: i64) -> Result<Product> {
    let on_sale = async || -> Result<Option<Product>> {
        let book = app.rates.book(&app.store).await?;
        let product = book.product(product_id).filter(|product| product.active);
        Ok(product.cloned())
    };
    if let Some(product) = on_sale().await? {
        return Ok(product);
    }
    app.rates.forget();
    let gone = || Error::NotFound("This service is not on sale any more.".into());
    on_sale().await?.ok_or_else(gone)
}

/// What is said when couriers that were asked gave no price.
fn note(missing: &[String]) -> Option<String> {
    let (last, others) = missing.split_last()?;
    let names = match others {
        [] => last.clone(),
        others => format!("{} and {last}", others.join(", ")),
    };
    Some(format!(
        "No price from {names} just now. The prices shown hold; calculate again in a minute to \
         see all couriers."
    ))
}

/// The services on sale.
pub async fn couriers(app: &App) -> Result<Vec<CourierDetail>> {
    let book = app.rates.book(&app.store).await?;
    let on_sale = book.entries.iter().map(|entry| &entry.product);
    let detail = |product: &super::rate::Product| CourierDetail {
        product_name: product.product_name.clone(),
        product_id: product.product_id,
    };
    Ok(on_sale
        .filter(|product| product.active)
        .map(detail)
        .collect())
}

async fn ask(app: &App, user: &User, shipment: &Shipment) -> Result<RateAsk> {
    let ours = app.config.company.gst_state_code();
    Ok(RateAsk {
        shipment: shipment.clone(),
        day: date_in_india(app.clock.now_ms()),
        supply: supply(ours, &user.gstin, &shipment.origin_pincode),
        book: app.rates.book(&app.store).await?,
    })
}

/// Place of supply, IGST Act s. 12(8): where a registered customer is registered, else where the
/// goods are handed over (domain-facts section 6).
pub fn supply(our_state: &str, gstin: &str, origin_pincode: &str) -> Supply {
    let origin = place::pin(origin_pincode).map_or("", |pin| pin.gst_state_code.as_str());
    let place = gstin.get(..2).unwrap_or(origin);
    if place == our_state {
        Supply::WithinState
    } else {
        Supply::BetweenStates
    }
}

impl From<Offer> for RateOption {
    /// The offer under a number of its own.
    fn from(offer: Offer) -> RateOption {
        let product = offer.product;
        RateOption {
            product_name: product.product_name,
            parent_vendor: product.parent_vendor,
            product_id: product.product_id,
            grand_total_with_gst: offer.price.total,
            tat_days: offer.tat_days,
            quote_id: random_id(),
            kyc_required: product.needs_kyc,
            otp_required: product.needs_otp,
            breakdown: offer.price,
            courier: offer.courier,
        }
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
        courier: option.courier,
        gstin: user.user.gstin.clone(),
        created_ms,
        expires_ms: created_ms + limits::QUOTE_MS_MAX,
    };
    let quotes: Vec<StoredQuote> = options.iter().map(quote).collect();
    let user_id = user.id().to_owned();
    app.store
        .write(move |conn| {
            Box::pin(async move {
                for quote in &quotes {
                    store::quotes::add(conn, &user_id, quote).await?;
                }
                Ok(())
            })
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn couriers_without_a_price_are_named() {
        let names = |all: &[&str]| note(&all.iter().map(|&name| name.into()).collect::<Vec<_>>());
        assert_eq!(names(&[]), None);
        assert!(
            names(&["UPS"])
                .unwrap()
                .starts_with("No price from UPS just now.")
        );
        let three = names(&["DHL", "FedEx", "UPS"]).unwrap();
        assert!(
            three.starts_with("No price from DHL, FedEx and UPS just now."),
            "{three}"
        );
    }

    #[test]
    fn the_place_of_supply_is_the_registration_else_the_origin() {
        assert_eq!(supply("07", "", "110001"), Supply::WithinState);
        assert_eq!(supply("07", "", "560001"), Supply::BetweenStates);
        let registered = supply("07", "29AAACD1234E1Z9", "110001");
        assert_eq!(registered, Supply::BetweenStates);
    }
}
