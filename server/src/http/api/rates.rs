//! /api/v1/shipping: places, couriers and prices.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::answer::{self, Answer};
use crate::http::extract::{Json, Query};
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::rates::quote::{CourierDetail, RateOption};
use dakiya_core::model::shipping::place::{self, CountryName, RawZipcode, Zipcode};
use dakiya_core::model::shipping::shipment::{RawShipment, Shipment};
use dakiya_core::services::pricing::Pricing;

/// Prices, and what has to be said about them.
#[derive(Serialize, ToSchema)]
struct Rates {
    data: Vec<RateOption>,
    /// Sentences for the customer; left out when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// Lists are wrapped in `data`.
#[derive(Serialize, ToSchema)]
pub struct Data<T> {
    pub data: Vec<T>,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct CountryQuery {
    country_name: String,
}

#[utoipa::path(
    post,
    path = "/shipping/check-zipcode",
    request_body = RawZipcode,
    responses((status = 200, body = Data<Zipcode>))
)]
pub(crate) async fn check_zipcode(_: CurrentUser, Json(raw): Json<RawZipcode>) -> Answer {
    Ok(answer::ok(&Data { data: place::check_zipcode(&raw)? }))
}

#[utoipa::path(
    get,
    path = "/shipping/countries",
    params(CountryQuery),
    responses((status = 200, body = Vec<CountryName>))
)]
pub(crate) async fn countries(_: CurrentUser, Query(query): Query<CountryQuery>) -> Answer {
    Ok(answer::ok(&place::countries(&query.country_name)))
}

#[utoipa::path(
    post,
    path = "/shipping/calculate-rate",
    request_body = RawShipment,
    responses((status = 200, body = Rates))
)]
pub(crate) async fn calculate(
    pricing: Pricing,
    user: CurrentUser,
    Json(raw): Json<RawShipment>,
) -> Answer {
    let shipment = Shipment::parse(&raw)?;
    let gstin = raw.gstin(&user.user.gstin)?;
    let quoted = pricing.calculate(&user, &gstin, &shipment).await?;
    Ok(answer::ok(&Rates { data: quoted.rates, notes: quoted.notes }))
}

#[utoipa::path(
    get,
    path = "/shipping/get_courier_details",
    responses((status = 200, body = Data<CourierDetail>))
)]
pub(crate) async fn couriers(pricing: Pricing, _: CurrentUser) -> Answer {
    Ok(answer::ok(&Data { data: pricing.services_on_sale().await? }))
}
