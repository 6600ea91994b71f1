//! /wallet/weight-differences: couriers' claims that parcels were heavier than booked, to accept or
//! to dispute.

use axum::Router;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other};
use crate::http::pages::form_after_login;
use crate::http::pages::page::{
    FormState, Page, Params, SentForm, Shown, Visit, read, serialize_data,
};
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::model::booking::weight_claim::WeightClaimShown;
use dakiya_core::model::openapi_schema::Text;

const PATH: &str = "/wallet/weight-differences";

pub struct WeightDifferencesPage;

impl Page for WeightDifferencesPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        let claims = web.books.weight_claims(visit.member()?.id()).await?;
        serialize_data(&WeightDifferences {
            claims: claims.into_iter().map(WeightClaimShown::from).collect(),
            form: visit.form.as_ref(),
        })
    }

    async fn submit(&self, form: SentForm<'_>) -> Answer {
        let raw: RawAnswer = read(form.fields)?;
        let (claim, reason) = (raw.claim.as_str(), raw.reason.as_str());
        let (books, id) = (&form.web.books, form.user.id());
        let (answered, saved) = match raw.answer.as_str() {
            "accept" => (books.accept_weight(id, claim).await, "accepted"),
            "dispute" => (books.dispute_weight(id, claim, reason).await, "disputed"),
            _ => return Err(Error::Malformed("The form could not be read.".into())),
        };
        let Err(error) = answered else {
            return Ok(see_other(&format!("{PATH}?saved={saved}")));
        };
        let values = [("claim", claim), ("answer", raw.answer.as_str()), ("reason", reason)];
        let (screen, query) = ("weight-differences", Params::new());
        form.sender().draw_again(screen, &WeightDifferencesPage, query, &values, error).await
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route(PATH, form_after_login::route(&WeightDifferencesPage, PATH))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = WeightDifferencesData)]
pub struct WeightDifferences<'a> {
    claims: Vec<WeightClaimShown>,
    /// The answer that was refused, its claim, and the reason that was typed.
    #[schema(required)]
    form: Option<&'a FormState>,
}

#[derive(Deserialize)]
struct RawAnswer {
    claim: Text,
    answer: String,
    #[serde(default)]
    reason: Text,
}
