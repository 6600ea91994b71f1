//! /api/v1/shipping: places, couriers and prices.

use axum::extract::{Query, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::answer;
use super::extract::Json;
use crate::app::App;
use crate::domain::place::{self, RawZipcode};
use crate::domain::quote;
use crate::domain::session::CurrentUser;
use crate::domain::shipment::{RawShipment, Shipment};
use crate::error::Result;

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
    State(app): State<App>,
    user: CurrentUser,
    Json(raw): Json<RawShipment>,
) -> Result<Response> {
    let shipment = Shipment::parse(&raw)?;
    Ok(answer::ok(&Data {
        data: quote::calculate(&app, &user, &shipment).await?,
    }))
}

pub async fn couriers(State(app): State<App>, _: CurrentUser) -> Result<Response> {
    Ok(answer::ok(&Data {
        data: quote::couriers(&app).await?,
    }))
}
