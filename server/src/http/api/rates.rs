//! /api/v1/shipping: places, couriers and prices.

use axum::extract::{Query, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::http::answer;
use crate::http::extract::Json;
use crate::model::account::session::CurrentUser;
use crate::model::rates::quote::RateOption;
use crate::model::shipping::place::{self, RawZipcode};
use crate::model::shipping::shipment::{RawShipment, Shipment};
use crate::services::pricing::Pricing;

/// Prices, and what has to be said about them.
#[derive(Serialize)]
struct Rates {
    data: Vec<RateOption>,
    /// Sentences for the customer; left out when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// Lists are wrapped in `data`.
#[derive(Serialize)]
pub struct Data<T> {
    pub data: Vec<T>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct CountryQuery {
    country_name: String,
}

pub async fn check_zipcode(_: CurrentUser, Json(raw): Json<RawZipcode>) -> Result<Response> {
    Ok(answer::ok(&Data {
        data: place::check_zipcode(&raw)?,
    }))
}

pub async fn countries(_: CurrentUser, Query(query): Query<CountryQuery>) -> Result<Response> {
    Ok(answer::ok(&place::countries(&query.country_name)))
}

pub async fn calculate(
    State(pricing): State<Pricing>,
    user: CurrentUser,
    Json(raw): Json<RawShipment>,
) -> Result<Response> {
    let shipment = Shipment::parse(&raw)?;
    let gstin = raw.gstin(&user.user.gstin)?;
    let quoted = pricing.calculate(&user, &gstin, &shipment).await?;
    Ok(answer::ok(&Rates {
        data: quoted.rates,
        notes: quoted.notes,
    }))
}

pub async fn couriers(State(pricing): State<Pricing>, _: CurrentUser) -> Result<Response> {
    Ok(answer::ok(&Data {
        data: pricing.services_on_sale().await?,
    }))
}
