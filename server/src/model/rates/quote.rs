//! Quotes and offers as values, and which taxes a customer pays.

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use crate::limits;
use crate::model::money::paise::Paise;
use crate::model::rates::price::{Price, Product, Supply};
use crate::model::shipping::place;
use crate::model::shipping::shipment::Shipment;

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
    pub quote_id: String,
    pub kyc_required: bool,
    pub otp_required: bool,
    pub breakdown: Price,
}

/// A service that takes the shipment.
#[derive(Clone, Debug)]
pub struct Offer {
    pub product: Product,
    pub tat_days: Option<i64>,
    pub price: Price,
    /// Of the taxable value, what the courier will bill us.
    pub courier: Paise,
}

/// Prices for a shipment, and what has to be said about them.
#[derive(Clone, Debug, Default)]
pub struct Quoted {
    pub rates: Vec<RateOption>,
    /// Sentences for the customer, when prices are missing.
    pub notes: Vec<String>,
}

/// A service as the list of couriers names it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CourierDetail {
    pub product_name: String,
    pub product_id: i64,
}

/// The quotes of one shipment, made for one customer at one moment. Most are never booked, so they
/// are kept together.
#[derive(Clone, Debug)]
pub struct Calculation {
    pub calculation_id: String,
    pub shipment_hash: String,
    pub shipment: String,
    /// Of the customer it was made for; it decided the taxes.
    pub gstin: String,
    pub offers: Vec<QuotedOffer>,
    pub created_ms: i64,
    pub expires_ms: i64,
}

/// One service of a calculation, as its row keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QuotedOffer {
    pub product_id: i64,
    pub price: Box<RawValue>,
    pub total: Paise,
    /// Of the taxable value, what the courier will bill us.
    pub courier: Paise,
    pub tat_days: Option<i64>,
}

/// One quote, whole.
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
    pub gstin: String,
    /// The courier's estimate from pickup to delivery.
    pub tat_days: Option<i64>,
    pub created_ms: i64,
    pub expires_ms: i64,
}

/// What is said when couriers that were asked gave no price.
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

/// Place of supply, IGST Act s. 12(8): where a registered customer is registered, else where the
/// goods are handed over. The destination does not matter.
pub fn supply(our_state: &str, gstin: &str, origin_pincode: &str) -> Supply {
    let origin = place::pin(origin_pincode).map_or("", |pin| pin.gst_state_code.as_str());
    let place = gstin.get(..2).unwrap_or(origin);
    if place == our_state {
        Supply::WithinState
    } else {
        Supply::BetweenStates
    }
}

impl Calculation {
    /// The offers for a shipment as quotes. `now_ms` is UTC.
    pub fn of(
        calculation_id: String,
        shipment: &Shipment,
        gstin: &str,
        offers: &[Offer],
        now_ms: i64,
    ) -> Calculation {
        let quoted = |offer: &Offer| QuotedOffer {
            product_id: offer.product.product_id,
            price: to_raw_value(&offer.price).expect("a price is plain data"),
            total: offer.price.total,
            courier: offer.courier,
            tat_days: offer.tat_days,
        };
        Calculation {
            calculation_id,
            shipment_hash: shipment.fingerprint(),
            shipment: shipment.to_json(),
            gstin: gstin.to_owned(),
            offers: offers.iter().map(quoted).collect(),
            created_ms: now_ms,
            expires_ms: now_ms + limits::QUOTE_MS_MAX,
        }
    }

    /// The quote for one of its services.
    pub fn quote(&self, product_id: i64) -> Option<StoredQuote> {
        let mut offers = self.offers.iter();
        let offer = offers.find(|offer| offer.product_id == product_id)?;
        Some(StoredQuote {
            quote_id: quote_id(&self.calculation_id, product_id),
            product_id,
            shipment_hash: self.shipment_hash.clone(),
            shipment: self.shipment.clone(),
            price: offer.price.get().to_owned(),
            total: offer.total,
            courier: offer.courier,
            gstin: self.gstin.clone(),
            tat_days: offer.tat_days,
            created_ms: self.created_ms,
            expires_ms: self.expires_ms,
        })
    }
}

/// The name of the quote for one service of a calculation.
pub fn quote_id(calculation_id: &str, product_id: i64) -> String {
    format!("{calculation_id}-{product_id}")
}

/// Which calculation and which service a quote's name means; `None` for what is no such name.
pub fn parse_quote_id(quote_id: &str) -> Option<(&str, i64)> {
    let (calculation_id, product_id) = quote_id.rsplit_once('-')?;
    Some((calculation_id, product_id.parse().ok()?))
}

impl RateOption {
    /// An offer as a quote of this name.
    pub fn of(offer: Offer, quote_id: String) -> RateOption {
        let product = offer.product;
        RateOption {
            product_name: product.product_name,
            parent_vendor: product.parent_vendor,
            product_id: product.product_id,
            grand_total_with_gst: offer.price.total,
            tat_days: offer.tat_days,
            quote_id,
            kyc_required: product.needs_kyc || product.international,
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
