//! Rate cards and PIN codes imported by operators, and services on and off sale.

use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, nothing_to_do, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::digest::sha256_hex;
use crate::model::input::postal_code;
use crate::model::operator::{ActResult, format_count};
use crate::model::rates::price::Product;
use crate::model::shipping::place::{self, Pin};
use crate::services::pricing::import;
use crate::store::{self, Store};

#[derive(Debug, Serialize)]
pub struct RatesImported {
    pub products: usize,
    pub cards: usize,
    pub fuel: usize,
    pub rules: usize,
}

/// A PIN code that is newer than our table.
#[derive(Debug, Serialize)]
pub struct PinAdded {
    pub pincode: String,
    pub city: String,
    pub state: String,
}

/// A service, for operators.
#[derive(Clone, Debug, Serialize)]
pub struct ServiceOnSale {
    pub service: i64,
    pub name: String,
    pub vendor: String,
    pub courier: String,
    pub on_sale: bool,
}

impl From<Product> for ServiceOnSale {
    fn from(product: Product) -> ServiceOnSale {
        ServiceOnSale {
            service: product.product_id,
            name: product.product_name,
            vendor: product.parent_vendor,
            courier: product.courier,
            on_sale: product.active,
        }
    }
}

/// Returns every service, on sale or not.
pub async fn services(store: &Store) -> Result<Vec<ServiceOnSale>> {
    let book = store::rates::book(&mut *store.read().await?).await?;
    let products = book.entries.into_iter().map(|entry| entry.product);
    Ok(products.map(ServiceOnSale::from).collect())
}

/// A PIN code of bookings that is in no list; `last_at` is in UTC milliseconds.
#[derive(Debug, Serialize)]
pub struct UnlistedPin {
    pub pincode: String,
    pub bookings: i64,
    pub last_at: i64,
}

/// Returns PIN codes of bookings that are in no list, the commonest first.
pub async fn unlisted_pins(store: &Store) -> Result<Vec<UnlistedPin>> {
    let mut conn = store.read().await?;
    let pins = store::rates::unlisted_pins(&mut conn, limits::OPERATOR_LINES_MAX).await?;
    let shown = |(pincode, bookings, last_at)| UnlistedPin { pincode, bookings, last_at };
    Ok(pins.into_iter().map(shown).collect())
}

impl Operators {
    /// Imports a file of rate cards: all rows or, if one is wrong, none. Running servers use them
    /// within seconds.
    ///
    /// # Errors
    /// `Malformed` names every wrong row.
    pub async fn import_rates(&self, file: Vec<u8>, why: &str) -> Result<ActResult<RatesImported>> {
        let why = reason(why)?;
        // The hash identifies the file later; its name may contain personal data.
        let arguments = json!({"sha256": sha256_hex(&file), "reason": why});
        let action = self.act("rates import", arguments, move |conn| {
            Box::pin(async move {
                let new = match import::import(conn, &file).await? {
                    Ok(new) => new,
                    Err(problems) => {
                        let rows = problems.iter().map(ToString::to_string);
                        let rows = rows.collect::<Vec<_>>().join("\n");
                        return Err(Error::Malformed(
                            format!("nothing was imported:\n{rows}").into(),
                        ));
                    }
                };
                let (products, cards) = (new.products.len(), new.cards.len());
                let (fuel, rules) = (new.fuel.len(), new.rules.len());
                Ok(ActOutcome {
                    reference: "rates".to_owned(),
                    outcome: format!(
                        "Imported {}, {}, {} and {}.",
                        format_count(products, "product"),
                        format_count(cards, "card"),
                        format_count(fuel, "fuel surcharge"),
                        format_count(rules, "zone rule")
                    ),
                    result: RatesImported { products, cards, fuel, rules },
                })
            })
        });
        action.await
    }

    /// Adds a PIN code; running servers use it within seconds.
    ///
    /// # Errors
    /// `Fields` for an invalid PIN code, city or state, `Conflict` when it is in our table.
    pub async fn add_pin(
        &self,
        pincode: &str,
        city: &str,
        state_code: &str,
        why: &str,
    ) -> Result<ActResult<PinAdded>> {
        let (pincode, city, why) =
            (postal_code::pin(pincode), city.trim().to_owned(), reason(why)?);
        if !postal_code::is_pin(&pincode) || pincode.starts_with('0') {
            return Err(Error::field("pincode", format!("{pincode} is not six digits.")));
        }
        let state = place::state(state_code)
            .ok_or_else(|| Error::field("state_code", "The state is a code as in KA."))?;
        if !(1..=limits::CITY_CHARS_MAX).contains(&city.chars().count()) {
            let message = format!("The city has 1 to {} letters.", limits::CITY_CHARS_MAX);
            return Err(Error::field("city", message));
        }
        if place::pin(&pincode).is_some_and(|pin| pin.is_listed()) {
            return Err(nothing_to_do("This PIN code is in our table already."));
        }
        let arguments = json!({
            "pincode": pincode, "city": city, "state": state.state, "reason": why,
        });
        let pin = Pin::new(pincode.clone(), city.clone(), state);
        let action = self.act("pins add", arguments, move |conn| {
            Box::pin(async move {
                store::rates::put_pin(conn, &pin).await?;
                store::rates::count_up(conn).await?;
                Ok(ActOutcome {
                    reference: pincode.clone(),
                    outcome: format!("Added {pincode}, {city}, {}.", state.state),
                    result: PinAdded { pincode, city, state: state.state.clone() },
                })
            })
        });
        action.await
    }

    /// Puts a service on sale or takes it off. Running servers apply it within seconds; a service
    /// off sale cannot be booked from now on.
    ///
    /// # Errors
    /// `NotFound` when there is no such service, `Conflict` when nothing would change.
    pub async fn sell(
        &self,
        service: i64,
        on: bool,
        why: &str,
    ) -> Result<ActResult<ServiceOnSale>> {
        let why = reason(why)?;
        let command = if on { "services on" } else { "services off" };
        self.act(command, json!({"service": service, "reason": why}), move |conn| {
            Box::pin(async move {
                let book = store::rates::book(conn).await?;
                let product = book.product(service).cloned().ok_or_else(|| {
                    Error::NotFound(format!("There is no service {service}.").into())
                })?;
                let sale = if on { "on sale" } else { "off sale" };
                if product.active == on {
                    let message = format!("{} is {sale} already.", product.product_name).into();
                    let code = "nothing_to_do";
                    return Err(Error::Conflict { code, message });
                }
                store::rates::set_on_sale(conn, service, on).await?;
                store::rates::count_up(conn).await?;
                Ok(ActOutcome {
                    reference: service.to_string(),
                    outcome: format!("{} is {sale}.", product.product_name),
                    result: ServiceOnSale { on_sale: on, ..ServiceOnSale::from(product) },
                })
            })
        })
        .await
    }
}
