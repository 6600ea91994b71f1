//! Quotes and offers as values, and the rule for a customer's taxes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::kyc;
use crate::model::money::paise::Paise;
use crate::model::rates::price::{Price, Product, Supply};
use crate::model::shipping::place;

/// One service with its price.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RateOption {
    pub product_name: String,
    pub parent_vendor: String,
    pub product_id: i64,
    pub grand_total_with_gst: Paise,
    /// Not every partner tells.
    #[schema(required)]
    pub tat_days: Option<i64>,
    /// A token: whoever books sends it back as it is.
    pub quote_id: String,
    pub kyc_required: bool,
    pub otp_required: bool,
    pub breakdown: Price,
}

#[derive(Clone, Debug)]
pub struct Offer {
    pub product: Product,
    pub tat_days: Option<i64>,
    pub price: Price,
    /// The part of the taxable value that the courier will bill us.
    pub courier: Paise,
}

/// Prices for a shipment, with notes for the customer.
#[derive(Clone, Debug, Default)]
pub struct Quoted {
    pub rates: Vec<RateOption>,
    /// Sentences for the customer when prices are missing.
    pub notes: Vec<String>,
}

/// A service as the list of couriers names it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CourierDetail {
    pub product_name: String,
    pub product_id: i64,
}

#[derive(Clone, Debug)]
pub struct StoredQuote {
    /// The quote's id in the database, with which its token begins.
    pub quote_id: String,
    pub product_id: i64,
    pub shipment_hash: String,
    pub shipment: String,
    pub price: String,
    pub total: Paise,
    /// The part of the taxable value that the courier will bill us.
    pub courier: Paise,
    pub gstin: String,
    /// The courier's estimate from pickup to delivery.
    pub tat_days: Option<i64>,
    pub created_ms: i64,
    pub expires_ms: i64,
}

/// Returns the sentence for couriers that returned no price.
pub fn note(missing: &[String]) -> Option<String> {
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

/// Compares the place of supply with our state. IGST Act s. 12(8): where a registered customer is
/// registered, else where the goods are handed over. The destination does not matter.
pub fn supply(our_state: &str, gstin: &str, origin_pincode: &str) -> Supply {
    let origin = place::pin(origin_pincode).map_or("", |pin| pin.gst_state_code);
    let place = gstin.get(..2).unwrap_or(origin);
    if place == our_state { Supply::WithinState } else { Supply::BetweenStates }
}

pub fn quote_id(calculation_id: &str, product_id: i64) -> String {
    format!("{calculation_id}-{product_id}")
}

/// Splits a quote's id into its calculation and product; `None` if it is no quote id.
pub fn parse_quote_id(quote_id: &str) -> Option<(&str, i64)> {
    let (calculation_id, product_id) = quote_id.rsplit_once('-')?;
    Some((calculation_id, product_id.parse().ok()?))
}

impl RateOption {
    pub fn of(offer: Offer, token: String) -> RateOption {
        let product = offer.product;
        RateOption {
            product_name: product.product_name,
            parent_vendor: product.parent_vendor,
            product_id: product.product_id,
            grand_total_with_gst: offer.price.total,
            tat_days: offer.tat_days,
            quote_id: token,
            kyc_required: kyc::is_needed(product.international, product.needs_kyc),
            otp_required: product.needs_otp,
            breakdown: offer.price,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn couriers_without_a_price_are_named() {
        let names = |all: &[&str]| note(&all.iter().map(|&name| name.into()).collect::<Vec<_>>());
        assert_eq!(names(&[]), None);
        assert!(names(&["UPS"]).unwrap().starts_with("No price from UPS just now."));
        let three = names(&["DHL", "FedEx", "UPS"]).unwrap();
        assert!(three.starts_with("No price from DHL, FedEx and UPS just now."), "{three}");
    }

    #[test]
    fn a_quotes_name_says_its_calculation_and_service() {
        let name = quote_id("a-b_c", 12);
        assert_eq!(parse_quote_id(&name), Some(("a-b_c", 12)));
        for strange in ["", "a", "a-", "a-b", "-", "a-99999999999999999999"] {
            assert_eq!(parse_quote_id(strange), None, "{strange}");
        }
    }

    #[test]
    fn the_place_of_supply_is_the_registration_else_the_origin() {
        assert_eq!(supply("07", "", "110001"), Supply::WithinState);
        assert_eq!(supply("07", "", "560001"), Supply::BetweenStates);
        let registered = supply("07", "29AAACD1234E1Z9", "110001");
        assert_eq!(registered, Supply::BetweenStates);
    }
}
