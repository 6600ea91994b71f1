//! /calculate: prices for a shipment.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::pages::courier_step::Ends;
use crate::http::pages::page::{Page, Params, Shown, Visit, serialize_data};
use crate::http::state::AppState;
use dakiya_core::error::{FieldError, Result};
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::form::draft::{RateForm, country_id};
use dakiya_core::model::rates::quote::{Quoted, RateOption};
use dakiya_core::model::shipping::place::{self, CountryName};
use dakiya_core::model::shipping::shipment::Shipment;

pub struct CalculatePage;

impl Page for CalculatePage {
    fn is_slow(&self, visit: &Visit) -> bool {
        visit.query.contains_key("origin_pincode")
    }

    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        serialize_data(&data(web, visit.member()?, &visit.query).await?)
    }
}

#[derive(Default, Serialize, ToSchema)]
#[schema(as = CalculateData)]
pub struct Calculate {
    #[schema(required)]
    pub countries: Option<Vec<CountryName>>,
    #[schema(required, value_type = Option<BTreeMap<String, String>>)]
    pub form: Option<Params>,
    #[schema(required)]
    pub ends: Option<Ends>,
    #[schema(required)]
    pub rates: Option<Vec<RateOption>>,
    pub notes: Vec<String>,
    #[schema(required)]
    pub error: Option<String>,
    pub errors: Vec<FieldError>,
}

async fn data(web: &AppState, user: &CurrentUser, query: &Params) -> Result<Calculate> {
    // The default is international; a browser without JavaScript then needs the list of countries
    // in the page.
    let domestic = query.get("booking_type").is_some_and(|kind| kind == "2");
    let mut data =
        Calculate { countries: (!domestic).then(|| place::countries("")), ..Calculate::default() };
    if !query.contains_key("origin_pincode") {
        return Ok(data);
    }
    let mut form = query.clone();
    if let Some(country) = form.get_mut("destination_country") {
        *country = country_id(country);
    }
    data.form = Some(form);
    let shipment = RateForm::of(query);
    match rates(web, user, &shipment).await {
        Ok(quoted) => {
            data.ends = Ends::of(&shipment);
            data.rates = Some(quoted.rates);
            data.notes = quoted.notes;
        }
        Err(error) if error.is_ours() => return Err(error),
        Err(error) => {
            data.error = Some(error.message().to_owned());
            data.errors = error.fields().to_vec();
        }
    }
    Ok(data)
}

/// Returns the prices for a plain form.
pub(crate) async fn rates(web: &AppState, user: &CurrentUser, form: &RateForm) -> Result<Quoted> {
    let shipment = Shipment::parse(&form.shipment())?;
    form.check_city()?;
    let gstin = &user.user.gstin;
    web.pricing.calculate(user, gstin, &shipment).await
}
