//! /calculate: prices for a shipment.

use serde::Serialize;

use crate::error::{Error, FieldError, Result};
use crate::http::pages::data::Query;
use crate::http::web::Web;
use crate::model::account::session::CurrentUser;
use crate::model::rates::quote::RateOption;
use crate::model::shipping::place::{self, CountryName};
use crate::model::shipping::shipment::{RawShipment, Shipment};

#[derive(Serialize)]
pub struct Calculate<'a> {
    pub countries: Option<Vec<CountryName>>,
    pub form: Option<&'a Query>,
    pub rates: Option<Vec<RateOption>>,
    pub notes: Vec<String>,
    pub error: Option<String>,
    pub errors: Vec<FieldError>,
}

pub async fn data<'a>(web: &Web, user: &CurrentUser, query: &'a Query) -> Result<Calculate<'a>> {
    // International unless told otherwise, and then a browser without JavaScript
    // chooses the country from what is in the page.
    let domestic = query.get("booking_type").is_some_and(|kind| kind == "2");
    let mut data = Calculate {
        countries: (!domestic).then(|| place::countries("")),
        form: None,
        rates: None,
        notes: Vec::new(),
        error: None,
        errors: Vec::new(),
    };
    if !query.contains_key("origin_pincode") {
        return Ok(data);
    }
    data.form = Some(query);
    let text = |name: &str| query.get(name).map_or("", String::as_str).into();
    let raw = RawShipment {
        booking_type: text("booking_type"),
        origin_pincode: text("origin_pincode"),
        destination_pincode: text("destination_pincode"),
        // Without JavaScript the list of countries is sent whatever was chosen above it.
        destination_country: text(if domestic { "" } else { "destination_country" }),
        shipment_type: text("shipment_type"),
        weight: text("weight"),
        length: text("length"),
        width: text("width"),
        height: text("height"),
        quantity: text("quantity"),
        ..RawShipment::default()
    };
    let rates = match Shipment::parse(&raw) {
        Ok(shipment) => {
            web.pricing
                .calculate(user, &user.user.gstin, &shipment)
                .await
        }
        Err(error) => Err(error),
    };
    match rates {
        Ok(quoted) => {
            data.rates = Some(quoted.rates);
            data.notes = quoted.notes;
        }
        Err(Error::Internal(cause)) => return Err(Error::Internal(cause)),
        Err(error) => {
            data.error = Some(error.message().to_owned());
            data.errors = error.fields().to_vec();
        }
    }
    Ok(data)
}
