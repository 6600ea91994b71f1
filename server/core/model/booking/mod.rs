//! Booking of a courier: checks the form, charges the quoted price once and gives an AWB.

pub mod documents;
pub mod form;
pub mod handover;
pub mod order;
pub mod otp;
pub mod pickup;
pub mod search;
pub mod weight_claim;

use std::sync::OnceLock;

use crate::error::{Error, Result};
use crate::model::booking::form::details::BookingDetails;
use crate::model::booking::form::request::BookingRequest;
use crate::model::booking::order::status::BookingStatus;
use crate::model::money::charge::ChargeParts;
use crate::model::money::paise::Paise;
use crate::model::rates::price::Product;
use crate::model::rates::quote::StoredQuote;
use crate::model::shipping::grams::Grams;
use crate::model::shipping::place;

/// A booking that a courier has or is about to get.
#[derive(Clone, Debug)]
pub struct Booking {
    pub booking_id: String,
    pub awb: String,
    pub status: BookingStatus,
    pub quote_id: String,
    pub product_id: i64,
    pub product_name: String,
    pub courier_code: String,
    pub consignee_name: String,
    pub origin_pincode: String,
    pub origin_city: String,
    pub destination_pincode: String,
    pub destination_city: String,
    /// Actual weight of all pieces.
    pub weight: Grams,
    /// The charged amount, with GST.
    pub amount: Paise,
    pub form: KeptForm,
    pub created_ms: i64,
}

impl Booking {
    /// Returns the PIN code of the sender's address. The origin is the place of pickup, which may
    /// be another one.
    pub fn sender_pincode(&self) -> &str {
        match self.form.read().route.origin_pincode.as_str() {
            "" => &self.origin_pincode,
            pincode => pincode,
        }
    }
}

/// A form as JSON, parsed at first use.
#[derive(Clone, Debug)]
pub struct KeptForm {
    json: String,
    details: OnceLock<BookingDetails>,
}

impl KeptForm {
    pub fn of(form: BookingDetails) -> KeptForm {
        KeptForm { json: form.to_json(), details: form.into() }
    }

    pub fn read(&self) -> &BookingDetails {
        self.details.get_or_init(|| BookingDetails::from_stored(&self.json))
    }

    pub fn as_json(&self) -> &str {
        &self.json
    }
}

/// Accepts stored JSON of any age.
impl From<String> for KeptForm {
    fn from(json: String) -> KeptForm {
        KeptForm { json, details: OnceLock::new() }
    }
}

pub fn booking(
    request: BookingRequest,
    quote: &StoredQuote,
    product: &Product,
    (booking_id, awb): (String, String),
    now_ms: i64,
) -> Booking {
    let shipment = &request.shipment;
    let city = |code: &str, typed: &str| {
        place::pin(code).map_or_else(String::new, |pin| pin.city_or(typed).to_owned())
    };
    let (from, to) = (&request.details.consignor.city, &request.details.consignee.city);
    Booking {
        booking_id,
        awb,
        status: BookingStatus::Pending,
        quote_id: quote.quote_id.clone(),
        product_id: quote.product_id,
        product_name: product.product_name.clone(),
        courier_code: product.parent_vendor.clone(),
        consignee_name: request.details.consignee.name.clone(),
        origin_pincode: shipment.origin_pincode.clone(),
        origin_city: city(&shipment.origin_pincode, from),
        destination_pincode: shipment.destination_code.clone(),
        destination_city: match shipment.is_international() {
            // A foreign code of six digits may be equal to a PIN code.
            true => to.clone(),
            false => city(&shipment.destination_code, to),
        },
        weight: Grams(shipment.piece_weight.0 * shipment.pieces),
        amount: quote.total,
        form: KeptForm::of(request.details),
        created_ms: now_ms,
    }
}

/// Returns taxable value, GST and the courier's bill of the stored price.
pub fn charge_parts(quote: &StoredQuote) -> Result<ChargeParts> {
    let taxable = quote.read_price()?.taxable;
    let gst = quote.total.checked_sub(taxable).filter(|gst| !gst.is_negative());
    let gst = gst.ok_or_else(|| Error::internal(anyhow::anyhow!("a price below its parts")))?;
    Ok(ChargeParts { taxable, gst, courier: quote.courier })
}

/// The error also for another customer's booking, to hide that it exists.
pub fn no_such_booking() -> Error {
    Error::NotFound("There is no such booking.".into())
}
